import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { beforeEach, describe, expect, test } from 'vitest'
import { CHECKOUT, openStandIn } from '#connectors/adyen/testing/bench.ts'
import { REFUSALS } from './refusals.ts'

const NOW = new Date('2026-11-16T12:00:00Z')
const RETURN_URL = 'https://switchyard.example.com/return?attempt=1'

let moved = 0
let standIn = openStandIn()
beforeEach(() => {
  moved = 0
  standIn = openStandIn({ now: () => new Date(NOW.getTime() + moved) })
})

type Sent = { readonly key?: string | null; readonly apiKey?: string }

async function post(
  path: string,
  body: object,
  { key = randomUUID(), apiKey = standIn.account.apiKey }: Sent = {},
) {
  const response = await standIn.fetch(`${CHECKOUT}/${path}`, {
    method: 'POST',
    headers: {
      'x-api-key': apiKey,
      'content-type': 'application/json',
      ...(key && { 'idempotency-key': key }),
    },
    body: JSON.stringify({ merchantAccount: standIn.account.merchantAccount, ...body }),
  })
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as Record<string, never>,
  }
}

const CARD = {
  type: 'scheme',
  number: '4111111111111111',
  expiryMonth: '03',
  expiryYear: '2030',
  cvc: '737',
}

function payment(over: object = {}, card: object = {}) {
  return {
    amount: { value: 1299, currency: 'EUR' },
    reference: randomUUID(),
    returnUrl: RETURN_URL,
    paymentMethod: { ...CARD, ...card },
    additionalData: { manualCapture: 'true' },
    ...over,
  }
}

async function authorised(over: object = {}) {
  const request = payment(over)
  const { body } = await post('payments', request)
  expect(body['resultCode']).toBe('Authorised')
  return { request, psp: String(body['pspReference']) }
}

async function items() {
  const message = JSON.parse(await standIn.takeMessage())
  return message.notificationItems.map(
    (one: { NotificationRequestItem: Record<string, unknown> }) => one.NotificationRequestItem,
  ) as Record<string, never>[]
}

/** A modification, ended. */
async function modified(psp: string, what: string, body: object) {
  const { body: answer } = await post(`payments/${psp}/${what}`, body)
  expect(answer['status']).toBe('received')
  await standIn.control('finish', { pspReference: answer['pspReference'] })
  return String(answer['pspReference'])
}

describe('who may ask', () => {
  test.each([
    ['a key that is wrong', { apiKey: 'wrong' }, 401, '000'],
    ['a key that may not', { apiKey: 'stand-in-restricted-key' }, 403, '010'],
  ])('refuses %s', async (_name, sent, status, errorCode) => {
    expect(await post('payments', payment(), sent)).toMatchObject({ status, body: { errorCode } })
  })

  test('refuses another merchant account', async () => {
    const answer = await post('paymentMethods', { merchantAccount: 'AnotherShop' })

    expect(answer).toMatchObject({ status: 403, body: { errorCode: '901' } })
  })
})

