import { type RawBuilder, sql } from 'kysely'
import type { Context, Tables, Tx } from '../database/db.ts'
import { earliest } from '../database/sql.ts'
import { type Clock, realTime } from '../process/clock.ts'

type Fragment = RawBuilder<unknown>

/** Locks rows that no other transaction has locked. Of two processes, each gets others. */
export const FREE = sql`for update skip locked`
const ALL = sql`true`

/** Rows of which each belongs to one process at a time. If that dies, another takes over when the lease has ended. */
export type Leases<Row, Held extends keyof Row = keyof Row> = {
  readonly table: keyof Tables
  readonly key: readonly (Held & string)[]
  /** What is read of a row. */
  readonly columns: readonly (keyof Row & string)[]
  /** Which rows are not done yet, as an index says it. */
  readonly open?: Fragment
  /** What has changed when another process has taken over. */
  readonly fence?: readonly (Held & string)[]
  /** The end of a lease is in `leased_until`, in real time. Missing: a row that is taken is put off. */
  readonly leaseMs?: number
}

/** Rows that are work for any process, each from its time on. */
export type Queue<Row, Held extends keyof Row = keyof Row> = Leases<Row, Held> & {
  /** The time from which on a row is due, by the service's clock. */
  readonly due: string
  /** Missing: by that time. */
  readonly order?: readonly string[]
}

/** Rows with the same value wait in one lane. An index of the open rows begins with it. */
export type Lanes = {
  readonly open: Fragment
  readonly lane: { readonly column: string; readonly type: 'uuid' | 'text' }
}

type Which = { readonly limit: number | Fragment; readonly where?: Fragment }
/** What else changes when a row is taken. */
type Taking = Which & { readonly set?: Fragment }

/** Takes rows that are due and that nobody holds. */
export function take<Row>(context: Context, queue: Queue<Row>, taking: Taking): Promise<Row[]> {
  const due = sql`with due as materialized (${free(context, queue, queue.key, taking)})`
  return takeDue(context, queue, due, taking)
}

type Turns = Taking & {
  /** How many rows of a lane are taken at most. */
  readonly width: number
  /** Lanes of which fewer are taken. */
  readonly narrow?: ReadonlyMap<string, number>
  /** The order of lanes, by `lane.id`. Missing: another one each time, so that none is always last. */
  readonly order?: Fragment
  /** The first of each lane comes before the second of any. What a narrow lane lacks counts as taken. */
  readonly isRoundRobin?: boolean
}

/** The same for each lane, so that a long one does not delay the others. */
export function takeByTurns<Row>(context: Context, queue: Queue<Row> & Lanes, turns: Turns): Promise<Row[]> {
  const { key, due, lane } = queue
  const { limit, width, narrow = new Map(), order = sql`random()`, isRoundRobin = false } = turns
  const where = sql`${sql.ref(lane.column)} = turn.id and ${turns.where ?? ALL}`
  const oldest = free(context, queue, [...key, due], { where, limit: sql`turn.width` })
  const dueInLanes = sql`
    with recursive ${lanesOf(queue)}, due as materialized (
      select ${names(key, 'next')} from (
        select lane.id, coalesce(narrow.width, ${width}) as width from lane
        left join unnest(${[...narrow.keys()]}::${sql.raw(lane.type)}[], ${[...narrow.values()]}::int[])
          as narrow (id, width) on narrow.id = lane.id
        where lane.id is not null order by ${order}
      ) as turn cross join lateral (
        select ${names(key)}, ${sql.ref(due)} as due,
          ${width}::int - turn.width + row_number() over (order by ${sql.ref(due)}) as place
        from (${oldest}) as oldest
      ) as next
      ${isRoundRobin ? sql`order by next.place, next.due` : sql``} limit ${limit}
    )`
  return takeDue(context, queue, dueInLanes, turns)
}

/** Each lane is found with one step along the index, however many rows wait in it. The last id is null. */
function lanesOf({ table, open, lane }: Pick<Queue<never>, 'table'> & Lanes): Fragment {
  const [from, of] = [sql.table(table), sql.ref(lane.column)]
  return sql`lane (id) as (
    (select ${of} from ${from} where ${open} order by 1 limit 1)
    union all
    select (select ${of} from ${from} where ${open} and ${of} > lane.id order by 1 limit 1)
    from lane where lane.id is not null
  )`
}

async function takeDue<Row>(
  { db, clock }: Context,
  { table, key, columns, leaseMs }: Queue<Row>,
  due: Fragment,
  { set }: Taking,
): Promise<Row[]> {
  const changes = [
    ...(set ? [set] : []),
    ...(leaseMs ? [sql`leased_until = ${leaseEnd(clock, leaseMs)}`] : []),
  ]
  const isDue = key.map((name) => sql`${sql.ref(`${table}.${name}`)} = ${sql.ref(`due.${name}`)}`)
  const { rows } = await sql<Row>`
    ${due} update ${sql.table(table)} set ${sql.join(changes)} from due where ${and(isDue)}
    returning ${names(columns, table)}
  `.execute(db)
  return rows
}

