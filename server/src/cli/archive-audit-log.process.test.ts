import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addLinks } from '#testing/audit-links.ts'
import { killWhileWaiting, switchyard } from '#testing/command-line.ts'
import { urlOf } from '#testing/database-url.ts'
import { guardedFolder } from '#testing/guard.ts'
import { cloneDatabase } from '#testing/harness.ts'
import { removeFolder, startHere } from '#testing/service-process.ts'

const LINKS = 130
const dataDir = guardedFolder()
const folder = join(dataDir, 'archive')
let env: Record<string, string>
let client: pg.Client
let before: string

/** A log of a year ago, as a real installation makes it: the clock of the sandbox is moved. */
beforeAll(async () => {
  const connection = (await cloneDatabase()) as pg.ClientConfig
  env = { DATA_DIR: dataDir, DATABASE_URL: urlOf(connection) }
  client = new pg.Client(connection)
  await client.connect()
  const service = await startHere(dataDir, env)
  await service.end('SIGTERM')
  await addLinks(env, LINKS)
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

async function states(): Promise<string[]> {
  const { rows } = await client.query('select state from audit_archives order by id')
  return rows.map(({ state }) => state)
}

async function firstLink(): Promise<number> {
  const { rows } = await client.query('select min(position) as first from audit_seals')
  return Number(rows[0].first)
}

test('refuses what is no month of the past', async () => {
  const wrong = await run('archive', 'audit-log', '--before', 'January')
  const future = await run('archive', 'audit-log', '--before', '2999-01')

  expect([wrong.code, future.code]).toEqual([2, 2])
  expect(wrong.stderr).toContain('--before must be a month, such as 2026-01.')
})

test('a dry run counts and moves nothing, also where a process has one connection', async () => {
  const args = ['archive', 'audit-log', '--before', before, '--dry-run']
  const { code, stdout, stderr } = await switchyard(args, { ...env, DATABASE_POOL_SIZE: '1' })

  expect(code, stderr).toBe(0)
  expect(stdout).toMatch(/^\d{4}-\d\d +\d+ +\d\d +0 +0[.]00 MB$/m)
  expect(stderr).toContain('Nothing was moved.')
  expect(await firstLink()).toBe(1)
})

describe('a command that is killed', () => {
  beforeEach(() => client.query('delete from audit_archives'))

  test.each([
    ['before it records its file', 'lock table audit_archives in access exclusive mode', []],
    ['before it removes the links', 'select from audit_seals for update', ['writing']],
    [
      'after it has removed them, before it commits',
      'lock table audit_waiting in exclusive mode',
      ['writing'],
    ],
  ])('%s leaves every link, and can be repeated', async (_when, lock, left) => {
    await killWhileWaiting(env, lock, ['archive', 'audit-log', '--before', before])
    expect(await firstLink()).toBe(1)
    expect(await states()).toEqual(left)
    expect((await run('verify')).code).toBe(0)

    const again = await run('archive', 'audit-log', '--before', before)

    expect(again.code, again.stderr).toBe(0)
    expect(await firstLink()).toBeGreaterThan(1)
    expect(await states()).toEqual([...left.map(() => 'abandoned'), 'archived'])
    expect(files().length).toBe(1)
    const checked = await run('verify')
    expect(checked.code, checked.stderr).toBe(0)
    expect(checked.stderr).toContain('The beginning of the audit log is in 1 files, which were checked, too.')

    const restored = await run('archive', 'restore', 'audit-log')
    expect(restored.code, restored.stderr).toBe(0)
    expect(await firstLink()).toBe(1)
    for (const name of files()) rmSync(join(folder, name))
  })

  test('before it commits what it brings back leaves it in the file, and can be repeated', async () => {
    await run('archive', 'audit-log', '--before', before)
    const first = await firstLink()
    await killWhileWaiting(env, 'lock table audit_waiting in exclusive mode', [
      'archive',
      'restore',
      'audit-log',
    ])
    expect([await firstLink(), await states()]).toEqual([first, ['archived']])
    expect((await run('verify')).code).toBe(0)

    const again = await run('archive', 'restore', 'audit-log')

    expect(again.code, again.stderr).toBe(0)
    expect(await firstLink()).toBe(1)
    expect((await run('verify')).code).toBe(0)
    for (const name of files()) rmSync(join(folder, name))
  })
})

test('what is archived is listed and checked, and the check says what it could not read', async () => {
  await client.query('delete from audit_archives')
  await run('archive', 'audit-log', '--before', before)

  const sound = await run('archive', 'list', '--check')
  for (const name of files()) rmSync(join(folder, name))
  const broken = await run('archive', 'list', '--check')
  const unread = await run('verify')
  const missing = await run('archive', 'restore', 'audit-log')

  expect(sound.code, sound.stderr).toBe(0)
  expect(sound.stdout).toMatch(/^MONTH +ENTRIES +FILES +SIZE\n\d{4}-\d\d +\d+ +1 +0[.]\d\d MB$/m)
  expect(broken).toMatchObject({ code: 1, stderr: expect.stringContaining('1 of 1 files cannot be used.') })
  expect(unread.code, unread.stderr).toBe(0)
  expect(unread.stderr).toContain('What was read of the audit log is consistent')
  expect(unread.stderr).toMatch(/1 files with links up to \d+ are not in this folder, and were not checked/)
  expect(missing).toMatchObject({ code: 1, stderr: expect.stringContaining('is not in this folder.') })
})
