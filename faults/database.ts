import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { dice } from '../lab/dice.ts'
import { openDatabase } from '../lab/open-database.ts'
import { startPostgres } from '../lab/postgres.ts'
import { FAR_PROCESSOR, startProcessor, unreached } from '../lab/processor.ts'
import { audit, settleAll } from './aftermath.ts'
import {
  countStorms,
  mountSmallDisk,
  prepareStorms,
  silence,
  type Trouble,
  type TroubledDatabase,
  troublesOf,
} from './database-troubles.ts'
import { sendOnce } from './keyed-request.ts'
import { type KillableService, killableService } from './killable-service.ts'
import type { Counts, Form, Outcome, Pace, Program, Say } from './program.ts'
import { startTcpProxy } from './tcp-proxy.ts'
import { openTown, type Town } from './town.ts'

/*
 * It was seen to fail for each of these changes: errors of connections in use are not handled (no `client.on('error')` in
 * `openDatabase`: the process ends), a full disk and a serialization failure are unexpected (no 53100 and 40001 in
 * `CONNECTION_TROUBLE`), a key whose request lost the database is deleted, not released (`releaseWhenBack`: payments and
 * refunds are made twice), such a key is kept until its lease ends (`releaseWhenBack` does nothing; full form only), and
 * silent connections are waited for (no `giveUpWhenSilent`; full form only).
 */
const SHOPS = { full: 10, short: 5 }
const ROUNDS = { full: 8, short: 1 }
/** How long each trouble lasts, as a factor. */
const LENGTH = { full: 1, short: 0.4 }
/**
 * How long it may take from the end of a trouble, in the full form. A new request has an unused key; shops repeat
 * requests that the trouble hit. If the connection broke while a key was being claimed, the service does not know of the
 * claim, and the shop waits for the end of the lease, which is a minute. If it broke before the processor's answer was
 * stored, the shop waits until the processor is asked, a quarter of a minute later.
 */
const WAIT_MS_MAX = {
  'until ready': 5_000,
  'until a new request was answered': 5_000,
  'until ten requests were answered': 5_000,
}
/** That happens to few of ten shops at once. Keys of all others are released, so those shops wait for no lease. */
const LATE_MS = 5_000
const LATE_MAX = 6
/**
 * A silent connection gives no sign that it is dead: the service gives it up after 20 seconds without an answer. A shop
 * may meet several.
 */
const CLOSING_MS_MAX = 90_000
const PROBE_PAUSE_MS = 20
const PROBE_DEADLINE_MS = 2_000
const PATIENCE_MS = 90_000
/** The shops go on when that many requests were answered. */
const GOES_ON = 10

export const database: Program = {
  name: 'database',
  promise: 14,
  title: 'Survives its database',
  explanation:
    'Ten shops pay, capture, void, refund and increment while the database is taken away from the service in turn: it is ' +
    'restarted, it crashes, all its backends are terminated, each question takes 500 ms longer, connections break when ' +
    'they are made or in the middle of an answer, statements and commits fail with 40001, and its disk is full (a small ' +
    'file system under the tables, not under the write-ahead log; only where the program may mount one, that is as root). ' +
    'In the end all open connections go silent without being closed, and every shop still has to get an answer. The ' +
    'process has to stay up, and shops may get nothing but 2xx, 409, 425, 503 and 504. From the end of each trouble, the ' +
    'program measures how long it takes until the service is ready, until a new request succeeds and until ten requests ' +
    'of shops succeed, and counts the shops without a success within 5 seconds. ' +
    'Afterwards it ends the leases of dead processes in the database instead of waiting for them, looks up every ' +
    'acknowledged change, and compares our figures with the books of the processor.',
  run,
}

