import { sql } from 'kysely'
import type { Scope, Tx } from '#platform/database/db.ts'

/** What lines add to the settlements of a payment or a refund that is settled in another currency than its own. */
export type Exchanged = { readonly id: string; readonly amount: number }

/** Adds it up, in the currency of the payment. Returns the sums of all lines so far. */
export async function addUp(
  { db, merchantAccountId }: Scope<Tx>,
  added: readonly Exchanged[],
): Promise<Map<string, number>> {
  if (added.length === 0) return new Map()
  const { rows } = await sql<{ id: string; amount: string }>`
    insert into exchanged_settlements as known (merchant_account_id, id, amount)
    select ${merchantAccountId}, added.id, added.amount
    from unnest(${added.map(({ id }) => id)}::uuid[], ${added.map(({ amount }) => amount)}::bigint[]) as added (id, amount)
    on conflict (merchant_account_id, id) do update set amount = known.amount + excluded.amount
    returning id, amount
  `.execute(db)
  return new Map(rows.map(({ id, amount }) => [id, Number(amount)]))
}
