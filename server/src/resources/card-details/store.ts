import { type ExpressionBuilder, sql } from 'kysely'
import { BIN_DIGITS_MAX } from '#domain/bin-prefix.ts'
import { additionalSchemesOf, type CardType, schemeOf } from '#domain/card.ts'
import type { CardScheme } from '#domain/card-scheme.ts'
import type { Context, Db, Tables, Tx } from '#platform/database/db.ts'

declare module '#platform/database/db.ts' {
  interface Tables {
    card_bins: {
      prefix: string
      source: 'built-in' | 'imported'
      scheme: string | null
      additional_schemes: string[] | null
      card_type: string | null
      issuer: string | null
      country: string | null
    }
  }
}

/** What the start of a number tells about a card. */
export type CardFacts = {
  readonly scheme: CardScheme
  readonly additionalSchemes: readonly CardScheme[]
  readonly cardType: CardType | null
  readonly issuer: string | null
  readonly country: string | null
}

/** What a table of BINs says about one prefix. Null means nothing. */
export type BinEntry = {
  readonly prefix: string
  readonly scheme: CardScheme | null
  readonly additionalSchemes: readonly CardScheme[] | null
  readonly cardType: CardType | null
  readonly issuer: string | null
  readonly country: string | null
}

const CACHED_MAX = 10_000
/** How long lookups are cached, so how late an import may count. */
const FRESH_MS = 60_000

type Cached = { readonly facts: CardFacts; readonly readAt: number }
const caches = new WeakMap<Db, Map<string, Cached>>()

/** Takes a whole number, or at least its first six digits. */
export async function lookUp({ db }: Pick<Context, 'db'>, number: string): Promise<CardFacts> {
  const start = number.slice(0, BIN_DIGITS_MAX)
  const cache = cacheOf(db)
  const cached = freshIn(cache, start)
  if (cached) return cached

  const readAt = performance.now()
  const facts = factsOf(start, await read(db, start))
  keep(cache, start, { facts, readAt })
  return facts
}

/** What lookups of these numbers will ask for, in one statement. */
export async function lookAhead({ db }: Pick<Context, 'db'>, numbers: readonly string[]): Promise<void> {
  const cache = cacheOf(db)
  const starts = new Set(numbers.map((number) => number.slice(0, BIN_DIGITS_MAX)))
  const unknown = [...starts].filter((start) => !freshIn(cache, start))
  if (unknown.length === 0) return
  const readAt = performance.now()
  const { rows } = await sql<Partial<Row> & { start: string }>`
    select start, found.* from unnest(${unknown}::text[]) as start left join lateral (
      select scheme, additional_schemes, card_type, issuer, country from card_bins
      where prefix = any(array(select left(start, digits) from generate_series(1, length(start)) as digits))
      order by source desc, length(prefix) desc limit 1
    ) as found on true
  `.execute(db)
  for (const row of rows) keep(cache, row.start, { facts: factsOf(row.start, row), readAt })
}

function cacheOf(db: Db): Map<string, Cached> {
  const cache = caches.get(db) ?? new Map<string, Cached>()
  // A transaction is its own handle, and its cache would be lost with it.
  if (!db.isTransaction) caches.set(db, cache)
  return cache
}

function freshIn(cache: Map<string, Cached>, start: string): CardFacts | undefined {
  const cached = cache.get(start)
  return cached && performance.now() - cached.readAt < FRESH_MS ? cached.facts : undefined
}

function keep(cache: Map<string, Cached>, start: string, found: Cached): void {
  cache.delete(start)
  cache.set(start, found)
  const oldest = cache.size > CACHED_MAX ? cache.keys().next().value : undefined
  if (oldest !== undefined) cache.delete(oldest)
}

type Row = Pick<Tables['card_bins'], 'scheme' | 'additional_schemes' | 'card_type' | 'issuer' | 'country'>

function read(db: Db, start: string): Promise<Row | undefined> {
  const prefixes = Array.from({ length: start.length }, (_, index) => start.slice(0, index + 1))
  return (
    db
      .selectFrom('card_bins')
      .select(['scheme', 'additional_schemes', 'card_type', 'issuer', 'country'])
      .where('prefix', '=', sql<string>`any(${prefixes}::text[])`)
      // `imported` comes after `built-in` in the alphabet, so it is first here.
      .orderBy('source', 'desc')
      .orderBy((eb) => eb.fn<number>('length', ['prefix']), 'desc')
      .limit(1)
      .executeTakeFirst()
  )
}

function factsOf(start: string, row: Partial<Row> | undefined): CardFacts {
  return {
    scheme: (row?.scheme as CardScheme | null | undefined) ?? schemeOf(start),
    additionalSchemes:
      (row?.additional_schemes as CardScheme[] | null | undefined) ?? additionalSchemesOf(start),
    cardType: (row?.card_type as CardType | null | undefined) ?? null,
    issuer: row?.issuer ?? null,
    country: row?.country ?? null,
  }
}

/** One import at a time, by the lock of the first built-in row: two would each wait for rows of the other. Lookups do not wait. */
export async function lockForImport({ db }: Context<Tx>): Promise<void> {
  await sql`select from card_bins where source = 'built-in' order by prefix limit 1 for update`.execute(db)
}

/**
 * Running processes have planned their lookups for the former small table. New statistics make them plan
 * again. Otherwise each lookup would read the whole of a large table.
 */
export async function refreshPlans({ db }: Context<Tx>): Promise<void> {
  await sql`analyze card_bins`.execute(db)
}

export async function removeImported({ db }: Context<Tx>): Promise<void> {
  await db.deleteFrom('card_bins').where('source', '=', 'imported').execute()
}

/** Adds an operator's entries, or changes existing ones. No prefix may come twice. */
export async function saveImported({ db }: Context<Tx>, entries: readonly BinEntry[]): Promise<void> {
  if (entries.length === 0) return
  const column = <Value>(pick: (entry: BinEntry) => Value) => entries.map(pick)
  // One statement with seven arrays: a row of parameters for each entry would be parsed and planned again
  // each time.
  const rows = sql<Tables['card_bins']>`
    select prefix, 'imported', scheme, string_to_array(additional_schemes, '|'), card_type, issuer, country
    from unnest(
      ${column(({ prefix }) => prefix)}::text[],
      ${column(({ scheme }) => scheme)}::text[],
      ${column(({ additionalSchemes }) => additionalSchemes?.join('|') ?? null)}::text[],
      ${column(({ cardType }) => cardType)}::text[],
      ${column(({ issuer }) => issuer)}::text[],
      ${column(({ country }) => country)}::text[]
    ) as given (prefix, scheme, additional_schemes, card_type, issuer, country)`
  const taken = (
    eb: ExpressionBuilder<Tables & { excluded: Tables['card_bins'] }, 'card_bins' | 'excluded'>,
  ) => ({
    scheme: eb.ref('excluded.scheme'),
    additional_schemes: eb.ref('excluded.additional_schemes'),
    card_type: eb.ref('excluded.card_type'),
    issuer: eb.ref('excluded.issuer'),
    country: eb.ref('excluded.country'),
  })
  await db
    .insertInto('card_bins')
    .columns(['prefix', 'source', 'scheme', 'additional_schemes', 'card_type', 'issuer', 'country'])
    .expression(rows)
    .onConflict((conflict) => conflict.columns(['prefix', 'source']).doUpdateSet(taken))
    .execute()
}