describe('payments', () => {
  test('are authorised, and told of', async () => {
    const { request, psp } = await authorised()

    expect(await standIn.movementsOf(request.reference)).toMatchObject([{ kind: 'AUTHORISATION' }])
    expect(await items()).toMatchObject([
      {
        eventCode: 'AUTHORISATION',
        success: 'true',
        pspReference: psp,
        merchantReference: request.reference,
      },
    ])
  })

  test.each(REFUSALS)('are refused with $code for the holder $holderName', async (refusal) => {
    const { code, holderName, reason, resultCode } = refusal
    const byName = payment({}, { holderName })
    const byCode = payment({ additionalData: { RequestedTestAcquirerResponseCode: String(code) } })

    for (const request of [byName, byCode]) {
      const { status, body } = await post('payments', request)
      expect({ status, body }).toMatchObject({
        status: 200,
        body: { resultCode, refusalReason: reason, refusalReasonCode: String(code) },
      })
      expect(await standIn.movementsOf(request.reference)).toEqual([])
    }
  })

  test.each([
    ['a number that is none', payment({}, { number: '4111111111111112' }), '101'],
    ['an expiry date that is past', payment({}, { expiryYear: '2020' }), '129'],
    ['a security code of the wrong length', payment({}, { cvc: '12' }), '103'],
    ['no amount', payment({ amount: undefined }), '100'],
    ['an amount below zero', payment({ amount: { value: -1, currency: 'EUR' } }), '137'],
    ['no currency', payment({ amount: { value: 1, currency: 'euro' } }), '138'],
    ['no reference', payment({ reference: '' }), '130'],
    ['no address to return to', payment({ returnUrl: undefined }), '14_030'],
    ['no method', payment({ paymentMethod: undefined }), '14_004'],
    ['a model that is none', payment({ recurringProcessingModel: 'Often' }), '702'],
    [
      'debits that follow each other, and no shopper',
      payment({
        recurringProcessingModel: 'Subscription',
        paymentMethod: { type: 'sepadirectdebit', iban: 'NL13TEST0123456789', ownerName: 'A. Klaassen' },
      }),
      '702',
    ],
  ])('are not tried with %s', async (_name, request, errorCode) => {
    expect(await post('payments', request)).toMatchObject({
      status: 422,
      body: { errorCode, errorType: 'validation' },
    })
  })

  test('are not tried with fields that Adyen does not know', async () => {
    expect(await post('payments', payment({ colour: 'red' }))).toMatchObject({
      status: 400,
      body: { errorCode: '702' },
    })
  })

  test('wait, and end later, if the bank needs time', async () => {
    const request = payment({}, { holderName: 'PENDING' })
    const { body } = await post('payments', request)
    expect(body).toMatchObject({ resultCode: 'Received' })

    await standIn.control('finish', { pspReference: body['pspReference'] })

    expect(await items()).toMatchObject([{ eventCode: 'AUTHORISATION', success: 'true' }])
    expect(await standIn.movementsOf(request.reference)).toHaveLength(1)
  })
})

describe('idempotency', () => {
  test('repeats the first answer, whatever comes with the key later', async () => {
    const key = randomUUID()
    const request = payment()
    const first = await post('payments', request, { key })

    const again = await post('payments', { ...request, amount: { value: 5, currency: 'EUR' } }, { key })

    expect(again.body).toEqual(first.body)
    expect(again.headers.get('idempotency-key')).toBe(key)
    expect(await standIn.movementsOf(request.reference)).toHaveLength(1)
  })

  test('answers twins with 704 while the first is under way', async () => {
    const key = randomUUID()
    const request = payment()

    const answers = await Promise.all([1, 2, 3].map(() => post('payments', request, { key })))

    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422])
    expect(answers.filter(({ body }) => body['errorCode'] === '704')).toHaveLength(2)
    expect(await standIn.movementsOf(request.reference)).toHaveLength(1)
  })

  test('keeps an invalid request, but not one without permission', async () => {
    const key = randomUUID()
    await post('payments', payment(), { key, apiKey: 'wrong' })
    expect((await post('payments', payment({}, { cvc: '1' }), { key })).status).toBe(422)

    expect((await post('payments', payment(), { key })).status).toBe(422)
  })

  test('forgets a key after a week, and pays again', async () => {
    const key = randomUUID()
    const request = payment()
    await post('payments', request, { key })
    moved = 7 * 86_400_000

    await post('payments', request, { key })

    expect(await standIn.movementsOf(request.reference)).toHaveLength(2)
  })
})

