import { fileURLToPath } from 'node:url'
import { ask, processorSeconds, type Running, residentMegabytes, startHelper } from '../lab/processes.ts'
import { type Figure, figuresOf, type Pace } from './figures.ts'
import type { Load, LoadResult } from './load-generator.ts'

export type Contender = {
  readonly name: string
  readonly url: string
  readonly pid: number
  /** If this contender needs other headers than the rest. */
  readonly headers?: Readonly<Record<string, string>>
  /** If it has another way to ask for the same. */
  readonly request?: { readonly path: string; readonly body: string }
}
export type Round = LoadResult & {
  readonly megabytes: number
  readonly processorMs: number
  /** What the meter counted, for each request. */
  readonly metered: Readonly<Record<string, number>>
}
/** Counters that only grow, such as bytes written. */
type Meter = () => Promise<Readonly<Record<string, number>>>

const MEASURES: readonly (readonly [name: string, unit: string, read: (round: Round) => number])[] = [
  ['requests', '/s', (round) => round.requestsPerSecond],
  ['p50', 'ms', (round) => round.p50],
  ['p95', 'ms', (round) => round.p95],
  ['p99', 'ms', (round) => round.p99],
  ['processor time of a request', 'ms', (round) => round.processorMs],
  ['memory', 'MB', (round) => round.megabytes],
]

type How = {
  /** The request for each contender, without address and duration. */
  readonly request: Omit<Load, 'url' | 'seconds'> & { readonly path: string }
  readonly progress: (text: string) => void
  readonly meter?: Meter
}

/** All contenders run in every round, and another one begins each time, so that a busy minute of the machine hits all. */
export async function compete(
  contenders: readonly Contender[],
  pace: Pace,
  { request, progress, meter = async () => ({}) }: How,
): Promise<Round[][]> {
  const generator = startHelper(fileURLToPath(import.meta.resolve('./load-generator.ts')))
  for (const contender of contenders) {
    progress(`warming up: ${contender.name}`)
    await measure(generator, contender, { ...request, meter }, pace.warmUpSeconds)
  }
  const rounds: Round[][] = []
  for (let index = 0; index < pace.rounds; index += 1) {
    const round: Round[] = []
    for (let step = 0; step < contenders.length; step += 1) {
      const turn = (index + step) % contenders.length
      const contender = contenders[turn]
      if (!contender) continue
      progress(`round ${index + 1} of ${pace.rounds}: ${contender.name}`)
      round[turn] = await measure(generator, contender, { ...request, meter }, pace.seconds)
    }
    rounds.push(round)
  }
  await generator.stop()
  return rounds
}

async function measure(
  generator: Running,
  { name, url, pid, headers, request: own }: Contender,
  common: How['request'] & { readonly meter: Meter },
  seconds: number,
): Promise<Round> {
  const { path, meter, ...request } = { ...common, ...own }
  const order: Load = { ...request, ...(headers && { headers }), url: url + path, seconds }
  const [before, counted] = [processorSeconds(pid), await meter()]
  const result = await ask<LoadResult>(generator, order)
  const spentMs = (processorSeconds(pid) - before) * 1000
  if (result.failures > 0) throw new Error(`${name}: ${result.failures} requests failed`)
  const requests = result.requestsPerSecond * seconds
  const metered = Object.entries(await meter()).map(([what, count]) => [
    what,
    (count - (counted[what] ?? 0)) / requests,
  ])
  return {
    ...result,
    processorMs: spentMs / requests,
    megabytes: residentMegabytes(pid),
    metered: Object.fromEntries(metered),
  }
}

/** How they take turns, for the page. */
export function turnsOf({ rounds, seconds, warmUpSeconds }: Pace): string {
  return `${rounds} rounds of ${seconds} s for each, in turn, after ${warmUpSeconds} s of warm-up`
}

/** Requests per second of one contender as a share of another's, round by round. */
export function shareOf(rounds: readonly Round[][], turn: number, floor: number): number[] {
  return rounds.map(
    (round) => (round[turn] as Round).requestsPerSecond / (round[floor] as Round).requestsPerSecond,
  )
}

export function describeContenders(
  contenders: readonly Contender[],
  rounds: readonly Round[][],
): readonly Figure[] {
  return contenders.flatMap((contender, turn) =>
    figuresOf(
      rounds.map((round) => round[turn] as Round),
      MEASURES.map(([name, unit, read]) => [`${contender.name}: ${name}`, unit, read] as const),
    ),
  )
}
