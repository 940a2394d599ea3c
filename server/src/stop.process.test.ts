import { chmodSync, existsSync, mkdirSync, realpathSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { useOwnFolder } from '#testing/own-folder.ts'
import { beginRequest, received } from '#testing/request-in-flight.ts'
import { productionSettings, spawnService, tokenOf } from '#testing/service-process.ts'
import { freePort } from '../../lab/processes.ts'

const own = useOwnFolder()
const { start, startAgain, startProcess, call, serverPid } = own

describe('stopping', () => {
  test.each(['SIGTERM', 'SIGINT'] as const)('on %s lets a request in flight finish', async (signal) => {
    await own.setUp()
    const service = await startProcess()
    const body = JSON.stringify({ id: 'in-flight', display_name: 'In flight' })
    const socket = await beginRequest(service, await tokenOf(own.dataDir), body)
    const answer = received(socket)

    const exit = service.end(signal)
    await expect.poll(service.output).toContain('Stopping …')
    socket.write(body)

    expect(await answer).toMatch(/^HTTP\/1.1 201/)
    expect(await exit).toBe(0)
  })

  test('in production announces it first, and accepts requests for a while', async () => {
    const service = await start(productionSettings())

    const exit = service.end('SIGTERM')
    const ready = async () => (await fetch(`${service.url}/health/ready`)).json()
    await expect.poll(ready).toEqual({ status: 'stopping' })
    const late = await fetch(`${service.url}/api-key-pairs`)

    expect(late.status).toBe(401)
    expect(await exit).toBe(0)
  })

  test('a second signal does not hurt', async () => {
    await own.setUp()
    const service = await startProcess()

    process.kill(service.pid, 'SIGINT')
    process.kill(service.pid, 'SIGINT')
    process.kill(service.pid, 'SIGTERM')

    expect(await service.exited).toBe(0)
  })

  test('another signal, later, does not wait for requests in flight', async () => {
    await own.setUp()
    const service = await startProcess()
    const socket = await beginRequest(service, await tokenOf(own.dataDir), '{}')
    socket.on('error', () => {})

    const repeat = setInterval(() => void service.end('SIGINT'), 200)
    const code = await service.exited
    clearInterval(repeat)

    expect(code).toBe(1)
    expect(service.output()).toContain('Ending at once. Open requests are cut off.')
  })
})

test('as a worker answers only health checks and metrics', async () => {
  const service = await startAgain({ ROLE: 'worker' })

  expect((await fetch(`${service.url}/health/ready`)).status).toBe(200)
  expect((await call(service, '/api-key-pairs')).status).toBe(404)
})

test('restarts its database when that is killed', async () => {
  const service = await startAgain()
  const pid = serverPid()

  process.kill(pid, 'SIGKILL')

  await expect.poll(async () => (await call(service, '/api-key-pairs')).status, { interval: 100 }).toBe(200)
  expect(serverPid()).not.toBe(pid)
})

test.runIf(process.getuid?.() === 0)(
  'as root works under a folder that other users cannot enter',
  async () => {
    const root = own.dataDir
    chmodSync(root, 0o700)
    own.dataDir = join(root, 'inside')

    const first = await startProcess()
    expect((await call(first, '/merchant-accounts', { id: 'shop', display_name: 'Shop' })).status).toBe(201)
    const place = realpathSync(join(own.dataDir, 'postgres'))
    expect(place).toMatch(/^\/var\/lib\/switchyard\//)
    await first.end('SIGKILL')
    const second = await start()

    expect((await call(second, '/merchant-accounts/shop')).status).toBe(200)
    expect(statSync(root).mode & 0o777).toBe(0o700)
    await second.end('SIGTERM')
    rmSync(place, { recursive: true })
    own.dataDir = root
  },
)

test('told to stop while it starts, leaves nothing running', async () => {
  for (const delayMs of [300, 700, 1_100]) {
    const child = spawnService({ DATA_DIR: own.dataDir, PORT: String(await freePort()) })
    const exited = new Promise((resolve) => child.once('exit', resolve))
    await sleep(delayMs)
    child.kill('SIGTERM')
    await exited
    expect(existsSync(join(own.dataDir, 'postgres/postmaster.pid'))).toBe(false)
  }
})

test('works in a folder whose path is too long for a socket', async () => {
  const root = own.dataDir
  own.dataDir = join(own.dataDir, 'x'.repeat(120))
  mkdirSync(own.dataDir)

  const service = await start()

  expect((await call(service, '/api-key-pairs')).status).toBe(200)
  await service.end('SIGTERM')
  own.dataDir = root
})
