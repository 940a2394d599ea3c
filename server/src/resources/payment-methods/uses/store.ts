import { sql } from 'kysely'
import { newId } from '#domain/ids.ts'
import { write } from '#platform/database/brief-transaction.ts'
import { type Context, inTransaction, type Tx } from '#platform/database/db.ts'
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
export function record(tx: Context<Tx>, { paymentMethodId, isClientInitiated }: Use): Promise<void> {
  const row = insertInto('payment_method_uses', {
    ...newUse(tx, isClientInitiated),
    payment_method_id: paymentMethodId,
  })
  return write(tx, row)
}

export function newUse({ clock }: Context, isClientInitiated: boolean) {
  const now = clock()
  return { id: newId(now.getTime()), used_at: now, is_client_initiated: isClientInitiated }
}

/** The sum of one subject's uses. */
type Sum = {
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

/** The table of uses, the column that names their subject, and the table of subjects, which has the counters. */
export type Place = {
  readonly table: string
  readonly subject: string
  readonly counters: 'payment_methods' | 'gift_cards'
}

const PLACE: Place = {
  table: 'payment_method_uses',
  subject: 'payment_method_id',
  counters: 'payment_methods',
}

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

const BATCH = 1_000

/**
 * Moves recorded uses into the counters. A use is always in exactly one of the two, so the shown number never
 * jumps.
 */
export async function addUpUses(context: Context, place = PLACE): Promise<void> {
  for (;;) {
    const added = await inTransaction(context, async (tx) => {
      const sums = await takeSome(tx, place)
      for (const sum of sums) await addUses(tx, place, sum)
      return sums.reduce((total, { count }) => total + count, 0)
    })
    if (added < BATCH) return
  }
}

async function addUses({ db }: Context<Tx>, { counters }: Place, sum: Sum): Promise<void> {
  await sql`
    update ${sql.table(counters)} set
      usage_count = usage_count + ${sum.count},
      cit_usage_count = cit_usage_count + ${sum.cit_count},
      last_used_at = greatest(last_used_at, ${sum.last_used_at}),
      cit_last_used_at = greatest(cit_last_used_at, ${sum.cit_last_used_at})
    where id = ${sum.subject_id}
  `.execute(db)
}

/** Takes some uses and sums them up. Other processes take others; a rollback puts them back. */
async function takeSome({ db }: Context<Tx>, { table, subject }: Place): Promise<Sum[]> {
  const [from, of] = [sql.table(table), sql.ref(subject)]
  const rows = await sql<Sum>`
    with taken as (
      delete from ${from} where id in (
        select id from ${from} order by ${of} limit ${BATCH} ${FREE}
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
