import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, chownSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { Connection } from '#platform/database/open-database.ts'
import { urlOf } from '#testing/database-url.ts'
import { guardedFolder, guardProcess } from '#testing/guard.ts'
import { cloneDatabase } from '#testing/harness.ts'
import { removeFolder } from '#testing/service-process.ts'
import { createClient } from '../client/src/index.ts'
import { freePort } from '../lab/processes.ts'
import { stage } from '../tools/release/stage.ts'

/** How operators get a start wrong, with the files of an archive and processes as they run them. */

const isRoot = process.getuid?.() === 0
/** As in the image. Other users cannot choose. */
const USER = 10_001
const key = () => randomBytes(32).toString('base64')

let folder: string
let home: string

beforeAll(() => {
  folder = guardedFolder()
  chmodSync(folder, 0o755)
  home = join(folder, 'switchyard')
  stage('.', home, 'no-database')
})
afterAll(() => removeFolder(folder))

type Started = {
  readonly url: string
  readonly output: () => string
  readonly exited: Promise<number | null>
  readonly isReady: () => Promise<boolean>
}

/** Runs the archive as this user, who may connect to the tests' database, or as another. */
async function run(
  args: readonly string[],
  env: Record<string, string>,
  user = process.getuid?.(),
): Promise<Started> {
  const port = await freePort()
  const child = spawn(join(home, 'bin/switchyard'), args, {
    env: { PATH: '/usr/bin:/bin', PORT: String(port), LOG_LEVEL: 'warn', ...env },
    ...(isRoot && user !== undefined && { uid: user, gid: user }),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  return watch(child, `http://127.0.0.1:${port}`)
}

function watch(child: ChildProcess, url: string): Started {
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk) => {
      output += chunk
    })
  }
  let hasEnded = false
  const exited = new Promise<number | null>((resolve) =>
    child.once('close', (code) => {
      hasEnded = true
      resolve(code)
    }),
  )
  const forget = guardProcess(child.pid ?? 0)
  onTestFinished(async () => {
    if (!hasEnded) child.kill('SIGKILL')
    await exited
    forget()
  })
  const isReady = async () => {
    if (hasEnded) throw new Error(`it has ended: ${output}`)
    return (await fetch(`${url}/health/ready`).catch(() => undefined))?.ok === true
  }
  return { url, output: () => output, exited, isReady }
}

const untilReady = (service: Started) => expect.poll(service.isReady, { timeout: 60_000 }).toBe(true)

function newFolder(name: string, owner = process.getuid?.() ?? 0): string {
  const path = join(folder, name)
  mkdirSync(path, { mode: 0o700 })
  if (isRoot) chownSync(path, owner, owner)
  return path
}

async function query(connection: Connection, sql: string): Promise<Record<string, string>[]> {
  const client = new pg.Client(connection as pg.ClientConfig)
  await client.connect()
  return client
    .query(sql)
    .then(({ rows }) => rows)
    .finally(() => client.end())
}

const appliedIn = (connection: Connection) =>
  query(connection, 'select version from schema_migrations order by 1')

test('without keys, production stops, names every missing one, and writes nothing', async () => {
  const data = newFolder('without-keys', USER)
  const service = await run(['serve'], { ENVIRONMENT: 'production', DATA_DIR: data }, USER)

  expect(await service.exited).toBe(1)
  for (const name of ['DATABASE_URL', 'SECRET_KEY', 'VAULT_KEY'])
    expect(service.output()).toContain(`${name} is not set`)
  expect(service.output()).not.toMatch(/^\s+at /m)
  expect(readdirSync(data)).toEqual([])
})

