import type pg from 'pg'
import type { Rows } from './list-growth-rows.ts'
import { fillTransactions } from './list-growth-transactions.ts'

/** How often the payments of the first days are repeated. */
const COPIES = 20

/**
 * Payments and their documents, without marks: those of the first part of the time are made one by one, the database then
 * copies them to later days. A million take minutes instead of half an hour.
 */
export async function fillCopies(
  client: pg.Client,
  rows: Rows,
  progress: (text: string) => void,
): Promise<void> {
  const seed = { ...rows, count: Math.floor(rows.count / COPIES) }
  await fillTransactions(client, seed, progress)
  const spanMs = seed.count * seed.stepMs
  for (let copy = 1; copy < COPIES; copy += 1) {
    progress(`copying payments: ${copy} of ${COPIES - 1}`)
    for (const table of ['transactions', 'transaction_documents']) {
      const others = await columnsOf(client, table)
      await client.query(
        `insert into ${table} (id, ${others}) select ${MOVED_ID}, ${others} from ${table}
         where id < $1::uuid`,
        [firstIdAt(rows.startMs + spanMs), copy * spanMs],
      )
    }
  }
}

/** The first twelve digits of an id are its time in milliseconds. */
const MOVED_ID = `(
  lpad(to_hex(('x' || lpad(left(replace(id::text, '-', ''), 12), 16, '0'))::bit(64)::bigint + $2::bigint), 12, '0')
  || right(replace(id::text, '-', ''), 20))::uuid`

function firstIdAt(ms: number): string {
  const time = ms.toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-0000-0000-000000000000`
}

async function columnsOf(client: pg.Client, table: string): Promise<string> {
  const { rows } = await client.query<{ names: string }>(
    `select string_agg(quote_ident(attname), ', ' order by attnum) as names from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped and attname <> 'id'`,
    [table],
  )
  return rows[0]?.names ?? ''
}
