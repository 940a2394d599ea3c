import type { Scope, Tx } from '#platform/database/db.ts'
import { errors, inBody } from '#platform/http/errors.ts'
import * as executions from './executions/store.ts'
import * as reports from './store.ts'

/** Enough for every question of a large shop. A schedule that no one needs any more can be disabled. */
export const SCHEDULED_MAX = 200
/** Files of one account that wait or are being written. */
export const OPEN_MAX = 100
const RETRY_SECONDS = 60

/** Refuses one more report that runs by its schedule, if the account has too many. */
export async function refuseTooManyScheduled(tx: Scope<Tx>): Promise<void> {
  if ((await reports.countScheduled(tx)) < SCHEDULED_MAX) return
  const message = `must be false: this merchant account already has ${SCHEDULED_MAX} reports whose schedule is enabled, the most allowed; disable one first`
  throw errors.invalid(inBody('/schedule_enabled', 'value_error.conflict', message))
}

/** Refuses one more file, if too many of the account wait. */
export async function refuseTooManyOpen(tx: Scope<Tx>): Promise<void> {
  if ((await executions.countOpen(tx)) < OPEN_MAX) return
  throw errors.tooManyRequests(RETRY_SECONDS, 'reports of this merchant account that wait for their file')
}
