import { sql } from 'kysely'
import { inTransaction } from '#platform/database/db.ts'
import { registriesFor } from '#processing/connectors.ts'
import { runBackTests } from '#resources/flows/back-tests/run.ts'
import * as backTests from '#resources/flows/back-tests/store.ts'
import { sandbox } from '#sandbox/open.ts'
import { processorSeconds } from '../lab/processes.ts'
import type { Foundation } from '../server/src/open-foundation.ts'
import { fillCopies } from './copied-payments.ts'
import { fiftyRules } from './fifty-rules.ts'
import { atLeast, atMost, type Benchmark, figuresOf, type Outcome, type Pace } from './figures.ts'
import { fill } from './list-growth-fill.ts'
import { MAIN_ACCOUNT, rowsOf } from './list-growth-rows.ts'
import { openParts, openPlace, WITHOUT_JOBS } from './place.ts'

const PER_SECOND_MIN = 100_000
const MEMORY_MAX = 1.5

export const backTest: Benchmark = {
  name: 'back-test',
  title: 'Trying rules on the past',
  explanation:
    'How many payments a back-test tries for each second of processor time of its worker, with the code that the job runs, and 50 ' +
    'rules of six conditions each, of which few match. The processor time of the database is apart. Memory is the heap after ' +
    'the last page over that after the first test, with garbage collected.',
  isByRows: true,
  run,
}

async function run(pace: Pace, progress: (text: string) => void): Promise<Outcome> {
  progress('starting the service')
  const place = await openPlace(WITHOUT_JOBS)
  await fill(place.connection, rowsOf(pace.rows), { add: [fillCopies], progress })
  const foundation = await openParts(place, { poolSize: 1 })
  const span = await spanOf(foundation)
  const rounds: { readonly own: number; readonly database: number; readonly heap: number }[] = []
  let tried = 0
  for (let index = 0; index <= pace.rounds; index += 1) {
    progress(index === 0 ? 'warming up' : `round ${index} of ${pace.rounds}`)
    const round = await tryOnce(foundation, span)
    tried = round.payments
    rounds.push({
      own: round.payments / round.seconds,
      database: round.payments / round.databaseSeconds,
      heap: round.heap,
    })
  }
  const [warm, ...measured] = rounds
  return {
    settings: [
      `${pace.rounds} back-tests of ${tried} payments of the largest of 21 accounts, one connection`,
    ],
    figures: figuresOf(measured, [
      ['payments per processor second', '/s', ({ own }) => own, atLeast(PER_SECOND_MIN)],
      ['payments per processor second of the database', '/s', ({ database }) => database],
      [
        'memory after it, over that after the first',
        '',
        ({ heap }) => heap / (warm?.heap ?? heap),
        atMost(MEMORY_MAX),
      ],
    ]),
  }
}

type Span = { readonly created_at_gte: Date; readonly created_at_lte: Date }

/** All payments of the account. The API would want at most 90 days of them. */
async function spanOf({ context }: Foundation): Promise<Span> {
  return { created_at_gte: new Date(0), created_at_lte: context.clock() }
}

async function tryOnce({ context, pool, scores }: Foundation, span: Span) {
  const scope = { ...context, merchantAccountId: MAIN_ACCOUNT }
  const { id } = await inTransaction(scope, (tx) =>
    backTests.insert(tx, { version: null, rules: fiftyRules(), ...span }),
  )
  const engine = { providers: registriesFor('sandbox', sandbox), scores } as never
  const { rows } = await pool.query<{ pid: number }>('select pg_backend_pid() as pid')
  const backend = rows[0]?.pid ?? 0
  const before = { own: process.cpuUsage(), database: processorSeconds(backend) }
  await runBackTests({ context, engine }, new AbortController().signal)
  const { user, system } = process.cpuUsage(before.own)
  const databaseSeconds = processorSeconds(backend) - before.database
  const test = await backTests.find(scope, id)
  if (!test || Number(test.done) === 0 || test.finished_at === null) throw new Error('no payment was tried')
  await sql`delete from flow_back_tests where id = ${id}`.execute(context.db)
  globalThis.gc?.()
  return {
    payments: Number(test.done),
    seconds: (user + system) / 1e6,
    databaseSeconds,
    heap: process.memoryUsage().heapUsed,
  }
}
