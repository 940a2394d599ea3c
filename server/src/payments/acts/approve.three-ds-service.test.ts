import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { disagreements } from '#testing/books.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { answer, authenticated, concluded } from '#testing/test-three-ds-connector.ts'
import { openTill, type Till } from '#testing/till.ts'
import * as transactions from '../store/payments.ts'

const BACK = 'https://shop.example.com/back'
const CARD = {
  method: 'card',
  number: '4111111111111111',
  expiration_date: '12/40',
  security_code: '123',
  redirect_url: BACK,
}
const TOLD = {
  told: '{"SessionId":"0_1"}',
  javascript_enabled: 'true',
  java_enabled: 'false',
  language: 'nl-NL',
  color_depth: '24',
  screen_height: '1080',
  screen_width: '1920',
  time_zone_offset: '-60',
}

let service: TestService
let till: Till
let account = ''
let count = 0
beforeAll(async () => {
  service = await startTestService()
  till = openTill(service)
})
afterAll(async () => {
  expect(await disagreements(service.database.pool)).toEqual([])
  await service.close()
})
beforeEach(() => {
  authenticated.length = 0
  concluded.length = 0
  answer.after = null
})
afterEach(async () => {
  for (const { id } of (await service.send('GET /three-ds-services')).json().items)
    await service.send(`DELETE /three-ds-services/${id}`)
})

/** An account at a 3-D Secure server that answers so. */
async function connect(answers: string, definition = 'test-three-ds') {
  count += 1
  account = `account-${count}`
  const response = await service.send('POST /three-ds-services', {
    display_name: account,
    three_ds_service_definition_id: definition,
    fields: [
      { key: 'account', value: answers },
      { key: 'api_key', value: 'canary-key' },
    ],
  })
  expect(response.statusCode, response.body).toBe(201)
  return response.json()
}
const pay = (body: object = {}) => till.pay({ payment_method: CARD, ...body })
const pathOf = (payment: Awaited<ReturnType<typeof pay>>) =>
  new URL(payment.payment_method.approval_url).pathname
const HEADERS = {
  'user-agent': 'Browser/1.0',
  accept: 'text/html',
  'content-type': 'application/x-www-form-urlencoded',
}
const open = (url: string) => service.app.inject({ method: 'GET', url, headers: HEADERS })
const send = (url: string, sent: Record<string, string>) =>
  service.app.inject({ method: 'POST', url, headers: HEADERS, payload: new URLSearchParams(sent).toString() })

describe('the browser of the buyer', () => {
  test('tells about the device before the issuer is asked, and the card is charged with the proof', async () => {
    await connect('frictionless')

    const payment = await pay()
    const page = await open(pathOf(payment))
    const asked = authenticated.length
    const sent = await send(pathOf(payment), TOLD)
    const paid = await till.get(payment.id)

    expect(payment).toMatchObject({
      status: 'buyer_approval_pending',
      three_d_secure: { status: null, version: null, method: null, amount: payment.amount },
    })
    expect(asked).toBe(0)
    expect(page.statusCode).toBe(200)
    expect(page.body).toContain('action="https://issuer.example.com/device" target="device"')
    expect(page.body).toContain(`value="device-${payment.id}"`)
    expect(page.headers['content-security-policy']).toContain("frame-src 'self' https:")
    expect(sent.statusCode, sent.body).toBe(303)
    expect(sent.headers.location).toContain(`${BACK}?transaction_id=${payment.id}`)
    expect(paid).toMatchObject({
      status: 'authorization_succeeded',
      three_d_secure: { status: 'complete', method: 'frictionless', response_data: { eci: '05' } },
    })
    expect(authenticated).toMatchObject([
      {
        transactionId: payment.id,
        amount: payment.amount,
        scheme: 'visa',
        prepared: { state: `device of ${payment.id}`, told: TOLD.told },
        browser: {
          userAgent: 'Browser/1.0',
          acceptHeader: 'text/html',
          ipAddress: '127.0.0.1',
          javaEnabled: false,
          javascriptEnabled: true,
          colorDepth: 24,
          screenWidth: 1920,
          screenHeight: 1080,
          timeZoneOffset: -60,
          language: 'nl-NL',
        },
      },
    ])
  })

  test('may tell anything: what is no such value is left out', async () => {
    await connect('frictionless')
    const payment = await pay()

    const odd = {
      told: '',
      color_depth: '24; drop',
      screen_width: '999999999',
      language: '<script>',
      java_enabled: 'x',
    }
    await send(pathOf(payment), odd)

    expect(authenticated[0]).toMatchObject({
      prepared: { told: null },
      browser: { colorDepth: null, screenWidth: null, language: null, javaEnabled: null },
    })
  })

  test('is not believed before it has sent the form', async () => {
    await connect('frictionless')
    const payment = await pay()

    const answers = [
      await send(pathOf(payment), { decision: 'approve' }),
      await open(`${pathOf(payment)}/return?answer=yes`),
      await open(pathOf(payment)),
    ]

    expect(answers.map(({ statusCode }) => statusCode)).not.toContain(500)
    expect(authenticated).toEqual([])
    expect((await till.get(payment.id)).status).toBe('buyer_approval_pending')
  })

  test('is not asked by a server that needs nothing of it, which learns what the merchant knows', async () => {
    await connect('frictionless', 'plain-three-ds')
    const browser_info = {
      javascript_enabled: true,
      java_enabled: false,
      language: 'en',
      color_depth: 24,
      screen_height: 1,
      screen_width: 2,
      time_zone_offset: 60,
      user_agent: 'Shop/1',
      user_device: 'desktop',
    }

    const payment = await pay({ browser_info })

    expect(payment).toMatchObject({
      status: 'authorization_succeeded',
      three_d_secure: { method: 'frictionless' },
    })
    expect(authenticated[0]?.browser).toMatchObject({ userAgent: 'Shop/1', screenWidth: 2 })
  })
})

