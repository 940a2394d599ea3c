import type { Caller } from '#platform/access/auth.ts'
import { freshUntil } from '#platform/access/fresh-proof.ts'
import { type Context, inTransaction } from '#platform/database/db.ts'
import { ApiError } from '#platform/http/errors.ts'
import { realTime } from '#platform/process/clock.ts'
import { noteMove } from './store.ts'

/** In the smallest unit of the currency, whichever it is. */
const LIMIT_DEFAULT = 50_000

export type MoneyLimit = { readonly refundStepUpAmount?: number }

/**
 * A user moves so much in an hour, all in all. For more, the user must have proved within the last minutes who they are; then
 * nothing is counted, and what was moved before the proof no longer is. Tokens are not asked.
 */
export async function limitMoney(
  context: Context,
  { refundStepUpAmount: limit = LIMIT_DEFAULT }: MoneyLimit,
  { session }: Pick<Caller, 'session'>,
  amountOf: () => Promise<number>,
): Promise<void> {
  const at = realTime(context.clock)
  if (!session || freshUntil(session, at)) return
  const { userId, provedAt: since } = session
  const move = { userId, amount: await amountOf(), at, since, limit }
  if (!(await inTransaction(context, (tx) => noteMove(tx, move)))) throw new ApiError('step_up_required')
}
