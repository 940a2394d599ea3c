/** What one payment, and one read of a payment, cost. Measured by `payment-cost`. */
export type Costs = {
  readonly serviceMs: number
  readonly databaseMs: number
  readonly walKb: number
  readonly flushes: number
  readonly commits: number
  readonly keptKb: number
  readonly answerKb: number
  readonly readServiceMs: number
  readonly readDatabaseMs: number
}

/** The names under which `payment-cost` publishes them. */
export const COSTS = {
  serviceMs: 'service: processor time of a payment',
  databaseMs: 'database: processor time of a payment',
  walKb: 'log of a payment',
  flushes: 'flushes of the log for a payment',
  commits: 'commits for a payment',
  keptKb: 'disk of a payment',
  answerKb: 'disk of its stored answer',
  readServiceMs: 'service: processor time of a read',
  readDatabaseMs: 'database: processor time of a read',
} as const satisfies Record<keyof Costs, string>

/** What is wanted, and what the machines can do. */
export type Wish = {
  /** Payments a second in the busiest minute. */
  readonly rate: number
  /** How many payments are kept. */
  readonly payments: number
  /** The mean rate as a share of the highest. */
  readonly meanShare: number
  /** Reads for each payment. */
  readonly reads: number
  /** How much of a processor may be in use in the busiest minute. */
  readonly usage: number
  readonly standbys: number
  /** Cores of the largest machine for a database. */
  readonly machineCores: number
  /** How long the disk takes to flush the log. */
  readonly flushMs: number
  /** To the synchronous standby and back, its flush included. */
  readonly roundTripMs: number
  /** Database connections of a process. */
  readonly poolSize: number
  /** How fast a backup is restored, or a standby copied. */
  readonly copyMbPerSecond: number
}

export type Line = { readonly what: string; readonly amount: string; readonly because: string }

const DAY_S = 86_400
const MONTH_S = 30 * DAY_S
/** Jobs need some as well. */
const POOL_MIN = 5
/** For how long answers are stored. */
const ANSWER_S = 3 * DAY_S

/** The size of an installation. Each line says how it comes about. */
export function plan(costs: Costs, wish: Wish): Line[] {
  return [...processors(costs, wish), ...logAndConnections(costs, wish), ...disk(costs, wish)]
}

function processors(costs: Costs, wish: Wish): Line[] {
  const { rate, reads, usage, machineCores } = wish
  const cores = (ms: number) => (rate * ms) / 1_000 / usage
  const service = cores(costs.serviceMs + reads * costs.readServiceMs)
  const writing = cores(costs.databaseMs)
  const reading = cores(reads * costs.readDatabaseMs)
  const cells = Math.ceil(writing / machineCores)
  const room = cells * machineCores - writing
  const replicas = reading <= room ? 0 : Math.ceil(reading / machineCores)
  return [
    line(
      'cores for the service',
      round(service),
      `${costs.serviceMs} ms a payment, ${reads} reads of ${costs.readServiceMs} ms, ${percent(usage)} in use`,
    ),
    line('processes of the service', Math.ceil(service), 'one core each (WORKERS)'),
    line('cores for payments in the database', round(writing), `${costs.databaseMs} ms a payment`),
    line('cores for reads in the database', round(reading), `${reads} reads of ${costs.readDatabaseMs} ms`),
    line('primaries (cells)', cells, `at most ${machineCores} cores a machine`),
    line(
      'replicas for reads',
      replicas,
      replicas === 0 ? 'the primary has room for them' : 'the primary has no room for them',
    ),
    line('standbys', wish.standbys * cells, `${wish.standbys} for each primary, so that one may fail`),
  ]
}

function logAndConnections(costs: Costs, wish: Wish): Line[] {
  const { rate, flushMs, roundTripMs, poolSize } = wish
  const cells = cellsOf(costs, wish)
  const waitMs = costs.commits * (flushMs + roundTripMs)
  const busy = (rate * (costs.databaseMs + waitMs)) / 1_000
  const processes = processesOf(costs, wish)
  const together = (rate * costs.commits) / cells / (1_000 / flushMs)
  const walMb = (rate * costs.walKb) / 1_000
  return [
    line(
      'log in the busiest minute',
      `${round(walMb)} MB/s`,
      `${costs.walKb} kB a payment, to each standby as well`,
    ),
    line(
      'log to archive',
      `${round((walMb * wish.meanShare * DAY_S) / 1e6)} TB a day`,
      `at ${percent(wish.meanShare)} of that rate`,
    ),
    line(
      'commits in one flush',
      round(Math.max(1, together)),
      `${costs.commits} commits a payment (${costs.flushes} flushes when measured), a flush takes ${flushMs} ms`,
    ),
    line(
      'waiting for commits',
      `${round(waitMs)} ms a payment`,
      `flush and round trip to the standby, ${costs.commits} times`,
    ),
    line('connections at work', Math.ceil(busy), 'processor time and waiting, at the highest rate'),
    line(
      'connections open',
      processes * poolSize,
      `${processes} processes × DATABASE_POOL_SIZE ${poolSize}; ${Math.max(POOL_MIN, Math.ceil((2 * busy) / processes))} each would do`,
    ),
  ]
}

function disk(costs: Costs, wish: Wish): Line[] {
  const mean = wish.rate * wish.meanShare
  const months = wish.payments / (mean * MONTH_S)
  const keptTb = (wish.payments * costs.keptKb) / 1e9
  const answersTb = (mean * ANSWER_S * costs.answerKb) / 1e9
  const monthTb = (mean * MONTH_S * costs.keptKb) / 1e9
  const copies = 1 + wish.standbys
  const hours = ((keptTb + answersTb) * 1e6) / wish.copyMbPerSecond / 3_600
  const hourTb = (wish.copyMbPerSecond * 3_600) / 1e6
  return [
    line(
      'months until they are there',
      round(months),
      `${count(wish.payments)} payments at ${round(mean)}/s`,
    ),
    line(
      'disk of all payments',
      `${round(keptTb)} TB`,
      `${costs.keptKb} kB each, × ${copies} with the standbys: ${round(keptTb * copies)} TB`,
    ),
    line('disk of stored answers', `${round(answersTb)} TB`, `${costs.answerKb} kB each, for three days`),
    line('disk of a month', `${round(monthTb)} TB`, 'what the payments of a month take'),
    line(
      'hours to copy a server',
      round(hours),
      `${wish.copyMbPerSecond} MB/s: a restored backup, a new standby`,
    ),
    line(
      'days until a copy takes an hour',
      round((30 * Math.max(0, hourTb - answersTb)) / monthTb),
      'until then nothing has to be archived',
    ),
  ]
}

/** How many primaries carry the payments. */
function cellsOf({ databaseMs }: Costs, { rate, usage, machineCores }: Wish): number {
  return Math.ceil((rate * databaseMs) / 1_000 / usage / machineCores)
}

function processesOf({ serviceMs, readServiceMs }: Costs, { rate, reads, usage }: Wish): number {
  return Math.ceil((rate * (serviceMs + reads * readServiceMs)) / 1_000 / usage)
}

function line(what: string, amount: number | string, because: string): Line {
  return { what, amount: String(amount), because }
}

function round(value: number): number {
  return Number(value.toPrecision(value >= 100 ? 3 : 2))
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`
}

function count(value: number): string {
  return value.toLocaleString('en')
}