test('with the keys of another installation, nothing starts or migrates, and the owner still does', async () => {
  const database = await cloneDatabase()
  const production = { ENVIRONMENT: 'production', DATABASE_URL: urlOf(database) }
  const own = { ...production, SECRET_KEY: key(), VAULT_KEY: key() }
  const first = await run(
    [
      'keys',
      'create',
      '--display-name',
      'First',
      '--role',
      'administrator',
      '--out',
      join(folder, 'first.pem'),
    ],
    own,
  )
  expect(await first.exited, first.output()).toBe(0)
  const before = await appliedIn(database)

  const otherSecret = await run(['serve'], { ...own, SECRET_KEY: key() })
  const otherVault = await run(['serve'], { ...own, VAULT_KEY: key() })
  const otherMigrate = await run(['serve'], { ...own, ENVIRONMENT: 'sandbox', DATA_DIR: newFolder('other') })

  expect([await otherSecret.exited, await otherVault.exited, await otherMigrate.exited]).toEqual([1, 1, 1])
  expect(otherSecret.output()).toContain('SECRET_KEY is not the one this database was set up with')
  expect(otherVault.output()).toContain('VAULT_KEY')
  expect(otherMigrate.output()).toContain('belongs to a production installation')
  expect(await appliedIn(database)).toEqual(before)
  const owner = await run(['serve'], own)
  await untilReady(owner)
  expect(/runs as root/.test(owner.output())).toBe(isRoot)
})

test.skipIf(!isRoot)('on a disk that cannot be written, a sandbox stops and says where', async () => {
  const service = await run(
    ['serve'],
    { DATA_DIR: newFolder('not-mine', 0), DATABASE_URL: urlOf(await cloneDatabase()) },
    USER,
  )

  expect(await service.exited).toBe(1)
  expect(service.output()).toMatch(
    /DATA_DIR .*not-mine cannot be written to[.] Set DATA_DIR to a folder that this user may write to/,
  )
})

test('production with everything elsewhere writes nothing to its data folder', async () => {
  const data = newFolder('unused')
  const service = await run(['serve'], {
    ...{ ENVIRONMENT: 'production', DATA_DIR: data, DATABASE_URL: urlOf(await cloneDatabase()) },
    ...{ SECRET_KEY: key(), VAULT_KEY: key() },
  })
  await untilReady(service)

  expect(readdirSync(data)).toEqual([])
})

test('twice on one database, both answer and both pay', async () => {
  const settings = {
    DATA_DIR: newFolder('twice'),
    DATABASE_URL: urlOf(await cloneDatabase()),
    SECRET_KEY: key(),
    VAULT_KEY: key(),
  }
  const first = await run(['serve'], settings)
  await untilReady(first)
  const second = await run(['serve'], settings)
  await untilReady(second)
  const privateKey = readFileSync(join(settings.DATA_DIR, 'admin-key.pem'), 'utf8')
  const payment_method = {
    method: 'card',
    number: '4111111111111111',
    expiration_date: '12/40',
    security_code: '123',
  } as const

  const payments = await Promise.all(
    [first, second, first, second].map(({ url }) =>
      createClient({ url, privateKey }).transactions.create({
        amount: 1299,
        currency: 'USD',
        country: 'US',
        payment_method,
      }),
    ),
  )

  expect(new Set(payments.map(({ status }) => status))).toEqual(new Set(['authorization_succeeded']))
  expect(new Set(payments.map(({ id }) => id)).size).toBe(4)
})

test('on a schema that a newer version has migrated, the service goes on with a warning, and migrate has nothing to do', async () => {
  const database = await cloneDatabase()
  const settings = {
    DATA_DIR: newFolder('newer'),
    DATABASE_URL: urlOf(database),
    SECRET_KEY: key(),
    VAULT_KEY: key(),
  }
  await query(database, `insert into schema_migrations (version, checksum) values ('9999_future', 'x')`)
  const before = await appliedIn(database)

  const migrate = await run(['migrate'], settings)
  const service = await run(['serve'], settings)
  await untilReady(service)

  expect(await migrate.exited, migrate.output()).toBe(0)
  expect(migrate.output()).toContain('a newer version has migrated this database')
  expect(service.output()).toContain('a newer version has migrated this database')
  expect(await appliedIn(database)).toEqual(before)
})
