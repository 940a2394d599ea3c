import { urlOf } from '#testing/database-url.ts'
import { cloneDatabase } from '#testing/harness.ts'
import { cleanUp } from '../lab/processes.ts'
import type { Outcome, Program } from './program.ts'

/**
 * The same choices in every run: what a change did not touch passes as it did before. `npm run faults -- --quick` makes other choices
 * each time. docs/decisions/tests.md
 */
const SEED = 20_161

/** For the tests, on their database server. A failure prints the command that repeats it. */
export async function runShortForm(program: Program): Promise<Outcome> {
  try {
    return await run(program)
  } finally {
    await cleanUp()
  }
}

/** At the same time: for programs that mostly wait. */
export async function runShortForms(programs: readonly Program[]): Promise<Outcome[]> {
  try {
    return await Promise.all(programs.map(run))
  } finally {
    await cleanUp()
  }
}

async function run(program: Program): Promise<Outcome> {
  const pace = { form: 'short' as const, seed: SEED, newDatabase: async () => urlOf(await cloneDatabase()) }
  const outcome = await program.run(pace, () => {})
  const hint = `again: npm run faults -- ${program.name} --quick --seed ${SEED}`
  return { ...outcome, broken: outcome.broken.length > 0 ? [...outcome.broken, hint] : [] }
}
