import { type ChildProcess, execSync, spawn } from 'node:child_process'
import { createPrivateKey, randomBytes } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer, connect as openSocket, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { SignJWT } from 'jose'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { describePrivateKey } from '#resources/api-key-pairs/keys.ts'
import { forgetFolder, guardedFolder, guardProcess } from '#testing/guard.ts'
import { removeDataFolder } from '#testing/remove-data-folder.ts'

let dataDir: string
const running: Running[] = []
beforeEach(() => {
  dataDir = guardedFolder()
})
afterEach(async () => {
  for (const service of running.splice(0)) await service.end('SIGTERM')
  removeDataFolder(dataDir)
  forgetFolder(dataDir)
})

type Running = {
  readonly url: string
  readonly port: number
  readonly pid: number
  readonly output: () => string
  readonly exited: Promise<number | null>
  readonly end: (signal: NodeJS.Signals) => Promise<number | null>
}

/** The service as an operator runs it: a process of its own, told what to do by its environment. */
async function start(env: Record<string, string> = {}): Promise<Running> {
  const port = await freePort()
  const child = spawn(process.execPath, ['server/src/main.ts'], {
    env: { PATH: process.env['PATH'], DATA_DIR: dataDir, PORT: String(port), LOG_LEVEL: 'info', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  if (child.pid !== undefined) child.once('exit', guardProcess(child.pid))
  const service = watch(child, port)
  running.push(service)
  await Promise.race([service.exited, isUp(service)])
  return service
}

function startInProduction(): Promise<Running> {
  const key = () => randomBytes(32).toString('base64')
  return start({
    ENVIRONMENT: 'production',
    ALLOW_EMBEDDED_IN_PRODUCTION: 'true',
    SECRET_KEY: key(),
    VAULT_KEY: key(),
  })
}

function watch(child: ChildProcess, port: number): Running {
  let output = ''
  child.stdout?.on('data', (chunk) => {
    output += chunk
  })
  child.stderr?.on('data', (chunk) => {
    output += chunk
  })
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve))
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    pid: child.pid ?? 0,
    output: () => output,
    exited,
    end: async (signal) => {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal)
      return exited
    },
  }
}

async function isUp(service: Running): Promise<void> {
  for (;;) {
    const live = await fetch(`${service.url}/health/ready`).catch(() => undefined)
    if (live?.ok && service.output().includes('Switchyard is running')) return
    await sleep(20)
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.listen({ host: '127.0.0.1', port: 0 }, () => {
      const { port } = probe.address() as { port: number }
      probe.close(() => resolve(port))
    })
  })
}

async function token(): Promise<string> {
  const pem = readFileSync(join(dataDir, 'admin-key.pem'), 'utf8')
  const { thumbprint } = await describePrivateKey(pem)
  return new SignJWT({ scopes: ['*.read', '*.write'] })
    .setProtectedHeader({ alg: 'ES512', kid: thumbprint })
    .setExpirationTime('10m')
    .sign(createPrivateKey(pem))
}

async function call(service: Running, path: string, body?: object): Promise<Response> {
  return fetch(`${service.url}${path}`, {
    method: body ? 'POST' : 'GET',
    headers: {
      authorization: `Bearer ${await token()}`,
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
}

const serverPid = () => Number(readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0])

describe('the first start', () => {
  test('makes a database, a merchant account and a key that only its owner can read', async () => {
    const service = await start()

    const keys = await call(service, '/api-key-pairs')
    const { items } = (await keys.json()) as { items: object[] }
    const file = join(dataDir, 'admin-key.pem')
    expect(keys.status).toBe(200)
    expect(items).toMatchObject([
      { display_name: 'Administrator', creator: null, roles: [{ slug: 'administrator' }] },
    ])
    expect((await call(service, '/merchant-accounts/default')).status).toBe(200)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(statSync(join(dataDir, 'secret.key')).mode & 0o777).toBe(0o600)
    expect(statSync(join(dataDir, 'vault.key')).mode & 0o777).toBe(0o600)
    expect(statSync(dataDir).mode & 0o066).toBe(0)
    expect(service.output()).toContain(service.url)
    expect(service.output()).toContain(`${service.url}/docs`)
    expect(service.output()).toContain(file)
    expect(service.output()).toContain(`$(DATA_DIR=${dataDir} `)
    const line = /curl -H .*/.exec(service.output())?.[0] ?? ''
    expect(execSync(`${line} --silent --output /dev/null --write-out '%{http_code}'`).toString()).toBe('200')
  })

  test('never prints a key, a secret or a token', async () => {
    const service = await start({ LOG_LEVEL: 'trace' })
    await call(service, '/api-key-pairs')
    await call(service, '/merchant-accounts', {
      id: 'shop',
      display_name: 'Shop',
      loon_client_key: 'ck',
      loon_secret_key: 'very-secret',
    })

    await expect.poll(service.output).toContain('create_merchant_account')
    const output = service.output()
    const pem = readFileSync(join(dataDir, 'admin-key.pem'), 'utf8').split('\n')[1] ?? ''
    const secret = readFileSync(join(dataDir, 'secret.key'), 'utf8').trim()
    for (const hidden of [pem, secret, 'very-secret', 'eyJ']) expect(output).not.toContain(hidden)
  })

  test('does not bring back a key that was deleted', async () => {
    const first = await start()
    const { items } = (await (await call(first, '/api-key-pairs')).json()) as { items: { id: string }[] }
    const gone = await fetch(`${first.url}/api-key-pairs/${items[0]?.id}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${await token()}` },
    })
    expect(gone.status).toBe(204)
    await first.end('SIGTERM')

    const second = await start()

    expect((await call(second, '/api-key-pairs')).status).toBe(401)
  })

  test('keeps a key file that is already there', async () => {
    await (await start()).end('SIGTERM')
    const key = readFileSync(join(dataDir, 'admin-key.pem'), 'utf8')
    rmSync(realpathSync(join(dataDir, 'postgres')), { recursive: true })
    rmSync(join(dataDir, 'postgres'), { force: true })

    const service = await start()

    expect(readFileSync(join(dataDir, 'admin-key.pem'), 'utf8')).toBe(key)
    expect((await call(service, '/api-key-pairs')).status).toBe(200)
  })

  test('in production makes no key and uses no generated secret', async () => {
    const service = await startInProduction()

    expect((await fetch(`${service.url}/health/ready`)).status).toBe(200)
    expect(existsSync(join(dataDir, 'admin-key.pem'))).toBe(false)
    expect(existsSync(join(dataDir, 'secret.key'))).toBe(false)
    expect(existsSync(join(dataDir, 'vault.key'))).toBe(false)
  })
})

