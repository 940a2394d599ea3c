import './flows.css'
import './rules.css'
import { BackTestDetail } from './back-test.tsx'
import { BackTestList } from './back-tests.tsx'
import { HealthPage } from './health.tsx'
import { History } from './history.tsx'
import { RuleList } from './list.tsx'
import { NewRule, RuleDetail } from './rule.tsx'
import { Try } from './try.tsx'
import { Version } from './version.tsx'

export const pages = {
  '/': RuleList,
  '/try': Try,
  '/health': HealthPage,
  '/back-tests': BackTestList,
  '/back-tests/$id': BackTestDetail,
  '/history': History,
  '/history/$number': Version,
  '/$flow/$action/new': NewRule,
  '/$flow/$action/$id': RuleDetail,
}
