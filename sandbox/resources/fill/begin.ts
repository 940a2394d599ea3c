import type { Context, Scope, Tx } from '#platform/database/db.ts'
import { type Finished, inFinalTransaction, type Once } from '#platform/idempotency/once.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import { alreadyAdvancing, beingFilled } from '../clock/advance.ts'
import * as clocks from '../clock/store.ts'
import { DEFAULTS, type FillSandbox, type SandboxFill } from './schemas.ts'
import type { StoredFill } from './store.ts'
import * as fills from './store.ts'

/** Says which history to make. A worker makes it, and moves the clock for it. */
export function beginFill(scope: Scope, once: Once, request: FillSandbox): Promise<Finished<SandboxFill>> {
  const { merchantAccountId } = scope
  const wish = {
    merchantAccountId,
    days: request.days ?? DEFAULTS.days,
    payments: request.payments ?? DEFAULTS.payments,
    seed: request.seed ?? DEFAULTS.seed,
  }
  return inFinalTransaction(scope, once, async (tx) => {
    await begin(tx, wish)
    return showFill(await fills.read(tx))
  })
}

async function begin(tx: Context<Tx>, wish: fills.Wish): Promise<void> {
  // The lock of the clock comes first: an advance looks for a history under the same lock.
  const { target } = await clocks.lock(tx)
  if (!(await fills.begin(tx, wish))) throw beingFilled()
  if (target) throw alreadyAdvancing(target)
  await auditLogs.record({ ...tx, merchantAccountId: wish.merchantAccountId }, 'created', {
    type: 'sandbox-fill',
    id: 'fill',
    name: `${wish.payments} payments in ${wish.days} days`,
  })
}

export function showFill({ begun_at, ended_at, made, refusals, ...fill }: StoredFill): SandboxFill {
  return {
    type: 'sandbox-fill',
    ...fill,
    made: { ...made },
    refusals: [...refusals],
    begun_at: begun_at?.toISOString() ?? null,
    ended_at: ended_at?.toISOString() ?? null,
  }
}
