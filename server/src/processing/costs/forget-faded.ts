import type { Context } from '#platform/database/db.ts'
import { retentionJob } from '#platform/database/retention.ts'
import { oldest, removeOld } from './store.ts'

/** A price that no settlement has confirmed for a year says nothing. */
const KEPT_DAYS = 365

export const forgetFadedCosts = retentionJob<{ readonly context: Context }>({
  name: 'forget-faded-costs',
  days: () => KEPT_DAYS,
  batch: 1_000,
  removeOld,
  oldest,
})
