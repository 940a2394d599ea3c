import { AsyncLocalStorage, createHook } from 'node:async_hooks'
import { fileURLToPath } from 'node:url'
import { promiseHooks } from 'node:v8'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { PreparingClient } from '#platform/database/open-database.ts'
import { startTestService, type TestService } from './harness.ts'
import { order } from './till.ts'

/*
 * What a payment with a key costs, in counts that no busy machine changes. A feature that a payment does not use adds nothing to them.
 * Whoever has to raise one says in the commit what every payment gets for it. `npm run bench -- payment-cost` has the price in
 * milliseconds and bytes (docs/decisions/speed.md).
 */

/** Rows that are added, with their entries in indexes, and rows that are changed. `moved`: all their indexes list them anew. */
const ROWS: Readonly<Record<string, string>> = {
  attempts: '1 added, 3 entries, 1 moved',
  audit_logs: '1 added, 6 entries',
  events: '1 added, 5 entries',
  idempotency_keys: '1 added, 2 entries, 1 changed',
  transaction_documents: '1 added, 1 entries',
  transaction_events: '2 added, 2 entries',
  transaction_marks: '1 added, 1 entries',
  transaction_statuses: '1 added, 1 entries, 1 moved',
  transaction_updates: '1 added, 2 entries',
  transactions: '1 added, 11 entries, 1 changed',
}
const STATEMENTS = [
  'select flowVersion , retryPoli',
  'with w0 as (insert into transa',
  'with w0 as (update attempts se',
]
/** A promise of ours and of libraries, with those of the request that a test injects. */
const MOST_PROMISES = 370
const MOST_TIMERS = 10
/** Of PostgreSQL's log, with the books of the simulated provider, without what is written beside payments. It was 9,660. */
const MOST_LOG_BYTES = 10_000

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const ROUNDS = 7
/** The provider's own: its books, and what it asks of them. */
const THEIRS = /^simulator[.]|\bsimulator[.]/

let service: TestService
let number = 0
beforeAll(async () => {
  service = await startTestService()
  // What is done once, such as reading rules or preparing statements, does not count.
  for (let warm = 0; warm < ROUNDS; warm += 1) await pay()
})
afterAll(() => service.close())

async function pay(): Promise<void> {
  number += 1
  const response = await order(service, {}, { headers: { 'idempotency-key': `payment ${number}` } })
  expect(response.json()).toMatchObject({ status: 'authorization_succeeded' })
}

