import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { CHECKOUT, findBelow, freePort, residentMegabytes, start, temporaryFolder } from '../lab/processes.ts'
import { type DataFolder, prepareDataFolder, waitUntilAnswering } from '../lab/product.ts'
import { atMost, type Benchmark, figuresOf, itself, type Outcome, type Pace } from './figures.ts'

const START_MAX_S = 1.2
const FIRST_START_MAX_S = 4
const IDLE_MEMORY_MAX_MB = 130
const IDLE_SECONDS = 10
const IDLE_RUNS = 3
const SERVICE = 'server/dist/main.js'
const FLOOR = 'floor.mjs'

export const startUp: Benchmark = {
  name: 'start-up',
  title: 'Starting',
  explanation:
    'From `npm start` to the first 200 of `GET /api-key-pairs`, asked every few milliseconds: on a new data folder, ' +
    'where the database is created, and on the same folder again. The floor is `npm start` of a project whose program ' +
    'is a bare `node:http` server. Memory is what the Node process alone holds after ' +
    `${IDLE_SECONDS} s without requests.`,
  run,
}

async function run(pace: Pace, progress: (text: string) => void): Promise<Outcome> {
  const firstSeconds: number[] = []
  const seconds: number[] = []
  const floorSeconds: number[] = []
  const megabytes: number[] = []
  const floorFolder = prepareFloor()
  const idleRuns = Math.min(IDLE_RUNS, pace.rounds)
  for (let index = 0; index < pace.rounds; index += 1) {
    const folder = await prepareDataFolder()
    const say = (text: string) => progress(`round ${index + 1} of ${pace.rounds}: ${text}`)
    say('on a new data folder')
    firstSeconds.push((await startOnce({ checkout: CHECKOUT, program: SERVICE, folder })).seconds)
    say('the floor')
    floorSeconds.push((await startOnce({ checkout: floorFolder.path, program: FLOOR, folder })).seconds)
    say(index < idleRuns ? `again, then idle for ${IDLE_SECONDS} s` : 'again')
    const idleSeconds = index < idleRuns ? IDLE_SECONDS : 0
    const again = await startOnce({ checkout: CHECKOUT, program: SERVICE, folder, idleSeconds })
    seconds.push(again.seconds)
    if (again.megabytes !== undefined) megabytes.push(again.megabytes)
    await folder.remove()
  }
  await floorFolder.remove()
  return {
    settings: [
      `${pace.rounds} starts of each kind, in turn; memory from ${idleRuns} of them`,
      'dependencies installed; files in the page cache; default settings but for the port and the data folder',
    ],
    figures: [
      ...figuresOf(seconds, [['start', 's', itself, atMost(START_MAX_S)]]),
      ...figuresOf(firstSeconds, [['first start', 's', itself, atMost(FIRST_START_MAX_S)]]),
      ...figuresOf(megabytes, [['idle memory', 'MB', itself, atMost(IDLE_MEMORY_MAX_MB)]]),
      ...figuresOf(floorSeconds, [['floor: start', 's', itself]]),
    ],
  }
}

type Start = {
  readonly checkout: string
  readonly program: string
  readonly folder: DataFolder
  readonly idleSeconds?: number
}

async function startOnce({ checkout, program, folder, idleSeconds = 0 }: Start) {
  const port = await freePort()
  const begun = performance.now()
  const npm = start({
    command: 'npm',
    args: ['start', '--silent'],
    cwd: checkout,
    env: { DATA_DIR: folder.path, PORT: String(port), npm_config_update_notifier: 'false' },
  })
  await waitUntilAnswering(npm, `http://127.0.0.1:${port}`, folder.token)
  const seconds = (performance.now() - begun) / 1000
  const pid = findBelow(npm.pid, program)
  if (pid === undefined) throw new Error(`No process below npm runs ${program}.`)
  await sleep(idleSeconds * 1000)
  const megabytes = idleSeconds > 0 ? residentMegabytes(pid) : undefined
  await npm.stop()
  return { seconds, megabytes }
}

function prepareFloor() {
  const folder = temporaryFolder()
  const scripts = { start: `exec ${process.execPath} ${FLOOR}` }
  writeFileSync(join(folder.path, 'package.json'), JSON.stringify({ name: 'floor', scripts }))
  writeFileSync(
    join(folder.path, FLOOR),
    "import { createServer } from 'node:http'\n" +
      "createServer((_request, response) => response.end()).listen(process.env.PORT, '127.0.0.1')\n",
  )
  return folder
}
