import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { readWhole } from '#processing/provider.ts'
import type { Message } from '#sandbox/stand-ins/worldpay/payments.ts'
import { createStandIn, STAND_IN_ACCOUNT } from '#sandbox/stand-ins/worldpay/stand-in.ts'
import { browse } from '#testing/browse.ts'
import { hasBrowser, launchBrowser } from '#testing/browser.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { openTill, type Till } from '#testing/till.ts'
import { FIELDS } from './testing/shop.ts'

/** Buyers whom Worldpay authenticates, through the whole service and a real browser, with the stand-in over the network. */

const HOST = '127.0.0.1:3000'
const BACK = 'https://shop.example.com/back'
const standIn = createStandIn({ now: () => new Date(), send: pass })

/** Messages come in by the address of the service. */
async function pass({ url, headers, body: payload }: Message): Promise<number> {
  const { pathname } = new URL(url)
  const { statusCode } = await service.app.inject({ method: 'POST', url: pathname, headers, payload })
  return statusCode
}

let listening: Awaited<ReturnType<typeof standIn.listen>>
let service: TestService
let till: Till
let browser: Browser
let serviceId = ''

beforeAll(async () => {
  listening = await standIn.listen(0)
  service = await startTestService()
  // The network is asked for real here: a busy machine must not turn an answer into an unknown one.
  Object.assign(service.providers, { timeoutMs: 25_000 })
  till = openTill(service)
  const made = await service.send('POST /three-ds-services', {
    display_name: 'Worldpay',
    three_ds_service_definition_id: 'worldpay-three-ds',
    fields: entries({ ...STAND_IN_ACCOUNT, stand_in_url: listening.origin }),
  })
  expect(made.statusCode, made.body).toBe(201)
  serviceId = made.json().id
  const { host } = new URL(await service.app.listen({ port: 0, host: '127.0.0.1' }))
  if (hasBrowser) browser = await launchBrowser({ [HOST]: host })
})
afterAll(async () => {
  await browser?.close()
  await service.close()
  await listening.close()
})

const entries = (fields: object) => Object.entries(fields).map(([key, value]) => ({ key, value }))

async function pay(number: string) {
  const payment = await till.pay({
    payment_method: {
      method: 'card',
      number,
      expiration_date: '12/40',
      security_code: '123',
      redirect_url: BACK,
    },
    buyer: { billing_details: { first_name: 'Jane', last_name: 'Doe', email_address: 'jane@example.com' } },
  })
  return { ...payment, url: payment.payment_method.approval_url as string }
}

describe.skipIf(!hasBrowser)('a buyer in a browser', () => {
  async function visit(url: string, decision?: 'Approve' | 'Refuse') {
    await browse(browser, {}, async (page) => {
      const left = page.waitForRequest((request) => request.url().startsWith(BACK))
      await page.goto(url, { waitUntil: 'commit' })
      if (decision)
        await page.frameLocator('iframe[name=issuer]').getByText(decision, { exact: true }).click()
      await left
    })
  }

  test.each([
    [
      '4111111111111111',
      undefined,
      'authorization_succeeded',
      { status: 'complete', method: 'frictionless' },
    ],
    ['4111111111102011', 'Approve', 'authorization_succeeded', { status: 'complete', method: 'challenge' }],
    ['4111111111102011', 'Refuse', 'authorization_failed', { status: 'declined', method: 'challenge' }],
    ['4111111111104017', undefined, 'authorization_failed', { status: 'declined', method: 'frictionless' }],
    ['4111111111106012', undefined, 'authorization_succeeded', { status: 'error', response_data: null }],
  ] as const)(
    'with the card %s who is to %s ends as %s',
    async (number, decision, status, three_d_secure) => {
      const { id, url } = await pay(number)

      await visit(url, decision)

      expect(await till.get(id)).toMatchObject({ status, three_d_secure })
    },
  )

  test('lets Worldpay know the device by the session of its frame', async () => {
    const { id, url } = await pay('4111111111111111')

    await visit(url)

    const { body } =
      standIn.asked.findLast(({ body: { transactionReference } }) => transactionReference === id) ?? {}
    expect(body).toMatchObject({
      deviceData: {
        collectionReference: expect.stringMatching(/^0_[\w-]{36}$/),
        userAgentHeader: expect.stringContaining('Mozilla'),
        browserJavascriptEnabled: true,
        browserScreenWidth: expect.any(Number),
        timeZone: expect.stringMatching(/^-?\d+$/),
      },
      challenge: { returnUrl: `${url}/return` },
    })
  })
})

