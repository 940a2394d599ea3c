import { type Selectable, sql } from 'kysely'
import { accountRows } from '#platform/database/account-rows.ts'
import type { Context, Scope, Tables, Tx } from '#platform/database/db.ts'
import type { Reach } from '#platform/http/operation.ts'
import type { Collection, Page } from '#platform/listing/pagination.ts'
import { take } from '#platform/queue/queue.ts'
import type { Run } from '../state.ts'

/** What a metric is about. It does not change. */
export type Watched = {
  readonly model: 'auth_rate'
  readonly datetime_range: string
  readonly methods: readonly (string | null)[] | null
  readonly bins: readonly (string | null)[] | null
  readonly schemes: readonly (string | null)[] | null
  readonly payment_service_ids: readonly (string | null)[] | null
}

/** What a rate means. All null: nothing. */
export type Policies = {
  readonly alert_gt: number | null
  readonly alert_lt: number | null
  readonly create_after_n: number | null
  readonly close_after_n: number | null
}

type RunColumns = { readonly run_healthy: boolean | null; readonly run_length: number }

declare module '#platform/database/db.ts' {
  interface Tables {
    monitoring_metrics: Watched &
      Policies &
      RunColumns & {
        id: string
        merchant_account_id: string
        display_name: string
        alerting_policy_updated_at: Date | null
        incident_policy_updated_at: Date | null
        identity: string
        creator_id: string
        creator_name: string
        creator_type: 'private_key' | 'user'
        created_at: Date
        updated_at: Date
        due_at: Date
        leased_until: Date | null
      }
  }
}

export type StoredMetric = Selectable<Tables['monitoring_metrics']>
export type NewMetric = Omit<
  StoredMetric,
  'id' | 'merchant_account_id' | 'created_at' | 'updated_at' | 'leased_until' | keyof RunColumns
>

export const ONE_OF_A_KIND = 'monitoring_metrics_watch_once'

const rows = accountRows('monitoring_metrics', [
  'display_name',
  'model',
  'datetime_range',
  'methods',
  'bins',
  'schemes',
  'payment_service_ids',
  'alert_gt',
  'alert_lt',
  'alerting_policy_updated_at',
  'create_after_n',
  'close_after_n',
  'incident_policy_updated_at',
  'identity',
  'creator_id',
  'creator_name',
  'creator_type',
  'run_healthy',
  'run_length',
  'due_at',
  'leased_until',
])

/** Samples and changes of one metric wait for the lock, and are applied in turn. With a metric go its samples; incidents stay. */
export const { find, lock, update, remove, count } = rows

export function insert(tx: Scope<Tx>, metric: NewMetric): Promise<StoredMetric> {
  return rows.insert(tx, { ...metric, run_length: 0 })
}

/** What a sample leaves behind. It is no change of the metric. */
export async function noteSample(
  { db }: Scope<Tx>,
  { id }: StoredMetric,
  { run, due_at }: { readonly run: Run; readonly due_at: Date },
): Promise<void> {
  await db
    .updateTable('monitoring_metrics')
    .set({ run_healthy: run?.healthy ?? null, run_length: run?.length ?? 0, due_at, leased_until: null })
    .where('id', '=', id)
    .execute()
}

export function list(
  context: Context,
  reach: Reach,
  { search, ...page }: Page & { readonly search?: string | undefined },
): Promise<Collection<StoredMetric>> {
  let query = rows.select(context.db)
  if (search) query = query.where(sql<boolean>`strpos(lower(display_name), lower(${search})) > 0`)
  return rows.list(context, reach, { ...page, query })
}

/** Takes metrics whose sample is due, the oldest first. No other process takes them until the lease is over. */
export function takeDue(context: Context, limit: number): Promise<StoredMetric[]> {
  const queue = {
    table: 'monitoring_metrics',
    key: ['id'],
    columns: rows.columns,
    due: 'due_at',
    leaseMs: 30_000,
  } as const
  return take<StoredMetric>(context, queue, { limit })
}

/**
 * When the next sample is due that can have a value: of a metric whose account had a payment in the period before. So a
 * sandbox whose clock is moved by days does not stop at every minute of them.
 */
export async function nextDueAt({ db }: Context): Promise<Date | null> {
  // An hour that has ended may have begun two hours ago.
  const since = sql`metric.due_at - split_part(metric.datetime_range, '/', 1)::interval
    - case split_part(metric.datetime_range, '/', 2) when 'hour_start' then interval '1 hour' else interval '0' end`
  const sinceMs = sql`floor(extract(epoch from ${since}) * 1000)::bigint`
  const { rows } = await sql<{ due_at: Date }>`
    select due_at from monitoring_metrics as metric
    where exists (
      select from transactions where merchant_account_id = metric.merchant_account_id
        -- Ids begin with the time.
        and id >= rpad(lpad(to_hex(${sinceMs}), 12, '0'), 32, '0')::uuid
    )
    order by due_at limit 1
  `.execute(db)
  return rows[0]?.due_at ?? null
}
