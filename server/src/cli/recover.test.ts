import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { switchyard } from '#testing/command-line.ts'
import { urlOf } from '#testing/database-url.ts'
import { cloneDatabase } from '#testing/harness.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'switchyard-recover-'))
let env: Record<string, string>
beforeAll(async () => {
  env = { DATA_DIR: dataDir, DATABASE_URL: urlOf(await cloneDatabase()) }
})
afterAll(() => rmSync(dataDir, { recursive: true }))

const MINUTE_MS = 60_000
const at = (ms: number) => new Date(Date.now() + ms).toISOString()

test.each([
  ['no time', [], /--since TIME is missing/],
  ['a time without a zone', ['--since', '2026-11-17T10:00:00'], /a time with its zone, such as/],
  ['a day', ['--since', '2026-11-17'], /a time with its zone, such as/],
  ['no such day', ['--since', '2026-13-45T10:00:00Z'], /a time with its zone, such as/],
  ['the future', ['--since', at(MINUTE_MS)], /--since is in the future/],
  ['an end in the future', ['--since', at(-MINUTE_MS), '--until', at(MINUTE_MS)], /--until is in the future/],
  [
    'an end before the beginning',
    ['--since', at(-MINUTE_MS), '--until', at(-2 * MINUTE_MS)],
    /must be before/,
  ],
  ['a long time', ['--since', at(-31 * 24 * 60 * MINUTE_MS)], /more than 30 days.* one part after the other/],
  ['an unknown service', ['--since', at(-MINUTE_MS), '--service', 'x'], /There is no payment service x/],
])('refuses %s, and says what to do', async (_name, args, message) => {
  const { code, stderr, stdout } = await switchyard(['recover', ...args], env)

  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toMatch(message)
})

test('finds nothing where nothing is missing, for people and for programs', async () => {
  const told = await switchyard(['recover', '--since', at(-MINUTE_MS)], env)
  const entered = await switchyard(['recover', '--since', at(-MINUTE_MS), '--enter'], env)
  const { stdout } = await switchyard(['recover', '--since', at(-MINUTE_MS), '--json'], env)

  expect([told, entered].map(({ code }) => code)).toEqual([0, 0])
  expect(told.stderr).toContain('Missing: 0 payments, and 0 operations')
  expect(told.stderr).toContain('Payouts are not listed')
  expect(JSON.parse(stdout)).toMatchObject({ known: 0, missing: [], refused: [], different: [] })
})