test('what was said to Worldpay is there to read, without card, buyer and keys', async () => {
  const { id, url } = await pay('4111111111102011')
  const path = new URL(url).pathname
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const send = (to: string) =>
    service.app.inject({ method: 'POST', url: to, headers: form, payload: 'told=x' })
  await send(path)
  const [reference = ''] = [...standIn.challenges.keys()].slice(-1)
  standIn.decide(reference, 'approve')
  await send(`${path}/return`)

  const listed = await service.send(`GET /transactions/${id}/exchanges`)
  const asked = listed
    .json()
    .items.filter(({ operation }: { operation: string }) => operation === 'authenticate')
    .toReversed()

  expect(asked).toMatchObject([
    { purpose: 'request', service_type: 'three-ds-service', service_id: serviceId, attempt_id: id },
    { purpose: 'request', response: { status_code: 200, body: { content: { outcome: 'challenged' } } } },
    { purpose: 'completion', response: { body: { content: { outcome: 'authenticated', status: 'Y' } } } },
  ])
  expect(asked[1].request.url).toMatch(/\/verifications\/customers\/3ds\/authentication$/)
  for (const secret of ['4111111111102011', 'Doe', 'jane@', STAND_IN_ACCOUNT.password, reference])
    expect(listed.body).not.toContain(secret)
})

test('credentials that Worldpay no longer takes let the payment go on, and the payment says what to do', async () => {
  // They were right when they were saved.
  const { fetch } = service.providers
  vi.spyOn(service.providers, 'fetch').mockImplementation((url, init) => {
    if (!url.includes('/verifications/')) return fetch(url, init)
    const headers = { ...(init?.headers as Record<string, string>), authorization: 'Basic d3Jvbmc6d3Jvbmc=' }
    return fetch(url, { ...init, headers })
  })
  const payment = await pay('4111111111102011')
  vi.restoreAllMocks()

  expect(payment).toMatchObject({
    status: 'authorization_succeeded',
    three_d_secure: {
      status: 'setup_error',
      error_data: {
        code: '303',
        description: expect.stringContaining('Enter the username and the password'),
      },
    },
  })
})

test('a server that is away lets the payment go on', async () => {
  const change = (stand_in_url: string) =>
    service.send(`PUT /three-ds-services/${serviceId}`, {
      fields: entries({ stand_in_url, password: STAND_IN_ACCOUNT.password }),
    })
  const moved = await change('http://127.0.0.1:9')

  const payment = await pay('4111111111102011')
  await change(listening.origin)

  expect(moved.statusCode, moved.body).toBe(200)
  expect(payment).toMatchObject({
    status: 'authorization_succeeded',
    three_d_secure: { status: 'error', error_data: { code: '405' } },
  })
})

test.each([
  ['password', 'wrong'],
  ['entity', 'other'],
])('a wrong %s is not saved, neither at first nor later', async (key, value) => {
  const before = (await service.send(`GET /three-ds-services/${serviceId}`)).json()
  const fields = entries({ ...STAND_IN_ACCOUNT, stand_in_url: listening.origin, [key]: value })

  const made = await service.send('POST /three-ds-services', {
    display_name: 'Worldpay',
    three_ds_service_definition_id: 'worldpay-three-ds',
    active: false,
    fields,
  })
  const changed = await service.send(`PUT /three-ds-services/${serviceId}`, { fields: [{ key, value }] })

  for (const answer of [made, changed]) {
    expect([answer.statusCode, answer.body]).toEqual([
      400,
      expect.stringContaining('the provider rejects these credentials'),
    ])
  }
  expect((await service.send(`GET /three-ds-services/${serviceId}`)).json()).toEqual(before)
})

test('credentials are saved while Worldpay cannot be asked', async () => {
  const fields = entries({ ...STAND_IN_ACCOUNT, stand_in_url: 'http://127.0.0.1:9' })

  const made = await service.send('POST /three-ds-services', {
    display_name: 'Later',
    three_ds_service_definition_id: 'worldpay-three-ds',
    active: false,
    fields,
  })

  expect(made.statusCode, made.body).toBe(201)
})

