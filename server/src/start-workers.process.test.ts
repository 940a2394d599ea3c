import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { useOwnFolder } from '#testing/own-folder.ts'
import { beginRequest, received } from '#testing/request-in-flight.ts'
import { type Running, tokenOf } from '#testing/service-process.ts'

const own = useOwnFolder()
const WORKERS = { WORKERS: '2' }
/** How long a loaded machine may take to start a process again. */
const PATIENCE = { timeout: 60_000, interval: 100 }

test('several processes are one service: one port, one limit, one set of metrics', {
  timeout: 120_000,
}, async () => {
  const service = await own.startProcess(WORKERS)
  const get = askerOf(service, await tokenOf(own.dataDir))

  expect(service.output()).toContain('  Processes      2 for the API, 1 for jobs\n')
  expect(service.output().match(/Switchyard is running/g)).toHaveLength(1)
  expect(await (await get('/health/ready')).json()).toEqual({ status: 'ok' })
  for (let count = 0; count < 4; count += 1) expect((await get('/api-key-pairs')).status).toBe(200)
  await expect.poll(() => workersThatAnswered(service)).toEqual(new Set(['1', '2']))

  // A change in one process counts in the other before what it has cached is too old.
  const [{ id }] = ((await (await get('/api-key-pairs')).json()) as { items: [{ id: string }] }).items
  expect((await get(`/api-key-pairs/${id}`, 'DELETE')).status).toBe(204)
  const statuses = async () => new Set([await status(), await status(), await status(), await status()])
  const status = async () => (await get('/api-key-pairs')).status
  await expect.poll(statuses, { timeout: 2_500 }).toEqual(new Set([401]))

  const bad = askerOf(service, 'bad')
  const answers = await Promise.all(Array.from({ length: 110 }, () => bad('/api-key-pairs')))
  expect(answers.filter((answer) => answer.status === 429).length).toBeGreaterThan(0)
  expect((await bad('/api-key-pairs')).status).toBe(429)
  expect((await bad('/api-key-pairs')).status).toBe(429)

  const metrics = await metricsOf(service)
  expect(metrics).toContain('switchyard_processes_running{worker="parent"} 3\n')
  expect(metrics.match(/^process_cpu_seconds_total\{worker="\w+"\}/gm)).toHaveLength(4)
  expect(metrics).toMatch(
    /^switchyard_request_duration_seconds_count\{worker="1",.*operation="list_api_key_pairs"/m,
  )
  expect(metrics).toMatch(
    /^switchyard_request_duration_seconds_count\{worker="2",.*operation="list_api_key_pairs"/m,
  )
  const families = metrics.match(/^# TYPE \w+/gm) ?? []
  expect(families.length).toBe(new Set(families).size)
  expect(metrics.match(/^switchyard_vault_retired_keys /gm)).toHaveLength(1)

  // A process that is killed is started again. Those of a parent that is killed end.
  const [first = 0] = childrenOf(service)
  process.kill(first, 'SIGKILL')
  await expect
    .poll(() => metricsOf(service), PATIENCE)
    .toMatch(/^switchyard_process_restarts_total\{.*\} 1$/m)
  await expect
    .poll(() => metricsOf(service), PATIENCE)
    .toContain('switchyard_processes_running{worker="parent"} 3\n')
  expect(service.output()).toContain('"how":"SIGKILL"')
  expect(service.output()).toContain('a process of the service ended unexpectedly; it is started again')
  expect((await get('/health/ready')).status).toBe(200)
  const children = childrenOf(service)
  expect(children).toHaveLength(3)
  await service.end('SIGKILL')
  await expect.poll(() => children.filter(isRunning), PATIENCE).toEqual([])
})

test('told to stop, all processes let requests in flight finish', { timeout: 120_000 }, async () => {
  await own.setUp()
  const service = await own.startProcess(WORKERS)
  const children = childrenOf(service)
  const bearer = await tokenOf(own.dataDir)
  const bodies = ['one', 'two'].map((id) => JSON.stringify({ id, display_name: 'In flight' }))
  const sockets = await Promise.all(bodies.map((body) => beginRequest(service, bearer, body)))
  const answers = sockets.map(received)

  const exit = service.end('SIGTERM')
  await expect.poll(service.output).toContain('Stopping …')
  for (const [index, socket] of sockets.entries()) socket.write(bodies[index] ?? '')

  for (const answer of answers) expect(await answer).toMatch(/^HTTP\/1.1 201/)
  expect(await exit).toBe(0)
  expect(children.filter(isRunning)).toEqual([])
  expect(existsSync(join(own.dataDir, 'postgres/postmaster.pid'))).toBe(false)
  // The last to end has sealed what the others wrote.
  expect(service.output()).toMatch(/"worker":"jobs".*the head of the audit log/)
})

test('a process that cannot start ends the service with its reason, once', { timeout: 120_000 }, async () => {
  await own.setUp()
  const taken = createServer()
  const port = await new Promise<number>((resolve) =>
    taken.listen(0, '127.0.0.1', () => resolve((taken.address() as { port: number }).port)),
  )

  const service = await own.startProcess({ ...WORKERS, PORT: String(port) })

  expect(await service.exited).toBe(1)
  const sentence = `Port ${port} is in use on 127.0.0.1 by another program. Set PORT to a free one.\n`
  expect(service.output().split(sentence)).toHaveLength(2)
  expect(service.output()).not.toMatch(/^\s+at /m)
  expect(existsSync(join(own.dataDir, 'postgres/postmaster.pid'))).toBe(false)
  taken.close()
})

/** Each request has a connection of its own, so that the processes take turns. */
function askerOf(service: Running, bearer: string) {
  return (path: string, method = 'GET') =>
    fetch(`${service.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${bearer}`, connection: 'close' },
    })
}

/** A connection that was handed to a process as it was killed gets no answer: the caller gives up, and asks again. */
async function metricsOf(service: Running): Promise<string> {
  const signal = AbortSignal.timeout(5_000)
  const answer = await fetch(`${service.url}/metrics`, { headers: { connection: 'close' }, signal })
  return answer.text()
}

function workersThatAnswered(service: Running): Set<string> {
  const lines = service.output().match(/^\{.*"operation":"list_api_key_pairs".*\}$/gm) ?? []
  return new Set(lines.map((line) => (JSON.parse(line) as { worker: string }).worker))
}

/** The processes that the parent has started, without its database. */
function childrenOf({ pid }: Running): number[] {
  const pids = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number)
  return pids.filter((child) => readFileSync(`/proc/${child}/cmdline`, 'utf8').includes('worker.js'))
}

/** An ended process whose new parent does not reap it stays in the table. */
function isRunning(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}
