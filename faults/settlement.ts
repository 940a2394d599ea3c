import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { dice } from '../lab/dice.ts'
import { openDatabase } from '../lab/open-database.ts'
import { FAR_PROCESSOR, startProcessor, unreached } from '../lab/processor.ts'
import { endLeasesOfWorker } from './aftermath.ts'
import { repeat } from './keyed-request.ts'
import { type KillableService, killableService } from './killable-service.ts'
import type { Form, Outcome, Pace, Program, Say } from './program.ts'
import { auditSettlement } from './settlement-audit.ts'
import { openShops, type Shops } from './settlement-shops.ts'

/*
 * It was seen to fail for each of these changes: a file is applied from its start again (`behind` leaves out nothing), the
 * effects of lines are a commit of their own (`applyLines` after the transaction of `applyBatch`), and no trailer is compared
 * (`problemOf` returns null).
 */
const PAYMENTS_A_DAY = { full: 900, short: 40 }
/** Enough for a file of several commits. */
const PAYMENTS_OF_FIRST_DAY = 450
const DAYS_MAX = { full: 40, short: 3 }
const KILLS = { full: 50, short: 3 }
const KILLS_A_DAY = { full: 5, short: 2 }
/** Then all that was written ahead has happened: chargebacks, reversals, late failures, files that come late. */
const LAST_DAYS = 12
const MOVE_DEADLINE_MS = 600_000
/** From the moment in which the worker is seen at work to its death. */
const KILL_WITHIN_MS = 120

export const settlement: Program = {
  name: 'settlement',
  promise: 19,
  title: 'Money that arrives counts once',
  explanation:
    'Three shops sell, capture, refund and are charged back, day after day; one of them is paid in another currency than its ' +
    'buyers. Some captures and refunds fail later, and the answers to some captures are lost. The clock of the sandbox moves on by a ' +
    'day, the processor publishes its files, and the worker is killed (`kill -9`) while it reads them. Each day another ' +
    'shop’s file is late, missing, published twice or wrong. Afterwards the program reads the files itself. For each file and ' +
    'currency, our lines have to add up to its trailer and, but for the fault that was asked for, to the books of the ' +
    'processor, whose sums have another origin. For each payment, our records have to be what the files say: no line twice, ' +
    'none missing. A line without a payment, a flag and a file that was refused each have to be the work of a fault.',
  run,
}

async function run({ form, seed, newDatabase }: Pace, say: Say): Promise<Outcome> {
  const databaseUrl = await newDatabase()
  const database = await openDatabase(databaseUrl)
  const processor = await startProcessor(databaseUrl, { hasMovedClock: true })
  const { api, worker } = await startBoth(databaseUrl, processor.port)
  const shops = await openShops(api, seed)
  const place: Stage = { api, worker, database, chance: dice(seed), kills: { all: 0, inside: 0 } }
  const days = await liveThroughDays(place, shops, { form, say })
  await shops.spoilFiles(null)
  say(`${place.kills.all} kills; the last ${LAST_DAYS} days`)
  await moveClock(place, `P${LAST_DAYS}D`, 0)
  await moveClock(place, 'P2D', 0)
  const audited = await auditSettlement({ database, processor, api, merchants: shops.merchants })
  await worker.kill()
  await api.kill()
  return {
    seed,
    did: { days, ...shops.counts(), kills: place.kills.all, 'kills inside a file': place.kills.inside },
    acknowledged: audited.acknowledged,
    found: audited.found,
    broken: [
      ...audited.broken,
      ...(place.kills.all === 0 ? ['the worker was never killed at work: nothing was shown'] : []),
      ...unreached(processor),
    ],
  }
}

type Stage = {
  readonly api: KillableService
  readonly worker: KillableService
  readonly database: pg.Client
  readonly chance: () => number
  /** `inside`: a file was applied in part. */
  readonly kills: { all: number; inside: number }
}

/** One process answers requests and lives. The other one has the jobs, and is killed. */
async function startBoth(databaseUrl: string, processorPort: number) {
  const preload = [FAR_PROCESSOR]
  const env = { PROCESSOR_PORT: String(processorPort), REPORT_POLL_MINUTES: '360' }
  const api = await killableService({ databaseUrl, preload, env: { ...env, ROLE: 'api' } })
  const worker = await killableService({
    databaseUrl,
    preload,
    env: { ...env, ROLE: 'worker' },
    folder: api.folder,
  })
  await api.start()
  await worker.start()
  return { api, worker }
}

type Course = { readonly form: Form; readonly say: Say }

/** Days with payments and kills, until there were enough kills. Returns how many. */
async function liveThroughDays(stage: Stage, shops: Shops, { form, say }: Course): Promise<number> {
  for (let day = 0; ; day += 1) {
    if (day === DAYS_MAX[form] || stage.kills.all >= KILLS[form]) return day
    say(`${stage.kills.all} of ${KILLS[form]} kills, day ${day + 1}`)
    await shops.spoilFiles(day)
    await shops.trade(day, Math.max(PAYMENTS_A_DAY[form], day === 0 ? PAYMENTS_OF_FIRST_DAY : 0))
    await moveClock(stage, 'P1D', Math.min(KILLS_A_DAY[form], KILLS[form] - stage.kills.all))
  }
}

/** Resolves when the clock has arrived and all that fell due on the way is done. */
async function moveClock(stage: Stage, by: string, killsMax: number): Promise<void> {
  const { api, database } = stage
  await repeat(api, { route: '/sandbox/clock/advance', body: { by }, key: crypto.randomUUID() })
  const deadline = performance.now() + MOVE_DEADLINE_MS
  for (let kills = 0; ; ) {
    const state = await look(database)
    if (!state.is_moving) return
    if (performance.now() > deadline) throw new Error('the clock does not arrive')
    // Every other kill waits until a file is applied in part.
    const isTime = kills % 2 === 0 ? state.is_reading : state.is_inside
    if (kills < killsMax && isTime) {
      await killWorker(stage)
      kills += 1
    } else await sleep(3)
  }
}

type State = { readonly is_moving: boolean; readonly is_reading: boolean; readonly is_inside: boolean }

async function look(database: pg.Client): Promise<State> {
  const { rows } = await database.query(
    `select target is not null as is_moving,
       exists (select from payment_service_report_files where status = 'applying' and lines_done > 0) as is_inside,
       exists (select from payment_service_report_files where status = 'applying')
       or exists (select from payment_service_report_offers where due_at is not null and file_id is null) as is_reading
     from sandbox_clock`,
  )
  return rows[0]
}

async function killWorker({ worker, database, chance, kills }: Stage): Promise<void> {
  const { pid } = worker.running()
  await sleep(chance() * KILL_WITHIN_MS)
  await worker.kill()
  await endLeasesOfWorker(database, pid)
  const { is_inside } = await look(database)
  kills.all += 1
  kills.inside += is_inside ? 1 : 0
  await worker.start()
}
