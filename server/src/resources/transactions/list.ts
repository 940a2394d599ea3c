import { sql } from 'kysely'
import { type Context, type Db, errorCode } from '../../platform/db.ts'
import { errors } from '../../platform/errors.ts'
import type { Reach } from '../../platform/operation.ts'
import { type Collection, type Slice, turnPage } from '../../platform/pagination.ts'
import type { Secrets } from '../../platform/secrets.ts'
import { beyond, intersect, isEmpty, isOne } from './filters/bounds.ts'
import { hasBuyerWith, leadByBuyers } from './filters/buyers.ts'
import { type Filter, readFilters } from './filters/read-filters.ts'
import type { TransactionFilters } from './filters/schemas.ts'
import { count, isInOrder, type Lead, type Place, walk, widthOf } from './filters/walk.ts'
import { createdAt, type StoredTransaction } from './store.ts'

/** How many entries of an index are looked at one by one before asking which index has the fewest. */
const DEPTH = 2_000
/** With several accounts or values each has its share of them, but not less than this. */
const DEPTH_MIN = 100
/** A lead with at most so many entries is followed to its end. Counting to the first number costs little. */
const FEW = [1_000, 20_000]
const LONGEST_MS = 5_000
const QUERY_CANCELED = '57014'
/** Nobody has counted them, but an installation has rarely more. */
const ALL_ACCOUNTS = 20

/** Newest first. Whatever is asked for, a page costs about the same among a thousand payments and a million. */
export function listTransactions(
  { db }: Context,
  secrets: Secrets,
  reach: Reach,
  { cursor, limit, buyer_search, ...given }: TransactionFilters,
): Promise<Collection<StoredTransaction>> {
  const read = readFilters(given)
  const texts = [...new Set(buyer_search?.filter((text) => text !== ''))]
  const find = async (slice: Slice): Promise<StoredTransaction[]> => {
    if (!read) return []
    const bounds = intersect(read.bounds, beyond(slice))
    const place = { db, reach, bounds, direction: slice.direction, limit: slice.limit }
    return isEmpty(bounds) ? [] : findAlong(place, read.filters, texts)
  }
  return turnPage(
    { name: 'transactions', page: { cursor, limit }, secrets },
    async (slice) => (await find(slice)).map((row) => ({ id: row.id, created_at: createdAt(row.id), row })),
    ({ row }) => row,
  )
}

/**
 * One filter alone is an index walked from the page's position on. With several, one index leads and the rows are held
 * against the other filters. That may have to pass many rows, and the planner cannot know: how many of the rows with one
 * value have another is not in its statistics. So the first walk is short. If it does not fill the page, the entries of
 * every filter's index are counted, and a walk along the shortest finds whatever there is.
 */
async function findAlong(
  place: Place,
  filters: readonly Filter[],
  texts: readonly string[],
): Promise<StoredTransaction[]> {
  const all = texts.length > 0 ? [...filters, { condition: hasBuyerWith(texts) }] : filters
  const isAlone = isOne(place.bounds)
  const leading = [...filters.filter(isLeading), UNFILTERED]
  const first = (isAlone ? undefined : leading.find(({ lead }) => isInOrder(lead))) ?? UNFILTERED
  const conditions = conditionsWithout(all, first)
  if (isAlone || conditions.length === 0) return walk(place, first.lead, { conditions })
  const depth = depthOf(place, first.lead)
  const near = await walk(place, first.lead, { conditions, depth })
  if (near.length === place.limit) return near

  const byBuyers = texts.length > 0 ? await leadByBuyers(place.db, place.reach, texts) : undefined
  if (byBuyers) leading.push({ condition: hasBuyerWith(texts), lead: byBuyers })
  for (const few of FEW) {
    const counts = await count(
      place,
      leading.map(({ lead }) => lead),
      few + 1,
    )
    if ((counts[leading.indexOf(first)] ?? 0) <= Math.min(depth, few)) return near
    const fewest = Math.min(...counts)
    const shortest = leading[counts.indexOf(fewest)] ?? first
    if (fewest <= few) return walk(place, shortest.lead, { conditions: conditionsWithout(all, shortest) })
  }
  return inTime(place.db, (db) => walk({ ...place, db }, first.lead, { conditions }))
}

type Leading = Filter & { readonly lead: Lead }

const UNFILTERED: Leading = { condition: sql<boolean>`true`, lead: { kind: 'everything' } }

function isLeading(filter: Filter): filter is Leading {
  return filter.lead !== undefined
}

function conditionsWithout(filters: readonly Filter[], leading: Filter) {
  return filters.filter((filter) => filter !== leading).map(({ condition }) => condition)
}

function depthOf({ reach }: Place, lead: Lead): number {
  const accounts = reach === 'all' ? ALL_ACCOUNTS : reach.length
  return Math.max(DEPTH_MIN, Math.floor(DEPTH / (accounts * widthOf(lead))))
}

/** Nothing is short enough: the walk may pass everything there is. It is given up before others feel it. */
async function inTime<Result>(db: Db, work: (db: Db) => Promise<Result>): Promise<Result> {
  try {
    return await db.transaction().execute(async (tx) => {
      await sql`select set_config('statement_timeout', ${`${LONGEST_MS}ms`}, true)`.execute(tx)
      return work(tx)
    })
  } catch (error) {
    if (errorCode(error) !== QUERY_CANCELED) throw error
    throw errors.invalid({
      location: 'query',
      pointer: '/created_at_gte',
      type: 'value_error.missing',
      message: 'too few of too many payments match: add created_at_gte, or a filter that fewer payments meet',
    })
  }
}