async function run({ form, seed }: Pace, say: Say): Promise<Outcome> {
  const troubled = await openTroubled()
  const { url, wire } = troubled
  const processor = await startProcessor(url)
  const service = await killableService({
    databaseUrl: `postgresql://switchyard@127.0.0.1:${wire.port}${new URL(url).pathname}`,
    preload: [FAR_PROCESSOR],
    env: { PROCESSOR_PORT: String(processor.port) },
  })
  await service.start()
  await prepareStorms(url)
  const town = await openTown(service, seed)
  const shops = Array.from({ length: SHOPS[form] }, (_, index) => town.trade(index))
  const trial = { service, town, troubled, say }
  const suffered = await suffer(trial, form, dice(seed)).catch((error: unknown) => {
    town.close()
    throw error
  })
  const onlooker = await openDatabase(url)
  say('waiting for the shops')
  if (form === 'full') silence(troubled)
  const closing = await close(trial, shops, onlooker)
  // No request runs any more, so none of these attempts is being asked for.
  await onlooker.query('update attempts set due_at = now() where due_at > now()')
  const unsettled = await settleAll(onlooker)
  const broken = [
    ...suffered.broken,
    ...complaintsOf(trial),
    ...closing.broken,
    ...unsettled,
    ...(await audit(onlooker, town)),
    ...unreached(processor),
  ]
  const rows = await onlooker.query('select count(*) from transactions')
  await service.kill()
  return {
    seed,
    did: {
      'requests sent': town.counts().sent,
      ...suffered.counts,
      'serialization failures': await countStorms(url),
      ...(form === 'full' && { 'times that connections went silent': 1 }),
    },
    acknowledged: {
      requests: town.counts().answered,
      payments: town.paid.size,
      'sums compared': town.acknowledged.size,
      ...Object.fromEntries(
        Object.entries(town.statuses()).map(([status, count]) => [`answers ${status}`, count]),
      ),
    },
    found: {
      payments: Number(rows.rows[0].count),
      ...Object.fromEntries(
        Object.entries(suffered.longest ?? {}).map(([what, ms]) => [`milliseconds ${what}, longest`, ms]),
      ),
      ...(form === 'full' && {
        'times that a shop had to wait more than 5 s': suffered.late,
        'milliseconds that a shop repeated one request, longest': suffered.repeatedMs,
      }),
      ...(form === 'full' && {
        'milliseconds until all were answered after connections went silent': closing.ms,
      }),
    },
    broken,
  }
}

/** A server of its own, because the troubles would harm other programs on it. */
async function openTroubled(): Promise<TroubledDatabase> {
  const server = await startPostgres()
  const disk = await mountSmallDisk(server)
  const url = await server.newDatabase(disk?.path)
  const wire = await startTcpProxy({ path: `${server.connection.host}/.s.PGSQL.5432` })
  return { server, wire, url, disk }
}

type Trial = {
  readonly service: KillableService
  readonly town: Town
  readonly troubled: TroubledDatabase
  readonly say: Say
}

/** Milliseconds from the end of a trouble. If something never comes, the program's patience. */
type Waits = Readonly<Record<keyof typeof WAIT_MS_MAX, number>>
type Aftermath = { readonly waits: Waits; readonly late: number }
type Suffered = {
  readonly counts: Counts
  readonly longest: Waits | undefined
  /** How often a shop was late. */
  readonly late: number
  readonly repeatedMs: number
  readonly broken: string[]
}

async function suffer(trial: Trial, form: Form, chance: () => number): Promise<Suffered> {
  const counts: Record<string, number> = {}
  const broken: string[] = []
  let longest: Waits | undefined
  let allLate = 0
  const troubles = troublesOf(trial.troubled, chance)
  for (let round = 0; round < ROUNDS[form]; round += 1) {
    for (const trouble of troubles.toSorted(() => chance() - 0.5)) {
      if (broken.length > 0 || trial.town.broken.length > 0) break
      trial.say(`${trouble.name}, round ${round + 1} of ${ROUNDS[form]}`)
      await happen(trouble, LENGTH[form] * (0.5 + chance()))
      const { waits, late } = await waitForAll(trial, form)
      counts[trouble.name] = (counts[trouble.name] ?? 0) + 1
      longest = longer(longest ?? waits, waits)
      allLate += late
      broken.push(...tooLong({ waits, late }, form).map((what) => `${trouble.name}: ${what}`))
      if (hasEnded(trial.service)) broken.push(await startAgain(trial.service))
    }
  }
  return { counts, longest, late: allLate, repeatedMs: trial.town.longestMs(), broken }
}

async function happen(trouble: Trouble, length: number): Promise<void> {
  await trouble.begin()
  await sleep(trouble.lastsMs * length)
  await trouble.end()
}

