import { BackTestDetail, BackTestList } from './back-tests.tsx'
import { HealthPage } from './health.tsx'
import { NewRule, RuleDetail, RuleList } from './rules.tsx'
import { Try } from './try.tsx'
import { History, Version } from './versions.tsx'
import './flows.css'
import './rules.css'

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
