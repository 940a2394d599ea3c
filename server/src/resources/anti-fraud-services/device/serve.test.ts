import { hash } from 'node:crypto'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { AntiFraudConnector, DeviceScript } from '#connectors/contract/anti-fraud.ts'
import { STAND_IN_ACCOUNT } from '#sandbox/stand-ins/sift/stand-in.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { programFor } from './watch-device.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
  await service.send('POST /merchant-accounts', { id: 'quiet', display_name: 'Quiet' })
  for (const [key, silent] of [
    ['deciding1', false],
    ['listening2', true],
  ] as const) {
    const fields = { ...STAND_IN_ACCOUNT, beacon_key: key }
    const made = await service.send('POST /anti-fraud-services', {
      display_name: key,
      anti_fraud_service_definition_id: 'sift-anti-fraud',
      fields: Object.entries(fields).map(([key, value]) => ({ key, value })),
      silent,
    })
    expect(made.statusCode, made.body).toBe(201)
  }
})
afterAll(() => service.close())

const get = (url: string) => service.app.inject({ method: 'GET', url })

/** A browser, as far as the script needs one. */
function openWindow({ kept = {} as Record<string, string>, isBlocked = false } = {}) {
  const added: Record<string, unknown>[] = []
  const store = () => {
    if (isBlocked) throw new Error('storage is blocked')
    return kept
  }
  const window: Record<string, unknown> = {
    crypto,
    sessionStorage: {
      getItem: (key: string) => store()[key] ?? null,
      setItem: (key: string, value: string) => void Object.assign(store(), { [key]: value }),
    },
    document: {
      createElement: () => {
        const script: Record<string, unknown> = {}
        script['setAttribute'] = (name: string, value: string) =>
          void Object.assign(script, { [name]: value })
        return script
      },
      documentElement: { append: (script: Record<string, unknown>) => void added.push(script) },
    },
  }
  const run = (program: string) => runInNewContext(program, { window, Uint8Array })
  const value = () => (window['switchyardAntiFraud'] as { f: string }).f
  return { window, added, run, value, kept }
}

const SCRIPT: DeviceScript = {
  url: 'https://cdn.example.com/b.js?s={fingerprint}',
  attributes: { id: 'beacon', 'data-session': '{fingerprint}' },
  queue: { name: '_q', calls: [['start', '{fingerprint}']] },
  origins: ['https://*.example.com'],
}

test('loads the scripts of all services that are asked, with one value, and shows it to the page', async () => {
  const answer = await get('/f.js')
  const { window, added, run, value } = openWindow()

  run(answer.body)

  expect(answer.headers).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'public, max-age=60',
    'cross-origin-resource-policy': 'cross-origin',
  })
  expect(value()).toMatch(/^[0-9a-f]{32}$/)
  expect(window['gr4vyAntiFraud']).toEqual({ f: value() })
  expect(added.map(({ src, async }) => [src, async])).toEqual([
    ['https://cdn.sift.com/s.js', true],
    ['https://cdn.sift.com/s.js', true],
  ])
  const calls = (key: string) => [
    ['_setAccount', key],
    ['_setUserId', ''],
    ['_setSessionId', value()],
    ['_trackPageview'],
  ]
  expect(window['_sift']).toEqual([...calls('deciding1'), ...calls('listening2')])
  // It is public.
  for (const secret of [
    STAND_IN_ACCOUNT.api_key,
    STAND_IN_ACCOUNT.webhook_secret,
    STAND_IN_ACCOUNT.account_id,
  ])
    expect(answer.body).not.toContain(secret)
})

test('puts the value into addresses, attributes and calls, and keeps it for the visit', () => {
  const first = openWindow()
  first.run(programFor([SCRIPT], null))
  first.run(programFor([SCRIPT], null))
  const second = openWindow({ kept: first.kept })
  second.run(programFor([], null))

  const f = first.value()
  // Once, also if a page names the script twice.
  expect(first.added).toMatchObject([
    { src: `https://cdn.example.com/b.js?s=${f}`, id: 'beacon', 'data-session': f },
  ])
  expect(first.window['_q']).toEqual([['start', f]])
  expect(second.value()).toBe(f)
})

test('works where the browser blocks storage', () => {
  const { run, value } = openWindow({ isBlocked: true })
  run(programFor([], null))
  expect(value()).toMatch(/^[0-9a-f]{32}$/)
})

test('needs no browser younger than those that buyers may have', () => {
  expect(programFor([SCRIPT], null)).not.toMatch(/replaceAll|\.at\(|structuredClone|\(\?<|import\(|export /)
})

test('an account without services gets a value, and no script of others', async () => {
  const { added, run, value } = openWindow()
  run((await get('/f.js?merchant_account_id=quiet')).body)
  expect(added).toEqual([])
  expect(value()).toMatch(/^[0-9a-f]{32}$/)
})

test.each([
  ['/f.js?merchant_account_id=nobody', 404, null],
  ['/f.js?account=quiet', 400, '/account'],
  ['/f.js?merchant_account_id=a&merchant_account_id=b', 400, '/merchant_account_id'],
  ['/f.html', 400, '/fingerprint'],
  ['/f.html?fingerprint=%3Cscript%3E', 400, '/fingerprint'],
])('%s is answered with %i', async (url, status, pointer) => {
  const answer = await get(url)
  expect(answer.statusCode, answer.body).toBe(status)
  if (pointer) expect(answer.json().details).toMatchObject([{ pointer }])
})

test('the frame of our own pages has no origin, and lets nothing in but these scripts', async () => {
  const answer = await get('/f.html?fingerprint=0123456789abcdef')
  const policy = String(answer.headers['content-security-policy'])
  const [, program = ''] = /<script>(.*)<\/script>/s.exec(answer.body) ?? []
  const { window, run, value } = openWindow()
  run(program)

  expect(value()).toBe('0123456789abcdef')
  expect(window['_sift']).toHaveLength(8)
  expect(policy.split('; ')).toEqual([
    "default-src 'none'",
    `script-src 'sha384-${hash('sha384', program, 'base64')}' https://cdn.sift.com https://hexagon-analytics.com https://*.sift.com`,
    'connect-src https://cdn.sift.com https://hexagon-analytics.com https://*.sift.com',
    'img-src https://cdn.sift.com https://hexagon-analytics.com https://*.sift.com',
    "base-uri 'none'",
    "form-action 'none'",
    'frame-ancestors *',
    'sandbox allow-scripts',
  ])
})

test.each<[string, Partial<DeviceScript>]>([
  ['a script of another kind', { url: 'data:text/javascript,alert(1)' }],
  ['an origin that would change the policy', { origins: ["https://a.example; script-src 'unsafe-inline'"] }],
  ['an address that cannot be read', { url: 'cdn' }],
])('%s, of a package, is left out', async (_name, over) => {
  const sift = service.engine.providers.antiFraud.find('sift-anti-fraud')
  const spy = sift && vi.spyOn(sift as Required<AntiFraudConnector>, 'deviceScript')
  spy?.mockReturnValue({ ...SCRIPT, ...over })
  const { added, run } = openWindow()

  run((await get('/f.js')).body)
  spy?.mockRestore()

  expect(added).toEqual([])
})

test('a service that is no longer asked has no script', async () => {
  const { items } = (await service.send('GET /anti-fraud-services')).json()
  for (const { id } of items) {
    const changed = await service.send(`PUT /anti-fraud-services/${id}`, { active: false, silent: false })
    expect(changed.statusCode, changed.body).toBe(200)
  }
  const { added, run } = openWindow()
  run((await get('/f.js')).body)
  expect(added).toEqual([])
})