describe('3-D Secure and other pages', () => {
  /** The shopper goes to the page, decides, and comes back. */
  async function decide(action: Record<string, string>, decision: string) {
    const page = await standIn.fetch(String(action['url']), {
      method: String(action['method']),
      ...(action['method'] === 'POST' && { body: new URLSearchParams({ MD: 'x' }) }),
    })
    expect(await page.text()).toContain('<form method="post"')
    const body = new URLSearchParams({ decision })
    const back = await standIn.fetch(String(action['url']), { method: 'POST', body })
    expect(back.status).toBe(303)
    const location = new URL(back.headers.get('location') ?? '')
    expect(location.searchParams.get('attempt')).toBe('1')
    return location.searchParams.get('redirectResult')
  }

  test.each([
    ['approve', 'Authorised', 1],
    ['decline', 'Refused', 0],
    ['cancel', 'Cancelled', 0],
  ])('end with %s', async (decision, resultCode, effects) => {
    const request = payment({ authenticationData: { attemptAuthentication: 'always' } })
    const { body } = await post('payments', request)
    expect(body).toMatchObject({ resultCode: 'RedirectShopper', action: { type: 'redirect', method: 'GET' } })
    expect(await standIn.movementsOf(request.reference)).toEqual([])

    const redirectResult = await decide(body['action'] ?? {}, decision)
    const key = randomUUID()
    const ended = await post('payments/details', details(redirectResult), { key })

    expect(ended.body).toMatchObject({ resultCode, merchantReference: request.reference })
    expect(await standIn.movementsOf(request.reference)).toHaveLength(effects)
    expect((await post('payments/details', details(redirectResult), { key })).body).toEqual(ended.body)
    expect(await post('payments/details', details(redirectResult))).toMatchObject({
      status: 422,
      body: { errorCode: '704' },
    })
  })

  test('want a form that is posted for the card of the reference, and no page with data of an authentication', async () => {
    const card = { number: '4212345678901237' }

    const { body } = await post('payments', payment({}, card))
    const withData = await post('payments', payment({ mpiData: { eci: '05', cavv: 'Y2F2dg==' } }, card))

    expect(body).toMatchObject({
      resultCode: 'RedirectShopper',
      action: { method: 'POST', data: { MD: expect.any(String) } },
    })
    await decide(body['action'] ?? {}, 'approve')
    expect(withData.body).toMatchObject({ resultCode: 'Authorised' })
  })

  test.each(['ideal', 'bcmc_mobile', 'klarna', 'paypal'])('come without a reference for %s', async (type) => {
    const { body } = await post('payments', { ...payment({ paymentMethod: { type } }), additionalData: {} })

    expect(body).toMatchObject({ resultCode: 'RedirectShopper', action: { paymentMethodType: type } })
    expect(body['pspReference']).toBeUndefined()
  })

  test('are refused in another currency, and without what the method requires', async () => {
    const asked = (type: string, currency: string) =>
      post('payments', { ...payment({ paymentMethod: { type }, amount: { value: 1000, currency } }) })

    expect(await asked('vipps', 'EUR')).toMatchObject({ status: 500, body: { errorCode: '905_3' } })
    expect(await asked('grabpay_SG', 'MYR')).toMatchObject({ status: 500, body: { errorCode: '905_3' } })
    expect(await asked('vipps', 'NOK')).toMatchObject({
      status: 422,
      body: { message: "Required field 'paymentMethod.telephoneNumber' is not provided." },
    })
  })

  test('refuses what no shopper brought back', async () => {
    expect(await post('payments/details', details('made-up'))).toMatchObject({
      status: 422,
      body: { errorCode: '14_018' },
    })
  })

  /** Adyen finds the merchant account by what was brought back. */
  const details = (redirectResult: string | null) => ({
    merchantAccount: undefined,
    details: { redirectResult },
  })
})

