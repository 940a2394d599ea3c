import { sql } from 'kysely'
import type { Context, Db, Scope } from '#platform/database/db.ts'
import { oldRows, retentionJob } from '#platform/database/retention.ts'
import { HALF_LIFE_MS, HALF_LIFE_PAYMENTS, type Score } from './score.ts'

declare module '#platform/database/db.ts' {
  interface Tables {
    service_scores: StoredScore
  }
}

export type StoredScore = Score & {
  readonly merchant_account_id: string
  readonly payment_service_id: string
  readonly segment: string
}

const COLUMNS = [
  'merchant_account_id',
  'payment_service_id',
  'segment',
  'successes',
  'failures',
  'failures_in_a_row',
  'failing_since',
  'last_outcome_at',
] as const

/**
 * Adds what one process has learned, of any accounts, as `added` does. Rows are written in one order, so that two processes
 * do not wait for each other in a circle.
 */
export async function add(db: Db, learned: readonly StoredScore[]): Promise<void> {
  await sql`
    insert into service_scores as score (
      merchant_account_id, payment_service_id, segment, successes, failures, failures_in_a_row, failing_since, last_outcome_at
    )
    select merchant_account_id, payment_service_id, segment, successes, failures, failures_in_a_row, failing_since, last_outcome_at
    from json_to_recordset(${JSON.stringify(learned)}::json) as learned (
      merchant_account_id text, payment_service_id uuid, segment text, successes double precision,
      failures double precision, failures_in_a_row integer, failing_since timestamptz, last_outcome_at timestamptz
    )
    order by merchant_account_id, payment_service_id, segment
    on conflict (merchant_account_id, payment_service_id, segment) do update set
      successes = score.successes * ${KEPT} + excluded.successes,
      failures = score.failures * ${KEPT} + excluded.failures,
      failures_in_a_row = excluded.failures_in_a_row
        + case when excluded.successes > 0 then 0 else score.failures_in_a_row end,
      failing_since = case when excluded.successes > 0 then excluded.failing_since
        else coalesce(score.failing_since, excluded.failing_since) end,
      last_outcome_at = greatest(score.last_outcome_at, excluded.last_outcome_at)
  `.execute(db)
}

const KEPT = sql`power(
  0.5::double precision,
  (excluded.successes + excluded.failures) / ${sql.lit(HALF_LIFE_PAYMENTS)}
    + extract(epoch from greatest(excluded.last_outcome_at - score.last_outcome_at, interval '0'))::double precision
      / ${sql.lit(HALF_LIFE_MS / 1000)}
)`

export function listOf({ db, merchantAccountId }: Scope): Promise<StoredScore[]> {
  return db
    .selectFrom('service_scores')
    .select(COLUMNS)
    .where('merchant_account_id', '=', merchantAccountId)
    .execute()
}

/** The coarsest figures of all accounts, for `/metrics`. */
export async function listCoarse({ db }: Context, limit: number): Promise<StoredScore[]> {
  return db
    .selectFrom('service_scores')
    .select(COLUMNS)
    .where('segment', 'not like', '% %')
    .orderBy('last_outcome_at', 'desc')
    .limit(limit)
    .execute()
}

/** Nothing is left of a figure after a hundred half-lives. */
const KEPT_DAYS = 30

export const forgetFadedScores = retentionJob<{ readonly context: Context }>({
  name: 'forget-faded-scores',
  days: () => KEPT_DAYS,
  batch: 1_000,
  ...oldRows({
    table: 'service_scores',
    key: ['merchant_account_id', 'payment_service_id', 'segment'],
    column: 'last_outcome_at',
  }),
})