describe('cards charged at Worldpay', () => {
  const AT = { account: 'worldpay-shop' }
  const fields = () => entries({ ...FIELDS, stand_in_url: listening.origin } satisfies Record<string, string>)
  let own: { readonly id: string; readonly webhook_url: string }

  beforeAll(async () => {
    await service.send('POST /merchant-accounts', { id: AT.account, display_name: 'Shop' })
    const made = await service.send(
      'POST /payment-services',
      {
        display_name: 'Worldpay',
        payment_service_definition_id: 'worldpay-card',
        fields: fields(),
        accepted_currencies: ['USD'],
        accepted_countries: ['US'],
      },
      AT,
    )
    expect(made.statusCode, made.body).toBe(201)
    own = made.json()
    await control('webhook', { url: own.webhook_url })
  })

  async function control(path: string, body: object = {}) {
    const url = `https://stand-in.invalid/_stand-in/${path}`
    const response = await standIn.fetch(url, { method: 'POST', body: JSON.stringify(body) })
    return (await response.json()) as Record<string, unknown>
  }

  /** Ends what waits at Worldpay, and hears of it. Worldpay sends again what was not taken. */
  async function finish() {
    await control('finish')
    await expect.poll(async () => (await control('deliver'))['waiting']).toBe(0)
  }

  async function ask() {
    service.moveClock(3_600_000)
    await service.resolveDue()
    service.moveClock(-3_600_000)
  }

  test('a sale is captured in parts, the rest is released, and refunds come in parts', async () => {
    const paid = await till.pay({}, AT)
    for (const amount of [300, 200]) {
      await till.act(paid.id, 'capture', { amount, final: false }, AT)
      await finish()
    }
    await till.act(paid.id, 'void', undefined, AT)
    await finish()
    // No message names a release.
    await ask()
    for (const amount of [400, 100]) await till.act(paid.id, 'refunds', { amount }, AT)
    await finish()

    expect(await till.get(paid.id, AT)).toMatchObject({
      status: 'capture_succeeded',
      authorized_amount: 1000,
      captured_amount: 500,
      refunded_amount: 500,
      scheme_transaction_id: 'MCCOLXT1C0104',
    })
  })

  test('a payment whose answer is lost is found, and charged once', async () => {
    const { fetch } = service.providers
    const before = standIn.payments.movements.length
    vi.spyOn(service.providers, 'fetch').mockImplementation(async (url, init) => {
      const response = await fetch(url, init)
      if (!url.includes('InitiatedTransactions')) return response
      await readWhole(response)
      throw new TypeError('fetch failed')
    })
    const lost = await till.pay({}, AT)
    vi.restoreAllMocks()
    await ask()

    expect(lost.status).not.toBe('authorization_succeeded')
    expect(await till.get(lost.id, AT)).toMatchObject({ status: 'authorization_succeeded' })
    expect(standIn.payments.movements.slice(before)).toHaveLength(1)
  })

  test('a refund that comes back is no longer refunded', async () => {
    const sale = await till.pay({ intent: 'capture' }, AT)
    await till.act(sale.id, 'refunds', { amount: 400 }, AT)
    await finish()
    const refunded = await till.get(sale.id, AT)
    const { reference } = standIn.payments.movements.findLast(({ kind }) => kind === 'refund') ?? {}
    await control(`return-refund/${reference}`)
    await finish()

    expect(refunded.refunded_amount).toBe(400)
    expect((await till.get(sale.id, AT)).refunded_amount).toBe(0)
  })

  test('a payout that waits is told or asked for, also after days, and a refused one is declined', async () => {
    const payOut = (first_name: string) => {
      const buyer = { billing_details: { first_name } }
      return till.payOut({ payment_service_id: own.id, buyer }, AT)
    }
    const statusNow = async ({ id }: { id: string }) =>
      (await service.send(`GET /payouts/${id}`, undefined, AT)).json().status
    const done = await payOut('Jane')
    const refused = await payOut('REFUSED51')
    const told = await payOut('PENDING')
    await finish()
    const asked = await payOut('REVIEW')
    await control('webhook', { url: 'https://elsewhere.invalid/' })
    const days = 3 * 24 * 3_600_000
    service.moveClock(days)
    await service.resolveDue()
    const before = await statusNow(asked)
    await control('finish')
    service.moveClock(days)
    await service.resolveDue()
    service.moveClock(-2 * days)
    standIn.payments.waiting.length = 0
    await control('webhook', { url: own.webhook_url })

    expect([done, refused, told, asked].map(({ status }) => status)).toEqual([
      'succeeded',
      'declined',
      'pending',
      'pending',
    ])
    expect([await statusNow(told), before, await statusNow(asked)]).toEqual([
      'succeeded',
      'pending',
      'succeeded',
    ])
    expect(standIn.payments.movements.filter(({ kind }) => kind === 'payout')).toHaveLength(3)
  })

  test('a payout whose answer is lost is found, and paid once', async () => {
    const { fetch } = service.providers
    const before = standIn.payments.movements.length
    vi.spyOn(service.providers, 'fetch').mockImplementation(async (url, init) => {
      const response = await fetch(url, init)
      if (!url.includes('/payouts/fastAccess')) return response
      await readWhole(response)
      throw new TypeError('fetch failed')
    })
    const lost = await till.payOut({ payment_service_id: own.id }, AT)
    vi.restoreAllMocks()
    await ask()
    const found = (await service.send(`GET /payouts/${lost.id}`, undefined, AT)).json()

    expect(lost.status).toBe('pending')
    expect(found).toMatchObject({ status: 'succeeded', payment_service_payout_id: lost.id })
    expect(standIn.payments.movements.slice(before)).toHaveLength(1)
  })

  test('wrong credentials are refused when they are verified', async () => {
    const body = {
      payment_service_definition_id: 'worldpay-card',
      fields: fields().map((one) => (one.key === 'password' ? { ...one, value: 'wrong' } : one)),
    }

    const answer = await service.send('POST /payment-services/verify', body, AT)

    expect([answer.statusCode, answer.body]).toEqual([
      400,
      expect.stringContaining('Worldpay does not accept username and password'),
    ])
  })
})
