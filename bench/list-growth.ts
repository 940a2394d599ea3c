import { fileURLToPath } from 'node:url'
import { readSecretFile, type Secrets, secretsFrom } from '#platform/access/secrets.ts'
import { describePrivateKey } from '#resources/api-key-pairs/keys.ts'
import { type Latency, latencyOf } from '../lab/latency.ts'
import { ask, type Running, startHelper } from '../lab/processes.ts'
import { type Json, mustDo, signToken } from '../lab/product.ts'
import {
  atMost,
  type Benchmark,
  type Figure,
  figure,
  figuresOf,
  itself,
  type Outcome,
  type Pace,
} from './figures.ts'
import { fill } from './list-growth-fill.ts'
import { type Case, casesOf, type Filters, GROWTHS, type Growth } from './list-growth-lists.ts'
import { sequentialScans, tablesScanned, UNWATCHED_JOBS } from './list-growth-plans.ts'
import { MAIN_ACCOUNT, type Rows, rowsOf, SECOND_ACCOUNT, SMALL_ACCOUNT } from './list-growth-rows.ts'
import type { ListOrder } from './list-sender.ts'
import type { Load, LoadResult } from './load-generator.ts'
import { openPlace, type Place, WITHOUT_JOBS } from './place.ts'

const SMALL_ROWS = 10_000
const RATIO_MAX = 1.5
const REQUESTS = 400
const WARM_UP_REQUESTS = 100
const BLOCK = 40
const CONCURRENCY = 4
const LONGEST_MS = 15_000
const ROUNDS_MAX = 3

export const listGrowth: readonly Benchmark[] = GROWTHS.map(growthBenchmark)

function growthBenchmark(growth: Growth): Benchmark {
  return {
    name: growth.name,
    title: growth.title,
    explanation:
      `How much slower ${growth.subject} a hundred times as long: for ` +
      'every filter, the 99th percentile of the answer times with many rows as a multiple of that with ' +
      `${words(SMALL_ROWS)}. Two services run, each on its own database, and are asked in turn, ${BLOCK} requests each. ` +
      'Where the short list has less than a page, both are asked for as many rows as it has. Percentiles are those of all ' +
      'rounds together; the lowest and the highest are those of single rounds. No tolerance is applied: a ' +
      'ratio of two short times counts like one of two long times. Afterwards the statements ' +
      'of every filter are planned on the large database, as a connection plans them in the end, and no plan ' +
      'may read a large table from end to end. Nor may the jobs of a service that then takes its place for a while, nor ' +
      'what is created, where that is measured: the database counts how often it reads a table that way.',
    isByRows: true,
    run: (pace, progress) => run(growth, pace, progress),
  }
}

/** One service, its data and what to ask it. */
type Party = Place & {
  readonly secrets: Secrets
  readonly cases: readonly Case[]
  readonly confinedToken: string
}

async function run(growth: Growth, pace: Pace, progress: (text: string) => void): Promise<Outcome> {
  const parties: Party[] = []
  for (const count of [SMALL_ROWS, pace.rows]) {
    const rows = rowsOf(count)
    parties.push(await prepare(growth, rows, (text) => progress(`filling ${words(count)} rows: ${text}`)))
  }
  const [small, large] = parties
  if (!small || !large) throw new Error('there are two sizes')
  const sender = startHelper(fileURLToPath(import.meta.resolve('./list-sender.ts')))
  const names = large.cases.map(({ name }) => name)
  progress('counting the rows of each page')
  const even = await withEqualPages(small, large)
  for (const [index, name] of names.entries()) {
    progress(`warming up: ${name}`)
    await measure(sender, even, index, WARM_UP_REQUESTS)
  }
  const rounds: Times[][] = names.map(() => [])
  const roundCount = Math.min(pace.rounds, ROUNDS_MAX)
  for (let round = 0; round < roundCount; round += 1) {
    for (const [index, name] of names.entries()) {
      progress(`round ${round + 1} of ${roundCount}: ${name}`)
      rounds[index]?.push(await measure(sender, even, index, REQUESTS))
    }
  }
  await sender.stop()
  progress('plans')
  const faults = await sequentialScans(large.connection, large.cases, large.secrets)
  const created: Latency[][] = []
  const scanned = await tablesScanned(large, async () => {
    created.push(...(await create(growth, even, { ...pace, rounds: roundCount }, progress)))
    progress('jobs')
  })
  return {
    settings: [
      `${roundCount} rounds; in each, ${REQUESTS} requests to either service for every filter, ${CONCURRENCY} at a time, pages of 20; fewer where these take longer than ${LONGEST_MS / 1000} s`,
      ...growth.settings,
      'databases vacuumed and analyzed, default settings; jobs run elsewhere (`ROLE=api`)',
      `jobs that run too seldom to be watched for what they read: ${UNWATCHED_JOBS.join(', ')}`,
      ...[...faults, ...scanned].map(({ name, table }) => `reads all of ${table}: ${name}`),
    ],
    figures: [
      ...figuresOf(
        [faults.length],
        [['plans that read a large table from end to end', '', itself, atMost(0)]],
      ),
      ...figuresOf(
        [scanned.length],
        [[`large tables that ${writersOf(growth)} read from end to end`, '', itself, atMost(0)]],
      ),
      ...(growth.creation ? describeCreation(growth.creation, created, pace.rows) : []),
      ...large.cases.flatMap((one, index) => describe(one, rounds[index] ?? [], pace.rows)),
    ],
  }
}

