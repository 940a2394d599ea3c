import { type Context, inTransaction, type Tx } from '#platform/database/db.ts'
import { ApiError, errors, inBody } from '#platform/http/errors.ts'
import { type Finished, inFinalTransaction, type Once } from '#platform/idempotency/once.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import * as fills from '../fill/store.ts'
import { findTarget } from './find-target.ts'
import type { AdvanceSandboxClock, SandboxClock } from './schemas.ts'
import { showClock } from './show.ts'
import * as clocks from './store.ts'

/** Says where to move the clock. A worker moves it there. */
export function advanceClock(
  context: Context,
  once: Once,
  request: AdvanceSandboxClock,
): Promise<Finished<SandboxClock>> {
  return inFinalTransaction(context, once, async (tx) => {
    const begun = await begin(tx, request)
    if (await fills.isUnderWay(tx)) throw beingFilled()
    return begun
  })
}

/** The same for a process that moves the clock itself: no worker takes it first. */
export function advanceAndTake(
  context: Context,
  target: Date,
  lease: clocks.Lease,
): Promise<clocks.MovingClock> {
  return inTransaction(context, async (tx) => {
    await begin(tx, { to: target.toISOString() })
    const taken = await clocks.take(tx, lease)
    if (!taken) throw new Error('a clock that was locked has another worker')
    return taken
  })
}

async function begin(tx: Context<Tx>, request: AdvanceSandboxClock): Promise<SandboxClock> {
  const before = await clocks.lock(tx)
  if (before.target) throw alreadyAdvancing(before.target)
  const found = findTarget(request, tx.clock())
  if ('complaint' in found) throw errors.invalid(found.complaint)
  await clocks.setTarget(tx, found.target)
  const name = `to ${found.target.toISOString()}`
  await auditLogs.record({ ...tx, merchantAccountId: null }, 'updated', {
    type: 'sandbox-clock',
    id: 'clock',
    name,
  })
  return showClock(tx, { ...before, target: found.target, lateJobs: [] })
}

export function alreadyAdvancing(target: Date): ApiError {
  const message = `the clock is advancing to ${target.toISOString()}: wait until GET /sandbox/clock says ready`
  return isBusy('The clock is already advancing', message)
}

/** A history moves the clock, day by day. */
export function beingFilled(): ApiError {
  const message = 'a history is being made: wait until GET /sandbox/fill says succeeded or failed'
  return isBusy('The sandbox is being filled', message)
}

function isBusy(title: string, message: string): ApiError {
  return new ApiError('concurrent_request', {
    message: title,
    details: [inBody('', 'value_error.conflict', message)],
    headers: { 'retry-after': '1' },
  })
}