describe('modifications', () => {
  const amount = (value: number) => ({ amount: { value, currency: 'EUR' } })

  test('are only received at first', async () => {
    const { psp } = await authorised()
    const reference = randomUUID()

    const { status, body } = await post(`payments/${psp}/captures`, { ...amount(1299), reference })

    expect({ status, body }).toMatchObject({
      status: 201,
      body: { status: 'received', paymentPspReference: psp, reference },
    })
    expect(body['pspReference']).not.toBe(psp)
    expect(await standIn.movementsOf(reference)).toEqual([])
    await standIn.control('finish')
    expect(await standIn.movementsOf(reference)).toHaveLength(1)
    expect((await items()).at(-1)).toMatchObject({
      eventCode: 'CAPTURE',
      success: 'true',
      merchantReference: reference,
      originalReference: psp,
    })
  })

  test.each([
    ['a capture beyond the amount', [['captures', 1300]]],
    ['a refund of what was not captured', [['refunds', 1]]],
    [
      'a refund beyond what was captured',
      [
        ['captures', 500],
        ['refunds', 501],
      ],
    ],
    [
      'a second refund of the same money',
      [
        ['captures', 1299],
        ['refunds', 1000],
        ['refunds', 300],
      ],
    ],
    [
      'a cancel after a capture',
      [
        ['captures', 1299],
        ['cancels', 0],
      ],
    ],
    [
      'a capture after a cancel',
      [
        ['cancels', 0],
        ['captures', 1],
      ],
    ],
  ] as const)('fail later: %s', async (_name, steps) => {
    const { psp } = await authorised()
    for (const [what, value] of steps) await modified(psp, what, what === 'cancels' ? {} : amount(value))

    const outcomes = (await items()).slice(1).map(({ success }) => success)

    expect(outcomes).toEqual(steps.map((_, index) => (index === steps.length - 1 ? 'false' : 'true')))
  })

  test('capture in parts only where that is enabled', async () => {
    standIn = openStandIn({ now: () => NOW, hasPartialCaptures: false })
    const { psp } = await authorised()

    await modified(psp, 'captures', amount(500))
    await modified(psp, 'captures', amount(500))

    expect((await items()).slice(1).map(({ success }) => success)).toEqual(['true', 'false'])
  })

  test('raise the amount to a new total', async () => {
    const { psp } = await authorised()

    await modified(psp, 'amountUpdates', { ...amount(2000), reference: 'more' })
    await modified(psp, 'captures', amount(2000))

    expect((await items()).slice(1)).toMatchObject([
      { eventCode: 'AUTHORISATION_ADJUSTMENT', success: 'true' },
      { eventCode: 'CAPTURE', success: 'true' },
    ])
  })

  test('reverse what was captured, or what was not', async () => {
    const [one, other] = [await authorised(), await authorised()]
    await modified(one.psp, 'captures', amount(1299))

    await modified(one.psp, 'reversals', {})
    await modified(other.psp, 'reversals', {})

    const actions = (await items()).flatMap((item) => item['additionalData']?.['modification.action'] ?? [])
    expect(actions).toEqual(['refund', 'cancel'])
  })

  test('cancel what its bank has not decided, but not what its shopper has not', async () => {
    const { body } = await post('payments', payment({}, { holderName: 'PENDING' }))
    const asked = { authenticationData: { attemptAuthentication: 'always' } }
    const { body: waiting } = await post('payments', payment(asked))
    await items()

    await modified(String(body['pspReference']), 'cancels', {})
    await modified(String(waiting['pspReference']), 'cancels', {})

    expect(await items()).toMatchObject([
      { eventCode: 'CANCELLATION', success: 'true' },
      { eventCode: 'CANCELLATION', success: 'false', reason: 'Transaction not in Authorised state' },
    ])
  })

  test('refuses a payment that does not exist', async () => {
    const answer = await post('payments/ABCDEFGH23456789/captures', amount(1))

    expect(answer).toMatchObject({ status: 422, body: { errorCode: '167' } })
  })

  test('can fail after their success', async () => {
    const { psp } = await authorised()
    const capture = await modified(psp, 'captures', amount(1299))
    const [refund, other] = [
      await modified(psp, 'refunds', amount(100)),
      await modified(psp, 'refunds', amount(200)),
    ]
    await items()

    await standIn.control(`refunds/${refund}/fail`)
    await standIn.control(`refunds/${other}/reverse`)
    await standIn.control(`captures/${capture}/fail`)

    expect(await items()).toMatchObject([
      { eventCode: 'REFUND_FAILED', pspReference: refund, originalReference: psp, success: 'true' },
      { eventCode: 'REFUNDED_REVERSED', pspReference: other, originalReference: psp },
      { eventCode: 'CAPTURE_FAILED', pspReference: capture, originalReference: psp },
    ])
    await expect(standIn.control(`captures/${capture}/fail`)).rejects.toThrow()
  })
})

describe('stored cards', () => {
  const shopperReference = 'shopper-7'
  const asked = { shopperReference, recurringProcessingModel: 'CardOnFile', paymentMethod: CARD }
  const remove = (id: string, of = shopperReference, merchantAccount = 'StandInShop') =>
    standIn.fetch(
      `${CHECKOUT}/storedPaymentMethods/${id}?shopperReference=${of}&merchantAccount=${merchantAccount}`,
      { method: 'DELETE', headers: { 'x-api-key': standIn.account.apiKey } },
    )
  const payWith = (id: string, of = shopperReference) =>
    post('payments', {
      ...payment({ shopperReference: of, shopperInteraction: 'ContAuth' }),
      paymentMethod: { type: 'scheme', storedPaymentMethodId: id },
    })

  test('pay, with their shopper only, until they are deleted', async () => {
    const { status, body } = await post('storedPaymentMethods', asked)
    const id = String(body['id'])
    const other = await post('storedPaymentMethods', { ...asked, shopperReference: 'shopper-8' })

    expect({ status, body }).toMatchObject({ status: 201, body: { shopperReference, lastFour: '1111' } })
    expect(await payWith(id)).toMatchObject({ status: 200, body: { resultCode: 'Authorised' } })
    expect(await payWith(id, 'shopper-8')).toMatchObject({ status: 422, body: { errorCode: '803' } })
    expect(await payWith(id, 'shopper-9')).toMatchObject({ status: 422, body: { errorCode: '800' } })
    expect((await remove(id, 'shopper-8')).status).toBe(422)
    expect((await remove(id, shopperReference, 'AnotherShop')).status).toBe(403)
    expect((await remove(id)).status).toBe(204)
    expect(await payWith(id)).toMatchObject({ status: 422, body: { errorCode: '800' } })
    expect((await remove(String(other.body['id']), 'shopper-8')).status).toBe(204)
  })

  test('are made once for a key, and not of half a card', async () => {
    const key = randomUUID()
    const [first, second] = [
      await post('storedPaymentMethods', asked, { key }),
      await post('storedPaymentMethods', asked, { key }),
    ]

    expect(second.body).toEqual(first.body)
    for (const over of [{ shopperReference: '' }, { recurringProcessingModel: 'x' }, { paymentMethod: {} }]) {
      expect((await post('storedPaymentMethods', { ...asked, ...over })).status).toBe(422)
    }
  })
})

