import { type RawBuilder, sql } from 'kysely'
import { firstIdOf } from '#domain/ids.ts'
import type { Interval } from '#domain/interval.ts'
import type { Scope } from '#platform/database/db.ts'
import { DIMENSIONS } from './dimensions.ts'
import { IS_DECIDED } from './facts/store.ts'
import type { Filter } from './read-question.ts'
import type { FilterName, Metric, Source } from './schemas.ts'

/** What is counted about a group of payments. */
export type Sums = { readonly payments: number; readonly successes: number; readonly volume: number }

/** Which payments to look at. */
export type Selection = {
  readonly source: Source
  readonly span: Interval
  readonly filters: readonly Filter[]
  /** Up to which payment there are facts. */
  readonly filledTo: string
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

/**
 * The decided payments of an account in a span of time, with the fields that the question needs: from the facts as
 * far as they are written, and from the payments themselves where they are not. How far that is was read before:
 * it only grows, so no payment is counted twice or left out.
 */
function paymentsIn(
  { merchantAccountId }: Scope,
  { source, span, filters, filledTo }: Selection,
  more: readonly FilterName[],
): RawBuilder<unknown> {
  const names = [...new Set([...BY_SOURCE[source].needs, ...filters.map(({ name }) => name), ...more])]
  const [from, to] = [firstIdOf(span.from), firstIdOf(span.to)]
  const within = (field: string, first: string, end: string) =>
    sql`${sql.ref(`${field}.merchant_account_id`)} = ${merchantAccountId}
      and ${sql.ref(`${field}.id`)} >= ${first}::uuid and ${sql.ref(`${field}.id`)} < ${end}::uuid`
  const parts = [
    ...(filledTo > from
      ? [
          sql`select ${factsOf(names)} from payment_facts as f where ${within('f', from, least(to, filledTo))}
            and not exists (
              select from payment_facts_pending as w
              where w.merchant_account_id = ${merchantAccountId} and w.id = f.id
            )`,
          sql`select ${rawOf(names)} from payment_facts_pending as w
            join transactions as t on t.merchant_account_id = w.merchant_account_id and t.id = w.id
            ${documentsFor(names)} where ${within('w', from, least(to, filledTo))} and ${IS_DECIDED}`,
        ]
      : []),
    ...(filledTo < to
      ? [
          sql`select ${rawOf(names)} from transactions as t ${documentsFor(names)}
            where ${within('t', filledTo > from ? filledTo : from, to)} and ${IS_DECIDED}`,
        ]
      : []),
  ]
  return sql`(${sql.join(parts, sql` union all `)})`
}

/** Ids are compared as text: all have the same length and case. */
function least(one: string, other: string): string {
  return one < other ? one : other
}

function factsOf(names: readonly FilterName[]): RawBuilder<unknown> {
  return sql.raw(['f.id', 'f.amount', ...names.map((name) => `f.${name}`)].join(', '))
}

function rawOf(names: readonly FilterName[]): RawBuilder<unknown> {
  return sql.raw(
    ['t.id', 't.amount', ...names.map((name) => `${DIMENSIONS[name].raw} as ${name}`)].join(', '),
  )
}

/** The documents are wide: they are read only if they are needed. */
function documentsFor(names: readonly FilterName[]): RawBuilder<unknown> {
  return names.some((name) => DIMENSIONS[name].isInDocument)
    ? sql`join transaction_documents as d on d.merchant_account_id = t.merchant_account_id and d.id = t.id`
    : sql``
}