describe('a challenge', () => {
  async function challenged() {
    await connect('challenge')
    const payment = await pay()
    const sent = await send(pathOf(payment), TOLD)
    return { payment, sent, path: pathOf(payment) }
  }

  test('is shown in a frame, and its end charges the card', async () => {
    const { payment, sent, path } = await challenged()
    const waiting = await till.get(payment.id)
    const page = await open(path)

    const returned = await send(`${path}/return`, { answer: 'yes' })

    expect([sent.statusCode, new URL(String(sent.headers.location)).pathname]).toEqual([303, path])
    expect(waiting).toMatchObject({
      status: 'buyer_approval_pending',
      three_d_secure: { version: '2.2.0', method: 'challenge', status: null },
    })
    expect(page.body).toContain('action="https://issuer.example.com/challenge" target="issuer"')
    expect(page.body).toContain(`value="challenge-${payment.id}"`)
    expect(returned.headers.location).toContain('transaction_status=authorization_succeeded')
    expect(await till.get(payment.id)).toMatchObject({
      status: 'authorization_succeeded',
      three_d_secure: {
        status: 'complete',
        method: 'challenge',
        response_data: { cavv: expect.any(String) },
      },
    })
  })

  test('in a frame ends with a word to the page around it', async () => {
    const { path } = await challenged()

    const returned = await service.app.inject({
      method: 'POST',
      url: `${path}/return`,
      headers: { ...HEADERS, 'sec-fetch-dest': 'iframe' },
      payload: 'answer=yes',
    })

    expect(returned.statusCode).toBe(200)
    expect(returned.body).toContain("parent.postMessage('switchyard-approval', location.origin)")
  })

  test.each([
    ['refuses', { answer: 'no' }, 'failed_buyer_approval', 'declined'],
    ['brings nothing', {}, 'failed_buyer_approval', 'declined'],
    ['answers, and the issuer has no proof', { answer: 'unproven' }, 'incomplete_buyer_approval', 'error'],
    ['answers, and the answer is lost', { answer: 'lost' }, 'incomplete_buyer_approval', 'error'],
  ])('whose buyer %s is not charged', async (_what, sent, error_code, status) => {
    const { payment, path } = await challenged()

    await send(`${path}/return`, sent)

    expect(await till.get(payment.id)).toMatchObject({
      status: 'authorization_failed',
      error_code,
      three_d_secure: { status, method: 'challenge' },
    })
  })

  test('cannot be approved by the form of the simulator, nor by telling about the device again', async () => {
    const { payment, path } = await challenged()

    await send(path, { decision: 'approve' })
    await send(path, TOLD)

    expect(authenticated).toHaveLength(1)
    expect((await till.get(payment.id)).status).toBe('buyer_approval_pending')
  })

  test('goes on after its service was replaced by another, and even deleted', async () => {
    const { payment, path } = await challenged()
    const [{ id }] = (await service.send('GET /three-ds-services')).json().items
    await service.send(`DELETE /three-ds-services/${id}`)
    await connect('refuse')

    await send(`${path}/return`, { answer: 'yes' })

    expect((await till.get(payment.id)).status).toBe('authorization_succeeded')
  })

  test('of several answers at once charges once', async () => {
    const { payment, path } = await challenged()

    await Promise.all(Array.from({ length: 5 }, () => send(`${path}/return`, { answer: 'yes' })))

    expect((await till.get(payment.id)).status).toBe('authorization_succeeded')
  })

  test('keeps its forms and states out of the row in the clear', async () => {
    const { payment } = await challenged()

    const kept = JSON.stringify(
      await transactions.find({ ...service.context, merchantAccountId: 'default' }, payment.id),
    )

    expect(kept).toContain('"challenge":{')
    expect(kept).not.toContain('issuer.example.com')
    expect(kept).not.toContain('challenge of')
  })
})

