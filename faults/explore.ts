import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { BUGS } from './explore/plant.ts'
import { type Explored, explore, plainName } from './explore/run.ts'
import { SCENES, type Scene } from './explore/scenes.ts'
import type { Bounds, Position } from './explore/search.ts'
import { World } from './explore/world.ts'
import type { Outcome, Pace, Program } from './program.ts'

/*
 * It was seen to fail for each bug in `explore/plant.ts`; `explore.test.ts` shows it each time.
 *
 * What is outside of it: actors beyond those of a scene; crashes of the database (`database`, `failover`); connections that are cut
 * while a statement runs; clocks that differ (`clock-skew`); what several actors of one process share in memory, apart from the keys
 * that they work on. After a death, callers come one after the other.
 */

const MINUTES = 60_000
/** For what has no end in a night. */
const BRIEF_MS = 1.5 * MINUTES
const FREELY = Number.POSITIVE_INFINITY

/** How far a scene is explored, one bound after the other. What is owed is explored to its end; the rest has no end in a night. */
type Round = {
  readonly name: string
  readonly bounds: Bounds
  readonly mostMs: number
  readonly isOwed: boolean
}
const LONG: readonly Round[] = [
  {
    name: 'two deaths',
    bounds: { crashes: 2, faults: 0, switches: FREELY },
    mostMs: 120 * MINUTES,
    isOwed: true,
  },
  {
    name: 'one bad call',
    bounds: { crashes: 0, faults: 1, switches: FREELY },
    mostMs: 120 * MINUTES,
    isOwed: true,
  },
  {
    name: 'a death and a bad call',
    bounds: { crashes: 1, faults: 1, switches: FREELY },
    mostMs: BRIEF_MS,
    isOwed: false,
  },
]
const SHORT: Round = {
  name: 'short',
  bounds: { crashes: 1, faults: 1, switches: 1 },
  mostMs: 12_000,
  isOwed: false,
}
/** One bug is found in the scene that shows it, however slow the machine is. */
const PLANTED: Round = { ...SHORT, mostMs: 240_000 }

export const exploration: Program = {
  name: 'explore',
  promise: 21,
  title: 'Every schedule, up to a bound',
  explanation:
    'Requests and jobs about one payment run at the same time, in the real engine on a real PostgreSQL. A scheduler decides which of them ' +
    'takes its next step: each statement on a table that others change, each call of the provider, how that call ends, and where the ' +
    'process dies. It goes through all schedules, depth first, up to a number of deaths and of calls that are declined, lost before or ' +
    'after the provider acts, or contradicted. Two schedules that differ only in the order of steps that touch nothing in common have ' +
    'the same effect, so one of them is followed. A process that dies leaves nothing but rows, the books of the provider, and what ' +
    'callers know: what follows two deaths that leave the same is explored once. The long form explores each scene with two deaths, with ' +
    'one bad call, and then with one of each, as far as the time goes. After each schedule ' +
    'callers repeat their requests, and the job runs: then nothing may be open, each answer is the same again, and the books of the ' +
    'provider agree with ours. The long form goes on where it was interrupted.',
  run,
}

async function run({ form, seed, newDatabase }: Pace, say: (text: string) => void): Promise<Outcome> {
  const isShort = form === 'short'
  const world = await World.open(await newDatabase())
  const planted = BUGS[process.env['PLANT'] ?? '']
  const scenes = SCENES.filter(({ name }) => !planted || name === planted.scene)
  const found: Found[] = []
  for (const round of planted ? [PLANTED] : isShort ? [SHORT] : LONG) {
    for (const scene of scenes) {
      const before = isShort ? undefined : readExplored(fileOf(scene, round))
      const explored = before?.position === null ? before : await go(scene, round, before)
      found.push({ scene, round, explored })
    }
  }
  world.close()
  const outcome = outcomeOf(found)
  // The next run begins anew.
  if (!isShort && outcome.broken.length === 0)
    for (const { scene, round } of found) rmSync(fileOf(scene, round), { force: true })
  return { ...outcome, seed }

  async function go(scene: Scene, round: Round, before: Explored | undefined): Promise<Explored> {
    const keep = (explored: Explored) => isShort || keepExplored(fileOf(scene, round), explored)
    const options = {
      bounds: round.bounds,
      mostMs: scene.isBeyond && !isShort ? BRIEF_MS : round.mostMs,
      mostViolations: 3,
      from: before?.position ?? undefined,
      keep: (position: Position) => keep({ ...position.counts, violations: [], position }),
    }
    const explored = await explore(world, scene, options, (text) => say(`${round.name}: ${text}`))
    keep(explored)
    return explored
  }
}

type Found = { readonly scene: Scene; readonly round: Round; readonly explored: Explored }

function outcomeOf(found: readonly Found[]): Omit<Outcome, 'seed'> {
  const sum = (of: (one: Explored) => number) =>
    found.reduce((total, { explored }) => total + of(explored), 0)
  const nameOf = ({ scene, round }: Found) => `${scene.name}, ${round.name}`
  const isOwed = ({ scene, round }: Found) => round.isOwed && !scene.isBeyond
  return {
    did: {
      'schedules followed to their end': sum(({ schedules }) => schedules),
      'schedules pruned': sum(({ pruned }) => pruned),
      'deaths that left what an earlier one had left': sum(({ met }) => met),
      steps: sum(({ steps }) => steps),
      deaths: sum(({ crashes }) => crashes),
      'begun again, because the machine was late': sum(({ strayed }) => strayed),
    },
    acknowledged: Object.fromEntries(
      found.map((one) => [
        `${nameOf(one)}${one.explored.position === null ? ', all' : ', as far as the time went'}`,
        one.explored.schedules,
      ]),
    ),
    found: { violations: sum(({ violations }) => violations.length), 'places lost': sum(({ lost }) => lost) },
    broken: found.flatMap((one) => {
      const { schedules, violations, position, lost } = one.explored
      return [
        ...violations,
        ...(schedules === 0 ? [`${nameOf(one)}: nothing was explored`] : []),
        ...(position !== null && isOwed(one)
          ? [`${nameOf(one)}: not all was explored; run it again to go on`]
          : []),
        ...(lost > 0 && isOwed(one) ? [`${nameOf(one)}: ${lost} places were lost`] : []),
      ]
    }),
  }
}

function fileOf(scene: Scene, { name }: Round): string {
  const file = `explore-${plainName(scene)}-${plainName({ name })}.json`
  return fileURLToPath(new URL(`../lab/results/${file}`, import.meta.url))
}

function readExplored(file: string): Explored | undefined {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
}

/** A run that is interrupted goes on here. What was found wrong is found again. */
function keepExplored(file: string, explored: Explored): void {
  if (explored.violations.length > 0) return
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, JSON.stringify(explored))
}
