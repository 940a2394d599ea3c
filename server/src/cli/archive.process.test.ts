import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { killWhileWaiting, switchyard } from '#testing/command-line.ts'
import { urlOf } from '#testing/database-url.ts'
import { guardedFolder } from '#testing/guard.ts'
import { cloneDatabase } from '#testing/harness.ts'
import { removeFolder, startHere, tokenOf } from '#testing/service-process.ts'
import { CARD } from '#testing/till.ts'

const dataDir = guardedFolder()
const folder = join(dataDir, 'archive')
let env: Record<string, string>
let client: pg.Client
let ids: string[]
/** A month that the payments are all before. */
let before: string

/** Payments of a year ago, as a real installation makes them: the clock of the sandbox is moved. */
beforeAll(async () => {
  const connection = (await cloneDatabase()) as pg.ClientConfig
  env = { DATA_DIR: dataDir, DATABASE_URL: urlOf(connection) }
  client = new pg.Client(connection)
  await client.connect()
  const service = await startHere(dataDir, env)
  const token = await tokenOf(dataDir)
  ids = []
  for (const amount of [100, 200, 300]) {
    const response = await fetch(`${service.url}/transactions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ amount, currency: 'USD', intent: 'capture', payment_method: CARD }),
    })
    ids.push(((await response.json()) as { id: string }).id)
  }
  await service.end('SIGTERM')
  const advanced = await run('sandbox', 'advance', 'P250D')
  expect(advanced.code, advanced.stderr).toBe(0)
  before = advanced.stdout.slice(0, 7)
}, 120_000)
afterAll(async () => {
  await client.end()
  removeFolder(dataDir)
})

const run = (...args: string[]) => switchyard(args, env)
const files = () => readdirSync(folder).filter((name) => name.endsWith('.gz'))
const unfinished = () => readdirSync(folder).filter((name) => name.endsWith('.part'))

async function payments(): Promise<string[]> {
  const { rows } = await client.query('select id from transactions order by id')
  return rows.map(({ id }) => id)
}

async function states(): Promise<string[]> {
  const { rows } = await client.query('select state from archives order by id')
  return rows.map(({ state }) => state)
}

test('refuses what is no month of the past', async () => {
  const [none, wrong, future] = [
    await run('archive'),
    await run('archive', '--before', 'January'),
    await run('archive', '--before', '2999-01'),
  ]

  expect([none.code, wrong.code, future.code]).toEqual([2, 2, 2])
  expect(wrong.stderr).toContain('--before must be a month, such as 2026-01.')
  expect(future.stderr).toContain('--before 2999-01 has not begun.')
})

test('a dry run counts and moves nothing', async () => {
  const { code, stdout, stderr } = await run('archive', '--before', before, '--dry-run')

  expect(code, stderr).toBe(0)
  expect(stdout).toMatch(/^\d{4}-\d\d {2}3 +0 +0[.]00 MB {2}0$/m)
  expect(stderr).toContain('Nothing was moved.')
  expect(await payments()).toEqual(ids)
})

describe('a command that is killed', () => {
  beforeEach(async () => {
    await client.query('delete from archived_payments; delete from archives')
  })

  test.each([
    ['before it records its file', 'lock table archives in access exclusive mode', []],
    ['before it removes the payments', 'select from transactions for update', ['writing']],
    ['after it has removed them, before it commits', 'lock table audit_logs in exclusive mode', ['writing']],
  ])('%s leaves every payment, and can be repeated', async (_when, lock, left) => {
    await killWhileWaiting(env, lock, ['archive', '--before', before])
    expect(await payments()).toEqual(ids)
    expect(await states()).toEqual(left)

    const again = await run('archive', '--before', before)

    expect(again.code, again.stderr).toBe(0)
    expect(await payments()).toEqual([])
    expect(await states()).toEqual([...left.map(() => 'abandoned'), 'archived'])
    expect([files().length, unfinished().length]).toEqual([1, 0])

    const restored = await run('archive', 'restore', ids[0] ?? '')
    expect(restored.code, restored.stderr).toBe(0)
    expect(await payments()).toEqual(ids)
    for (const name of files()) rmSync(join(folder, name))
  })

  test('before it commits what it brings back leaves it archived, and can be repeated', async () => {
    await run('archive', '--before', before)
    await killWhileWaiting(env, 'lock table audit_logs in exclusive mode', [
      'archive',
      'restore',
      ids[0] ?? '',
    ])
    expect(await payments()).toEqual([])
    expect(await states()).toEqual(['archived'])

    const again = await run('archive', 'restore', ids[0] ?? '')

    expect(again.code, again.stderr).toBe(0)
    expect(await payments()).toEqual(ids)
    for (const name of files()) rmSync(join(folder, name))
  })
})

test('what is archived is listed and checked, and two commands do not meet', async () => {
  await client.query('delete from archived_payments; delete from archives')
  await client.query('select pg_advisory_lock(4121640164)')
  const second = await run('archive', '--before', before)
  await client.query('select pg_advisory_unlock(4121640164)')
  await run('archive', '--before', before)

  const sound = await run('archive', 'list', '--check')
  for (const name of files()) rmSync(join(folder, name))
  const broken = await run('archive', 'list', '--check')
  const month = sound.stdout.split('\n')[1]?.slice(0, 7) ?? ''
  const missing = await run('archive', 'restore', month)
  const [unknown, wrong] = [
    await run('archive', 'restore', '2001-01'),
    await run('archive', 'restore', 'all'),
  ]

  expect(second).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Another "switchyard archive" is running'),
  })
  expect(sound.code, sound.stderr).toBe(0)
  expect(sound.stdout).toMatch(/^\d{4}-\d\d {2}3 +1 +0[.]\d\d MB$/m)
  expect(sound.stderr).toContain('All 1 files are there, and are what was written.')
  expect(broken).toMatchObject({ code: 1, stderr: expect.stringContaining('1 of 1 files cannot be used.') })
  expect(missing).toMatchObject({ code: 1, stderr: expect.stringContaining('is not in this folder.') })
  expect(unknown.stderr).toContain('Nothing of 2001-01 is archived.')
  expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('Name a month, such as 2026-01') })
})

test('the audit log is still whole, and has an entry for each file', async () => {
  const { code, stderr } = await run('verify')
  const { rows } = await client.query(
    "select distinct action from audit_logs where resource_type = 'archive' order by 1",
  )

  expect(code, stderr).toBe(0)
  expect(rows.map(({ action }) => action)).toEqual(['created', 'updated'])
})
