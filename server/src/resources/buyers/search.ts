import { sql } from 'kysely'
import type { Db } from '../../platform/db.ts'
import type { Reach } from '../../platform/operation.ts'
import { cut, type Slice } from '../../platform/pagination.ts'
import { accountsQuery, normalize, textQueries, timeQuery } from './search-terms.ts'
import { type BuyerRow, COLUMNS, select } from './store.ts'

/** How many rows are looked at one by one. That finds a page of what one buyer in fifty has. */
const WALK_ROWS = 1_000
/** The index holds many beginnings of one or two characters, so it should be asked for the rarest of these only. */
const LONG_WALK_ROWS = 4_000
const SHORT_LENGTH = 2
const SAMPLE_ROWS = 200
/** The first look into the index covers the time of so many samples, the next ones so many times more. */
const FIRST_SAMPLES = 80
const WIDER = 64
/** How many rows one look into the index may find. Beyond that it costs too much to put them in order. */
const FOUND_MAX = 500
/** When a time with too many rows is but this much longer than one with too few, only reading them all will do. */
const CLOSE = 1.2
/** A sample covers no time at all when its rows were created at once. */
const TIME_MIN_MS = 100
/** Accounts with one row in this many are looked for in the index; to read the others there takes longer. */
const RARE_ACCOUNT = 4
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

type Search = { readonly db: Db; readonly reach: Reach; readonly text: string; readonly slice: Slice }

/**
 * The buyers of a slice that contain a text, or whose id it is, without reading many rows. A common text is found by
 * walking along the list, a rare one in the index; for what lies between, the index is asked about a short time first.
 * The planner cannot choose: it does not know how common a text is, and a wrong guess reads the whole table.
 */
export async function searchBuyers(
  db: Db,
  { reach, text: given }: { readonly reach: Reach; readonly text: string },
  slice: Slice,
): Promise<BuyerRow[]> {
  const search: Search = { db, reach, text: normalize(given), slice }
  if (UUID.test(search.text)) return (await lookUp(search, textQueries(search.text, ''))).rows
  const walks = [...search.text].length <= SHORT_LENGTH ? [WALK_ROWS, LONG_WALK_ROWS] : [WALK_ROWS]
  let rows: BuyerRow[] = []
  for (const steps of walks) {
    rows = await walk(search, steps)
    if (rows.length === slice.limit) return rows
  }
  const sample = await readSample(search)
  return sample.size < SAMPLE_ROWS ? rows : lookAlong(search, sample)
}

/** Also a filter for rows that were found another way. */
export function contains(text: string) {
  return sql<boolean>`strpos(buyers.search_text, ${normalize(text)}) > 0`
}

/** Looks at the next rows one by one, and stops when it has a page. */
function walk(search: Search, steps: number): Promise<BuyerRow[]> {
  const { db, reach, text, slice } = search
  const next = path(search).select(COLUMNS).select('buyers.search_text')
  const hits = db
    .selectFrom(cut(next, 'buyers', { ...slice, limit: steps }).as('buyers'))
    .select(COLUMNS)
    .where(contains(text))
    .where(isWithin(reach))
  return cut(hits, 'buyers', { ...slice, position: undefined }).execute()
}

/** The first rows of the walk: the time they cover, their texts, how many there are, also of other accounts. */
type Sample = {
  readonly size: number
  readonly newest: Date
  readonly oldest: Date
  readonly texts: string
  readonly own: number
  readonly all: number
  /** Where the list ends. */
  readonly last: Date
}

async function readSample(search: Search): Promise<Sample> {
  const { db, reach, slice } = search
  const first = path(search).select([
    'buyers.id',
    'buyers.created_at',
    'buyers.merchant_account_id',
    'buyers.search_text',
  ])
  const end = path(search).select(['buyers.id', 'buyers.created_at'])
  const direction = slice.direction === 'desc' ? 'asc' : 'desc'
  const { rows } = await sql<Sample>`
    with near as materialized (${cut(first, 'buyers', { ...slice, limit: SAMPLE_ROWS })}),
    bounds as (
      select count(*)::integer as size, max(created_at) as newest, min(created_at) as oldest,
        string_agg(search_text, ${'\n'}) as texts, count(*) filter (where ${isWithin(reach)})::integer as own
      from near as buyers
    )
    select bounds.*, (
      select count(*)::integer from (
        select from buyers where created_at between (select oldest from bounds) and (select newest from bounds)
        limit ${sql.lit(SAMPLE_ROWS * RARE_ACCOUNT)}
      ) as everybody
    ) as all, (
      select created_at from (${cut(end, 'buyers', { position: undefined, direction, limit: 1 })}) as one
    ) as last
    from bounds`.execute(db)
  const [sample] = rows
  if (!sample) throw new Error('a sample has one row')
  return sample
}

