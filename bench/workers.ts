import { fileURLToPath } from 'node:url'
import { ask, processorSeconds, startHelper } from '../lab/processes.ts'
import { prepareDataFolder, send, startService } from '../lab/product.ts'
import { type Contender, compete, shareOf } from './contest.ts'
import { type Benchmark, figure, type Outcome, type Pace } from './figures.ts'
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
  const folders = [await prepareDataFolder(), await prepareDataFolder()] as const
  const quiet = { API_LOG_RETENTION_DAYS: '0' }
  const one = await startService(folders[0], { env: { ...quiet, ROLE: 'api' } })
  const two = await startService(folders[1], { env: { ...quiet, ROLE: 'api', WORKERS: '2' } })
  const place = { ...one, token: folders[0].token }
  const body = await (await send(place, `GET ${PATH}`)).text()
  const floors = await Promise.all(
    [1, 2].map(async (processes) => {
      const running = startHelper(fileURLToPath(import.meta.resolve('./workers-floor.ts')))
      const order: WorkersFloor = { processes, processorMs: await costOf(place, one.pid), body }
      return { running, ...(await ask<{ port: number }>(running, order)) }
    }),
  )
  const contenders: Contender[] = [
    { name: 'one process', url: one.url, pid: one.pid, headers: bearer(folders[0]) },
    { name: 'two workers', url: two.url, pid: two.pid, headers: bearer(folders[1]) },
    ...floors.map(({ running, port }, index) => ({
      name: `floor with ${index + 1}`,
      url: `http://127.0.0.1:${port}`,
      pid: running.pid,
    })),
  ]
  const request = { path: PATH, headers: {}, connections: CONNECTIONS }
  const rounds = await compete(contenders, pace, { request, progress })
  for (const program of [...floors.map(({ running }) => running), two, one]) await program.stop()
  for (const folder of folders) await folder.remove()
  const [gain, floorGain] = [shareOf(rounds, 1, 0), shareOf(rounds, 3, 2)]
  const share = gain.map((value, index) => value / (floorGain[index] ?? 1))
  return {
    settings: [
      `${pace.rounds} rounds of ${pace.seconds} s for each, in turn, after ${pace.warmUpSeconds} s of warm-up`,
      `${CONNECTIONS} connections without pipelining; no request log in the database; no jobs (\`ROLE=api\`)`,
    ],
    figures: [
      figure(
        { name: 'share of the gain of the floor', unit: '', target: { is: 'at least', limit: SHARE_MIN } },
        share,
      ),
      figure({ name: 'two workers, divided by one process', unit: '' }, gain),
      figure({ name: 'floor: two processes, divided by one', unit: '' }, floorGain),
      ...contenders.map(({ name }, turn) =>
        figure(
          { name: `${name}: requests`, unit: '/s' },
          rounds.map((round) => round[turn]?.requestsPerSecond ?? 0),
        ),
      ),
    ],
  }
}

function bearer({ token }: { readonly token: string }): Readonly<Record<string, string>> {
  return { authorization: `Bearer ${token}` }
}

/** Processor time of one request, once the code is warm. */
async function costOf(place: { readonly url: string; readonly token: string }, pid: number): Promise<number> {
  const askAll = async () => {
    for (let index = 0; index < SAMPLE; index += 1) await (await send(place, `GET ${PATH}`)).text()
  }
  await askAll()
  const before = processorSeconds(pid)
  await askAll()
  return ((processorSeconds(pid) - before) * 1000) / SAMPLE
}
