import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { removeLeftovers } from '#testing/guard.ts'
import { choose, usageOf } from '../lab/choose.ts'
import { type Postgres, startPostgres } from '../lab/postgres.ts'
import { say } from '../lab/progress.ts'
import { runAlone, runProgram } from '../lab/run.ts'
import { cardData } from './card-data.ts'
import { cascade } from './cascade.ts'
import { clockSkew } from './clock-skew.ts'
import { crashes } from './crashes.ts'
import { database } from './database.ts'
import { exploration } from './explore.ts'
import { failover } from './failover.ts'
import { generatedInput } from './generated-input.ts'
import { goneWhileUsed } from './gone-while-used.ts'
import { idempotency } from './idempotency.ts'
import { kills } from './kills.ts'
import { lostMinute } from './lost-minute.ts'
import { model } from './model.ts'
import { oddIds } from './odd-ids.ts'
import { outgoing } from './outgoing.ts'
import { overload } from './overload.ts'
import { page } from './page.ts'
import type { Outcome, Pace, Program } from './program.ts'
import { renderOutcome, save } from './report.ts'
import { settlement } from './settlement.ts'
import { spelledKeys } from './spelled-keys.ts'
import { stalledReceiver } from './stalled-receiver.ts'
import { unknownOutcomes } from './unknown.ts'
import { webhooks } from './webhooks.ts'

const PROGRAMS: readonly Program[] = [
  overload,
  ...kills,
  ...crashes,
  exploration,
  idempotency,
  spelledKeys,
  ...unknownOutcomes,
  ...cascade,
  webhooks,
  stalledReceiver,
  outgoing,
  generatedInput,
  oddIds,
  model,
  cardData,
  database,
  ...failover,
  ...lostMinute,
  clockSkew,
  page,
  goneWhileUsed,
  settlement,
]
const SEED_MAX = 2 ** 31
const OPTIONS = {
  quick: { type: 'boolean' },
  async: { type: 'boolean' },
  seed: { type: 'string' },
  help: { type: 'boolean' },
} as const

await runProgram(main)

async function main(): Promise<number> {
  await removeLeftovers()
  const { values, positionals } = parseArgs({ options: OPTIONS, allowPositionals: true })
  if (values.help) {
    say(usageOf('npm run faults', OPTIONS, PROGRAMS))
    return 0
  }
  const chosen = choose(PROGRAMS, positionals)
  if (typeof chosen === 'string') {
    say(chosen)
    return 1
  }
  const seed = values.seed === undefined ? randomInt(SEED_MAX) : Number(values.seed)
  if (!Number.isInteger(seed) || seed < 0 || seed >= SEED_MAX) {
    say(`--seed takes a whole number below ${SEED_MAX}.`)
    return 1
  }
  const isAsynchronous = values.async === true
  if (isAsynchronous && !chosen.every((program) => failover.includes(program))) {
    say(`--async is for ${failover.map(({ name }) => name).join(' and ')} alone.`)
    return 1
  }
  const outcomes = new Map<Program, Outcome>()
  for (const program of chosen) {
    const whyNot = program.whyNot?.()
    if (whyNot !== undefined) {
      say(`${program.name}: skipped, because ${whyNot}`)
      continue
    }
    const outcome = await runOn(program, { form: values.quick ? 'short' : 'full', isAsynchronous, seed })
    process.stdout.write(`${renderOutcome(program, outcome)}\n\n`)
    outcomes.set(program, outcome)
    // Saved at once: the next program may take an hour, or be interrupted.
    if (!values.quick && !isAsynchronous) save(program, outcome, PROGRAMS)
  }
  const broken = [...outcomes].filter(([, outcome]) => outcome.broken.length > 0)
  if (broken.length > 0) say(`Broken: ${broken.map(([{ name }]) => name).join(', ')}`)
  return broken.length === 0 ? 0 : 1
}

/** Each program has a database server of its own, so that none suffers from another. */
function runOn(program: Program, how: Omit<Pace, 'newDatabase'>): Promise<Outcome> {
  let server: Promise<Postgres> | undefined
  const newDatabase = async () => {
    server ??= startPostgres()
    return (await server).newDatabase()
  }
  return runAlone(
    program.name,
    (say) => program.run({ ...how, newDatabase }, say),
    // A program that throws has not shown its promise.
    (reason) => ({
      seed: how.seed,
      did: {},
      acknowledged: {},
      found: {},
      broken: [`the program came to no end: ${reason}`],
    }),
  )
}
