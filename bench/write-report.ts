import { once } from 'node:events'
import { createWriteStream, statSync } from 'node:fs'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { sql } from 'kysely'
import { UNKEYED } from '#platform/idempotency/once.ts'
import { createLogger } from '#platform/observability/log.ts'
import { writeDueFiles } from '#resources/reports/executions/write.ts'
import { createReport } from '#resources/reports/routes.ts'
import { processorSeconds } from '../lab/processes.ts'
import type { Foundation } from '../server/src/open-foundation.ts'
import { reportStorage } from '../server/src/report-storage.ts'
import { fillCopies } from './copied-payments.ts'
import { atLeast, atMost, type Benchmark, figuresOf, type Outcome, type Pace } from './figures.ts'
import { fill } from './list-growth-fill.ts'
import { MAIN_ACCOUNT, rowsOf } from './list-growth-rows.ts'
import { openParts, openPlace, type Parts, WITHOUT_JOBS } from './place.ts'

const ROWS_PER_SECOND_MIN = 80_000
const RATIO_MIN = 0.5
const MEMORY_MAX_MB = 150
const PAGE = 2_000
const FLOOR_FILE = 'floor.csv'

/** Two of them are JSON in the database. */
const FIELDS = [
  'id',
  'external_identifier',
  'status',
  'created_at',
  'updated_at',
  'authorized_at',
  'captured_at',
  'amount',
  'currency',
  'captured_amount',
  'refunded_amount',
  'method',
  'scheme',
  'payment_service_transaction_id',
  'payment_service_id',
  'raw_response_code',
  'error_code',
  'payment_source',
  'metadata',
  'billing_details_email_address',
] as const

export const writeReport: Benchmark = {
  name: 'write-report',
  title: 'Writing the file of a report',
  explanation:
    `How many payments a worker writes to a file for each second of its processor, ${FIELDS.length} columns wide, with the code ` +
    'that the job runs: pages by id, CSV with masked formulas, a hash, a file on the disk. As a share of a floor: the same ' +
    'columns of the same payments, by pages of the same size, joined with commas and written, with no check of any field. ' +
    'The processor time of the database is apart. Beside it, how much memory the worker takes more at its highest than ' +
    'before, and how long it keeps other work of its process waiting.',
  isByRows: true,
  run,
}

type Round = {
  readonly own: number
  readonly floor: number
  readonly database: number
  readonly memoryMb: number
  readonly pauseMs: number
}

async function run(pace: Pace, progress: (text: string) => void): Promise<Outcome> {
  progress('starting the service')
  // It makes the database. Its jobs would write the files, too.
  const place = await openPlace(WITHOUT_JOBS)
  await fill(place.connection, rowsOf(pace.rows), { add: [fillCopies], progress })
  const foundation = await openParts(place, { poolSize: 1 })
  const floorFile = join(place.folder.path, FLOOR_FILE)
  const rounds: Round[] = []
  let sizes = { count: 0, bytes: 0 }
  for (let index = 0; index <= pace.rounds; index += 1) {
    progress(index === 0 ? 'warming up' : `round ${index} of ${pace.rounds}`)
    const floor = await cpuOf(foundation, () => writePlainly(foundation, floorFile))
    const { written, ...own } = await watched(foundation, () => writeFile(foundation))
    sizes = written
    if (statSync(floorFile).size < written.bytes / 2) throw new Error('the floor wrote less')
    if (index === 0) continue
    rounds.push({
      own: written.count / own.seconds,
      floor: written.count / floor.seconds,
      database: written.count / own.databaseSeconds,
      memoryMb: own.memoryMb,
      pauseMs: own.pauseMs,
    })
  }
  return { settings: settingsOf(pace, sizes), figures: describe(rounds) }
}

function settingsOf(pace: Pace, { count, bytes }: Written): string[] {
  return [
    `${pace.rounds} files of ${count} lines, ${Math.round(bytes / 1e6)} MB each, of the largest of 21 accounts`,
    'one database connection; the file reaches the disk (fsync); database and worker share the machine',
  ]
}

