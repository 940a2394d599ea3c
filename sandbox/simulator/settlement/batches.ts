import type pg from 'pg'
import type { Tx } from '../store.ts'
import type { FileFault } from './file-faults.ts'
import type { Exchange } from './rates.ts'

/** What a merchant has in one currency on one day. It becomes a file. */
export type Batch = {
  readonly id: string
  readonly merchantId: string
  readonly currency: string
  /** YYYY-MM-DD */
  readonly day: string
  readonly settlementCurrency: string
  /** Decimal texts. Null: the currencies are the same. */
  readonly exchangeRate: string | null
  readonly exchangeFactor: string | null
  readonly fault: FileFault | null
}

export type File = {
  readonly batch: Batch
  /** The same bytes under another name. */
  readonly isCopy: boolean
  readonly publishedAt: Date
}

const COLUMNS = `
  id, merchant_id as "merchantId", currency, to_char(day, 'YYYY-MM-DD') as day,
  settlement_currency as "settlementCurrency", exchange_rate::text as "exchangeRate",
  exchange_factor::text as "exchangeFactor", fault`

type Closing = { readonly closedUntil: Date; readonly closing: Date | null }

/** One closing at a time for each merchant. */
export async function lockClosing(tx: Tx, merchantId: string): Promise<Closing> {
  await tx.query(
    `insert into simulator.closings (merchant_id, closed_until) values ($1, 'epoch') on conflict do nothing`,
    [merchantId],
  )
  const { rows } = await tx.query<Closing>(
    `select closed_until as "closedUntil", closing from simulator.closings where merchant_id = $1 for update`,
    [merchantId],
  )
  const [closing] = rows
  if (!closing) throw new Error('a merchant’s closing is gone')
  return closing
}

export async function noteClosing(tx: Tx, merchantId: string, until: Date): Promise<void> {
  await tx.query('update simulator.closings set closing = $2 where merchant_id = $1', [merchantId, until])
}

export async function noteClosed(tx: Tx, merchantId: string, until: Date): Promise<void> {
  await tx.query('update simulator.closings set closing = null, closed_until = $2 where merchant_id = $1', [
    merchantId,
    until,
  ])
}

type NewBatch = Omit<Batch, 'exchangeRate' | 'exchangeFactor'> & { readonly exchange: Exchange | null }

/** The id of the merchant's batch of that day and currency, new or begun before. */
export async function open(tx: Tx, batch: NewBatch): Promise<string> {
  await tx.query(
    `insert into simulator.batches
       (id, merchant_id, currency, day, settlement_currency, exchange_rate, exchange_factor, fault)
     values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict (merchant_id, currency, day) do nothing`,
    [
      batch.id,
      batch.merchantId,
      batch.currency,
      batch.day,
      batch.settlementCurrency,
      batch.exchange?.rate ?? null,
      batch.exchange?.factor ?? null,
      batch.fault,
    ],
  )
  const { rows } = await tx.query<{ id: string }>(
    'select id from simulator.batches where merchant_id = $1 and currency = $2 and day = $3',
    [batch.merchantId, batch.currency, batch.day],
  )
  return rows[0]?.id ?? batch.id
}

/** All entries are in. The file is published at once, unless the merchant asked for something else. */
export async function publish(tx: Tx, merchantId: string, day: string, at: Date): Promise<void> {
  await tx.query(
    `update simulator.batches set closed_at = $3, published_at = case fault
       when 'missing_day' then null
       when 'late_file' then $3::timestamptz + interval '2 days'
       else $3 end
     where merchant_id = $1 and day = $2 and closed_at is null`,
    [merchantId, day, at],
  )
}

/** Publishes the files that were missing, once the merchant no longer asks for that. */
export async function release(pool: pg.Pool, merchantId: string, now: Date): Promise<void> {
  await pool.query(
    `update simulator.batches set published_at = $2
     where merchant_id = $1 and published_at is null and closed_at is not null`,
    [merchantId, now],
  )
}

type Next = { readonly isHeldBack: boolean; readonly publishedAt: Date | null }

/** Whether a file of the merchant is missing, and when the next of those that are late is published. */
export async function findNext(pool: pg.Pool, merchantId: string, now: Date): Promise<Next> {
  const { rows } = await pool.query<Next>(
    `select coalesce(bool_or(published_at is null and closed_at is not null), false) as "isHeldBack",
       least(min(published_at) filter (where published_at > $2),
         min(published_at + interval '1 hour') filter (where fault = 'duplicate_file')) as "publishedAt"
     from simulator.batches
     where merchant_id = $1
       and (published_at is null or published_at > $2::timestamptz - interval '1 hour')`,
    [merchantId, now],
  )
  return rows[0] ?? { isHeldBack: false, publishedAt: null }
}

type Period = {
  readonly merchantId: string
  readonly since: Date
  readonly now: Date
  readonly limit: number
}

/** Oldest first. */
export async function listFiles(pool: pg.Pool, { merchantId, since, now, limit }: Period): Promise<File[]> {
  const { rows } = await pool.query<Batch & { isCopy: boolean; publishedAt: Date }>(
    `select ${COLUMNS}, is_copy as "isCopy", at as "publishedAt"
     from simulator.batches
     cross join lateral (
       select false as is_copy, published_at as at
       union all
       select true, published_at + interval '1 hour' where fault = 'duplicate_file'
     ) as files
     where merchant_id = $1 and at >= $2 and at <= $3
     order by at, id, is_copy
     limit $4`,
    [merchantId, since, now, limit],
  )
  return rows.map(({ isCopy, publishedAt, ...batch }) => ({ batch, isCopy, publishedAt }))
}

export async function findPublished(
  pool: pg.Pool,
  { id, merchantId, now }: { readonly id: string; readonly merchantId: string; readonly now: Date },
): Promise<Batch | null> {
  const { rows } = await pool.query<Batch>(
    `select ${COLUMNS} from simulator.batches where id = $1 and merchant_id = $2 and published_at <= $3`,
    [id, merchantId, now],
  )
  return rows[0] ?? null
}
