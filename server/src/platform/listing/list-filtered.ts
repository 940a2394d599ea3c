import { sql } from 'kysely'
import { createdAt } from '#domain/ids.ts'
import { errorCode, QUERY_CANCELED } from '../database/database-errors.ts'
import type { Context, Db } from '../database/db.ts'
import { errors, inQuery } from '../http/errors.ts'
import type { Reach } from '../http/operation.ts'
import { type Bounds, beyond, intersect, isEmpty, isOne } from './bounds.ts'
import { type Collection, type Page, type Slice, turnPage } from './pagination.ts'
import type { Condition, Filter, Lead, Place, ReadTable } from './table.ts'
import { entriesOf, isInOrder, nextAlong, widthOf } from './walk.ts'

/** How many index entries the first walk reads for each row of the page. */
const STEPS = 100
/** The same if each entry needs a look-up in another table. */
const STEPS_LOOKING_UP = 30
/** Several accounts or values share the steps, but each gets at least this many. */
const DEPTH_MIN = 50
/**
 * If the first walk found this part of the page, a longer one follows. Less is enough if another lead must be
 * looked up.
 */
const PROMISING = 1 / 2
const PROMISING_BEFORE_LOOKUP = 1 / 10
/** The longer walk goes this factor beyond what should fill the page. */
const FURTHER = 1.5
/** Leads' entries are counted up to these numbers, one after the other, until one lead has fewer. */
const FEW = [500, 4_000, 32_000, 256_000]
/** Following this many entries may take long. */
const MANY = 4_000
const LONGEST_MS = 5_000
/** Few installations have more accounts, and counting them would take a query. */
const ALL_ACCOUNTS = 20

type List<Row> = {
  readonly name: string
  readonly page: Page
  /** Signs cursors. */
  readonly mac: Context['mac']
  readonly table: ReadTable<Row>
}

export type Wanted = {
  readonly db: Db
  readonly reach: Reach
  /** The range of ids of all matches. */
  readonly bounds: Bounds
  /** A row must match all. The filter that is likely to match the fewest rows comes first. */
  readonly filters: readonly Filter[]
}

/** Newest first. With any filters, a page costs about the same among a thousand rows and a million. */
export function listFiltered<Row extends { readonly id: string }>(
  { table, ...list }: List<Row>,
  { db, reach, bounds, filters }: Wanted,
): Promise<Collection<Row>> {
  const isHopeless = filters.some(({ lead }) => lead && widthOf(lead) === 0)
  const find = async (slice: Slice): Promise<readonly Row[]> => {
    const { direction, limit } = slice
    const place = { db, table, reach, direction, limit, bounds: intersect(bounds, beyond(slice)) }
    return isHopeless || isEmpty(place.bounds) ? [] : findAlong(place, filters)
  }
  return turnPage(
    list,
    async (slice) => (await find(slice)).map((row) => ({ id: row.id, created_at: createdAt(row.id), row })),
    ({ row }) => row,
  )
}

type Path<Row> = Place & { readonly table: ReadTable<Row> }
type Leading = Filter & { readonly lead: Lead }

const UNFILTERED: Leading = { sql: sql<boolean>`true`, lead: { kind: 'everything' } }

/**
 * One filter alone is an index walk from the page's position. With several filters, one index leads, and each
 * of its rows is checked against the other filters. That may read many rows, and PostgreSQL's statistics
 * cannot tell: they do not say how many of the rows with one value have another. So the first walk is short.
 * If it does not fill the page, the entries of every filter's index are counted, and a walk along the
 * shortest finds all matches.
 */