describe('what happens later', () => {
  test('disputes are opened, reversed, and opened again, under one reference', async () => {
    const { psp } = await authorised({ additionalData: {} })
    await items()

    const { pspReference } = await standIn.control('disputes', { pspReference: psp, amount: 500 })
    await standIn.control(`disputes/${pspReference}/reverse`)
    await standIn.control(`disputes/${pspReference}/second`)

    const told = await items()
    expect(told.map(({ eventCode }) => eventCode)).toEqual([
      'NOTIFICATION_OF_CHARGEBACK',
      'CHARGEBACK',
      'CHARGEBACK_REVERSED',
      'SECOND_CHARGEBACK',
    ])
    expect(new Set(told.map((item) => `${item['pspReference']} ${item['originalReference']}`)).size).toBe(1)
  })

  test('an authorisation that is not used expires', async () => {
    const { psp } = await authorised()
    await items()

    await standIn.control(`payments/${psp}/expire`)

    expect(await items()).toMatchObject([{ eventCode: 'EXPIRE', pspReference: psp }])
  })

  test('a report is published, for its user alone, and its rows add up to nothing', async () => {
    const { psp } = await authorised({ additionalData: {} })
    await modified(psp, 'refunds', { amount: { value: 300, currency: 'EUR' } })
    await items()

    await standIn.control('reports')
    const [told] = await items()

    expect(told).toMatchObject({
      eventCode: 'REPORT_AVAILABLE',
      reason: expect.stringContaining('/reports/download/'),
    })
    const { reportUser, reportPassword } = standIn.account
    const authorization = `Basic ${Buffer.from(`${reportUser}:${reportPassword}`).toString('base64')}`
    const url = String(told?.['reason'])
    expect((await standIn.fetch(url)).status).toBe(401)
    const rows = (await (await standIn.fetch(url, { headers: { authorization } })).text()).trim().split('\n')
    expect(rows.map((row) => row.split(',')[7])).toEqual([
      'Type',
      'Settled',
      'Refunded',
      'Fee',
      'MerchantPayout',
    ])
    const sum = rows.slice(1).reduce((total, row) => {
      const cells = row.split(',')
      return total + Math.round(100 * Number(cells[15])) - Math.round(100 * Number(cells[14]))
    }, 0)
    expect(sum).toBe(0)
  })

  test('a webhook that is not accepted keeps those behind it waiting', async () => {
    const got: string[] = []
    let status = 500
    const shop = createServer((request, response) => {
      let body = ''
      request.on('data', (chunk) => (body += chunk))
      request.on('end', () => {
        got.push(JSON.parse(body).notificationItems[0].NotificationRequestItem.merchantReference)
        response.writeHead(status).end('[accepted]')
      })
    })
    await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve))
    const [one, other] = [await authorised(), await authorised()]
    await standIn.control('webhook', { url: `http://127.0.0.1:${(shop.address() as AddressInfo).port}/hook` })

    expect(await standIn.control('deliver')).toEqual({ waiting: 2 })
    status = 202
    expect(await standIn.control('deliver')).toEqual({ waiting: 0 })

    expect([...new Set(got)]).toEqual([one.request.reference, other.request.reference])
    expect(got.at(-1)).toBe(other.request.reference)
    await standIn.control('webhook', { url: '' })
    shop.closeAllConnections()
    await new Promise((resolve) => shop.close(resolve))
  })
})