test('an issuer that refuses ends the payment before any provider is asked for money', async () => {
  await connect('refuse')
  const payment = await pay()

  await send(pathOf(payment), TOLD)

  expect(await till.get(payment.id)).toMatchObject({
    status: 'authorization_failed',
    error_code: 'failed_buyer_approval',
    three_d_secure: { status: 'declined', method: 'frictionless', version: '2.2.0' },
  })
})

describe('answers at the same time', () => {
  const five = (url: string, sent: Record<string, string>) =>
    Promise.all(Array.from({ length: 5 }, () => send(url, sent)))

  test('ask the issuer once, so that none is charged because the server refuses to hear it twice', async () => {
    await connect('once')
    const payment = await pay()

    const sent = await five(pathOf(payment), TOLD)

    expect(sent.map(({ statusCode }) => statusCode)).toEqual([303, 303, 303, 303, 303])
    expect(authenticated).toHaveLength(1)
    expect(await till.get(payment.id)).toMatchObject({
      status: 'buyer_approval_pending',
      three_d_secure: { method: 'challenge', error_data: null },
    })
    expect((await open(pathOf(payment))).body).toContain('target="issuer"')
  })

  test('end a challenge once, so that the payment does not fail because the server refuses to hear it twice', async () => {
    await connect('once')
    const payment = await pay()
    await send(pathOf(payment), TOLD)

    await five(`${pathOf(payment)}/return`, { answer: 'yes' })

    expect(concluded).toHaveLength(1)
    expect(await till.get(payment.id)).toMatchObject({
      status: 'authorization_succeeded',
      three_d_secure: { status: 'complete', method: 'challenge' },
    })
  })

  test('see a page that opens again while the issuer is asked, and change nothing', async () => {
    const server = Promise.withResolvers<void>()
    answer.after = server.promise
    await connect('challenge')
    const payment = await pay()
    const first = send(pathOf(payment), TOLD)
    await expect.poll(() => authenticated.length).toBe(1)

    const page = await open(pathOf(payment))
    const others = [
      await send(pathOf(payment), TOLD),
      await send(pathOf(payment), { decision: 'approve' }),
      await send(`${pathOf(payment)}/return`, { answer: 'yes' }),
    ]
    server.resolve()
    await first

    expect(page.statusCode).toBe(200)
    expect(page.body).toContain('location.replace(location.href)')
    expect(page.body).not.toContain('issuer.example.com')
    expect(others.map(({ headers }) => new URL(String(headers.location)).pathname)).toEqual(
      Array(3).fill(pathOf(payment)),
    )
    expect([authenticated.length, concluded.length]).toEqual([1, 0])
    expect((await open(pathOf(payment))).body).toContain('target="issuer"')
  })

  test('are not heard any more if the process that asked is gone: the payment expires unpaid', async () => {
    const server = Promise.withResolvers<void>()
    answer.after = server.promise
    await connect('frictionless')
    const payment = await pay({ approval_expires_at: new Date(Date.now() + 60_000).toISOString() })
    const first = send(pathOf(payment), TOLD)
    await expect.poll(() => authenticated.length).toBe(1)
    await send(pathOf(payment), TOLD)
    const waiting = await till.get(payment.id)
    service.moveClock(60_001)
    await send(pathOf(payment), TOLD)
    server.resolve()
    await first
    service.moveClock(-60_001)

    expect(waiting.status).toBe('buyer_approval_pending')
    expect(authenticated).toHaveLength(1)
    expect(await till.get(payment.id)).toMatchObject({
      status: 'authorization_failed',
      error_code: 'incomplete_buyer_approval',
    })
  })
})

