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

const HOURS = 3_600_000
const LONG: { readonly bounds: Bounds; readonly mostMs: number } = {
  bounds: { crashes: 2, faults: 1, switches: Number.POSITIVE_INFINITY },
  mostMs: 2 * HOURS,
}
/** What is more than a pair may not end in a night. */
const BEYOND: typeof LONG = { ...LONG, mostMs: HOURS / 4 }
const SHORT: typeof LONG = { bounds: { crashes: 1, faults: 1, switches: 1 }, mostMs: 12_000 }
/** One bug is found in the scene that shows it, however slow the machine is. */
const PLANTED: typeof LONG = { ...SHORT, mostMs: 240_000 }

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
    'callers know: what follows two deaths that leave the same is explored once. After each schedule ' +
    'callers repeat their requests, and the job runs: then nothing may be open, each answer is the same again, and the books of the ' +
    'provider agree with ours. The long form goes on where it was interrupted.',
  run,
}

async function run({ form, seed, newDatabase }: Pace, say: (text: string) => void): Promise<Outcome> {
  const isShort = form === 'short'
  const world = await World.open(await newDatabase())
  const planted = BUGS[process.env['PLANT'] ?? '']
  const scenes = SCENES.filter(({ name }) => !planted || name === planted.scene)
  const limits = planted ? PLANTED : isShort ? SHORT : LONG
  const found = new Map<Scene, Explored>()
  for (const scene of scenes) {
    const kept = isShort ? undefined : fileOf(scene)
    const options = {
      ...(scene.isBeyond && !isShort ? BEYOND : limits),
      mostViolations: 3,
      from: kept === undefined ? undefined : readPosition(kept),
      keep: (position: Position) => kept && keepPosition(kept, position),
    }
    const explored = await explore(world, scene, options, say)
    if (kept) keepPosition(kept, explored.position)
    found.set(scene, explored)
  }
  world.close()
  return { ...outcomeOf(found, isShort), seed }
}

function outcomeOf(found: ReadonlyMap<Scene, Explored>, isShort: boolean): Omit<Outcome, 'seed'> {
  const all = [...found.values()]
  const sum = (of: (one: Explored) => number) => all.reduce((total, one) => total + of(one), 0)
  const unfinished = [...found].filter(([{ isBeyond }, { position }]) => position !== null && !isBeyond)
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
      [...found].map(([{ name }, { schedules, position }]) => [
        `${name}${position === null ? ', all' : ', as far as the time went'}`,
        schedules,
      ]),
    ),
    found: { violations: sum(({ violations }) => violations.length), 'places lost': sum(({ lost }) => lost) },
    broken: [
      ...all.flatMap(({ violations }) => violations),
      ...[...found]
        .filter(([, { schedules }]) => schedules === 0)
        .map(([{ name }]) => `${name}: nothing was explored`),
      ...(isShort
        ? []
        : unfinished.map(([{ name }]) => `${name}: not all was explored; run it again to go on`)),
      ...(isShort
        ? []
        : [...found]
            .filter(([, { lost }]) => lost > 0)
            .map(([{ name }, { lost }]) => `${name}: ${lost} places were lost`)),
    ],
  }
}

function fileOf(scene: Scene): string {
  return fileURLToPath(new URL(`../lab/results/explore-${plainName(scene)}.json`, import.meta.url))
}

function readPosition(file: string): Position | undefined {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
}

/** Nothing is kept of what is explored to its end. */
function keepPosition(file: string, position: Position | null): void {
  if (position === null) {
    rmSync(file, { force: true })
    return
  }
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, JSON.stringify(position))
}