/** Locks rows that are due and that nobody holds, until the transaction ends. */
export async function lockDue<Row>(
  tx: Context<Tx>,
  queue: Omit<Queue<Row>, 'key'>,
  which: Which,
): Promise<Row[]> {
  const { rows } = await free(tx, queue, queue.columns, which).execute(tx.db)
  return rows as Row[]
}

function free<Row>(
  { clock }: Context,
  { table, open = ALL, due, order = [due], leaseMs }: Omit<Queue<Row>, 'key'>,
  columns: readonly string[],
  { where = ALL, limit }: Which,
): Fragment {
  const isFree = leaseMs ? sql`(leased_until is null or leased_until <= ${realTime(clock)})` : ALL
  return sql`select ${names(columns)} from ${sql.table(table)}
    where ${open} and ${sql.ref(due)} <= ${clock()} and ${isFree} and ${where}
    order by ${names(order)} limit ${limit} ${FREE}`
}

type Change<Row> = { readonly [Name in keyof Row]?: Row[Name] | RawBuilder<Row[Name]> }

/** Changes a row that is still ours and makes its lease longer. Returns whether it was ours. */
export async function keep<Row, Held extends keyof Row>(
  { db, clock }: Context,
  leases: Leases<Row, Held> & { readonly leaseMs: number },
  held: NoInfer<Pick<Row, Held>>,
  change: NoInfer<Change<Row>> = {},
): Promise<boolean> {
  const kept = { ...change, leased_until: leaseEnd(clock, leases.leaseMs) }
  return (await changeOwn(leases, held, kept).execute(db)).numAffectedRows === 1n
}

/** Changes a row that is still ours and ends its lease. Undefined if another process has taken over. */
export async function giveBack<Row, Held extends keyof Row>(
  { db }: Context,
  leases: Leases<Row, Held>,
  held: NoInfer<Pick<Row, Held>>,
  change: NoInfer<Change<Row>>,
): Promise<Row | undefined> {
  const changed = changeOwn(leases, held, { leased_until: null, ...change })
  const { rows } = await sql<Row>`${changed} returning ${names(leases.columns)}`.execute(db)
  return rows[0]
}

function changeOwn<Row, Held extends keyof Row>(
  { table, key, fence = [], open = ALL }: Leases<Row, Held>,
  held: Pick<Row, Held>,
  change: object,
): Fragment {
  const changes = Object.entries(change).map(([name, value]) => sql`${sql.ref(name)} = ${value}`)
  const isIt = key.map((name) => sql`${sql.ref(name)} = ${held[name]}`)
  const isOurs = fence.map((name) => sql`${sql.ref(name)} is not distinct from ${held[name]}`)
  return sql`update ${sql.table(table)} set ${sql.join(changes)} where ${and([...isIt, ...isOurs, open])}`
}

/** When the next open row is due. */
export function nextDueAt(
  context: Context,
  queue: Pick<Queue<never>, 'table' | 'due' | 'open'> & Partial<Lanes>,
  where = ALL,
): Promise<Date | null> {
  const { table, due, open = ALL, lane } = queue
  const first = (inLane: Fragment) => sql<{ at: Date | null }>`
    select ${sql.ref(due)} as at from ${sql.table(table)}
    where ${open} and ${inLane} and ${where} order by 1 limit 1`
  if (!lane) return earliest(context, first(ALL))
  const ofLane = first(sql`${sql.ref(lane.column)} = lane.id`)
  return earliest(
    context,
    sql`with recursive ${lanesOf({ table, open, lane })}
      select min(next.at) as at from lane cross join lateral (${ofLane}) as next`,
  )
}

/** Another process has taken over, because this one did not say for a while that it is still at it. */
export class LeaseLost extends Error {}

/** Keeps a lease by renewing it again and again. The signal tells that it is lost. */
export function renewEvery(ms: number, renew: () => Promise<boolean>) {
  const lost = new AbortController()
  const look = async () => {
    // If the database is away and stays away, the lease ends, and the fence keeps two processes apart.
    const isOurs = await renew().catch(() => true)
    if (!isOurs) lost.abort(new LeaseLost())
  }
  const timer = setInterval(() => void look(), ms)
  timer.unref()
  return { lost: lost.signal, end: () => clearInterval(timer) }
}

function leaseEnd(clock: Clock, leaseMs: number): Date {
  return new Date(realTime(clock).getTime() + leaseMs)
}

function names(columns: readonly string[], table?: string): Fragment {
  return sql.join(columns.map((column) => sql.ref(table ? `${table}.${column}` : column)))
}

function and(conditions: readonly Fragment[]): Fragment {
  return sql.join(conditions, sql` and `)
}
