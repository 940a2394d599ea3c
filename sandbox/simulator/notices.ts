import type pg from 'pg'
import { COLUMNS, type Entry, type Tx } from './store.ts'

/** The processor gives up after so long. */
const GIVE_UP = "interval '7 days'"
const LIMIT = 100

/** To be told when the entry takes effect. */
export async function insert(tx: Tx, { reference, merchantId, endedAt }: Entry): Promise<void> {
  await tx.query(
    `insert into simulator.notices (reference, merchant_id, due_at, next_at) values ($1, $2, $3, $3)`,
    [reference, merchantId, endedAt],
  )
}

/** When the merchant's next notification is due. */
export async function nextAt(pool: pg.Pool, merchantId: string, now: Date): Promise<Date | null> {
  const { rows } = await pool.query<{ next: Date | null }>(
    `select min(next_at) as next from simulator.notices
     where done_at is null and due_at > $2::timestamptz - ${GIVE_UP} and merchant_id = $1`,
    [merchantId, now],
  )
  return rows[0]?.next ?? null
}

/** What a merchant's system should be told now, in order. */
export async function listDue(pool: pg.Pool, merchantId: string, now: Date): Promise<Entry[]> {
  const { rows } = await pool.query<Entry>(
    `select ${COLUMNS} from simulator.entries
     where reference in (
       select reference from simulator.notices
       where done_at is null and next_at <= $2 and due_at > $2::timestamptz - ${GIVE_UP} and merchant_id = $1
       order by next_at limit ${LIMIT}
     )
     order by ended_at, reference`,
    [merchantId, now],
  )
  return rows
}

/** Only what has taken effect. */
export async function find(
  pool: pg.Pool,
  { merchantId, reference, now }: { merchantId: string; reference: string; now: Date },
): Promise<Entry | null> {
  const { rows } = await pool.query<Entry>(
    `select ${COLUMNS} from simulator.entries
     where reference = $1 and merchant_id = $2 and subject_reference is not null
       and operation <> 'disputeAnswer' and ended_at <= $3`,
    [reference, merchantId, now],
  )
  return rows[0] ?? null
}

/** A notification that was not taken is sent again, after a minute, two, four …, at most a day. */
export async function noteSent(
  pool: pg.Pool,
  { reference, isTaken, now }: { readonly reference: string; readonly isTaken: boolean; readonly now: Date },
): Promise<void> {
  await pool.query(
    `update simulator.notices set
       tries = tries + 1,
       done_at = case when $2 then $3::timestamptz end,
       next_at = $3::timestamptz + interval '1 minute' * least(power(2, tries), 1440)
     where reference = $1 and done_at is null`,
    [reference, isTaken, now],
  )
}
