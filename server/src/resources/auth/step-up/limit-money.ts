import type { Caller } from '#platform/access/auth.ts'
import { freshUntil } from '#platform/access/session-reader.ts'
import { type Context, inTransaction, type Tx } from '#platform/database/db.ts'
import { ApiError } from '#platform/http/errors.ts'
import { realTime } from '#platform/process/clock.ts'

const HOUR_MS = 60 * 60_000

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

declare module '#platform/database/db.ts' {
  interface Tables {
    user_money_moves: { user_id: string; moved_at: Date; amount: number }
  }
}

type Move = {
  readonly userId: string
  readonly amount: number
  readonly at: Date
  /** What was moved before it no longer counts. */
  readonly since: Date
  readonly limit: number
}

/**
 * Notes a move of money, unless the user would then have moved more than the limit in an hour. The lock has moves of one user
 * counted in turn.
 */
async function noteMove({ db }: Context<Tx>, move: Move): Promise<boolean> {
  const { userId: user_id, amount, at, limit } = move
  await db.selectFrom('users').select('id').where('id', '=', user_id).forNoKeyUpdate().execute()
  const anHourAgo = new Date(at.getTime() - HOUR_MS)
  await db
    .deleteFrom('user_money_moves')
    .where('user_id', '=', user_id)
    .where('moved_at', '<=', anHourAgo)
    .execute()
  const { sum } = await db
    .selectFrom('user_money_moves')
    .select(({ fn }) => fn.sum<string | null>('amount').as('sum'))
    .where('user_id', '=', user_id)
    .where('moved_at', '>', move.since)
    .executeTakeFirstOrThrow()
  if (Number(sum ?? 0) + amount > limit) return false
  await db.insertInto('user_money_moves').values({ user_id, moved_at: at, amount }).execute()
  return true
}
