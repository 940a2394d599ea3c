import type pg from 'pg'

/** What a file should say in its trailer, by the books. */
export type FileSum = {
  readonly id: string
  readonly merchant_id: string
  readonly day: string
  readonly currency: string
  readonly fault: string | null
  readonly published_at: string | null
  readonly count: number
  readonly gross: number
  readonly fees: number
}

/**
 * The sums of every file, for programs that compare them with the files and with the merchant's system. They are computed
 * by the database from the entries: not by the code that writes the files, and without the faults that were asked for.
 */
export async function sumFiles(pool: pg.Pool, merchantId: string | null): Promise<FileSum[]> {
  const { rows } = await pool.query<FileSum>(
    `with lines as (
       select b.id, e.operation, e.code, round(e.amount * coalesce(b.exchange_factor, 1)) as amount
       from simulator.batches b
       join simulator.entries e on e.batch_id = b.id
       where b.closed_at is not null and ($1::text is null or b.merchant_id = $1)
     ), movements as (
       select id,
         case
           when operation in ('refund', 'chargeback') or code = 'capture_failed' then -amount
           else amount
         end as amount,
         case
           when operation in ('refund', 'chargebackReversal') or code = 'refund_failed' then 0
           when operation = 'chargeback' then 1500
           when code = 'capture_failed' then -(round(amount * 0.014) + 20)
           else round(amount * 0.014) + 20
         end as fee
       from lines
     )
     select b.id, b.merchant_id, to_char(b.day, 'YYYY-MM-DD') as day, b.settlement_currency as currency, b.fault,
       b.published_at, count(*)::float8 as count, sum(m.amount)::float8 as gross, sum(m.fee)::float8 as fees
     from movements m join simulator.batches b using (id)
     group by b.id
     order by b.day, b.id`,
    [merchantId],
  )
  return rows
}
