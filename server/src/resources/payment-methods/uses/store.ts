import { sql } from 'kysely'
import { newId } from '#domain/ids.ts'
import { write } from '#platform/database/brief-transaction.ts'
import type { Context, Tx } from '#platform/database/db.ts'
import { insertInto } from '#platform/database/statements.ts'
import { FREE } from '#platform/queue/queue.ts'

declare module '#platform/database/db.ts' {
  interface Tables {
    payment_method_uses: {
      id: string
      payment_method_id: string
      used_at: Date
      is_client_initiated: boolean
    }
  }
}

export type Use = { readonly paymentMethodId: string; readonly isClientInitiated: boolean }

/** Takes a `Tx`, so that a use is counted together with its payment. */
export function record(tx: Context<Tx>, use: Use): Promise<void> {
  const now = tx.clock()
  const row = insertInto('payment_method_uses', {
    id: newId(now.getTime()),
    payment_method_id: use.paymentMethodId,
    used_at: now,
    is_client_initiated: use.isClientInitiated,
  })
  return write(tx, row)
}

/** The sum of one subject's uses. */
export type Sum = {
  readonly subject_id: string
  readonly count: number
  readonly cit_count: number
  readonly last_used_at: Date
  readonly cit_last_used_at: Date | null
}

/** Uses that are not yet in the counters, as one value of a select. */
export type Pending = {
  readonly count: number
  readonly cit_count: number
  readonly last_used_at: string | null
  readonly cit_last_used_at: string | null
}

/** The table of uses, and the column that names their subject. */
export type Place = { readonly table: string; readonly subject: string }

const PLACE: Place = { table: 'payment_method_uses', subject: 'payment_method_id' }

export function pendingOf(idColumn: string, { table, subject }: Place = PLACE) {
  return sql<Pending>`(
    select json_build_object(
      'count', pending.count,
      'cit_count', pending.cit_count,
      'last_used_at', pending.last_used_at,
      'cit_last_used_at', pending.cit_last_used_at
    )
    from (
      select ${SUMS} from ${sql.table(table)} where ${sql.ref(subject)} = ${sql.ref(idColumn)}
    ) as pending
  )`
}

/** Takes some uses and sums them up. Other processes take others; a rollback puts them back. */
export async function takeSome(
  { db }: Context<Tx>,
  limit: number,
  { table, subject }: Place = PLACE,
): Promise<Sum[]> {
  const [from, of] = [sql.table(table), sql.ref(subject)]
  const rows = await sql<Sum>`
    with taken as (
      delete from ${from} where id in (
        select id from ${from} order by ${of} limit ${limit} ${FREE}
      )
      returning ${of}, used_at, is_client_initiated
    )
    select ${of} as subject_id, ${SUMS} from taken group by ${of} order by ${of}
  `.execute(db)
  return rows.rows
}

const SUMS = sql`
  count(*)::integer as count,
  (count(*) filter (where is_client_initiated))::integer as cit_count,
  max(used_at) as last_used_at,
  max(used_at) filter (where is_client_initiated) as cit_last_used_at
`
