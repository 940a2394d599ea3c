import { randomBytes, randomInt } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { startPostgres } from '../lab/postgres.ts'
import { freePort, type Running, start, temporaryFolder } from '../lab/processes.ts'
import { prepareDataFolder, startService } from '../lab/product.ts'
import { type Contender, compete, describeContenders, shareOf } from './contest.ts'
import { type Benchmark, figure, type Outcome, type Pace } from './figures.ts'
import { PAYMENT } from './payment.ts'
import { inPeers, type Peer, versionOf, whyNoPeers } from './peers/packages.ts'

const CONNECTIONS = 10
const START_DEADLINE_MS = 120_000
/** As fast as an answer that is made up from the document. */
const SHARE_MIN = 1

export const peers: Benchmark = {
  name: 'peers',
  title: 'Beside others',
  explanation:
    'The same payment, at programs that a developer might run instead, in turn on one machine. They do not do the same work: the list ' +
    'below says what each leaves out. Their packages are no dependencies of this project; `npm run bench -- peers --install` puts them ' +
    'into `node_modules/.cache`.',
  whyNot: whyNoPeers,
  run,
}

/** What each leaves out of what this service does for a payment. */
const LEFT_OUT = {
  'stripe-stateful-mock':
    'keeps charges in memory and loses them when it ends; no database, no provider, no events, webhooks or audit log; checks little of a request',
  '@stoplight/prism-cli':
    'checks the request against our OpenAPI document and answers with its example; stores nothing, decides nothing, checks no token and no key',
  '@medusajs/payment':
    'stores a collection, a session and a payment in PostgreSQL, and asks a provider that approves everything; no HTTP of its own (a bare server calls it), no ' +
    'authentication, no idempotency keys, no card data, no events, webhooks or audit log of a payment',
} as const satisfies Partial<Record<Peer, string>>

async function run(pace: Pace, progress: (text: string) => void): Promise<Outcome> {
  progress('starting the service and its peers')
  const folder = await prepareDataFolder()
  const service = await startService(folder)
  const authorized = { authorization: `Bearer ${folder.token}`, 'content-type': 'application/json' }
  const document = await (await fetch(`${service.url}/openapi.json`)).text()
  const contenders: Contender[] = [
    { name: 'this service', url: service.url, pid: service.pid },
    await startStripeMock(),
    await startPrism(document),
    await startMedusa(),
  ]
  const request = {
    path: '/transactions',
    headers: authorized,
    connections: CONNECTIONS,
    body: JSON.stringify(PAYMENT),
    isKeyed: true,
  }
  const rounds = await compete(contenders, pace, { request, progress })
  const target = { is: 'at least', limit: SHARE_MIN } as const
  return {
    settings: [
      `${pace.rounds} rounds of ${pace.seconds} s for each, in turn, after ${pace.warmUpSeconds} s of warm-up; ${CONNECTIONS} connections`,
      'this service: simulated processor with its books, events and audit log in PostgreSQL, every commit reaches the disk',
      ...Object.entries(LEFT_OUT).map(([name, text]) => `${name} ${versionOf(name as Peer)}: ${text}`),
    ],
    figures: [
      figure(
        { name: 'this service as a share of Prism’s made-up answer', unit: '', target },
        shareOf(rounds, 0, 2),
      ),
      figure({ name: 'this service as a share of Medusa’s payment module', unit: '' }, shareOf(rounds, 0, 3)),
      figure({ name: 'this service as a share of a mock in memory', unit: '' }, shareOf(rounds, 0, 1)),
      ...describeContenders(contenders, rounds),
    ],
  }
}

/** It has charges instead of payments, and takes forms instead of JSON. */
async function startStripeMock(): Promise<Contender> {
  const port = await freePort()
  const file = inPeers('node_modules/stripe-stateful-mock/dist/cli.js')
  const running = startNode([file], { PORT: String(port), LOG_LEVEL: 'silent' })
  const authorization = `Basic ${Buffer.from(`sk_test_${randomBytes(12).toString('hex')}:`).toString('base64')}`
  const contender = {
    name: 'stripe-stateful-mock',
    url: `http://127.0.0.1:${port}`,
    pid: running.pid,
    headers: { authorization, 'content-type': 'application/x-www-form-urlencoded' },
    request: {
      path: '/v1/charges',
      body: String(
        new URLSearchParams({
          amount: '1299',
          currency: 'usd',
          source: 'tok_visa',
          'metadata[order]': '4711',
        }),
      ),
    },
  }
  await untilPaid(running, contender)
  return contender
}

async function startPrism(document: string): Promise<Contender> {
  const port = await freePort()
  const { path } = temporaryFolder()
  const file = join(path, 'openapi.json')
  writeFileSync(file, document)
  const program = inPeers('node_modules/@stoplight/prism-cli/dist/index.js')
  const running = startNode([program, 'mock', '--port', String(port), '--verboseLevel', 'silent', file], {})
  const contender = { name: 'Prism', url: `http://127.0.0.1:${port}`, pid: running.pid }
  await untilPaid(running, {
    ...contender,
    headers: { authorization: 'Bearer any', 'content-type': 'application/json' },
  })
  return contender
}

async function startMedusa(): Promise<Contender> {
  const port = await freePort()
  // Its driver knows no socket. Each server may have an address of its own, so that no port is taken twice.
  const address = `127.${[1, 2, 3].map(() => 1 + randomInt(250)).join('.')}`
  const server = await startPostgres({ listen_addresses: address })
  const database = new URL(await server.newDatabase(), 'postgresql://any').pathname
  const databaseUrl = `postgresql://${server.connection.user}@${address}:5432${database}?sslmode=disable`
  const program = fileURLToPath(import.meta.resolve('./peers/medusa-server.mjs'))
  const running = startNode([program, inPeers(), databaseUrl, String(port)], {
    MEDUSA_DISABLE_TELEMETRY: 'true',
  })
  const contender = { name: 'Medusa’s payment module', url: `http://127.0.0.1:${port}`, pid: running.pid }
  await untilPaid(running, contender)
  return contender
}

function startNode(args: readonly string[], env: Readonly<Record<string, string>>): Running {
  return start({ command: process.execPath, args, env, cwd: inPeers(), isLogKept: true })
}

/** Until one payment succeeds, so that a peer that answers with errors does not look fast. */
async function untilPaid({ child, complaint }: Running, { url, headers, request }: Contender): Promise<void> {
  const { path, body } = request ?? { path: '/transactions', body: JSON.stringify(PAYMENT) }
  let last = ''
  for (
    const deadline = performance.now() + START_DEADLINE_MS;
    performance.now() < deadline;
    await sleep(100)
  ) {
    if (child.exitCode !== null) break
    const answer = await fetch(url + path, {
      method: 'POST',
      headers: headers ?? { 'content-type': 'application/json' },
      body,
    }).catch(() => undefined)
    last = `${answer?.status} ${await answer?.text()}`
    if (answer?.ok) return
  }
  throw new Error(`a peer does not take payments: ${last.slice(0, 500)} ${complaint().slice(-1_000)}`)
}
