import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { systemClock } from '#platform/process/clock.ts'
import { STAND_INS } from '#sandbox/stand-ins/stand-ins.ts'
import { switchyard } from '#testing/command-line.ts'

const folder = mkdtempSync(join(tmpdir(), 'switchyard-check-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const check = (args: readonly string[], env: Record<string, string> = {}) =>
  switchyard(['connector', 'check', ...args], env)

function fileWith(content: unknown): string {
  const path = join(mkdtempSync(join(folder, 'fields-')), 'fields.json')
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

async function standInFor(provider: string) {
  const start = STAND_INS[provider]
  if (!start) throw new Error(`there is no stand-in for ${provider}`)
  const { origin, fields, close } = await start(0, systemClock)
  const { stand_in_url: _, ...credentials } = fields
  return { origin, credentials, close }
}

/** How many lines begin with a status. */
function count(text: string, status: string): number {
  return text.split('\n').filter((line) => line.startsWith(`${status} `)).length
}

test.each(['adyen', 'stripe', 'paypal', 'checkout', 'worldpay', 'cybersource'])(
  'cards of %s are checked at its stand-in, and the exchanges are recorded without secrets',
  async (provider) => {
    const { origin, credentials, close } = await standInFor(provider)
    const record = join(folder, provider)
    const path = fileWith(credentials)

    const done = await check([`${provider}-card`, '--fields', path, '--stand-in', origin, '--record', record])
    await close()

    expect({ ...done, stdout: '' }, done.stdout).toEqual({ code: 0, stdout: '', stderr: '' })
    expect(count(done.stdout, 'failed')).toBe(0)
    for (const name of [
      'credentials',
      'wrong credentials',
      'authorize',
      'capture: answer lost',
      'refund: in parts',
    ]) {
      expect(done.stdout).toMatch(new RegExp(`^ok +${name}  `, 'm'))
    }
    expect(done.stdout).toMatch(/^skipped +notifications {2}/m)
    const files = readdirSync(record)
    expect(files.length).toBeGreaterThan(30)
    const text = files.map((name) => readFileSync(join(record, name), 'utf8')).join('') + done.stdout
    expect(text).toContain('"status_code": 200')
    expect(
      Object.values(credentials).filter((secret) => secret.length > 12 && text.includes(secret)),
    ).toEqual([])
    expect(text).not.toMatch(/4242424242424242|4111111145551142|4868719196829038/)
  },
)

test.each(['mollie-ideal', 'gocardless-bacs'])(
  '%s is checked as far as it goes without a buyer, and says what is left out',
  async (connector) => {
    const path = join(folder, `${connector}-report.json`)

    const done = await check([connector, '--dry-run', '--report', path])

    expect(done.code, done.stdout).toBe(0)
    expect(done.stdout).toMatch(/^ok +wrong credentials {2}/m)
    expect(done.stdout).toMatch(/^skipped +\S.* {2}\S.*buyer/m)
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ connector, summary: { failed: 0 } })
  },
)

describe('a report', () => {
  test.each(['adyen', 'stripe', 'paypal', 'checkout', 'worldpay', 'cybersource'])(
    'of %s says everything, and shows nothing',
    async (provider) => {
      const path = join(folder, `${provider}-report.json`)
      const { credentials, close } = await standInFor(provider)
      await close()

      const done = await check([`${provider}-card`, '--dry-run', '--report', path])

      expect(done, done.stdout).toMatchObject({
        code: 0,
        stderr: `The report is in ${path}. Read it before you send it.\n`,
      })
      const text = readFileSync(path, 'utf8')
      const report = JSON.parse(text)
      expect(report).toMatchObject({
        connector: `${provider}-card`,
        environment: 'stand-in',
        versions: { switchyard: expect.any(String), contract: '1.0', node: process.version },
        started_at: expect.stringMatching(/^20.*Z$/),
        duration_ms: expect.any(Number),
        summary: { failed: 0 },
      })
      const lines = report.checks.map((one: Record<string, string>) => `${one['status']} ${one['name']}`)
      const printed = done.stdout.split('\n').filter((line) => /^(ok|skipped|failed) /.test(line))
      expect(lines).toEqual(printed.map((line) => line.replace(/^(\S+) +(.*?) {2}.*$/, '$1 $2')))
      expect(
        report.checks.flatMap(({ exchanges }: { exchanges: object[] }) => exchanges).length,
      ).toBeGreaterThan(30)
      const entered = Object.values(credentials)
      expect(entered.filter((value) => value.length >= 6 && text.includes(value))).toEqual([])
      expect(text).not.toMatch(
        /4242424242424242|4544249167673670|4111111145551142|4868719196829038|4111111111111111/,
      )
      expect(text).not.toMatch(/Jane|DECLINED"|shop\.example\.com/)
    },
  )

  test('is written, too, when the keys are wrong or nobody answers', async () => {
    const path = join(folder, 'wrong-report.json')
    const env = { CHECK_SECRET_KEY: 'sk_test_of_somebody_else' }

    const done = await check(['stripe-card', '--stand-in', 'http://127.0.0.1:9', '--report', path], env)

    expect(done.code).toBe(1)
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({
      summary: { ok: 0, failed: 1 },
      checks: [
        { name: 'credentials', status: 'failed', remedy: expect.stringContaining('Check the network') },
      ],
    })
    expect(readFileSync(path, 'utf8')).not.toContain('somebody_else')
  })

  test.each([
    ['that is there', () => fileWith('{}'), 'it is there already'],
    ['in no folder', () => join(folder, 'nowhere', 'report.json'), 'its folder does not exist'],
    ['below a file', () => join(fileWith('{}'), 'report.json'), 'its folder is a file'],
  ])('in a file %s is refused before anything is sent', async (_what, pathOf, why) => {
    const path = pathOf()
    const done = await check(['stripe-card', '--dry-run', '--report', path])

    expect(done).toEqual({
      code: 1,
      stdout: '',
      stderr: `${path} cannot be written: ${why}. Nothing was sent. Name another file with --report.\n`,
    })
  })
})

test('fields come from variables, too, and a method whose buyers approve is checked as far as it goes', async () => {
  const { origin, credentials, close } = await standInFor('adyen')
  const env = Object.fromEntries(
    Object.entries(credentials).map(([key, value]) => [`CHECK_${key.toUpperCase()}`, value]),
  )

  const done = await check(['adyen-ideal', '--stand-in', origin], env)
  await close()

  expect(done.code).toBe(0)
  expect(done.stdout).toMatch(/^ok +credentials {2}/m)
  expect(done.stdout).toMatch(/^skipped +payments +a buyer has to approve/m)
})

describe('live credentials are refused, and nothing is sent', () => {
  test.each([
    ['stripe-card', { secret_key: 'sk_live_4eC39HqLyjWDarjtT1zdp7dc' }, 'secret_key is not a key for tests'],
    ['stripe-ideal', { secret_key: 'rk_live_4eC39HqLyjWDarjtT1zdp7dc' }, 'secret_key is not a key for tests'],
    [
      'adyen-card',
      { api_key: 'AQE1hmfuXNWTK0Qc', merchant_account: 'Shop', live_url_prefix: '1797a841fbb37ca7-Shop' },
      'live_url_prefix belongs to a live account',
    ],
  ])('of %s', async (name, fields, reason) => {
    let requests = 0
    const server = createServer((_request, response) => {
      requests += 1
      response.end('{}')
    })
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

    const refused = await check([name, '--fields', fileWith(fields), '--stand-in', origin])
    server.close()

    expect({ code: refused.code, requests }).toEqual({ code: 1, requests: 0 })
    expect(refused.stderr).toContain(`Refused, and nothing was sent: ${reason}`)
    expect(refused.stdout + refused.stderr).not.toMatch(/live_4eC39|AQE1hmfu/)
  })
})

test('wrong credentials end the check, which says what to do and does not show them', async () => {
  const { origin, close } = await standInFor('stripe')
  const path = fileWith({ secret_key: 'sk_test_of_somebody_else' })

  const done = await check(['stripe-card', '--fields', path, '--stand-in', origin])
  await close()

  expect(done).toMatchObject({ code: 1, stderr: '1 check failed.\n' })
  expect(done.stdout).toMatch(/^failed +credentials +Stripe knows no such secret key. Correct them/m)
  expect(done.stdout).toContain('0 checked, 0 skipped, 1 failed')
  expect(done.stdout + done.stderr).not.toContain('somebody_else')
})

test('a provider that only fails is a failure, and not a success', async () => {
  const server = createServer((_request, response) => response.writeHead(502).end('<html>'))
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  const done = await check(['stripe-card', '--stand-in', origin], { CHECK_SECRET_KEY: 'sk_test_1' })
  server.close()

  expect(done.code).toBe(1)
  expect(done.stdout).toMatch(/^failed +credentials .* Check the network/m)
})

describe('a wrong command line', () => {
  const TEST_KEY = { CHECK_SECRET_KEY: 'sk_test_1' }
  const NO_FORM = { CHECK_SECRET_KEY: 'hunter2' }
  test.each([
    { what: 'names no connector', args: ['nowhere-card'], code: 2, text: 'no connector "nowhere-card"' },
    { what: 'names a simulated one', args: ['mock-card'], code: 2, text: 'mock-card is simulated' },
    { what: 'lacks fields', args: ['adyen-card'], code: 1, text: 'api_key is missing' },
    {
      what: 'has a wrong field',
      args: ['stripe-card'],
      env: NO_FORM,
      code: 1,
      text: 'secret_key does not have',
    },
    {
      what: 'names no address',
      args: ['stripe-card', '--stand-in', 'ftp://x'],
      env: TEST_KEY,
      code: 2,
      text: '--stand-in must be an address',
    },
    {
      what: 'names no file',
      args: ['stripe-card', '--fields', '/nowhere.json'],
      code: 1,
      text: '/nowhere.json cannot be read',
    },
    {
      what: 'has fields for a dry run',
      args: ['stripe-card', '--dry-run', '--fields', 'x.json'],
      code: 2,
      text: '--dry-run has fields and a stand-in of its own',
    },
    {
      what: 'names a used folder',
      args: ['stripe-card', '--record', '.'],
      env: TEST_KEY,
      code: 1,
      text: 'not empty',
    },
  ])('that $what is explained', async ({ args, env = {}, code, text }) => {
    const done = await check(args, env)

    expect(done).toMatchObject({ code, stdout: '' })
    expect(done.stderr).toContain(text)
    expect(done.stderr).not.toContain('hunter2')
  })

  test.each([
    ['no JSON', '{"secret_key": sk_test_hidden', 'it is no JSON'],
    ['no object', ['sk_test_hidden'], 'must be a JSON object'],
    ['an unknown field', { secret: 'sk_test_hidden' }, 'stripe-card has no field secret'],
  ])('with a file that has %s is explained, and the file is not shown', async (_what, content, text) => {
    const done = await check(['stripe-card', '--fields', fileWith(content)])

    expect(done.code).toBe(1)
    expect(done.stderr).toContain(text)
    expect(done.stderr).not.toContain('hidden')
  })
})