test('several forms at once ask the issuer, and charge once', async () => {
  await connect('frictionless')
  const payment = await pay()

  await Promise.all(Array.from({ length: 4 }, () => send(pathOf(payment), TOLD)))

  expect(authenticated).toHaveLength(1)
  expect((await till.get(payment.id)).status).toBe('authorization_succeeded')
})

test('a soft decline without a proof does not send the buyer to the same page again', async () => {
  await connect('unproven')
  const payment = await pay({ amount: 200_014 })

  await send(pathOf(payment), TOLD)

  expect(await till.get(payment.id)).toMatchObject({
    error_code: 'requires_buyer_authentication',
    three_d_secure: { status: 'complete', response_data: null },
  })
  expect(authenticated).toHaveLength(1)
})

test('a server that refuses the key lets the payment go on, and says what to do', async () => {
  await connect('wrong-key')

  expect(await pay()).toMatchObject({
    status: 'authorization_succeeded',
    three_d_secure: {
      status: 'setup_error',
      error_data: { code: '403', description: 'Enter the key again', component: 'S' },
    },
  })
})

test('a server that is away lets the payment go on once the browser has told', async () => {
  await connect('broken')
  const payment = await pay()

  await send(pathOf(payment), TOLD)

  expect(await till.get(payment.id)).toMatchObject({
    status: 'authorization_succeeded',
    three_d_secure: { status: 'error', error_data: { code: '405' }, response_data: null },
  })
})

test('without a redirect URL a payment is refused before anybody is asked', async () => {
  await connect('frictionless')

  const payment = await pay({ payment_method: { ...CARD, redirect_url: undefined } })

  expect(payment).toMatchObject({ status: 'authorization_failed', error_code: 'missing_redirect_url' })
  expect(authenticated).toEqual([])
})

test('a buyer who does not come is not charged', async () => {
  await connect('frictionless')
  const payment = await pay({ approval_expires_at: new Date(Date.now() + 1).toISOString() })

  const page = await open(pathOf(payment))
  await send(pathOf(payment), TOLD)

  expect(page.body).not.toContain('target="device"')
  expect(authenticated).toEqual([])
  expect(await till.get(payment.id)).toMatchObject({
    status: 'authorization_failed',
    error_code: 'incomplete_buyer_approval',
  })
})

test('a service whose connector is gone says so, and the payment goes on', async () => {
  const { id } = await connect('frictionless')
  await service.context.db
    .updateTable('three_ds_services')
    .set({ three_ds_service_definition_id: 'former-three-ds' })
    .where('id', '=', id)
    .execute()

  expect(await pay()).toMatchObject({
    status: 'authorization_succeeded',
    three_d_secure: {
      status: 'error',
      error_data: { description: expect.stringContaining('former-three-ds is not offered any more') },
    },
  })
})

test('scenarios of the sandbox do not decide for a server', async () => {
  await connect('frictionless', 'plain-three-ds')
  await service.send('POST /three-ds-scenarios', {
    conditions: { amount: 4711 },
    outcome: { authentication: { transaction_status: 'N' } },
  })

  expect((await pay({ amount: 4711 })).status).toBe('authorization_succeeded')
})

const PROFILE = {
  merchant_acquirer_bin: '516327',
  merchant_acquirer_id: '123456789012345',
  merchant_name: 'Of the service',
  merchant_country_code: '528',
  merchant_category_code: '5651',
  merchant_url: 'https://shop.example.com',
}

test('the server learns how the scheme knows the payment service, or else the merchant account', async () => {
  await connect('frictionless', 'plain-three-ds')
  const configure = (currency: string | null, merchant_name: string) =>
    service.send('POST /merchant-accounts/default/three-ds-configurations', {
      ...PROFILE,
      scheme: 'visa',
      currency,
      merchant_name,
      metadata: {},
    })
  await configure(null, 'Any')
  await configure('USD', 'Dollars')
  const [{ id }] = (await service.send('GET /payment-services?method=card')).json().items
  const setProfile = (visa: object | null) =>
    service.send(`PUT /payment-services/${id}`, { merchant_profile: { visa } })

  await pay()
  await pay({ currency: 'EUR' })
  await setProfile(PROFILE)
  await pay()
  await setProfile(null)

  expect(authenticated.map(({ merchant }) => merchant?.name)).toEqual(['Dollars', 'Any', 'Of the service'])
  expect(authenticated[0]?.merchant?.acquirerBin).toBe('516327')
})