async function prepare(growth: Growth, rows: Rows, progress: (text: string) => void): Promise<Party> {
  // Without jobs: they would void a year's worth of authorizations while lists are measured, more of them in the long list.
  const place = await openPlace(WITHOUT_JOBS)
  await fill(place.connection, rows, { add: growth.fill, hasBuyers: growth.hasBuyers, progress })
  const secrets = secretsFrom(readSecretFile(place.folder.path))
  const confinedToken = await makeConfinedToken(place)
  return { ...place, secrets, confinedToken, cases: await casesOf(growth, rows, secrets) }
}

/** A key for the three accounts: its lists use other statements than those of a key for all accounts. */
async function makeConfinedToken(place: Place): Promise<string> {
  const { items } = await mustDo(place, 'GET /roles')
  const { private_key: pem } = await mustDo(place, 'POST /api-key-pairs', {
    display_name: 'Three accounts',
    role_ids: items.flatMap(({ id, assignable_to }: Json) =>
      assignable_to.includes('api-key-pair') ? [id] : [],
    ),
    merchant_account_ids: [MAIN_ACCOUNT, SECOND_ACCOUNT, SMALL_ACCOUNT],
  })
  const { thumbprint, signatureAlgorithm } = await describePrivateKey(pem)
  return signToken({ pem, kid: thumbprint, algorithm: signatureAlgorithm })
}

function writersOf({ creation }: Growth): string {
  return creation ? `jobs and new ${creation.route}` : 'jobs'
}

/** A page of twenty rows takes longer than one of three, however long the list is. */
async function withEqualPages(small: Party, large: Party): Promise<[Party, Party]> {
  const cases: [Case[], Case[]] = [[], []]
  for (const [index, one] of small.cases.entries()) {
    const other = large.cases[index]
    if (!other) throw new Error('both sizes have the same cases')
    const filters: [Filters[], Filters[]] = [[], []]
    for (const [at, few] of one.filters.entries()) {
      const many = other.filters[at] ?? few
      const lengths = [await lengthOf(small, index, at), await lengthOf(large, index, at)]
      const isEven = lengths[0] === lengths[1]
      const limit = isEven ? {} : { limit: String(Math.max(1, Math.min(...lengths))) }
      filters[0].push({ ...few, ...limit })
      filters[1].push({ ...many, ...limit })
    }
    cases[0].push({ ...one, filters: filters[0] })
    cases[1].push({ ...other, filters: filters[1] })
  }
  return [
    { ...small, cases: cases[0] },
    { ...large, cases: cases[1] },
  ]
}

async function lengthOf(party: Party, index: number, at: number): Promise<number> {
  const { url, headers } = requestsOf(party, index)[at] ?? { url: '', headers: {} }
  const answer = await fetch(url, { headers })
  if (answer.status !== 200) throw new Error(`${url} answers ${answer.status}: ${await answer.text()}`)
  const { items } = (await answer.json()) as { items: unknown[] }
  return items.length
}

