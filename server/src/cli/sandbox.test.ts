import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { switchyard } from '#testing/command-line.ts'
import { urlOf } from '#testing/database-url.ts'
import { cloneDatabase } from '#testing/harness.ts'

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