/** Asks the index about longer and longer times, until it finds a page; when it finds too much, about shorter ones. */
async function lookAlong(search: Search, sample: Sample): Promise<BuyerRow[]> {
  const { reach, text, slice } = search
  const isForward = slice.direction === 'desc'
  const startMs = (slice.position?.at ?? (isForward ? sample.newest : sample.oldest)).getTime()
  const wholeMs = Math.abs(sample.last.getTime() - startMs)
  const isRareAccount = reach !== 'all' && sample.own * RARE_ACCOUNT <= sample.all
  const queries = [...textQueries(text, sample.texts), ...(isRareAccount ? [accountsQuery(reach)] : [])]
  const during = (lengthMs: number) =>
    isForward ? timeQuery(startMs - lengthMs, startMs) : timeQuery(startMs, startMs + lengthMs)

  let tooShortMs = 0
  let tooLongMs: number | undefined
  let lengthMs = Math.max(sample.newest.getTime() - sample.oldest.getTime(), TIME_MIN_MS) * FIRST_SAMPLES
  while (tooLongMs === undefined || tooLongMs > tooShortMs * CLOSE) {
    const isWhole = lengthMs >= wholeMs
    const found = await lookUp(search, isWhole ? queries : [...queries, during(lengthMs)], FOUND_MAX)
    if (!found.isCut && (isWhole || found.rows.length === slice.limit)) return found.rows
    if (found.isCut) tooLongMs = Math.min(lengthMs, wholeMs)
    else tooShortMs = lengthMs
    lengthMs = tooLongMs === undefined ? lengthMs * WIDER : Math.sqrt((tooShortMs || TIME_MIN_MS) * tooLongMs)
  }
  return (await lookUp(search, [...queries, during(tooLongMs)])).rows
}

type Found = { readonly rows: BuyerRow[]; readonly isCut: boolean }

/**
 * What the index has, put in order afterwards: with the order inside, the planner might walk the list instead. The
 * database gives up after `foundMax` rows, in no useful order.
 */
async function lookUp(search: Search, queries: readonly string[], foundMax?: number): Promise<Found> {
  const { db, reach, text, slice } = search
  const keys = db
    .selectFrom('buyers')
    .select(['buyers.id', 'buyers.created_at', 'buyers.merchant_account_id'])
  const matches = keys
    .where(
      sql<boolean>`${sql.join(
        queries.map((query) => sql`search_terms @@ ${query}::tsquery`),
        sql` and `,
      )}`,
    )
    .where(contains(text))
    .limit(foundMax === undefined ? sql<null>`null` : sql.lit(foundMax + 1))
  const found = UUID.test(text) ? sql`(${matches}) union ${keys.where('buyers.id', '=', text)}` : matches
  const page = db
    .selectFrom(sql<Pick<BuyerRow, 'id' | 'created_at'>>`found`.as('buyers'))
    .select(['buyers.id', 'buyers.created_at'])
    .where(isWithin(reach))
  const { rows } = await sql<BuyerRow & { total: number }>`
    with found as materialized (${found}), page as (${cut(page, 'buyers', slice)})
    select total, buyers.* from (select count(*)::integer as total from found) as totals
    left join (${select(db).innerJoin(sql<{ id: string }>`page`.as('page'), 'page.id', 'buyers.id')}) as buyers on true
    order by buyers.created_at ${sql.raw(slice.direction)}, buyers.id ${sql.raw(slice.direction)}
  `.execute(db)
  return {
    rows: rows.filter(({ id }) => id !== null),
    isCut: foundMax !== undefined && (rows[0]?.total ?? 0) > foundMax,
  }
}

/** The list to walk along. Several accounts are found along the list of all. */
function path({ db, reach }: Search) {
  const all = db.selectFrom('buyers')
  return reach !== 'all' && reach.length === 1 ? all.where('buyers.merchant_account_id', 'in', reach) : all
}

function isWithin(reach: Reach) {
  return reach === 'all'
    ? sql<boolean>`true`
    : sql<boolean>`buyers.merchant_account_id = any(${reach}::text[])`
}
