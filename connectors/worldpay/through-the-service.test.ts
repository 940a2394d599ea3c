import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createStandIn, STAND_IN_ACCOUNT } from '#sandbox/stand-ins/worldpay/stand-in.ts'
import { browse } from '#testing/browse.ts'
import { hasBrowser, launchBrowser } from '#testing/browser.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { openTill, type Till } from '#testing/till.ts'

/** Buyers whom Worldpay authenticates, through the whole service and a real browser, with the stand-in over the network. */

const HOST = '127.0.0.1:3000'
const BACK = 'https://shop.example.com/back'
const standIn = createStandIn({ now: () => new Date() })
let listening: Awaited<ReturnType<typeof standIn.listen>>
let service: TestService
let till: Till
let browser: Browser
let serviceId = ''

beforeAll(async () => {
  listening = await standIn.listen(0)
  service = await startTestService()
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

test('credentials that Worldpay refuses let the payment go on, and the payment says what to do', async () => {
  const change = (password: string) =>
    service.send(`PUT /three-ds-services/${serviceId}`, { fields: entries({ password }) })
  await change('wrong')

  const payment = await pay('4111111111102011')
  await change(STAND_IN_ACCOUNT.password)

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
