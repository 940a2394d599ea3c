import type pg from 'pg'
import { diskStorage } from '#platform/file-storage/disk.ts'
import { listApplied, listTables } from '#platform/portable/tables.ts'
import { archiveMonths } from '#resources/archives/archive.ts'
import { restoreArchive } from '#resources/archives/restore.ts'
import * as archives from '#resources/archives/store.ts'
import { temporaryFolder } from '../lab/processes.ts'
import { mustDo } from '../lab/product.ts'
import type { Foundation } from '../server/src/open-foundation.ts'
import { type Benchmark, figuresOf, type Outcome, type Pace } from './figures.ts'
import { PAYMENT } from './payment.ts'
import { openParts, openPlace, WITHOUT_JOBS } from './place.ts'

const PAYMENTS_MAX = 50_000

export const archive: Benchmark = {
  name: 'archive',
  title: 'Old payments, moved to files',
  explanation:
    'How many captured payments `switchyard archive` moves in a second, with one connection, and how many come back. The payments are copies of ' +
    'one that was made through the API a moment before, two years older. Disk is that of the tables that it leaves, with their indexes, and of what stays of it: the row that says where it is.',
  isByRows: true,
  run,
}

async function run(pace: Pace, progress: (text: string) => void): Promise<Outcome> {
  progress('starting the service')
  const place = await openPlace(WITHOUT_JOBS)
  await mustDo(place, 'POST /transactions', { ...PAYMENT, intent: 'capture' })
  const foundation = await openParts(place, { poolSize: 4 })
  const count = Math.min(pace.rows, PAYMENTS_MAX)
  progress(`copying ${count} payments`)
  const kept = await fill(foundation.pool, count)
  const rounds: Round[] = []
  for (let round = 1; round <= pace.rounds; round += 1) {
    progress(`round ${round} of ${pace.rounds}`)
    rounds.push(await moveAndBack(foundation, count))
  }
  return {
    settings: [`${count} payments of one account, one connection`],
    figures: [
      ...figuresOf(rounds, [
        ['payments archived', '/s', ({ archived }) => archived],
        ['payments brought back', '/s', ({ restored }) => restored],
        ['log of an archived payment', 'kB', ({ wal }) => wal / 1e3],
      ]),
      ...figuresOf([kept], [['disk of a payment before', 'kB', (bytes) => bytes / 1e3]]),
      ...figuresOf(rounds, [['disk of a payment after', 'kB', ({ left }) => left / 1e3]]),
    ],
  }
}

const TABLES = [
  'transactions',
  'transaction_documents',
  'transaction_updates',
  'transaction_marks',
  'transaction_statuses',
  'transaction_events',
  'attempts',
  'transaction_captures',
]
const IDS = ['id', 'transaction_id', 'subject_id']
const TIMES = ['created_at', 'updated_at', 'captured_at', 'sent_at']

/** Copies the rows of the one payment, each copy a second later. Returns the bytes of a payment. */
async function fill(pool: pg.Pool, count: number): Promise<number> {
  for (const table of TABLES) {
    const { rows } = await pool.query<{ name: string }>(
      `select attname as name from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped`,
      [table],
    )
    const names = rows.map(({ name }) => name)
    await pool.query(
      `begin; set local statement_timeout = 0; insert into ${table} (${names.join(', ')}) select ${names.map(copyOf).join(', ')}
       from ${table} as own cross join generate_series(1, ${count}) as copy; commit`,
    )
  }
  await pool.query(
    `insert into payment_fact_progress values ('default', 'ffffffff-ffff-ffff-ffff-ffffffffffff')
     on conflict (merchant_account_id) do update set filled_to = excluded.filled_to`,
  )
  await pool.query('analyze')
  return (await sizeOf(pool, TABLES)) / count
}

/** The first twelve digits of an id are its time in milliseconds. */
function copyOf(name: string): string {
  const shift = 'copy * 1000 - 2 * 365 * 86400000::bigint'
  if (TIMES.includes(name)) return `own.${name} + (${shift}) * interval '1 millisecond'`
  if (!IDS.includes(name)) return `own.${name}`
  const hex = `replace(own.${name}::text, '-', '')`
  const time = `('x' || lpad(left(${hex}, 12), 16, '0'))::bit(64)::bigint + ${shift}`
  return `(lpad(to_hex(${time}), 12, '0') || right(${hex}, 20))::uuid`
}

async function sizeOf(pool: pg.Pool, tables: readonly string[]): Promise<number> {
  const { rows } = await pool.query<{ size: string }>(
    'select sum(pg_total_relation_size(name::regclass)) as size from unnest($1::text[]) as name',
    [tables],
  )
  return Number(rows[0]?.size)
}

type Round = {
  readonly archived: number
  readonly restored: number
  readonly wal: number
  readonly left: number
}

async function moveAndBack({ context, pool }: Foundation, count: number): Promise<Round> {
  const folder = temporaryFolder()
  const storage = diskStorage({ folder: folder.path, linkTo: () => '' })
  const tables = await listTables(pool)
  const migrations = await listApplied(pool)
  const needs = { context, storage, tables, migrations, programVersion: 'bench', onFile: () => {} }
  const before = context.clock().toISOString().slice(0, 7)
  const log = await placeInLog(pool)
  const began = performance.now()
  const tallies = await archiveMonths(needs, { before, isDryRun: false })
  const ended = performance.now()
  const wal = (await placeInLog(pool)) - log
  const moved = tallies.reduce((sum, { payments }) => sum + payments, 0)
  if (moved !== count) throw new Error(`${moved} of ${count} payments were archived`)
  const left = await sizeOf(pool, ['archived_payments'])
  for (const one of await archives.inState(context, 'archived')) await restoreArchive(needs, one)
  const back = performance.now()
  // As if it was long ago: what was brought back is left alone for a while.
  await pool.query("update archives set updated_at = 'epoch'")
  for (const table of TABLES) await pool.query(`vacuum analyze ${table}`)
  await folder.remove()
  return {
    archived: (count / (ended - began)) * 1e3,
    restored: (count / (back - ended)) * 1e3,
    wal: wal / count,
    left: left / count,
  }
}

async function placeInLog(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ bytes: string }>(
    "select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') as bytes",
  )
  return Number(rows[0]?.bytes)
}
