import type { Context, Tx } from '#platform/database/db.ts'

declare module '#platform/database/db.ts' {
  interface Tables {
    user_money_moves: { user_id: string; moved_at: Date; amount: number }
  }
}

const HOUR_MS = 60 * 60_000

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
export async function noteMove({ db }: Context<Tx>, move: Move): Promise<boolean> {
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
