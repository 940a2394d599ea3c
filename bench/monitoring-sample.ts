import { sql } from 'kysely'
import { type Choices, countDecided } from '#payments/store/count-decided.ts'
import { secretsFrom } from '#platform/access/secrets.ts'
import type { Context, Scope } from '#platform/database/db.ts'
import { joinEmbeddedPostgres } from '#platform/database/embedded-postgres.ts'
import { openDatabase } from '#platform/database/open-database.ts'
import { METRICS_MAX } from '#resources/monitoring/metrics/create.ts'
import { takeDueSamples } from '#resources/monitoring/samples/take.ts'
import { prepareDataFolder, send, startService } from '../lab/product.ts'
import { fillCopies } from './copied-payments.ts'
import { type Benchmark, figure, type Outcome, type Pace } from './figures.ts'
import { fill } from './list-growth-fill.ts'
import { createdAt, MAIN_ACCOUNT, type Rows } from './list-growth-rows.ts'
import { transactionAccounts } from './list-growth-transactions.ts'

const SAMPLE_MAX_MS = 10
const PERIOD_DAYS = 7
const MINUTE_MS = 60_000
const TURNS = 50
const WARM_UP_TURNS = 10

export const monitoringSample: Benchmark = {
  name: 'monitoring-sample',
  title: 'Samples of metrics',
  explanation:
    'How long the job takes for one sample of a metric, as part of the turn in which it takes those of ten metrics: from the ' +
    'statement that finds what is due to the last commit. Each counts an hour of payments of the largest merchant account, ' +
    'with other filters. Every turn is another minute of the past. Beside it, how long the counting alone takes.',
  isByRows: true,
  run,
}

/** Filters that metrics have, from all payments to few of them. */
const FILTERS: readonly Partial<Choices>[] = [
  {},
  { method: ['card'] },
  { method: ['card', null] },
  { payment_method_scheme: ['visa'] },
  { payment_method_scheme: ['mastercard', 'amex'] },
  { payment_method_scheme: ['discover'] },
  { payment_method_bin: ['411111'] },
  { payment_method_bin: ['411111', '555555', null] },
  { method: ['card'], payment_method_scheme: ['visa'], payment_method_bin: ['411111'] },
  { method: ['paypal'] },
]

async function run(pace: Pace, progress: (text: string) => void): Promise<Outcome> {
  const folder = await prepareDataFolder()
  // Without jobs: they would take samples, too.
  const service = await startService(folder, { env: { ROLE: 'api' } })
  const { connection } = await joinEmbeddedPostgres({ dataDir: folder.path, say: () => {} })
  const stepMs = Math.floor((PERIOD_DAYS * 24 * 60 * MINUTE_MS) / pace.rows)
  const rows: Rows = { count: pace.rows, startMs: Date.now() - pace.rows * stepMs, stepMs }
  await fill(connection, rows, { accounts: transactionAccounts(), add: fillCopies, progress })
  for (const filters of FILTERS) {
    const params = { filters: { datetime_range: 'PT60M/now', ...filters } }
    const body = { display_name: 'Bench', spec: { params }, ...POLICIES }
    const made = await send({ ...service, token: folder.token }, 'POST /monitoring/metrics', body)
    if (made.status !== 201) throw new Error(`a metric was refused: ${await made.text()}`)
  }
  const database = openDatabase(connection, { poolSize: 2, onError: () => {} })
  const context = {
    db: database.db,
    actor: { id: null, name: 'bench' },
    requestId: null,
    mac: secretsFrom(Buffer.alloc(32)).mac,
  }
  const last = createdAt(rows, rows.count - 1).getTime()
  const samples: number[] = []
  const counts: number[] = []
  for (let turn = -WARM_UP_TURNS; turn < TURNS; turn += 1) {
    progress(`turn ${turn} of ${TURNS}`)
    const minute = new Date(last - (turn + WARM_UP_TURNS) * MINUTE_MS)
    const ms = await takeTurn({ ...context, clock: () => minute })
    const countMs = await count({ ...context, clock: () => minute, merchantAccountId: MAIN_ACCOUNT }, minute)
    if (turn < 0) continue
    samples.push(ms / METRICS_MAX)
    counts.push(countMs / FILTERS.length)
  }
  const counted = await countsOf(context.db)
  await database.close()
  await service.stop()
  await folder.remove()
  return {
    settings: [
      `${pace.rows.toLocaleString('en')} payments, evenly over ${PERIOD_DAYS} days; 60 % in the account that is watched`,
      `${TURNS} turns of ${METRICS_MAX} metrics, after ${WARM_UP_TURNS} to warm up; one process`,
      `the metric without filters counts ${counted} payments on average`,
      'database vacuumed and analyzed, default settings; every commit reaches the disk (fsync)',
    ],
    figures: [
      figure({ name: 'a sample', unit: 'ms', target: { is: 'at most', limit: SAMPLE_MAX_MS } }, samples),
      figure({ name: 'its counting alone', unit: 'ms' }, counts),
    ],
  }
}

const POLICIES = {
  alerting_policy: { params: { alert_lt: 0.5 } },
  incident_policy: { params: { create_after_n: 3, close_after_n: 3 } },
}

async function takeTurn(context: Context): Promise<number> {
  await sql`update monitoring_metrics set due_at = '-infinity', leased_until = null`.execute(context.db)
  const begun = performance.now()
  await takeDueSamples(context)
  return performance.now() - begun
}

async function count(scope: Scope, minute: Date): Promise<number> {
  const hour = { from: new Date(minute.getTime() - 60 * MINUTE_MS), to: minute }
  const begun = performance.now()
  await countDecided(
    scope,
    hour,
    FILTERS.map((filters) => ({ ...ALL, ...filters })),
  )
  return performance.now() - begun
}

const ALL: Choices = {
  method: null,
  payment_method_bin: null,
  payment_method_scheme: null,
  payment_service_id: null,
}

/** Fails if a turn has left a metric without a sample. */
async function countsOf(db: Context['db']): Promise<number> {
  const { rows } = await sql<{ samples: number; most: number }>`
    select count(*)::int as samples, (
      select avg(decided)::int from monitoring_samples join monitoring_metrics on id = metric_id
      where num_nonnulls(methods, bins, schemes) = 0 and merchant_account_id = ${MAIN_ACCOUNT}
    ) as most from monitoring_samples
  `.execute(db)
  const expected = (TURNS + WARM_UP_TURNS) * METRICS_MAX
  if (rows[0]?.samples !== expected) throw new Error(`${rows[0]?.samples} samples instead of ${expected}`)
  return rows[0].most
}
