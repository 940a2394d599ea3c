import { existsSync } from 'node:fs'
import { cpus } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { removeLeftovers } from '#testing/guard.ts'
import { choose, usageOf } from '../lab/choose.ts'
import { say } from '../lab/progress.ts'
import { runAlone, runProgram } from '../lab/run.ts'
import { createPayout, createTransaction, listTransactions } from './against-floor.ts'
import { archive } from './archive.ts'
import { backTest } from './back-test.ts'
import { type Benchmark, figure, isMet, type Outcome, type Pace } from './figures.ts'
import { forward } from './forward.ts'
import { giftCards } from './gift-cards.ts'
import { halfLoad } from './half-load.ts'
import { importCards } from './import-cards.ts'
import { ingestReports } from './ingest-reports.ts'
import { listGrowth } from './list-growth.ts'
import { metricsExplorer } from './metrics-explorer.ts'
import { openWalletToken } from './open-wallet-token.ts'
import { outage } from './outage.ts'
import { paymentCost } from './payment-cost.ts'
import { renderFigures, save } from './report.ts'
import { decideByRules, payByRules } from './rules.ts'
import { startUp } from './start-up.ts'
import { tenMinutes } from './ten-minutes.ts'
import { bogusTokens, uncachedES512 } from './tokens.ts'
import { vaultRotation } from './vault-rotation.ts'
import { webhookCost, webhooks } from './webhooks.ts'
import { workers } from './workers.ts'
import { writeReport } from './write-report.ts'

const BENCHMARKS: readonly Benchmark[] = [
  createTransaction,
  createPayout,
  halfLoad,
  paymentCost,
  tenMinutes,
  workers,
  uncachedES512,
  bogusTokens,
  startUp,
  ...listGrowth,
  listTransactions,
  metricsExplorer,
  vaultRotation,
  archive,
  forward,
  openWalletToken,
  decideByRules,
  payByRules,
  backTest,
  outage,
  giftCards,
  ingestReports,
  importCards,
  webhooks,
  webhookCost,
  writeReport,
]
const FULL: Pace = { rounds: 5, seconds: 5, warmUpSeconds: 10, rows: 1_000_000, cards: 20_000 }
const QUICK: Pace = { rounds: 2, seconds: 2, warmUpSeconds: 1, rows: 100_000, cards: 10_000 }
const ROWS_MIN = 20_000
const OPTIONS = {
  quick: { type: 'boolean' },
  rows: { type: 'string' },
  beside: { type: 'string' },
  help: { type: 'boolean' },
} as const

await runProgram(main)

async function main(): Promise<number> {
  await removeLeftovers()
  const { values, positionals } = parseArgs({ options: OPTIONS, allowPositionals: true })
  if (values.help) {
    say(usageOf('npm run bench', OPTIONS, BENCHMARKS))
    return 0
  }
  const chosen = choose(BENCHMARKS, positionals)
  if (typeof chosen === 'string') {
    say(chosen)
    return 1
  }
  if (process.platform !== 'linux') {
    say('The benchmarks read /proc, so they run on Linux only.')
    return 1
  }
  if (values.beside !== undefined && !existsSync(join(values.beside, 'server/src/main.ts'))) {
    say('--beside takes a folder with another version of this project, after `npm ci` in it.')
    return 1
  }
  const pace = paceOf(values)
  if (!pace) {
    say(`--rows takes a whole number of at least ${ROWS_MIN}.`)
    return 1
  }
  const missed: string[] = []
  for (const benchmark of chosen) {
    const outcome = await runOne(benchmark, pace)
    process.stdout.write(`${benchmark.title}\n\n${renderFigures(outcome.figures)}\n\n`)
    for (const one of outcome.figures) if (!isMet(one)) missed.push(`  ${benchmark.name}: ${one.name}`)
    // A quick run is too short to be saved. Others are saved at once: the next one may take an hour, or be interrupted.
    const rows = benchmark.isByRows && pace.rows !== FULL.rows ? ` --rows ${pace.rows}` : ''
    if (!values.quick) save(benchmark.name + rows, outcome, BENCHMARKS)
  }
  if (missed.length > 0) say(`Missed:\n${missed.join('\n')}`)
  return missed.length === 0 ? 0 : 1
}

/** If a benchmark fails, its earlier figures are dropped. */
async function runOne(benchmark: Benchmark, pace: Pace): Promise<Outcome> {
  // Shown with the times, which mean little if other programs were using the machine.
  const busy = `${await processorsInUse()} of the processors in use beforehand`
  const failed = (reason: string): Outcome => ({
    settings: [`it failed: ${reason}`],
    figures: [figure({ name: 'came to an end', unit: '', target: { is: 'at least', limit: 1 } }, [0])],
  })
  const { settings, figures } = await runAlone(benchmark.name, (say) => benchmark.run(pace, say), failed)
  return { settings: [...settings, busy], figures }
}

async function processorsInUse(): Promise<string> {
  const before = processorTimes()
  await sleep(1_000)
  const after = processorTimes()
  return `${Math.round((100 * (after.used - before.used)) / (after.all - before.all))} %`
}

function processorTimes(): { readonly used: number; readonly all: number } {
  const times = cpus().flatMap(({ times }) => Object.entries(times))
  const sum = (entries: typeof times) => entries.reduce((total, [, ms]) => total + ms, 0)
  return { used: sum(times.filter(([name]) => name !== 'idle')), all: sum(times) }
}

function paceOf({
  quick,
  rows,
  beside,
}: {
  quick?: boolean
  rows?: string
  beside?: string
}): Pace | undefined {
  const pace = { ...(quick ? QUICK : FULL), ...(beside && { beside: resolve(beside) }) }
  if (rows === undefined) return pace
  return /^\d{1,9}$/.test(rows) && Number(rows) >= ROWS_MIN ? { ...pace, rows: Number(rows) } : undefined
}
