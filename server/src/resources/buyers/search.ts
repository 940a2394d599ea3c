import { sql } from 'kysely'
import type { Db } from '#platform/database/db.ts'
import type { Reach } from '#platform/http/operation.ts'
import { cut, inOrder, overAllAccounts } from '#platform/listing/by-age.ts'
import type { Slice } from '#platform/listing/pagination.ts'
import { accountsQuery, normalize, textQueries, timeFrom } from './search-terms.ts'
import { type BuyerRow, COLUMNS, select } from './store.ts'

/** How many rows are checked one by one. That finds a page if one buyer in fifty matches. */
const WALK_ROWS = 1_000
/**
 * The index has many entries for one or two characters, so it is used only for rare ones, after a longer
 * walk.
 */
const SHORT_LENGTH = 2
const SHORT_WALK_ROWS = 2_500
const SAMPLE_ROWS = 200
/** The first look-up covers the time of this many samples. The next may be this many times longer. */
const FIRST_SAMPLES = 40
const WIDER_MAX = 256
/** How many rows one look-up may find. Beyond that, several shorter look-ups cost less than sorting. */
const FOUND_MAX = 500
/**
 * A look-up that found too many is repeated for this fraction of its time: reading many rows costs more than
 * a few empty look-ups.
 */
const NARROWER = 4
/** Rows created within this time are read together, however many. */
const MOMENT_MS = 1_000
/**
 * The account is part of the query if it has at most one row in this many. Otherwise it means more to read.
 */
const RARE_ACCOUNT = 4
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

type Search = { readonly db: Db; readonly reach: Reach; readonly text: string; readonly slice: Slice }

/**
 * The buyers of a slice that contain a text, or whose id it is, without reading many rows. A common text is
 * found by walking along the list, a rare one in the index. For texts in between, the index is first asked
 * about a short time. The planner cannot choose: it does not know how common a text is, and a wrong guess
 * reads the whole table.
 */
export async function searchBuyers(
  db: Db,
  { reach, text: given }: { readonly reach: Reach; readonly text: string },
  slice: Slice,
): Promise<BuyerRow[]> {
  const text = normalize(given)
  const search: Search = { db, reach, text, slice }
  if (UUID.test(text)) {
    const { rows } = await lookUp(search, { queries: textQueries(text, { texts: '', size: 0 }) })
    return rows
  }
  const rows = await walk(search)
  if (rows.length === slice.limit) return rows
  const sample = await readSample(search)
  return sample.size < SAMPLE_ROWS ? rows : lookAlong(search, sample)
}

/** Also a filter for rows that were found in another way. */
export function contains(text: string) {
  return sql<boolean>`strpos(buyers.search_text, ${normalize(text)}) > 0`
}

/** Checks the next rows one by one, until the page is full. */
function walk(search: Search): Promise<BuyerRow[]> {
  const { db, reach, text, slice } = search
  const steps = [...text].length <= SHORT_LENGTH ? SHORT_WALK_ROWS : WALK_ROWS
  const next = path(search).select(COLUMNS).select('buyers.search_text')
  const hits = db
    .selectFrom(cut(next, 'buyers', { ...slice, limit: steps }).as('buyers'))
    .select(COLUMNS)
    .where(contains(text))
    .where(isWithin(reach))
  return inOrder(hits, 'buyers', slice).execute()
}