describe('a second start', () => {
  test('on a folder in use is refused, and does not disturb the first', async () => {
    const first = await start()

    const second = await start()

    expect(await second.exited).toBe(1)
    expect(second.output()).toContain(
      `The data folder ${dataDir} is in use by another Switchyard (process ${first.pid})`,
    )
    expect((await call(first, '/api-key-pairs')).status).toBe(200)
  })

  test('at the same moment leaves exactly one running', async () => {
    const services = await Promise.all([start(), start(), start()])

    const alive = await Promise.all(
      services.map((service) =>
        fetch(`${service.url}/health/ready`).then(
          () => true,
          () => false,
        ),
      ),
    )

    expect(alive.filter(Boolean)).toHaveLength(1)
    for (const [index, service] of services.entries()) {
      if (!alive[index]) expect(service.output()).toMatch(/is in use by another Switchyard/)
    }
  })

  test('after kill -9 takes over and keeps what was acknowledged', async () => {
    const first = await start()
    for (let count = 0; count < 5; count += 1) {
      expect(
        (await call(first, '/merchant-accounts', { id: `shop-${count}`, display_name: 'Shop' })).status,
      ).toBe(201)
    }
    await first.end('SIGKILL')
    const left = serverPid()
    expect(() => process.kill(left, 0)).not.toThrow()

    const second = await start()

    const { items } = (await (await call(second, '/merchant-accounts')).json()) as { items: object[] }
    expect(items).toHaveLength(6)
    expect(serverPid()).not.toBe(left)
    expect(second.output()).toContain('left running by a process that was killed')
  })

  test('after a clean stop finds no server left', async () => {
    const first = await start()
    const pid = serverPid()

    expect(await first.end('SIGTERM')).toBe(0)

    // It has ended, and stays in the table of processes until somebody collects it.
    await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow(), 5_000)
    expect(existsSync(join(dataDir, 'postgres/postmaster.pid'))).toBe(false)
    expect((await call(await start(), '/api-key-pairs')).status).toBe(200)
  })

  test.each([
    ['missing', (file: string) => rmSync(file)],
    ['wrong', (file: string) => writeFileSync(file, randomBytes(32).toString('base64'))],
  ])('with a vault key that is %s is refused, and nothing is harmed', async (_name, spoil) => {
    const file = join(dataDir, 'vault.key')
    const first = await start()
    const card = { method: 'card', number: '4111111111111111', expiration_date: '12/40' }
    const stored = (await (await call(first, '/payment-methods', card)).json()) as { id: string }
    await first.end('SIGTERM')
    const key = readFileSync(file)
    spoil(file)

    const second = await start()
    expect(await second.exited).toBe(1)
    expect(second.output()).toContain('does not give the vault key')

    writeFileSync(file, key, { mode: 0o600 })
    expect((await call(await start(), `/payment-methods/${stored.id}`)).status).toBe(200)
  })

  test('with another secret is refused', async () => {
    await (await start()).end('SIGTERM')

    const second = await start({ SECRET_KEY: randomBytes(32).toString('base64') })

    expect(await second.exited).toBe(1)
    expect(second.output()).toContain('SECRET_KEY is not the one this database was set up with')
  })
})