async function findAlong<Row>(place: Path<Row>, filters: readonly Filter[]): Promise<Row[]> {
  const leading = [...filters.filter(isLeading), UNFILTERED]
  const first = (isOne(place.bounds) ? undefined : leading.find(({ lead }) => isInOrder(lead))) ?? UNFILTERED
  const conditions = filters.filter((filter) => filter !== first)
  if (conditions.length === 0 || isOne(place.bounds)) return walk(place, first.lead, { conditions })

  const depth = depthOf(place, first.lead, conditions)
  const near = depth > 0 ? await walk(place, first.lead, { conditions, depth }) : []
  if (near.length === place.limit) return near
  const finders = filters.flatMap(({ findLead }) => findLead ?? [])
  if (near.length >= place.limit * (finders.length > 0 ? PROMISING_BEFORE_LOOKUP : PROMISING)) {
    const further = Math.ceil((FURTHER * depth * place.limit) / near.length)
    const found = await walk(place, first.lead, { conditions, depth: further })
    if (found.length === place.limit) return found
  }
  for (const findLead of finders) {
    const lead = await findLead(place)
    if (lead) leading.push({ ...UNFILTERED, lead })
  }
  const leads = leading.map(({ lead }) => lead)
  // Without another lead to choose, it is enough to know whether there are more entries than the first walk
  // read.
  for (const few of leads.length > 1 ? FEW : FEW.slice(0, 1)) {
    const counts = await count(place, leads, few + 1)
    const fewest = Math.min(...counts)
    if (fewest === 0 || (counts[leading.indexOf(first)] ?? 0) <= Math.min(depth, few)) return near
    const shortest = leading[counts.indexOf(fewest)] ?? first
    if (fewest > few) continue
    const others = filters.filter((filter) => filter !== shortest)
    const follow = (db: Db) => walk({ ...place, db }, shortest.lead, { conditions: others })
    return fewest > MANY ? inTime(place.db, follow) : follow(place.db)
  }
  return inTime(place.db, (db) => walk({ ...place, db }, first.lead, { conditions }))
}

function isLeading(filter: Filter): filter is Leading {
  return filter.lead !== undefined
}

function depthOf({ reach, limit }: Place, lead: Lead, conditions: readonly Condition[]): number {
  // A search over several columns usually finds a few rows.
  if (lead.kind === 'any') return 0
  const accounts = reach === 'all' ? ALL_ACCOUNTS : reach.length
  const isLookingUp = lead.kind === 'marks' || conditions.some(({ looksUp }) => looksUp !== undefined)
  const steps = limit * (isLookingUp ? STEPS_LOOKING_UP : STEPS)
  return Math.max(DEPTH_MIN, Math.ceil(steps / (accounts * widthOf(lead))))
}

/** The rows along a lead. Only the rows of the page are read whole. */
async function walk<Row>(
  place: Path<Row>,
  lead: Lead,
  steps: Parameters<typeof nextAlong>[2],
): Promise<Row[]> {
  const { rows } = await sql<Row>`
    ${place.table.read(nextAlong(place, lead, steps))} order by page.id ${sql.raw(place.direction)}
  `.execute(place.db)
  return rows
}

/** How many entries each lead has, up to a limit. */
async function count(place: Place, leads: readonly Lead[], max: number): Promise<number[]> {
  const countOf = (lead: Lead) => sql`(select count(*) from (${entriesOf(place, lead, max)}) as entries)`
  // To count the part of a range within the bounds, all of it may have to be read. That is not worth it if
  // there is little within the bounds at all.
  const counts = leads.map((lead) => {
    if (lead.kind === 'everything') return sql`everything.entries`
    if (isInOrder(lead)) return countOf(lead)
    return sql`case when everything.entries < ${sql.lit(max)} then ${sql.lit(max)} else ${countOf(lead)} end`
  })
  // `offset 0` keeps the planner from counting everything each time that it is named.
  const { rows } = await sql<{ counts: string[] }>`
    select array[${sql.join(counts)}]::text[] as counts
    from (select ${countOf({ kind: 'everything' })} as entries offset 0) as everything
  `.execute(place.db)
  return rows[0]?.counts.map(Number) ?? []
}

/** Ends a walk over too many rows before it slows down other requests. */
async function inTime<Result>(db: Db, work: (db: Db) => Promise<Result>): Promise<Result> {
  try {
    return await db.transaction().execute(async (tx) => {
      await sql`select set_config('statement_timeout', ${`${LONGEST_MS}ms`}, true)`.execute(tx)
      return work(tx)
    })
  } catch (error) {
    if (errorCode(error) !== QUERY_CANCELED) throw error
    const message = 'query too broad: add created_at_gte or a more selective filter'
    const refusal = errors.invalid(inQuery('/created_at_gte', 'value_error.missing', message))
    throw Object.assign(refusal, { cause: error })
  }
}