function describe(rounds: readonly Round[]): Outcome['figures'] {
  return figuresOf(rounds, [
    ['rows per processor second', '/s', ({ own }) => own, atLeast(ROWS_PER_SECOND_MIN)],
    ['share of the floor', '', ({ own, floor }) => own / floor, atLeast(RATIO_MIN)],
    ['rows per processor second of the database', '/s', ({ database }) => database],
    ['memory above the start', 'MB', ({ memoryMb }) => memoryMb, atMost(MEMORY_MAX_MB)],
    ['p99 of the pauses', 'ms', ({ pauseMs }) => pauseMs],
  ])
}

type Written = { readonly count: number; readonly bytes: number }

/** A report as the API makes it, and its file as the job writes it. */
async function writeFile({ context, pool, secrets, config }: Parts): Promise<Written> {
  const scope = { ...context, merchantAccountId: MAIN_ACCOUNT }
  const spec = { model: 'transactions' as const, params: { fields: [...FIELDS] } }
  const report = {
    name: 'Bench',
    schedule: 'once',
    schedule_enabled: false,
    schedule_timezone: 'Etc/UTC',
    spec,
  } as const
  await createReport(scope, UNKEYED, report)
  const reportFiles = reportStorage(config, { secrets, publicUrl: 'http://127.0.0.1', clock: context.clock })
  await writeDueFiles(
    { context, pool, reportFiles, logger: createLogger('fatal', 'bench') },
    new AbortController().signal,
  )
  const { rows } = await sql<{ count: number; bytes: number }>`
    select row_count::int as count, file_size::int as bytes from report_executions order by id desc limit 1
  `.execute(context.db)
  if (!rows[0]?.count) throw new Error('no file was written')
  return rows[0]
}

async function writePlainly({ pool }: Foundation, path: string): Promise<void> {
  const file = createWriteStream(path)
  let after = '00000000-0000-0000-0000-000000000000'
  for (;;) {
    const { rows } = await pool.query<string[]>({
      text: `select t.id, t.external_identifier, t.status, t.id, t.updated_at, t.outcome->>'authorized_at',
          t.outcome->>'captured_at', t.amount, t.currency, t.captured_amount, t.refunded_amount, t.method,
          t.payment_method_scheme, t.payment_service_transaction_id, t.payment_service_id, t.outcome->>'raw_response_code',
          t.error_code, t.payment_source, d.document->>'metadata',
          d.document->'buyer'->'billing_details'->>'email_address'
        from transactions as t join transaction_documents as d using (merchant_account_id, id)
        where t.merchant_account_id = $1 and t.id > $2 order by t.id limit ${PAGE}`,
      values: [MAIN_ACCOUNT, after],
      rowMode: 'array',
      types: { getTypeParser: () => (text: unknown) => text } as never,
    })
    let text = ''
    for (const row of rows) text += `${row.join(',')}\r\n`
    if (!file.write(text)) await once(file, 'drain')
    if (rows.length < PAGE) break
    after = rows.at(-1)?.[0] ?? after
  }
  await new Promise<void>((resolve) => file.end(() => resolve()))
}

async function cpuOf(foundation: Foundation, work: () => Promise<unknown>) {
  const backend = await backendOf(foundation)
  const before = { own: process.cpuUsage(), database: processorSeconds(backend) }
  const result = await work()
  const { user, system } = process.cpuUsage(before.own)
  return {
    result,
    seconds: (user + system) / 1e6,
    databaseSeconds: processorSeconds(backend) - before.database,
  }
}

async function watched(foundation: Foundation, work: () => Promise<Written>) {
  globalThis.gc?.()
  const start = process.memoryUsage().rss
  let highest = start
  const sampler = setInterval(() => {
    highest = Math.max(highest, process.memoryUsage().rss)
  }, 100)
  const delay = monitorEventLoopDelay({ resolution: 10 })
  delay.enable()
  const { result, ...times } = await cpuOf(foundation, work)
  delay.disable()
  clearInterval(sampler)
  return {
    written: result as Written,
    ...times,
    memoryMb: (highest - start) / 1e6,
    pauseMs: delay.percentile(99) / 1e6,
  }
}

/** The one connection's own process. */
async function backendOf({ pool }: Foundation): Promise<number> {
  const { rows } = await pool.query<{ pid: number }>('select pg_backend_pid() as pid')
  return rows[0]?.pid ?? 0
}
