import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { EventName } from '#domain/event-names.ts'
import { switchyard } from '#testing/command-line.ts'
import { urlOf } from '#testing/database-url.ts'
import { cloneDatabase, startTestService } from '#testing/harness.ts'
import { TRIGGERS } from './trigger.ts'

// Without a running service: the command is the worker.
const dataDir = mkdtempSync(join(tmpdir(), 'switchyard-sandbox-'))
let databaseUrl: string
beforeAll(async () => {
  databaseUrl = urlOf(await cloneDatabase())
})
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

const run = (...args: string[]) => switchyard(args, { DATA_DIR: dataDir, DATABASE_URL: databaseUrl })

test('shows the clock, moves it, and does not move it back', async () => {
  const before = await run('sandbox', 'clock')
  const moved = await run('sandbox', 'advance', 'P3D')
  const after = await run('sandbox', 'clock')
  const back = await run('sandbox', 'advance', '2020-01-01T00:00:00Z')
  const doctor = await run('doctor')

  expect(before.stdout).toMatch(/^20.*Z, real time\n$/)
  expect(moved, moved.stderr).toMatchObject({ code: 0 })
  const passedMs = Date.parse(moved.stdout.trim()) - Date.parse(before.stdout.slice(0, 24))
  expect(passedMs).toBeGreaterThanOrEqual(3 * 86_400_000)
  expect(after.stdout).toContain(', 3 d 0 h ahead of real time')
  expect(back.code).toBe(2)
  expect(back.stderr).toContain('the clock only goes forward')
  expect(doctor.stdout).toMatch(/note +sandbox clock +72 hours ahead of real time/)
}, 240_000)

test.each(['soon', 'P3Y', 'P0D', '-P1D'])('refuses to move it by "%s"', async (where) => {
  const refused = await run('sandbox', 'advance', where)

  expect(refused).toMatchObject({ code: 2, stdout: '' })
})

test('fills the sandbox with payments that go on for days', async () => {
  const filled = await run('sandbox', 'fill', '--days', '2', '--payments', '15', '--seed', '3')
  const after = await run('sandbox', 'clock')

  expect(filled, filled.stderr).toMatchObject({ code: 0, stdout: '' })
  expect(filled.stderr).toMatch(/Made 15 payments in 2 days, \d+ of them approved, with \d+ captures/)
  expect(after.stdout).toMatch(/^20..-..-..T00:00:.* ahead of real time\n$/)
}, 240_000)

test.each([
  [['--days', '0'], '--days must be a whole number from 1 to 730'],
  [['--payments', 'many'], '--payments must be a whole number from 1 to 100000'],
  [['--merchant-account', 'no-such-shop'], 'There is no merchant account "no-such-shop".'],
])('refuses to fill it with %j', async (options, message) => {
  const refused = await run('sandbox', 'fill', ...options)

  expect(refused).toMatchObject({ code: 2, stdout: '' })
  expect(refused.stderr).toContain(message)
})

test('is not for production', async () => {
  const env = { DATA_DIR: dataDir, ENVIRONMENT: 'production', DATABASE_URL: 'postgresql://localhost/none' }

  const refused = await switchyard(['sandbox', 'clock'], env)

  expect(refused.code).not.toBe(0)
})

test('triggers an event, and names those that it can trigger', async () => {
  const triggered = await run('trigger', 'refund.succeeded')
  const unknown = await run('trigger', 'transaction.settled')
  const lost = await run('trigger', 'buyer.created', '--merchant-account', 'no-such-shop')
  const production = await switchyard(['trigger', 'buyer.created'], {
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
    ENVIRONMENT: 'production',
    SECRET_KEY: randomBytes(32).toString('base64'),
    VAULT_KEY: randomBytes(32).toString('base64'),
  })

  expect(triggered.code, triggered.stderr).toBe(0)
  expect(JSON.parse(triggered.stdout)).toMatchObject({ name: 'refund.succeeded', target: { type: 'refund' } })
  expect(unknown).toMatchObject({ code: 2, stdout: '' })
  expect(unknown.stderr).toMatch(
    /^"transaction.settled" cannot be triggered[.] There are\n(?:.*\n)*.*refund[.]succeeded/,
  )
  expect(lost.stderr).toContain('There is no merchant account "no-such-shop".')
  expect(production.stderr).toContain('This command is for sandboxes')
})

test('every scenario makes the event that it is for', async () => {
  const service = await startTestService()
  const told = async () => {
    const rows = await service.context.db.selectFrom('events').select(['id', 'name']).execute()
    return new Map(rows.map(({ id, name }) => [id, name]))
  }
  const missing: string[] = []
  for (const [name, scenario] of Object.entries(TRIGGERS)) {
    const before = await told()
    await scenario(async (route, body) => {
      const answer = await service.send(route, body)
      expect(answer.statusCode, `${name}: ${route}: ${answer.body}`).toBeLessThan(400)
      return answer.body === '' ? undefined : answer.json()
    })
    const after = [...(await told())].filter(([id]) => !before.has(id))
    if (!after.some(([, event]) => event === (name as EventName))) missing.push(name)
  }
  await service.close()

  expect(missing).toEqual([])
})

test('is reset only when that is wanted, and when no service uses it any longer', async () => {
  await run('keys', 'create', '--display-name', 'Will be gone', '--role', 'administrator')
  const unasked = await run('reset')
  const user = new pg.Client({ connectionString: databaseUrl, application_name: 'switchyard 1' })
  await user.connect()
  const used = await run('reset', '--yes')
  const kept = await run('keys', 'list')
  const [reset] = await Promise.all([run('reset', '--yes'), sleep(1_500).then(() => user.end())])
  const after = await run('keys', 'list')
  const doctor = await run('doctor', '--json')

  expect(unasked).toMatchObject({ code: 2, stderr: expect.stringContaining('Nothing was deleted.') })
  expect(used).toMatchObject({ code: 1, stderr: expect.stringContaining('Stop it first.') })
  expect(kept.stdout).toContain('Will be gone')
  expect(reset.code, reset.stderr).toBe(0)
  expect(after.stdout).not.toContain('Will be gone')
  expect(after.stdout).toContain('Administrator')
  const { checks } = JSON.parse(doctor.stdout)
  const named = (name: string) => checks.find((check: { name: string }) => check.name === name)
  expect([named('instance').status, named('vault').status, named('admin key').status]).toEqual([
    'ok',
    'ok',
    'ok',
  ])
})

test('a database that says that it is production is not reset', async () => {
  const user = new pg.Client({ connectionString: databaseUrl })
  await user.connect()
  await user.query("update instance set environment = 'production'")

  const refused = await run('reset', '--yes')

  await user.query("update instance set environment = 'sandbox'")
  await user.end()
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('production installation') })
})
