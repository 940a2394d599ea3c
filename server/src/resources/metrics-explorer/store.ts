import { type RawBuilder, sql } from 'kysely'
import { firstIdOf } from '#domain/ids.ts'
import type { Interval } from '#domain/interval.ts'
import type { Scope } from '#platform/db.ts'
import { DIMENSIONS } from './dimensions.ts'
import type { Filter } from './read-question.ts'
import type { FilterName, Metric, Source } from './schemas.ts'

/** What is counted about a group of payments. */
export type Sums = { readonly payments: number; readonly successes: number; readonly volume: number }

/** Which payments to look at. */
export type Selection = {
  readonly source: Source
  readonly span: Interval
  readonly filters: readonly Filter[]
}

/** How many values of a field are shown, those with the most payments or the largest volume first. */
const GROUPS_MAX = 1_000

type SumsRow = { readonly payments: string; readonly successes: string; readonly volume: string }

/**
 * Counts the payments between each of these moments and the next one. The id of a payment is the time of its
 * creation, so the moments are compared as ids: no time has to be read from a row.
 */
export async function countBetween(
  scope: Scope,
  selection: Selection,
  moments: readonly Date[],
): Promise<Map<number, Sums>> {
  const bounds = moments.map(firstIdOf)
  const { rows } = await sql<SumsRow & { step: number }>`
    select width_bucket(p.id, ${bounds}::uuid[]) as step, ${sumsOf(selection)}
    from ${paymentsIn(scope, selection, [])} as p
    where ${conditionsOf(selection)}
    group by 1
  `.execute(scope.db)
  return new Map(rows.map((row) => [row.step - 1, toSums(row)]))
}

/** Counts the payments with each value of a field. Null: those without one. */
export async function countByValue(
  scope: Scope,
  selection: Selection,
  { name, metric }: { readonly name: FilterName; readonly metric: Metric },
): Promise<(Sums & { readonly key: string | null })[]> {
  const isMetadata = name === 'metadata'
  const key = isMetadata
    ? sql`case when pair.name is not null then jsonb_build_object(pair.name, pair.value)::text end`
    : sql`${sql.ref(`p.${name}`)}::text`
  const pairs = isMetadata
    ? sql`left join lateral jsonb_each_text(p.metadata) as pair (name, value) on true`
    : sql``
  const { rows } = await sql<SumsRow & { key: string | null }>`
    select ${key} as key, ${sumsOf(selection)}
    from ${paymentsIn(scope, selection, [name])} as p ${pairs}
    where ${conditionsOf(selection)}
    group by ${isMetadata ? sql`pair.name, pair.value` : sql.ref(`p.${name}`)}
    order by ${metric === 'volume' ? sql`sum(p.amount)` : sql`count(*)`} desc, 1
    limit ${sql.lit(GROUPS_MAX)}
  `.execute(scope.db)
  return rows.map((row) => ({ key: row.key, ...toSums(row) }))
}

function toSums({ payments, successes, volume }: SumsRow): Sums {
  return { payments: Number(payments), successes: Number(successes), volume: Number(volume) }
}

/** What each source counts, and what it counts as a success. */
const BY_SOURCE: Readonly<
  Record<Source, { readonly needs: readonly FilterName[]; readonly isIn: string; readonly isSuccess: string }>
> = {
  authorization: { needs: ['authorized'], isIn: 'true', isSuccess: 'p.authorized' },
  authentication: {
    needs: ['authentication_outcome'],
    isIn: 'p.authentication_outcome is not null',
    isSuccess: `p.authentication_outcome in ('authenticated', 'attempted')`,
  },
  monitoring: { needs: ['authorized'], isIn: 'true', isSuccess: 'p.authorized' },
}

function sumsOf({ source }: Selection): RawBuilder<unknown> {
  return sql.raw(
    `count(*) as payments, count(*) filter (where ${BY_SOURCE[source].isSuccess}) as successes, sum(p.amount) as volume`,
  )
}

function conditionsOf({ source, filters }: Selection): RawBuilder<unknown> {
  return sql.join([sql.raw(BY_SOURCE[source].isIn), ...filters.map(conditionOf)], sql` and `)
}

function conditionOf({ name, values, withNull }: Filter): RawBuilder<unknown> {
  const field = sql.ref(`p.${name}`)
  return sql`(${isOneOf(name, values)} or (${withNull}::boolean and ${field} is null))`
}

function isOneOf(name: FilterName, values: readonly string[]): RawBuilder<unknown> {
  const field = sql.ref(`p.${name}`)
  // A card that begins with six digits has one of many BINs. The values are digits, so none is a pattern.
  if (name === 'payment_method_bin')
    return sql`${field} like any(${values.map((start) => `${start}%`)}::text[])`
  const { type } = DIMENSIONS[name]
  if (type === 'jsonb') return sql`${field} @> any(${values}::text[]::jsonb[])`
  return sql`${field} = any(${values}::${sql.raw(type)}[])`
}

/** The decided payments of an account in a span of time, with the fields that the question needs. */
function paymentsIn(
  scope: Scope,
  { source, span, filters }: Selection,
  more: readonly FilterName[],
): RawBuilder<unknown> {
  const asked = [...BY_SOURCE[source].needs, ...filters.map(({ name }) => name), ...more]
  const names = [...new Set(asked)]
  return sql`(${rawPayments(scope, names)} and t.id >= ${firstIdOf(span.from)}::uuid and t.id < ${firstIdOf(span.to)}::uuid)`
}

/** Payments as the tables of the transactions have them. The documents are wide: they are read only if needed. */
function rawPayments({ merchantAccountId }: Scope, names: readonly FilterName[]): RawBuilder<unknown> {
  const fields = names.map((name) => `${DIMENSIONS[name].raw} as ${name}`)
  const documents = names.some((name) => DIMENSIONS[name].isInDocument)
    ? 'join transaction_documents as d on d.merchant_account_id = t.merchant_account_id and d.id = t.id'
    : ''
  return sql`
    select ${sql.raw(['t.id', 't.amount', ...fields].join(', '))}
    from transactions as t ${sql.raw(documents)}
    where t.merchant_account_id = ${merchantAccountId} and t.status not in ('processing', 'buyer_approval_pending')`
}
