import { sql } from 'kysely'
import type { Context, Scope, Tx } from '#platform/database/db.ts'
import { oldRows, retentionJob } from '#platform/database/retention.ts'
import { type Fees, HALF_LIFE_MS } from './cost.ts'

declare module '#platform/database/db.ts' {
  interface Tables {
    service_costs: StoredFees & { readonly merchant_account_id: string }
  }
}

export type StoredFees = Fees & { readonly payment_service_id: string; readonly segment: string }

/**
 * Adds settled payments, many of one segment at once. Rows are written in one order, so that two processes do not wait for each other in
 * a circle. A settlement that comes late counts as one of now.
 */
export async function add(
  { db, merchantAccountId }: Scope<Tx>,
  settled: readonly StoredFees[],
): Promise<void> {
  if (settled.length === 0) return
  await sql`
    insert into service_costs as cost (
      merchant_account_id, payment_service_id, segment, payments, amounts, fees, squares, products, last_settled_at
    )
    select ${merchantAccountId}, payment_service_id, segment, sum(payments), sum(amounts), sum(fees), sum(squares), sum(products),
      max(last_settled_at)
    from json_to_recordset(${JSON.stringify(settled)}::json) as settled (
      payment_service_id uuid, segment text, payments double precision, amounts double precision, fees double precision,
      squares double precision, products double precision, last_settled_at timestamptz
    )
    group by payment_service_id, segment
    order by payment_service_id, segment
    on conflict (merchant_account_id, payment_service_id, segment) do update set
      payments = cost.payments * ${KEPT} + excluded.payments,
      amounts = cost.amounts * ${KEPT} + excluded.amounts,
      fees = cost.fees * ${KEPT} + excluded.fees,
      squares = cost.squares * ${KEPT} + excluded.squares,
      products = cost.products * ${KEPT} + excluded.products,
      last_settled_at = greatest(cost.last_settled_at, excluded.last_settled_at)
  `.execute(db)
}

const KEPT = sql`power(
  0.5::double precision,
  extract(epoch from greatest(excluded.last_settled_at - cost.last_settled_at, interval '0'))::double precision
    / ${sql.lit(HALF_LIFE_MS / 1000)}
)`

export function listOf({ db, merchantAccountId }: Scope): Promise<StoredFees[]> {
  return db
    .selectFrom('service_costs')
    .select([
      'payment_service_id',
      'segment',
      'payments',
      'amounts',
      'fees',
      'squares',
      'products',
      'last_settled_at',
    ])
    .where('merchant_account_id', '=', merchantAccountId)
    .execute()
}

/** A price that no settlement has confirmed for a year says nothing. */
const KEPT_DAYS = 365

export const forgetFadedCosts = retentionJob<{ readonly context: Context }>({
  name: 'forget-faded-costs',
  days: () => KEPT_DAYS,
  batch: 1_000,
  ...oldRows({
    table: 'service_costs',
    key: ['merchant_account_id', 'payment_service_id', 'segment'],
    column: 'last_settled_at',
  }),
})