describe('stopping', () => {
  test.each(['SIGTERM', 'SIGINT'] as const)('on %s lets a request in flight finish', async (signal) => {
    const service = await start()
    const body = JSON.stringify({ id: 'in-flight', display_name: 'In flight' })
    const socket = await beginRequest(service, await token(), body)
    const answer = received(socket)

    const exit = service.end(signal)
    await sleep(300)
    socket.write(body.slice(10))

    expect(await answer).toMatch(/^HTTP\/1.1 201/)
    expect(await exit).toBe(0)
  })

  test('in production says so first, and takes requests for a while', async () => {
    const service = await startInProduction()

    const exit = service.end('SIGTERM')
    await vi.waitFor(async () =>
      expect(await (await fetch(`${service.url}/health/ready`)).json()).toEqual({ status: 'stopping' }),
    )
    const late = await fetch(`${service.url}/api-key-pairs`)

    expect(late.status).toBe(401)
    expect(await exit).toBe(0)
  })

  test('a second signal does not hurt', async () => {
    const service = await start()

    process.kill(service.pid, 'SIGINT')
    process.kill(service.pid, 'SIGINT')
    process.kill(service.pid, 'SIGTERM')

    expect(await service.exited).toBe(0)
  })
})

test('as a worker answers those who watch it, and nobody else', async () => {
  const service = await start({ ROLE: 'worker' })

  expect((await fetch(`${service.url}/health/ready`)).status).toBe(200)
  expect((await call(service, '/api-key-pairs')).status).toBe(404)
})

test('brings its database back when that is killed', async () => {
  const service = await start()
  const pid = serverPid()

  process.kill(pid, 'SIGKILL')

  await expect
    .poll(async () => (await call(service, '/api-key-pairs')).status, { timeout: 15_000, interval: 100 })
    .toBe(200)
  expect(serverPid()).not.toBe(pid)
})

test.runIf(process.getuid?.() === 0)('as root works under a folder that nobody else can enter', async () => {
  const root = dataDir
  chmodSync(root, 0o700)
  dataDir = join(root, 'inside')

  const first = await start()
  expect((await call(first, '/merchant-accounts', { id: 'shop', display_name: 'Shop' })).status).toBe(201)
  const place = realpathSync(join(dataDir, 'postgres'))
  expect(place).toMatch(/^\/var\/lib\/switchyard\//)
  await first.end('SIGKILL')
  const second = await start()

  expect((await call(second, '/merchant-accounts/shop')).status).toBe(200)
  expect(statSync(root).mode & 0o777).toBe(0o700)
  await second.end('SIGTERM')
  rmSync(place, { recursive: true })
  dataDir = root
})

test('told to stop while it starts, leaves nothing running', async () => {
  for (const delayMs of [300, 700, 1_100]) {
    const child = spawn(process.execPath, ['server/src/main.ts'], {
      env: { PATH: process.env['PATH'], DATA_DIR: dataDir, PORT: String(await freePort()) },
      stdio: 'ignore',
    })
    const exited = new Promise((resolve) => child.once('exit', resolve))
    await sleep(delayMs)
    child.kill('SIGTERM')
    await exited
    expect(existsSync(join(dataDir, 'postgres/postmaster.pid'))).toBe(false)
  }
})

test('works in a folder whose path is too long for a socket', async () => {
  const root = dataDir
  dataDir = join(dataDir, 'x'.repeat(120))
  mkdirSync(dataDir)

  const service = await start()

  expect((await call(service, '/api-key-pairs')).status).toBe(200)
  await service.end('SIGTERM')
  dataDir = root
})

test.each([
  [{ PORT: 'nonsense' }, 'PORT must be'],
  [{ ENVIRONMENT: 'production' }, 'DATABASE_URL is not set'],
  [{ DATABASE_URL: 'postgres://127.0.0.1:1/nothing' }, 'Check DATABASE_URL'],
  [{ HOST: '203.0.113.1' }, 'HOST 203.0.113.1'],
] as const)('with %j stops with a sentence', async (env, sentence) => {
  const service = await start(env as Record<string, string>)

  expect(await service.exited).toBe(1)
  expect(service.output()).toContain(sentence)
  expect(service.output()).not.toMatch(/^\s+at /m)
})

test('says so when its port is taken, and leaves no database behind', async () => {
  const taken = createServer()
  const port = await new Promise<number>((resolve) =>
    taken.listen(0, '127.0.0.1', () => resolve((taken.address() as { port: number }).port)),
  )

  const service = await start({ PORT: String(port) })

  expect(await service.exited).toBe(1)
  expect(service.output()).toContain(`Port ${port} is in use`)
  expect(existsSync(join(dataDir, 'postgres/postmaster.pid'))).toBe(false)
  taken.close()
})

function beginRequest(service: Running, bearer: string, body: string): Promise<Socket> {
  return new Promise((resolve) => {
    const socket = openSocket(service.port, '127.0.0.1', () => {
      socket.write(
        `POST /merchant-accounts HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${bearer}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body.slice(0, 10)}`,
        () => setTimeout(() => resolve(socket), 200),
      )
    })
  })
}

function received(socket: Socket): Promise<string> {
  let text = ''
  return new Promise((resolve) => {
    socket.on('data', (chunk) => {
      text += chunk
    })
    socket.on('close', () => resolve(text))
  })
}