test('a payment adds these rows, in so many indexes, and changes these', async () => {
  const before = new Map((await countRows()).map((row) => [row.table, row]))
  await pay()
  const after = await countRows()

  const found: Record<string, string> = {}
  for (const row of after) {
    const was = before.get(row.table)
    const by = (count: (of: Rows) => number) => count(row) - (was ? count(was) : 0)
    const words = [
      [by(({ added }) => added), `added, ${by(({ entries }) => entries)} entries`],
      [by(({ inPlace }) => inPlace), 'changed'],
      [by(({ changed, inPlace }) => changed - inPlace), 'moved'],
      [by(({ removed }) => removed), 'removed'],
    ] as const
    const said = words.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`)
    // Logs and seals are written beside payments, for many at once.
    if (said.length > 0 && !THEIRS.test(row.table) && !BESIDE.has(row.table))
      found[row.table] = said.join(', ')
  }
  expect(found).toEqual(ROWS)
})

const BESIDE = new Set([
  'exchanges',
  'api_logs',
  'audit_links',
  'audit_waiting',
  'service_scores',
  'api_key_pairs',
])

type Rows = {
  readonly table: string
  readonly entries: number
  readonly added: number
  readonly changed: number
  /** Changed where they are: no index lists them anew. */
  readonly inPlace: number
  readonly removed: number
}

/** By the connections of this service alone: other tests have databases on the same server. */
async function countLogBytes(): Promise<number> {
  await flushCounts()
  const { rows } = await service.database.pool.query(`
    select sum(wal_bytes) as bytes from pg_stat_activity, pg_stat_get_backend_wal(pid) where datname = current_database()`)
  return Number(rows[0].bytes)
}

/** A connection says what it did when it is asked, and else after a second. So all of them are asked. */
async function flushCounts(): Promise<void> {
  const { pool } = service.database
  const clients = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()))
  await Promise.all(clients.map((client) => client.query('select pg_stat_force_next_flush()')))
  for (const client of clients) client.release()
}

async function countRows(): Promise<readonly Rows[]> {
  const { pool, db } = service.database
  await flushCounts()
  const { rows } = await sql<Omit<Rows, 'entries'> & { readonly conditions: readonly string[] }>`
    select format('%s%s', case schemaname when 'public' then '' else schemaname || '.' end, relname) as table,
      (select array_agg(coalesce(pg_get_expr(indpred, indrelid), 'true')) from pg_index where indrelid = relid) as conditions,
      n_tup_ins::int as added, n_tup_upd::int as changed, n_tup_hot_upd::int as "inPlace", n_tup_del::int as removed
    from pg_stat_user_tables order by 1
  `.execute(db)
  return Promise.all(
    rows.map(async ({ conditions, ...row }) => {
      const counts = (conditions ?? []).map((condition) => `count(*) filter (where ${condition})`)
      const all = `select (${['0', ...counts].join(' + ')})::int as entries from ${row.table}`
      return { ...row, ...(await pool.query<{ entries: number }>(all)).rows[0] } as Rows
    }),
  )
}

test('a payment asks the database this, and nothing else', async () => {
  let texts: string[] = []
  const asked: string[][] = []
  const { query } = PreparingClient.prototype
  const spy = vi.spyOn(PreparingClient.prototype, 'query').mockImplementation(function (
    this: PreparingClient,
    ...args: unknown[]
  ) {
    texts.push(String(args[0]))
    return query.apply(this, args)
  })
  for (let round = 0; round < ROUNDS; round += 1) {
    texts = []
    await pay()
    asked.push(texts.filter((text) => !THEIRS.test(text)).map(shorten))
  }
  spy.mockRestore()

  // Logs are written beside payments, and what a process remembers for seconds is read again.
  expect(asked.toSorted((one, other) => one.length - other.length)[0]).toEqual(STATEMENTS)
})

function shorten(text: string): string {
  return text
    .replaceAll(/[\s"]+/g, ' ')
    .trim()
    .slice(0, 30)
}

test('a payment writes no more log than this', async () => {
  const written: number[] = []
  for (let round = 0; round < 2 * ROUNDS; round += 1) {
    const before = await countLogBytes()
    await pay()
    written.push((await countLogBytes()) - before)
  }

  // Pages that are written as a whole after a checkpoint, and what others write meanwhile, are not its own.
  expect(Math.min(...written)).toBeLessThanOrEqual(MOST_LOG_BYTES)
})

test('a payment makes few promises and timers', async () => {
  let count = await countPromises()
  // What is written beside payments may be written while one is counted: on a busy machine beside most of them.
  const isMore = () => count.promises > MOST_PROMISES || count.timers > MOST_TIMERS
  for (let round = 1; round < 8 * ROUNDS && isMore(); round += 1) count = await countPromises()

  expect(count.promises, count.places.join('\n')).toBeLessThanOrEqual(MOST_PROMISES)
  expect(count.timers).toBeLessThanOrEqual(MOST_TIMERS)
})

/** The promises of a payment, the files that make most of them first. What others do meanwhile is not its own. */
async function countPromises() {
  const places = new Map<string, number>()
  const own = new AsyncLocalStorage<true>()
  let isOver = false
  let promises = 0
  let timers = 0
  const stop = promiseHooks.onInit(() => {
    if (isOver || !own.getStore()) return
    promises += 1
    const place = placeOf(new Error().stack ?? '')
    places.set(place, (places.get(place) ?? 0) + 1)
  }) as () => void
  const hook = createHook({
    init: (_id, type) => {
      if (type !== 'Timeout' || isOver || !own.getStore()) return
      // On a slow machine each payment begins a pause of its own, after which logs are written.
      if (!new Error().stack?.includes('write-beside')) timers += 1
    },
  }).enable()
  await own.run(true, pay)
  isOver = true
  hook.disable()
  stop()
  const sorted = [...places].toSorted(([, one], [, other]) => other - one)
  return { promises, timers, places: sorted.map(([place, count]) => `${count} ${place}`) }
}

function placeOf(stack: string): string {
  const lines = stack
    .split('\n')
    .slice(2)
    .filter((line) => line.includes(ROOT) && !line.includes('cost-of-a-payment'))
  const own = lines.find((line) => !line.includes('node_modules')) ?? lines[0] ?? ''
  return own.slice(own.indexOf(ROOT) + ROOT.length).replace(/(?::\d+)?:\d+\)?$/, '')
}