/** The short form does not count shops that wait for the end of a lease. */
async function waitForAll({ service, town }: Trial, form: Form): Promise<Aftermath> {
  const begin = performance.now()
  const until = async (event: Promise<void>) => {
    await Promise.race([event, sleep(PATIENCE_MS, undefined, { ref: false })])
    return Math.round(performance.now() - begin)
  }
  const [ready, fresh, some, late] = await Promise.all([
    untilReady(service),
    until(askWithNewKey(service)),
    until(town.answers(GOES_ON)),
    form === 'full' ? town.countLate(LATE_MS) : 0,
  ])
  const waits = {
    'until ready': ready,
    'until a new request was answered': fresh,
    'until ten requests were answered': some,
  }
  return { waits, late }
}

function longer(one: Waits, other: Waits): Waits {
  const all = Object.entries(other) as [keyof Waits, number][]
  return Object.fromEntries(all.map(([what, ms]) => [what, Math.max(one[what], ms)])) as Waits
}

/** In the short form, only what never came counts. */
function tooLong({ waits, late }: Aftermath, form: Form): string[] {
  const all = Object.entries(waits) as [keyof Waits, number][]
  const limitOf = (what: keyof Waits) => (form === 'full' ? WAIT_MS_MAX[what] : PATIENCE_MS - 1)
  return [
    ...all.filter(([what, ms]) => ms > limitOf(what)).map(([what, ms]) => `${ms} ms ${what}`),
    ...(late > LATE_MAX ? [`${late} shops waited for more than ${LATE_MS} ms`] : []),
  ]
}

/** Until five probes in a row succeed: one working connection is not all of them. Gives up after a while. */
async function untilReady({ url }: KillableService): Promise<number> {
  const begin = performance.now()
  let since = begin
  for (let inARow = 0; inARow < 5; ) {
    if (performance.now() - begin > PATIENCE_MS) return PATIENCE_MS
    const asked = performance.now()
    const isReady = await fetch(`${url}/health/ready`, { signal: AbortSignal.timeout(PROBE_DEADLINE_MS) })
      .then(async (response) => {
        await response.body?.cancel()
        return response.ok
      })
      .catch(() => false)
    if (!isReady) inARow = 0
    else if (++inARow === 1) since = asked
    await sleep(PROBE_PAUSE_MS)
  }
  return Math.round(since - begin)
}

/** With a new key each time, so that earlier tries do not block it. */
async function askWithNewKey(service: KillableService): Promise<void> {
  for (const deadline = performance.now() + PATIENCE_MS; performance.now() < deadline; ) {
    const sent = await sendOnce(service, { route: '/buyers', body: {}, key: crypto.randomUUID() })
    if (typeof sent !== 'string' && sent.status === 201) return
    await sleep(PROBE_PAUSE_MS)
  }
}

type Closing = { readonly ms: number; readonly broken: string[] }

/**
 * Ends when each shop was answered. If the connection broke while a key was claimed, no process works on the key until
 * its lease ends. Waiting for that would take a minute and show nothing more.
 */
async function close(
  { town, service }: Trial,
  shops: readonly Promise<void>[],
  onlooker: pg.Client,
): Promise<Closing> {
  const begin = performance.now()
  const broken: string[] = []
  town.close()
  const closed = Promise.all(shops).then(() => true)
  while (!(await Promise.race([closed, sleep(500, false)]))) {
    await onlooker.query(
      `update idempotency_keys set leased_until = now()
       where status is null and leased_until < now() + interval '55 seconds'`,
    )
    if (broken.length > 0 || performance.now() - begin < CLOSING_MS_MAX) continue
    broken.push(`a shop was not answered for ${CLOSING_MS_MAX} ms`)
    await service.kill()
    await service.start()
  }
  return { ms: Math.round(performance.now() - begin), broken }
}

function hasEnded(service: KillableService): boolean {
  const { child } = service.running()
  return child.exitCode !== null || child.signalCode !== null
}

/** Restarts the service so that the shops can finish. */
async function startAgain(service: KillableService): Promise<string> {
  const complaint = service.running().complaint()
  await service.start()
  return `the process ended: ${complaint}`
}

function complaintsOf({ town }: Trial): string[] {
  const { cut, refused } = town.counts()
  return [
    ...town.broken,
    ...(cut + refused > 0 ? [`${cut + refused} requests got no answer`] : []),
    ...(town.statuses()[503] ? [] : ['no caller noticed anything: nothing was shown']),
  ]
}