async function measure(
  sender: Running,
  parties: readonly Party[],
  index: number,
  amount: number,
): Promise<Times> {
  const order: ListOrder = {
    parties: parties.map((party) => requestsOf(party, index)),
    amount,
    longestMs: LONGEST_MS,
    block: BLOCK,
    concurrency: CONCURRENCY,
  }
  const answer = await ask<Times | { complaint: string }>(sender, order)
  if ('complaint' in answer) throw new Error(answer.complaint)
  return answer
}

/** Measured last, because new rows would change the lists. */
async function create(
  { creation }: Growth,
  parties: readonly Party[],
  { rounds, seconds, warmUpSeconds }: Pace,
  progress: (text: string) => void,
): Promise<Latency[][]> {
  if (!creation) return []
  const generator = startHelper(fileURLToPath(import.meta.resolve('./load-generator.ts')))
  const measured: Latency[][] = []
  for (let round = 0; round <= rounds; round += 1) {
    progress(`creating ${creation.route}: ${round === 0 ? 'warming up' : `round ${round} of ${rounds}`}`)
    const latencies: Latency[] = []
    for (const { url, headers } of parties) {
      const load: Load = {
        url: `${url}/${creation.route}`,
        headers,
        body: JSON.stringify(creation.body),
        isKeyed: true,
        connections: CONCURRENCY,
        seconds: round === 0 ? warmUpSeconds : seconds,
      }
      const result = await ask<LoadResult>(generator, load)
      if (result.failures > 0) throw new Error(`${result.failures} requests failed`)
      latencies.push(result)
    }
    if (round > 0) measured.push(latencies)
  }
  await generator.stop()
  return measured
}

function requestsOf({ url, token, cases, confinedToken }: Party, index: number) {
  const one = cases[index]
  if (!one) throw new Error('both sizes have the same cases')
  const headers = {
    authorization: `Bearer ${one.isConfined ? confinedToken : token}`,
    ...(one.account && { 'x-switchyard-merchant-account-id': one.account }),
  }
  return one.filters.map((filters) => {
    const pairs = Object.entries(filters).flatMap(([name, value]) =>
      [value].flat().map((item) => [name, item]),
    )
    return { url: `${url}/${one.list}?${new URLSearchParams(pairs as [string, string][])}`, headers }
  })
}

/** How long each answer took, for either service. */
type Times = readonly (readonly number[])[]

/** The figure is that of all rounds together: a 99th percentile of few requests is mostly chance. */
function describe({ name }: Case, rounds: readonly Times[], rows: number): Figure[] {
  const ofRounds = rounds.map((times) => times.map(latencyOf))
  const [few, many] = [0, 1].map((party) => latencyOf(rounds.flatMap((times) => times[party] ?? [])))
  const p99 = (party: number, all: Latency | undefined, count: number) => ({
    ...figure(
      { name: `${name}: p99, ${words(count)}`, unit: 'ms' },
      ofRounds.map((round) => round[party]?.p99 ?? Number.NaN),
    ),
    median: all?.p99 ?? Number.NaN,
  })
  const ratio = (percentile: 'p50' | 'p99', description: Pick<Figure, 'target'>) => ({
    ...figure(
      { name: `${name}: ${percentile} ratio`, unit: '', ...description },
      ofRounds.map(([one, other]) => (other?.[percentile] ?? Number.NaN) / (one?.[percentile] ?? Number.NaN)),
    ),
    median: (many?.[percentile] ?? Number.NaN) / (few?.[percentile] ?? Number.NaN),
  })
  return [
    ratio('p99', { target: atMost(RATIO_MAX) }),
    p99(0, few, SMALL_ROWS),
    p99(1, many, rows),
    ratio('p50', {}),
  ]
}

function describeCreation(
  { route }: NonNullable<Growth['creation']>,
  rounds: readonly Latency[][],
  rows: number,
): Figure[] {
  const p99 = (party: number) => (round: readonly Latency[]) => round[party]?.p99 ?? Number.NaN
  return figuresOf(rounds, [
    [`creating ${route}: p99 ratio`, '', (round) => p99(1)(round) / p99(0)(round), atMost(RATIO_MAX)],
    [`creating ${route}: p99, ${words(SMALL_ROWS)}`, 'ms', p99(0)],
    [`creating ${route}: p99, ${words(rows)}`, 'ms', p99(1)],
  ])
}

function words(count: number): string {
  return count.toLocaleString('en')
}
