import { sql } from 'kysely'
import { type Context, type Db, errorCode } from '#platform/db.ts'
import { errors } from '#platform/errors.ts'
import type { Reach } from '#platform/operation.ts'
import { type Collection, type Slice, turnPage } from '#platform/pagination.ts'
import type { Secrets } from '#platform/secrets.ts'
import { beyond, intersect, isEmpty, isOne } from './filters/bounds.ts'
import { hasBuyerWith, leadByBuyers } from './filters/buyers.ts'
import { type Filter, readFilters } from './filters/read-filters.ts'
import type { TransactionFilters } from './filters/schemas.ts'
import {
  type Condition,
  count,
  isInOrder,
  type Lead,
  type ListedTransaction,
  type Place,
  walk,
  widthOf,
} from './filters/walk.ts'
import { createdAt } from './store.ts'

/** How many entries of an index are looked at for each row of the page before asking which index has the fewest. */
const STEPS = 100
/** The same where each costs a look into another table. */
const STEPS_LOOKING_UP = 30
/** With several accounts or values each has its share of them, but not less than this. */
const DEPTH_MIN = 50
/** A walk that found this part of the page is worth going on with. Buyers take longest to find another way. */
const PROMISING = 1 / 2
const PROMISING_BUYERS = 1 / 10
/** By how much such a walk goes beyond what should fill the page. */
const FURTHER = 1.5
/** The leads' entries are counted up to these numbers, one after the other, until one lead turns out to have fewer. */
const FEW = [500, 4_000, 32_000, 256_000]
/** So many entries may take long to follow. */
const MANY = 4_000
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
): Promise<Collection<ListedTransaction>> {
  const read = readFilters(given)
  const texts = [...new Set(buyer_search?.filter((text) => text !== ''))]
  const find = async (slice: Slice): Promise<ListedTransaction[]> => {
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
): Promise<ListedTransaction[]> {
  const all = texts.length > 0 ? [...filters, hasBuyerWith(texts)] : filters
  const leading = [...filters.filter(isLeading), UNFILTERED]
  const first = (isOne(place.bounds) ? undefined : leading.find(({ lead }) => isInOrder(lead))) ?? UNFILTERED
  const conditions = all.filter((filter) => filter !== first)
  if (conditions.length === 0 || isOne(place.bounds)) return walk(place, first.lead, { conditions })

  const depth = depthOf(place, first.lead, conditions)
  const near = depth > 0 ? await walk(place, first.lead, { conditions, depth }) : []
  if (near.length === place.limit) return near
  if (near.length >= place.limit * (texts.length > 0 ? PROMISING_BUYERS : PROMISING)) {
    const further = Math.ceil((FURTHER * depth * place.limit) / near.length)
    const found = await walk(place, first.lead, { conditions, depth: further })
    if (found.length === place.limit) return found
  }
  if (texts.length > 0) {
    const lead = await leadByBuyers(place.db, place.reach, texts)
    if (lead) leading.push({ ...UNFILTERED, lead })
  }
  const leads = leading.map(({ lead }) => lead)
  // With no other lead to choose, it is enough to know whether there is more than the first walk saw.
  for (const few of leads.length > 1 ? FEW : FEW.slice(0, 1)) {
    const counts = await count(place, leads, few + 1)
    const fewest = Math.min(...counts)
    if (fewest === 0 || (counts[leading.indexOf(first)] ?? 0) <= Math.min(depth, few)) return near
    const shortest = leading[counts.indexOf(fewest)] ?? first
    if (fewest > few) continue
    const others = all.filter((filter) => filter !== shortest)
    const follow = (db: Db) => walk({ ...place, db }, shortest.lead, { conditions: others })
    return fewest > MANY ? inTime(place.db, follow) : follow(place.db)
  }
  return inTime(place.db, (db) => walk({ ...place, db }, first.lead, { conditions }))
}

type Leading = Filter & { readonly lead: Lead }

const UNFILTERED: Leading = { sql: sql<boolean>`true`, lead: { kind: 'everything' } }

function isLeading(filter: Filter): filter is Leading {
  return filter.lead !== undefined
}

function depthOf({ reach, limit }: Place, lead: Lead, conditions: readonly Condition[]): number {
  // A search is mostly for something that a few payments have.
  if (lead.kind === 'any') return 0
  const accounts = reach === 'all' ? ALL_ACCOUNTS : reach.length
  const isLookingUp = lead.kind === 'marks' || conditions.some(({ looksUp }) => looksUp !== undefined)
  const steps = limit * (isLookingUp ? STEPS_LOOKING_UP : STEPS)
  return Math.max(DEPTH_MIN, Math.ceil(steps / (accounts * widthOf(lead))))
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