/** The first rows of the walk: how many, their time and texts. */
type Sample = {
  readonly size: number
  readonly newest: Date
  readonly oldest: Date
  readonly texts: string
  /** How many of them are within reach, and how many rows of that time exist, up to a limit. */
  readonly own: number
  readonly all: number
  /** The time of the last row of the list. */
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
        select from buyers where ${overAllAccounts('buyers')} and created_at between (select oldest from bounds) and (select newest from bounds)
        limit ${sql.lit(SAMPLE_ROWS * RARE_ACCOUNT)}
      ) as neighbours
    ) as all, (
      select created_at from (${cut(end, 'buyers', { position: undefined, direction, limit: 1 })}) as one
    ) as last
    from bounds`.execute(db)
  const [sample] = rows
  if (!sample) throw new Error('a sample has one row')
  return sample
}

/**
 * Asks the index about one span of time after another: longer spans while it finds little, a part of one that
 * has too much.
 */
async function lookAlong(search: Search, sample: Sample): Promise<BuyerRow[]> {
  const { slice } = search
  const queries = queriesFor(search, sample)
  const sign = slice.direction === 'desc' ? -1 : 1
  const lastMs = sample.last.getTime()
  const rows: BuyerRow[] = []
  let fromMs = (slice.position?.at ?? (sign < 0 ? sample.newest : sample.oldest)).getTime()
  let lengthMs = Math.max(sample.newest.getTime() - sample.oldest.getTime(), MOMENT_MS) * FIRST_SAMPLES
  let tooFarMs: number | undefined
  for (let isFirst = true; ; ) {
    const time = timeFrom(fromMs, sign * lengthMs)
    const isLast = (time.toMs - lastMs) * sign > 0
    const found = await lookUp(search, {
      queries: isLast ? queries : [...queries, time.query],
      fromMs: isFirst ? undefined : fromMs,
      toMs: isLast ? undefined : time.toMs,
      foundMax: lengthMs > MOMENT_MS ? FOUND_MAX : undefined,
    })
    if (found.isCut) {
      tooFarMs = isLast ? lastMs : time.toMs
    } else {
      rows.push(...found.rows)
      if (isLast || rows.length >= slice.limit) return rows.slice(0, slice.limit)
      isFirst = false
      fromMs = time.toMs
    }
    const leftMs = tooFarMs === undefined ? 0 : (tooFarMs - fromMs) * sign
    lengthMs = leftMs > 0 ? Math.ceil(leftMs / NARROWER) : lengthMs * widerFor(slice.limit, rows.length)
  }
}

/** Twice as long as needed to fill the page, if the following rows are like those found. */
function widerFor(wanted: number, found: number): number {
  return found === 0 ? WIDER_MAX : Math.min(WIDER_MAX, Math.ceil((2 * wanted) / found))
}

function queriesFor({ reach, text }: Search, sample: Sample): string[] {
  const queries = textQueries(text, sample)
  const isRareAccount = reach !== 'all' && sample.own * RARE_ACCOUNT <= sample.all
  return isRareAccount ? [...queries, accountsQuery(reach)] : queries
}

type Look = {
  readonly queries: readonly string[]
  /** In the direction of the slice. The earlier of the two moments is included, the later is not. */
  readonly fromMs?: number | undefined
  readonly toMs?: number | undefined
  /** The database stops after this many rows, in no useful order. */
  readonly foundMax?: number | undefined
}

/**
 * Rows from the index, sorted afterwards. With the order in the same query, the planner might walk the list
 * instead.
 */
async function lookUp(
  { db, reach, text, slice }: Search,
  { queries, fromMs, toMs, foundMax }: Look,
): Promise<{ readonly rows: BuyerRow[]; readonly isCut: boolean }> {
  const [earliestMs, endMs] = slice.direction === 'desc' ? [toMs, fromMs] : [fromMs, toMs]
  // Adds an interval of zero for the same reason: no index by age matches such a condition.
  const time = sql<Date>`(buyers.created_at + interval '0')`
  const keys = db
    .selectFrom('buyers')
    .select(['buyers.id', 'buyers.created_at', 'buyers.merchant_account_id'])
  let matches = keys.where(contains(text))
  for (const query of queries) matches = matches.where(sql<boolean>`search_terms @@ ${query}::tsquery`)
  if (earliestMs !== undefined) matches = matches.where(time, '>=', new Date(earliestMs))
  if (endMs !== undefined) matches = matches.where(time, '<', new Date(endMs))
  if (foundMax !== undefined) matches = matches.limit(sql.lit(foundMax + 1))
  const found = UUID.test(text) ? sql`(${matches}) union ${keys.where('buyers.id', '=', text)}` : matches
  const page = db
    .selectFrom(sql<Pick<BuyerRow, 'id' | 'created_at'>>`found`.as('buyers'))
    .select(['buyers.id', 'buyers.created_at'])
    .where(isWithin(reach))
  const order = sql.raw(slice.direction)
  const { rows } = await sql<BuyerRow & { total: number }>`
    with found as materialized (${found}), page as (${cut(page, 'buyers', slice)})
    select total, buyers.* from (select count(*)::integer as total from found) as totals
    left join (${select(db).innerJoin(sql<{ id: string }>`page`.as('page'), 'page.id', 'buyers.id')}) as buyers
      on true
    order by buyers.created_at ${order}, buyers.id ${order}
  `.execute(db)
  return {
    rows: rows.filter(({ id }) => id !== null),
    isCut: foundMax !== undefined && (rows[0]?.total ?? 0) > foundMax,
  }
}

/** The list to walk along. For several accounts it is the list of all accounts. */
function path({ db, reach }: Search) {
  const all = db.selectFrom('buyers')
  const isOne = reach !== 'all' && reach.length === 1
  return isOne ? all.where('buyers.merchant_account_id', 'in', reach) : all.where(overAllAccounts('buyers'))
}

function isWithin(reach: Reach) {
  return reach === 'all'
    ? sql<boolean>`true`
    : sql<boolean>`buyers.merchant_account_id = any(${reach}::text[])`
}
