import { fileURLToPath } from 'node:url'
import { ask, processorSeconds, startHelper } from '../lab/processes.ts'
import { send } from '../lab/product.ts'
import { type Contender, compete, shareOf, turnsOf } from './contest.ts'
import { atLeast, type Benchmark, figuresOf, itself, type Outcome, type Pace } from './figures.ts'
import { openPlace, type Place } from './place.ts'
import type { WorkersFloor } from './workers-floor.ts'

const PATH = '/payment-method-definitions'
const CONNECTIONS = 32
const SAMPLE = 300
const SHARE_MIN = 0.9

export const workers: Benchmark = {
  name: 'workers',
  title: 'A second process',
  explanation:
    `Requests per second of \`GET ${PATH}\` with \`WORKERS=2\`, divided by those of one process. The answer needs no database, so that ` +
    'it shows what the processes can do, as if the database were elsewhere. The load comes from the same machine, and on two ' +
    'cores it takes a part of what the second process could have. So the floor does the same with a bare `node:http` server, which ' +
    'spends as much processor time on a request: first in one process, then in two under `node:cluster`. The target is a share of ' +
    'the gain that the machine allows. On a quiet machine with cores to spare, both gains are near 2.',
  run,
}

async function run(pace: Pace, progress: (text: string) => void): Promise<Outcome> {
  progress('starting the service with one and with two processes')
  const quiet = { API_LOG_RETENTION_DAYS: '0', ROLE: 'api' }
  const one = await openPlace({ env: quiet })
  const two = await openPlace({ env: { ...quiet, WORKERS: '2' } })
  const body = await (await send(one, `GET ${PATH}`)).text()
  const floors = await Promise.all(
    [1, 2].map(async (processes) => {
      const running = startHelper(fileURLToPath(import.meta.resolve('./workers-floor.ts')))
      const order: WorkersFloor = { processes, processorMs: await costOf(one), body }
      return { running, ...(await ask<{ port: number }>(running, order)) }
    }),
  )
  const contenders: Contender[] = [
    { ...one, name: 'one process' },
    { ...two, name: 'two workers' },
    ...floors.map(({ running, port }, index) => ({
      name: `floor with ${index + 1}`,
      url: `http://127.0.0.1:${port}`,
      pid: running.pid,
    })),
  ]
  const request = { path: PATH, headers: {}, connections: CONNECTIONS }
  const rounds = await compete(contenders, pace, { request, progress })
  const [gain, floorGain] = [shareOf(rounds, 1, 0), shareOf(rounds, 3, 2)]
  const share = gain.map((value, index) => value / (floorGain[index] ?? 1))
  return {
    settings: [
      turnsOf(pace),
      `${CONNECTIONS} connections without pipelining; no request log in the database; no jobs (\`ROLE=api\`)`,
    ],
    figures: [
      ...figuresOf(share, [['share of the gain of the floor', '', itself, atLeast(SHARE_MIN)]]),
      ...figuresOf(gain, [['two workers, divided by one process', '', itself]]),
      ...figuresOf(floorGain, [['floor: two processes, divided by one', '', itself]]),
      ...figuresOf(
        rounds,
        contenders.map(
          ({ name }, turn) =>
            [`${name}: requests`, '/s', (round) => round[turn]?.requestsPerSecond ?? 0] as const,
        ),
      ),
    ],
  }
}

/** Processor time of one request, once the code is warm. */
async function costOf(place: Place): Promise<number> {
  const askAll = async () => {
    for (let index = 0; index < SAMPLE; index += 1) await (await send(place, `GET ${PATH}`)).text()
  }
  await askAll()
  const before = processorSeconds(place.pid)
  await askAll()
  return ((processorSeconds(place.pid) - before) * 1000) / SAMPLE
}
