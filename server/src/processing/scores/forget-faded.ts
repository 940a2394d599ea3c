import type { Context } from '#platform/database/db.ts'
import { retentionJob } from '#platform/database/retention.ts'
import { oldest, removeOld } from './store.ts'

/** Nothing is left of a figure after a hundred half-lives. */
const KEPT_DAYS = 30

export const forgetFadedScores = retentionJob<{ readonly context: Context }>({
  name: 'forget-faded-scores',
  days: () => KEPT_DAYS,
  batch: 1_000,
  removeOld,
  oldest,
})
