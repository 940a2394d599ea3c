import { execSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { useOwnFolder } from '#testing/own-folder.ts'
import { productionSettings, tokenOf } from '#testing/service-process.ts'

const own = useOwnFolder()
const { start, startAgain, startProcess, call, serverPid } = own

describe('the first start', () => {
  test('makes a database, a merchant account and a key that only its owner can read, and prints no secret', async () => {
    const service = await startProcess({ LOG_LEVEL: 'trace' })

    const keys = await call(service, '/api-key-pairs')
    const { items } = (await keys.json()) as { items: object[] }
    const file = join(own.dataDir, 'admin-key.pem')
    expect(keys.status).toBe(200)
    expect(items).toMatchObject([
      { display_name: 'Administrator', creator: null, roles: [{ slug: 'administrator' }] },
    ])
    expect((await call(service, '/merchant-accounts/default')).status).toBe(200)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(statSync(join(own.dataDir, 'secret.key')).mode & 0o777).toBe(0o600)
    expect(statSync(join(own.dataDir, 'vault.key')).mode & 0o777).toBe(0o600)
    expect(statSync(own.dataDir).mode & 0o066).toBe(0)
    expect(service.output()).toContain(service.url)
    expect(service.output()).toContain(`${service.url}/docs`)
    expect(service.output()).toContain(file)
    expect(service.output()).toContain(`$(DATA_DIR=${own.dataDir} `)
    const line = /curl -H .*/.exec(service.output())?.[0] ?? ''
    expect(execSync(`${line} --silent --output /dev/null --write-out '%{http_code}'`).toString()).toBe('200')

    await call(service, '/merchant-accounts', {
      id: 'shop',
      display_name: 'Shop',
      loon_client_key: 'ck',
      loon_secret_key: 'very-secret',
    })

    await expect.poll(service.output).toContain('create_merchant_account')
    const output = service.output()
    const pem = readFileSync(join(own.dataDir, 'admin-key.pem'), 'utf8').split('\n')[1] ?? ''
    const secret = readFileSync(join(own.dataDir, 'secret.key'), 'utf8').trim()
    for (const hidden of [pem, secret, 'very-secret', 'eyJ']) expect(output).not.toContain(hidden)
  })

  test('does not bring back a key that was deleted', async () => {
    const first = await startAgain()
    const { items } = (await (await call(first, '/api-key-pairs')).json()) as { items: { id: string }[] }
    const gone = await fetch(`${first.url}/api-key-pairs/${items[0]?.id}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${await tokenOf(own.dataDir)}` },
    })
    expect(gone.status).toBe(204)
    await first.end('SIGTERM')

    const second = await start()

    expect((await call(second, '/api-key-pairs')).status).toBe(401)
  })

  test('keeps a key file that is already there', async () => {
    await own.setUp()
    const key = readFileSync(join(own.dataDir, 'admin-key.pem'), 'utf8')
    rmSync(realpathSync(join(own.dataDir, 'postgres')), { recursive: true })
    rmSync(join(own.dataDir, 'postgres'), { force: true })

    const service = await start()

    expect(readFileSync(join(own.dataDir, 'admin-key.pem'), 'utf8')).toBe(key)
    expect((await call(service, '/api-key-pairs')).status).toBe(200)
  })

  test('in production makes no key and uses no generated secret', async () => {
    const service = await start(productionSettings())

    expect((await fetch(`${service.url}/health/ready`)).status).toBe(200)
    expect(existsSync(join(own.dataDir, 'admin-key.pem'))).toBe(false)
    expect(existsSync(join(own.dataDir, 'secret.key'))).toBe(false)
    expect(existsSync(join(own.dataDir, 'vault.key'))).toBe(false)
  })
})

describe('a second start', () => {
  test('on a folder in use is refused, and does not disturb the first', async () => {
    await own.setUp()
    const first = await startProcess()

    const second = await start()

    expect(await second.exited).toBe(1)
    expect(second.output()).toContain(
      `The data folder ${own.dataDir} is in use by another Switchyard (process ${first.pid})`,
    )
    expect((await call(first, '/api-key-pairs')).status).toBe(200)
  })

  test('at the same moment leaves exactly one running', async () => {
    const services = await Promise.all([startProcess(), startProcess(), startProcess()])

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
    await own.setUp()
    const first = await startProcess()
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
    await own.setUp()
    const first = await startProcess()
    const pid = serverPid()

    expect(await first.end('SIGTERM')).toBe(0)

    // The process has ended, but stays in the process table until its parent reaps it.
    await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow(), 20_000)
    expect(existsSync(join(own.dataDir, 'postgres/postmaster.pid'))).toBe(false)
    expect((await call(await start(), '/api-key-pairs')).status).toBe(200)
  })

  test('with a vault key that is missing or wrong is refused, and nothing is harmed', async () => {
    const file = join(own.dataDir, 'vault.key')
    const first = await startAgain()
    const card = { method: 'card', number: '4111111111111111', expiration_date: '12/40' }
    const stored = (await (await call(first, '/payment-methods', card)).json()) as { id: string }
    await first.end('SIGTERM')
    const key = readFileSync(file)

    for (const [spoil, reason] of [
      [() => rmSync(file), `${file} is missing. Copy the vault key of this installation`],
      [
        () => writeFileSync(file, randomBytes(32).toString('base64'), { mode: 0o600 }),
        'does not give the vault key',
      ],
    ] as const) {
      spoil()
      const second = await start()
      expect(await second.exited).toBe(1)
      expect(second.output()).toContain(reason)
    }

    writeFileSync(file, key, { mode: 0o600 })
    expect((await call(await start(), `/payment-methods/${stored.id}`)).status).toBe(200)
  })

  test('with another secret is refused', async () => {
    await own.setUp()

    const second = await start({ SECRET_KEY: randomBytes(32).toString('base64') })

    expect(await second.exited).toBe(1)
    expect(second.output()).toContain('SECRET_KEY is not the one this database was set up with')
  })
})

test.each<[Record<string, string>, string]>([
  [{ PORT: 'nonsense' }, 'PORT must be'],
  [{ WORKERS: 'many' }, 'WORKERS must be auto, or a whole number from 1 to 128.'],
  [{ ENVIRONMENT: 'production' }, 'DATABASE_URL is not set'],
  [{ DATABASE_URL: 'postgres://127.0.0.1:1/nothing' }, 'Check DATABASE_URL'],
])('with %j stops with a sentence', async (env, sentence) => {
  const service = await start(env)

  expect(await service.exited).toBe(1)
  expect(service.output()).toContain(sentence)
  expect(service.output()).not.toMatch(/^\s+at /m)
})

test('as a process stops with the same sentence', async () => {
  const service = await startProcess({ PORT: 'nonsense' })

  expect(await service.exited).toBe(1)
  expect(service.output()).toBe((await start({ PORT: 'nonsense' })).output())
})

test('says so when its address is not of this machine', async () => {
  const service = await startAgain({ HOST: '203.0.113.1' })

  expect(await service.exited).toBe(1)
  expect(service.output()).toContain('HOST 203.0.113.1')
})

test('says so when its port is taken, and leaves no database behind', async () => {
  const taken = createServer()
  const port = await new Promise<number>((resolve) =>
    taken.listen(0, '127.0.0.1', () => resolve((taken.address() as { port: number }).port)),
  )

  const service = await startAgain({ PORT: String(port) })

  expect(await service.exited).toBe(1)
  expect(service.output()).toContain(`Port ${port} is in use`)
  expect(existsSync(join(own.dataDir, 'postgres/postmaster.pid'))).toBe(false)
  taken.close()
})
