import { verify, X509Certificate } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { payPalContract } from '#connectors/paypal/testing/published-contract.ts'
import { inventId, type Json } from './books.ts'
import { REJECTIONS } from './cards.ts'
import { createStandIn, STAND_IN_CLIENT } from './stand-in.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
let now = Date.parse('2026-03-02T10:00:00Z')
const other = { ...STAND_IN_CLIENT, id: 'other', merchantId: 'BTHERMERCHANT' }
const poor = { ...STAND_IN_CLIENT, id: 'poor', features: ['payments'] as const }
const standIn = createStandIn({ now: () => new Date(now), clients: [STAND_IN_CLIENT, other, poor] })
const fetch = payPalContract.watch(standIn.fetch, { byStandInTest: true })
const URL_OF_SHOP = 'https://shop.example.com/return?order=7'

type Reply = { readonly status: number; readonly body: Json & { readonly id: string } }

async function tokenOf(clientId: string, secret = STAND_IN_CLIENT.secret): Promise<Response> {
  return fetch(`${standIn.url()}/v1/oauth2/token`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: 'grant_type=client_credentials',
  })
}

async function call(
  method: string,
  path: string,
  { body, key, client = STAND_IN_CLIENT.id }: { body?: unknown; key?: string; client?: string } = {},
): Promise<Reply> {
  const { access_token: token } = (await (await tokenOf(client)).json()) as { access_token: string }
  const response = await fetch(`${standIn.url()}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      ...(key && { 'paypal-request-id': key }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, body: text === '' ? {} : JSON.parse(text) }
}

async function sendForm(path: string, input: object, files: Record<string, number> = {}) {
  const { access_token: token } = (await (await tokenOf(STAND_IN_CLIENT.id)).json()) as {
    access_token: string
  }
  const form = new FormData()
  form.set('input', JSON.stringify(input))
  for (const [name, bytes] of Object.entries(files))
    form.append('evidence-file', new Blob([Buffer.alloc(bytes)]), name)
  return standIn.fetch(`${standIn.url()}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: form,
  })
}

const CARD = { number: '4012888888881881', expiry: '2030-12', security_code: '123', name: 'Ada Lovelace' }

function orderBody(over: Json = {}, value = '12.99', currency = 'USD') {
  const unit = { invoice_id: inventId(), custom_id: inventId(), amount: { currency_code: currency, value } }
  return { intent: 'AUTHORIZE', purchase_units: [unit], ...over }
}

const walletBody = (over: Json = {}) =>
  orderBody({
    payment_source: {
      paypal: { experience_context: { return_url: URL_OF_SHOP, cancel_url: `${URL_OF_SHOP}&cancelled` } },
    },
    ...over,
  })

const cardBody = (card: Json = {}, over: Json = {}) =>
  orderBody({ payment_source: { card: { ...CARD, ...card } }, ...over })

const create = (body: unknown, key = inventId()) => call('POST', '/v2/checkout/orders', { body, key })

/** The payments of an order's only unit. */
function paymentsOf(order: Json): { authorizations: Json[]; captures: Json[] } {
  const [unit] = order['purchase_units'] as { payments?: { authorizations?: Json[]; captures?: Json[] } }[]
  return { authorizations: unit?.payments?.authorizations ?? [], captures: unit?.payments?.captures ?? [] }
}

async function authorized(): Promise<string> {
  const { body } = await create(cardBody())
  return String(paymentsOf(body).authorizations[0]?.['id'])
}

async function captured(value = '12.99', currency = 'USD'): Promise<string> {
  const { body } = await create(
    orderBody({ intent: 'CAPTURE', payment_source: { card: CARD } }, value, currency),
  )
  return String(paymentsOf(body).captures[0]?.['id'])
}

function issuesOf({ body }: Reply): string[] {
  return ((body['details'] ?? []) as { issue: string }[]).map(({ issue }) => issue)
}

function linkOf(body: Json, rel: string): string {
  const links = body['links'] as { rel: string; href: string }[]
  return links.find((link) => link.rel === rel)?.href ?? ''
}

async function press(page: string, decision: string): Promise<string> {
  const response = await standIn.fetch(page, { method: 'POST', body: new URLSearchParams({ decision }) })
  return response.headers.get('location') ?? `status ${response.status}`
}

async function control(path: string, body: Json): Promise<Json> {
  const response = await standIn.fetch(`${standIn.url()}/_stand-in/${path}`, {
    method: 'POST',
    body: JSON.stringify(body),
  })
  return (await response.json()) as Json
}

const effectsOf = (key: string) => standIn.books.effects.get(key) ?? 0

describe('a token', () => {
  test('is given for the right credentials alone', async () => {
    expect((await tokenOf(STAND_IN_CLIENT.id)).status).toBe(200)
    expect((await tokenOf('unknown-client')).status).toBe(401)
    expect((await tokenOf(STAND_IN_CLIENT.id, 'wrong')).status).toBe(401)
  })

  test('expires', async () => {
    const { access_token: token } = (await (await tokenOf(STAND_IN_CLIENT.id)).json()) as Json
    const ask = () =>
      standIn.fetch(`${standIn.url()}/v1/reporting/balances`, {
        headers: { authorization: `Bearer ${token}` },
      })

    const before = await ask()
    now += 9 * HOUR
    const after = await ask()

    expect([before.status, after.status]).toEqual([200, 401])
    expect(await after.json()).toMatchObject({ error: 'invalid_token' })
  })

  test('of an app without the feature opens nothing of it', async () => {
    expect((await call('GET', '/v1/reporting/balances', { client: 'poor' })).status).toBe(403)
    expect((await call('POST', '/v3/vault/setup-tokens', { client: 'poor', body: {} })).status).toBe(403)
    expect(
      issuesOf(await call('POST', '/v2/checkout/orders', { client: 'poor', key: 'x', body: cardBody() })),
    ).toEqual(['NOT_ENABLED_FOR_CARD_PROCESSING'])
  })
})

describe('amounts', () => {
  test.each([
    ['12.999', 'USD', 'DECIMAL_PRECISION'],
    ['12.50', 'JPY', 'DECIMAL_PRECISION'],
    ['12.00', 'HUF', 'DECIMAL_PRECISION'],
    ['12.5', 'TWD', 'DECIMAL_PRECISION'],
    ['0.00', 'USD', 'CANNOT_BE_ZERO_OR_NEGATIVE'],
    ['-1.00', 'USD', 'CANNOT_BE_ZERO_OR_NEGATIVE'],
    ['1.000', 'KWD', 'INVALID_CURRENCY_CODE'],
  ])('of %s %s are refused: %s', async (value, currency, issue) => {
    expect(issuesOf(await create(orderBody({}, value, currency)))).toEqual([issue])
  })

  test.each([
    ['1299', 'JPY'],
    ['1299', 'HUF'],
    ['1299', 'TWD'],
    ['12.99', 'EUR'],
  ])('of %s %s are taken, and shown as they came', async (value, currency) => {
    const { status, body } = await call('GET', `/v2/payments/captures/${await captured(value, currency)}`)

    expect(status).toBe(200)
    expect(body['amount']).toEqual({ currency_code: currency, value })
  })

  test('of parts must be the whole', async () => {
    const money = (value: string) => ({ currency_code: 'USD', value })
    const item = { name: 'Tea', quantity: '2', unit_amount: money('5.00') }
    const unit = (breakdown: Json, items = [item]) =>
      orderBody({ purchase_units: [{ amount: { ...money('12.99'), breakdown }, items }] })

    const right = { item_total: money('10.00'), shipping: money('3.99'), discount: money('1.00') }
    expect((await create(unit(right))).status).toBe(201)
    expect(issuesOf(await create(unit({ ...right, discount: money('0.00') })))).toEqual(['AMOUNT_MISMATCH'])
    const wrong = { item_total: money('9.00'), shipping: money('3.99') }
    expect(issuesOf(await create(unit(wrong)))).toEqual(['ITEM_TOTAL_MISMATCH'])
  })
})

describe('PayPal-Request-Id', () => {
  test('makes one order of many requests, also with another body, and shows its latest status', async () => {
    const key = inventId()
    const first = await create(walletBody(), key)
    await press(linkOf(first.body, 'payer-action'), 'approve')

    const again = await create(orderBody(), key)

    expect([first.status, again.status]).toEqual([200, 200])
    expect(again.body).toMatchObject({ id: first.body.id, status: 'APPROVED' })
  })

  test('fails the twin of a request that is under way', async () => {
    const id = await authorized()
    const key = inventId()
    const path = `/v2/payments/authorizations/${id}/capture`

    const replies = await Promise.all([1, 2, 3].map(() => call('POST', path, { key, body: {} })))

    expect(replies.map(({ status }) => status).sort()).toEqual([201, 409, 409])
    expect(replies.flatMap(issuesOf)).toEqual([
      'PREVIOUS_REQUEST_IN_PROGRESS',
      'PREVIOUS_REQUEST_IN_PROGRESS',
    ])
    expect(effectsOf(key)).toBe(1)
  })

  test('is forgotten: of Orders after six hours, of Payments after 45 days', async () => {
    const key = inventId()
    const order = await create(orderBody(), key)
    now += 6 * HOUR - 1
    expect((await create(orderBody(), key)).body.id).toBe(order.body.id)
    now += 1
    expect((await create(orderBody(), key)).body.id).not.toBe(order.body.id)

    const refund = `/v2/payments/captures/${await captured()}/refund`
    const body = { amount: { currency_code: 'USD', value: '1.00' } }
    const first = await call('POST', refund, { key, body })
    now += 45 * DAY - 1
    expect((await call('POST', refund, { key, body })).body.id).toBe(first.body.id)
    now += 1
    expect((await call('POST', refund, { key, body })).body.id).not.toBe(first.body.id)
  })

  test('is required where an order is paid at once', async () => {
    expect(issuesOf(await call('POST', '/v2/checkout/orders', { body: cardBody() }))).toEqual([
      'PAYPAL_REQUEST_ID_REQUIRED',
    ])
  })

  test('of a refusal is free again', async () => {
    const key = inventId()
    expect(issuesOf(await create(orderBody({}, '0.00'), key))).toEqual(['CANNOT_BE_ZERO_OR_NEGATIVE'])
    expect((await create(orderBody(), key)).status).toBe(201)
  })
})

describe('a buyer', () => {
  test('approves on a page, and the order is carried out once', async () => {
    const key = inventId()
    const { body: order } = await create(walletBody())
    const page = linkOf(order, 'payer-action')
    expect(await (await standIn.fetch(page)).text()).toContain('12.99 USD')
    const path = `/v2/checkout/orders/${order.id}/authorize`
    expect(issuesOf(await call('POST', path, { key, body: {} }))).toEqual(['ORDER_NOT_APPROVED'])

    const location = await press(page, 'approve')
    const done = await call('POST', path, { key, body: {} })
    const again = await call('POST', path, { key: inventId(), body: {} })

    expect(location).toMatch(
      new RegExp(`^${URL_OF_SHOP.replace('?', '\\?')}&token=${order.id}&PayerID=\\w{13}$`),
    )
    expect(done).toMatchObject({ status: 201, body: { status: 'COMPLETED' } })
    expect(paymentsOf(done.body).authorizations).toMatchObject([{ status: 'CREATED' }])
    expect(issuesOf(again)).toEqual(['ORDER_ALREADY_AUTHORIZED'])
    expect(effectsOf(key)).toBe(1)
  })

  test('who cancels returns to the other address, and can still approve', async () => {
    const { body: order } = await create(walletBody())
    const page = linkOf(order, 'payer-action')

    expect(await press(page, 'cancel')).toBe(`${URL_OF_SHOP}&cancelled=&token=${order.id}`)
    expect(await press(page, 'approve')).toContain('PayerID')
    expect(await press(page, 'approve')).toBe('status 404')
  })

  test('whose funding is declined pays nothing', async () => {
    const { body: order } = await create(walletBody({ intent: 'CAPTURE' }))
    await press(linkOf(order, 'payer-action'), 'declined')

    const reply = await call('POST', `/v2/checkout/orders/${order.id}/capture`, { key: inventId(), body: {} })

    expect(issuesOf(reply)).toEqual(['INSTRUMENT_DECLINED'])
  })

  test('pays from a bank account, and the money comes later', async () => {
    const { body: order } = await create(walletBody({ intent: 'CAPTURE' }))
    await press(linkOf(order, 'payer-action'), 'echeck')
    const done = await call('POST', `/v2/checkout/orders/${order.id}/capture`, { key: inventId(), body: {} })
    const [capture] = paymentsOf(done.body).captures
    expect(capture).toMatchObject({ status: 'PENDING', status_details: { reason: 'ECHECK' } })
    const refund = `/v2/payments/captures/${capture?.['id']}/refund`
    expect(issuesOf(await call('POST', refund, { key: inventId(), body: {} }))).toEqual(['PENDING_CAPTURE'])

    await control(`captures/${capture?.['id']}`, { status: 'COMPLETED' })

    expect((await call('POST', refund, { key: inventId(), body: {} })).status).toBe(201)
  })

  test('has six hours to approve, and the shop three to go on', async () => {
    const { body: order } = await create(walletBody())
    const { body: approved } = await create(walletBody())
    await press(linkOf(approved, 'payer-action'), 'approve')
    now += 3 * HOUR + 1

    const path = (id: string) => `/v2/checkout/orders/${id}`
    expect((await call('GET', path(approved.id))).status).toBe(404)
    expect((await call('GET', path(order.id))).status).toBe(200)
    now += 3 * HOUR
    expect((await call('GET', path(order.id))).status).toBe(404)
  })
})

function delivery(over: Json): Json {
  const address = {
    country_code: 'US',
    admin_area_1: 'CA',
    admin_area_2: 'San Jose',
    address_line_1: '1 Main St',
    postal_code: '95131',
    ...over,
  }
  return { shipping: { address } }
}

test('an order is delivered to a whole address, for a buyer with an e-mail address', async () => {
  const paypal = (over: Json, unit: Json = {}) => {
    const experience_context = { return_url: URL_OF_SHOP, cancel_url: URL_OF_SHOP, ...over }
    const body = orderBody({ payment_source: { paypal: { experience_context } } })
    return create({ ...body, purchase_units: [{ ...body.purchase_units[0], ...unit }] })
  }
  const preferred = { shipping_preference: 'SET_PROVIDED_ADDRESS' }
  const withEmail = (email_address: string) =>
    create({
      ...walletBody(),
      payment_source: {
        paypal: { email_address, experience_context: { return_url: URL_OF_SHOP, cancel_url: URL_OF_SHOP } },
      },
    })

  expect((await paypal(preferred, delivery({}))).status).toBe(200)
  expect(issuesOf(await paypal(preferred))).toEqual(['SHIPPING_ADDRESS_INVALID'])
  for (const email of ['a@b', `${'x'.repeat(250)}@example.com`]) {
    expect(issuesOf(await withEmail(email))).toEqual(['INVALID_PARAMETER_SYNTAX'])
  }
  expect((await withEmail('ada@example.com')).status).toBe(200)
})

function levels(card: Json): Json {
  return { supplementary_data: { card } }
}

test.each([
  [{ soft_descriptor: 'Käse' }, 'INVALID_PARAMETER_SYNTAX'],
  [levels({ level_2: { invoice_id: 'PO 7' } }), 'INVALID_PARAMETER_SYNTAX'],
  [levels({ level_3: { line_items: [{ commodity_code: '53.12.16.03.00' }] } }), 'INVALID_PARAMETER_SYNTAX'],
  [levels({ level_3: { line_items: Array(101).fill({}) } }), 'INVALID_ARRAY_MAX_ITEMS'],
  [delivery({ admin_area_1: 'US-CA' }), 'SHIPPING_ADDRESS_INVALID'],
  [delivery({ admin_area_1: undefined }), 'SHIPPING_ADDRESS_INVALID'],
  [delivery({ address_line_1: undefined }), 'SHIPPING_ADDRESS_INVALID'],
  [delivery({ admin_area_2: undefined }), 'CITY_REQUIRED'],
  [delivery({ postal_code: undefined }), 'POSTAL_CODE_REQUIRED'],
])('an order with %o is refused: %s', async (over, issue) => {
  const body = cardBody()
  const [unit] = body.purchase_units as Json[]

  expect(issuesOf(await create({ ...body, purchase_units: [{ ...unit, ...over }] }))).toEqual([issue])
})

test('a payment is shown as the contract has it: in its order, and on its own', async () => {
  const { body: order } = await create(cardBody())
  const [inOrder = {}] = paymentsOf(order).authorizations
  const path = `/v2/payments/authorizations/${inOrder['id']}`
  const { body: alone } = await call('GET', path)
  const { body: voided } = await call('POST', `${path}/void`, { key: inventId() })
  const { body: sale } = await create(cardBody({}, { intent: 'CAPTURE' }))

  expect(inOrder).toMatchObject({ processor_response: { response_code: '0000' } })
  expect(alone).toMatchObject({ supplementary_data: { related_ids: { order_id: order.id } } })
  for (const payment of [alone, voided]) expect(payment).not.toHaveProperty('processor_response')
  for (const payment of [inOrder, ...paymentsOf(sale).captures]) {
    expect(payment).not.toHaveProperty('supplementary_data')
  }
})

describe('a card', () => {
  test.each(Object.entries(REJECTIONS))('of %s is declined with %s', async (name, code) => {
    const key = inventId()

    const { status, body } = await create(cardBody({ name }, { intent: 'CAPTURE' }), key)

    expect(status).toBe(201)
    expect(paymentsOf(body).captures).toMatchObject([
      { status: 'DECLINED', processor_response: { avs_code: 'G', cvv_code: 'P', response_code: code } },
    ])
    expect(effectsOf(key)).toBe(0)
  })

  test.each([
    [{ number: '4012888888881882' }, 'PAYMENT_SOURCE_INFO_CANNOT_BE_VERIFIED'],
    [{ expiry: '2020-01' }, 'CARD_EXPIRED'],
    [{ billing_address: { country_code: 'US', admin_area_1: 'US-CA' } }, 'BILLING_ADDRESS_INVALID'],
    [{ expiry: '01/30' }, 'INVALID_EXPIRY_DATE'],
    [{ security_code: '1234' }, 'INVALID_SECURITY_CODE_LENGTH'],
    [
      {
        stored_credential: { payment_initiator: 'MERCHANT', payment_type: 'RECURRING', usage: 'SUBSEQUENT' },
      },
      'MERCHANT_INITIATED_WITH_SECURITY_CODE',
    ],
  ])('with %o is refused: %s', async (card, issue) => {
    expect(issuesOf(await create(cardBody(card)))).toEqual([issue])
  })

  test.each([
    ['approve', { liability_shift: 'POSSIBLE', three_d_secure: { authentication_status: 'Y' } }],
    ['failed', { liability_shift: 'NO', three_d_secure: { authentication_status: 'N' } }],
  ])('is asked for by its bank: %s', async (decision, result) => {
    const waiting = await create(
      cardBody({
        attributes: { verification: { method: 'SCA_ALWAYS' } },
        experience_context: { return_url: URL_OF_SHOP, cancel_url: URL_OF_SHOP },
      }),
    )
    expect(waiting).toMatchObject({ status: 200, body: { status: 'PAYER_ACTION_REQUIRED' } })

    await press(linkOf(waiting.body, 'payer-action'), decision)

    const { body } = await call('GET', `/v2/checkout/orders/${waiting.body.id}`)
    expect(body).toMatchObject({ payment_source: { card: { authentication_result: result } } })
  })

  test('pays an invoice once', async () => {
    const body = cardBody()
    expect((await create(body)).status).toBe(201)
    expect(issuesOf(await create(body))).toEqual(['DUPLICATE_INVOICE_ID'])
  })
})

describe('a token of a card', () => {
  const TOKEN = { number: '4012888888881881', expiry: '2030-12' }
  const apple = (over: Json = {}, token: Json = {}) => ({
    apple_pay: {
      decrypted_token: {
        transaction_amount: { currency_code: 'USD', value: '12.99' },
        tokenized_card: TOKEN,
        payment_data_type: '3DSECURE',
        payment_data: { cryptogram: 'AgAAAAAAAIR8CQrXcIhbQAAAAAA=' },
        ...token,
      },
      ...over,
    },
  })
  const google = (over: Json = {}) => ({
    google_pay: {
      decrypted_token: {
        payment_method: 'CARD',
        authentication_method: 'CRYPTOGRAM_3DS',
        card: TOKEN,
        cryptogram: 'AgAAAAAAAIR8CQrXcIhbQAAAAAA=',
        ...over,
      },
    },
  })
  const own = (over: Json = {}, token: Json = {}) => ({
    card: { network_token: { ...TOKEN, cryptogram: 'AgAAAAAAAIR8CQrXcIhbQAAAAAA=', ...token }, ...over },
  })
  const MERCHANTS = {
    stored_credential: {
      payment_initiator: 'MERCHANT',
      payment_type: 'RECURRING',
      usage: 'SUBSEQUENT',
      previous_network_transaction_reference: { id: '123456789012345' },
    },
  }

  test.each([
    ['card', own()],
    ['apple_pay', apple()],
    ['google_pay', google()],
    ['google_pay', google({ authentication_method: 'PAN_ONLY', cryptogram: undefined })],
    ['card', own(MERCHANTS, { cryptogram: undefined })],
    ['apple_pay', apple(MERCHANTS, { payment_data: undefined })],
  ])('pays by its own name: %s', async (name, payment_source) => {
    const { status, body } = await create(orderBody({ payment_source }))

    expect(status).toBe(201)
    expect(body).toMatchObject({ status: 'COMPLETED', payment_source: { [name]: expect.any(Object) } })
  })

  test.each([
    [own({}, { cryptogram: undefined }), 'CRYPTOGRAM_REQUIRED'],
    [apple({}, { payment_data: undefined }), 'CRYPTOGRAM_REQUIRED'],
    [apple({}, { transaction_amount: { currency_code: 'USD', value: '1.00' } }), 'APPLE_PAY_AMOUNT_MISMATCH'],
    [google({ cryptogram: undefined }), 'MISSING_CRYPTOGRAM'],
    [google({ payment_method: 'BANK' }), 'INVALID_GOOGLE_PAY_TOKEN'],
    [{ apple_pay: {} }, 'MISSING_REQUIRED_PARAMETER'],
  ])('is refused: %o', async (payment_source, issue) => {
    expect(issuesOf(await create(orderBody({ payment_source })))).toEqual([issue])
  })

  test.each([
    [own(), 'NOT_ENABLED_FOR_CARD_PROCESSING'],
    [apple(), 'NOT_ENABLED_FOR_APPLE_PAY'],
    [google(), 'NOT_ENABLED_FOR_GOOGLE_PAY'],
  ])('needs an app that may take it', async (payment_source, issue) => {
    const body = orderBody({ payment_source })
    const refused = await call('POST', '/v2/checkout/orders', { body, key: inventId(), client: poor.id })

    expect(issuesOf(refused)).toEqual([issue])
  })
})

describe('an authorization', () => {
  const money = (value: string) => ({ amount: { currency_code: 'USD', value } })

  test('is captured in parts, up to 115 %, and the rest is voided', async () => {
    const id = await authorized()
    const capture = (body: Json) =>
      call('POST', `/v2/payments/authorizations/${id}/capture`, { key: inventId(), body })

    expect((await capture(money('5.00'))).body).toMatchObject({ status: 'COMPLETED', final_capture: false })
    expect(issuesOf(await capture(money('9.94')))).toEqual(['MAX_CAPTURE_AMOUNT_EXCEEDED'])
    const voided = await call('POST', `/v2/payments/authorizations/${id}/void`, { key: inventId() })
    expect(voided.body).toMatchObject({ id, status: 'VOIDED' })
    expect(issuesOf(await capture(money('1.00')))).toEqual(['AUTHORIZATION_VOIDED'])
  })

  test('that is captured is neither captured nor voided again', async () => {
    const id = await authorized()
    const path = `/v2/payments/authorizations/${id}`
    await call('POST', `${path}/capture`, {
      key: inventId(),
      body: { ...money('1.00'), final_capture: true },
    })

    const again = await call('POST', `${path}/capture`, { key: inventId(), body: money('1.00') })
    const voided = await call('POST', `${path}/void`, { key: inventId() })

    expect([issuesOf(again), issuesOf(voided)]).toEqual([
      ['AUTHORIZATION_ALREADY_CAPTURED'],
      ['PREVIOUSLY_CAPTURED'],
    ])
  })

  test('ends after 29 days', async () => {
    const id = await authorized()
    now += 29 * DAY + 1

    const reply = await call('POST', `/v2/payments/authorizations/${id}/capture`, {
      key: inventId(),
      body: {},
    })

    expect(issuesOf(reply)).toEqual(['AUTHORIZATION_EXPIRED'])
  })

  test('of an account at PayPal is prolonged after three days', async () => {
    const { body: order } = await create(walletBody())
    await press(linkOf(order, 'payer-action'), 'approve')
    const done = await call('POST', `/v2/checkout/orders/${order.id}/authorize`, {
      key: inventId(),
      body: {},
    })
    const path = `/v2/payments/authorizations/${paymentsOf(done.body).authorizations[0]?.['id']}/reauthorize`
    expect(issuesOf(await call('POST', path, { key: inventId(), body: {} }))).toEqual([
      'REAUTHORIZATION_NOT_SUPPORTED',
    ])
    now += 3 * DAY

    expect(await call('POST', path, { key: inventId(), body: {} })).toMatchObject({
      status: 201,
      body: { status: 'CREATED' },
    })
  })

  test('of another client is not there', async () => {
    const reply = await call('GET', `/v2/payments/authorizations/${await authorized()}`, { client: 'other' })

    expect(reply.status).toBe(404)
  })
})

describe('a refund', () => {
  const money = (value: string, currency = 'USD') => ({ amount: { currency_code: currency, value } })
  const refund = (id: string, body: Json, key = inventId()) =>
    call('POST', `/v2/payments/captures/${id}/refund`, { key, body })

  test('takes no more than the capture has left', async () => {
    const id = await captured()

    expect(await refund(id, money('10.00'))).toMatchObject({ status: 201, body: { status: 'COMPLETED' } })
    expect(issuesOf(await refund(id, money('3.00')))).toEqual(['REFUND_AMOUNT_EXCEEDED'])
    expect((await refund(id, {})).body).toMatchObject({ amount: { value: '2.99' } })
    expect(issuesOf(await refund(id, money('0.01')))).toEqual(['CAPTURE_FULLY_REFUNDED'])
  })

  test.each([
    [money('1.00', 'EUR'), 'REFUND_CAPTURE_CURRENCY_MISMATCH'],
    [money('1.001'), 'DECIMAL_PRECISION'],
  ])('of %o is refused: %s', async (body, issue) => {
    expect(issuesOf(await refund(await captured(), body))).toEqual([issue])
  })

  test('comes too late after 180 days', async () => {
    const id = await captured()
    now += 180 * DAY + 1

    expect(issuesOf(await refund(id, {}))).toEqual(['REFUND_TIME_LIMIT_EXCEEDED'])
  })

  test('can fail later', async () => {
    const id = await captured()
    const { body } = await refund(id, {})

    await control(`refunds/${body.id}`, { status: 'FAILED' })

    expect((await call('GET', `/v2/payments/refunds/${body.id}`)).body).toMatchObject({ status: 'FAILED' })
    expect((await refund(id, {})).status).toBe(201)
  })
})

describe('the vault', () => {
  const wallet = {
    payment_source: {
      paypal: {
        usage_type: 'MERCHANT',
        experience_context: { return_url: URL_OF_SHOP, cancel_url: URL_OF_SHOP },
      },
    },
  }
  const setupToken = (body: unknown) => call('POST', '/v3/vault/setup-tokens', { key: inventId(), body })
  const paymentToken = (id: string, key = inventId()) =>
    call('POST', '/v3/vault/payment-tokens', {
      key,
      body: { payment_source: { token: { id, type: 'SETUP_TOKEN' } } },
    })
  const payWith = (kind: string, id: string) =>
    create(orderBody({ intent: 'CAPTURE', payment_source: { [kind]: { vault_id: id } } }))

  test('stores a buyer’s account with their consent; the token pays until it is deleted', async () => {
    const setup = await setupToken(wallet)
    expect(issuesOf(await paymentToken(setup.body.id))).toEqual(['SETUP_TOKEN_NOT_APPROVED'])
    expect(await press(linkOf(setup.body, 'approve'), 'approve')).toContain('approval_token_id')

    const token = await paymentToken(setup.body.id)
    expect(token).toMatchObject({
      status: 201,
      body: { payment_source: { paypal: { email_address: expect.stringContaining('@') } } },
    })
    expect(await payWith('paypal', token.body.id)).toMatchObject({
      status: 201,
      body: { status: 'COMPLETED' },
    })
    expect(issuesOf(await payWith('card', token.body.id))).toEqual(['MISMATCHED_VAULT_ID_TO_PAYMENT_SOURCE'])
    expect((await call('DELETE', `/v3/vault/payment-tokens/${token.body.id}`)).status).toBe(204)
    expect(issuesOf(await payWith('paypal', token.body.id))).toEqual(['PAYMENT_SOURCE_CANNOT_BE_USED'])
  })

  test('stores a card at once, once for each request id', async () => {
    const setup = await setupToken({ payment_source: { card: CARD } })
    const key = inventId()
    const token = await paymentToken(setup.body.id, key)

    expect((await paymentToken(setup.body.id, key)).body.id).toBe(token.body.id)
    expect(issuesOf(await paymentToken(setup.body.id))).toEqual(['SETUP_TOKEN_ALREADY_USED'])
    expect(JSON.stringify(token.body)).not.toContain(CARD.number)
    expect((await payWith('card', token.body.id)).status).toBe(201)
  })

  test('stores what an order says that it shall store', async () => {
    const { body } = await create(cardBody({ attributes: { vault: { store_in_vault: 'ON_SUCCESS' } } }))

    const { card } = body['payment_source'] as { card: { attributes: { vault: { id: string } } } }
    expect((await payWith('card', card.attributes.vault.id)).status).toBe(201)
  })
})

describe('webhooks', () => {
  const register = async (url = 'https://shop.example.com/hooks') =>
    (await call('POST', '/v1/notifications/webhooks', { body: { url, event_types: [{ name: '*' }] } })).body
      .id

  test('are signed over their bytes, with a certificate by its address', async () => {
    const id = await register()
    await captured()
    const event = standIn.events.all.at(-1)
    const { headers, body } = standIn.events.message(id, event?.body ?? {})

    const pem = await (await standIn.fetch(headers['paypal-cert-url'] ?? '')).text()

    const certificate = new X509Certificate(pem)
    const { 'paypal-transmission-id': transmission, 'paypal-transmission-time': time } = headers
    const signed = (bytes: Buffer) => Buffer.from(`${transmission}|${time}|${id}|${crc32(bytes)}`)
    const signature = Buffer.from(headers['paypal-transmission-sig'] ?? '', 'base64')
    expect(certificate.subject).toBe('CN=messageverificationcerts.paypal.com')
    expect(certificate.verify(certificate.publicKey)).toBe(true)
    expect(certificate.validToDate.getTime()).toBeGreaterThan(now)
    expect(verify('sha256', signed(body), certificate.publicKey, signature)).toBe(true)
    const changed = Buffer.concat([body, Buffer.from(' ')])
    expect(verify('sha256', signed(changed), certificate.publicKey, signature)).toBe(false)
    expect(JSON.parse(body.toString())).toMatchObject({ event_type: 'PAYMENT.CAPTURE.COMPLETED' })
  })

  test('are listed, and deleted', async () => {
    const id = await register()
    const path = '/v1/notifications/webhooks'

    expect((await call('GET', path)).body['webhooks']).toContainEqual(expect.objectContaining({ id }))
    expect((await call('GET', `${path}/${id}`, { client: 'other' })).status).toBe(404)
    expect((await call('DELETE', `${path}/${id}`)).status).toBe(204)
    expect((await call('GET', `${path}/${id}`)).status).toBe(404)
  })

  test('are there to be sent by hand until they are taken', async () => {
    const id = await register()
    standIn.events.all.length = 0
    await captured()

    const response = await standIn.fetch(`${standIn.url()}/_stand-in/messages/${id}`)

    expect(await response.json()).toMatchObject([{ type: 'PAYMENT.CAPTURE.COMPLETED' }])
  })
})

describe('a dispute', () => {
  test('takes the money, is told, refuses refunds, and gives the money back', async () => {
    const captureId = await captured()
    const { id } = await control('disputes', { capture_id: captureId, reason: 'UNAUTHORISED' })
    const found = await call('GET', `/v1/customer/disputes/${id}`)
    expect(found.body).toMatchObject({
      disputed_transactions: [{ seller_transaction_id: captureId }],
      dispute_life_cycle_stage: 'CHARGEBACK',
      dispute_amount: { value: '12.99' },
    })
    const refund = await call('POST', `/v2/payments/captures/${captureId}/refund`, {
      key: inventId(),
      body: {},
    })
    expect(issuesOf(refund)).toEqual(['TRANSACTION_DISPUTED'])

    await control(`disputes/${id}`, { outcome: 'RESOLVED_SELLER_FAVOUR' })

    const codes = standIn.books.movements.filter(({ referenceId }) => referenceId === captureId)
    expect(codes.map(({ code, gross }) => [code, gross])).toEqual([
      ['T1201', -1299],
      ['T1202', 1299],
    ])
    const told = standIn.events.all.map(({ type }) => type).filter((type) => type.startsWith('CUSTOMER'))
    expect(told.slice(-2)).toEqual(['CUSTOMER.DISPUTE.CREATED', 'CUSTOMER.DISPUTE.RESOLVED'])
  })

  test('that is only an inquiry takes nothing until it is escalated', async () => {
    const captureId = await captured()
    const { id } = await control('disputes', { capture_id: captureId, stage: 'INQUIRY' })
    const movements = () =>
      standIn.books.movements.filter(({ referenceId }) => referenceId === captureId).length
    expect(movements()).toBe(0)

    await control(`disputes/${id}`, {})

    expect(movements()).toBe(1)
    const list = await call('GET', `/v1/customer/disputes?disputed_transaction_id=${captureId}`)
    expect(list.body['items']).toHaveLength(1)
    const path = `/v1/customer/disputes/${id}/accept-claim`
    expect((await call('POST', path, { body: { note: 'no form' } })).status).toBe(400)
    expect((await sendForm(path, { accept_claim_type: 'REFUND' })).status).toBe(400)
    expect((await sendForm(path, { note: 'The buyer is right.' })).status).toBe(200)
    expect((await sendForm(path, { note: 'Again.' })).status).toBe(422)
  })

  test('takes evidence as PayPal does, and refuses all other', async () => {
    const { id } = await control('disputes', { capture_id: await captured() })
    const path = `/v1/customer/disputes/${id}/provide-evidence`
    const send = async (evidence: object, files: Record<string, number> = {}) =>
      (await sendForm(path, { evidences: [evidence] }, files)).status
    const proof = { evidence_type: 'PROOF_OF_FULFILLMENT' }
    const documents = [{ name: 'label-1.pdf' }]

    expect((await sendForm(path, {})).status).toBe(400)
    expect(await send({ evidence_type: 'PROOF' })).toBe(400)
    expect(await send({ ...proof, notes: 'x'.repeat(2_001) })).toBe(400)
    expect(await send({ ...proof, evidence_info: { tracking_info: [{ carrier_name: 'UPS' }] } })).toBe(400)
    expect(await send({ ...proof, documents })).toBe(400)
    expect(await send({ ...proof, documents: [{ name: 'a.b.pdf' }] }, { 'a.b.pdf': 9 })).toBe(400)
    expect(await send({ ...proof, documents: [{ name: 'label.txt' }] }, { 'label.txt': 9 })).toBe(400)
    expect(await send({ ...proof, documents }, { 'label-1.pdf': 10_000_000 })).toBe(400)
    expect(await send({ ...proof, documents }, { 'label-1.pdf': 9 })).toBe(200)
    expect(await send({ ...proof, documents }, { 'label-1.pdf': 9 })).toBe(422)

    const { body } = await call('GET', `/v1/customer/disputes/${id}`)
    expect(body).toMatchObject({
      status: 'UNDER_REVIEW',
      evidences: [{ ...proof, documents, source: 'SUBMITTED_BY_SELLER' }],
      links: [{ rel: 'self' }],
    })
  })
})

describe('transaction search', () => {
  const search = (query: Record<string, string>) =>
    call('GET', `/v1/reporting/transactions?${new URLSearchParams(query)}`)
  const range = (from: number, to: number) => ({
    start_date: new Date(from).toISOString(),
    end_date: new Date(to).toISOString(),
  })

  test('lists movements three hours later, in pages, by currency', async () => {
    now = Math.ceil(now / DAY) * DAY + DAY
    const start = now
    await captured('10.00')
    await captured('20.00')
    const refunded = await captured('1299', 'JPY')
    await call('POST', `/v2/payments/captures/${refunded}/refund`, { key: inventId(), body: {} })
    expect((await search(range(start, start + HOUR))).body['total_items']).toBe(0)
    now += 4 * HOUR

    const all = await search({ ...range(start, start + HOUR), page_size: '3', page: '2' })
    const yen = await search({ ...range(start, start + HOUR), transaction_currency: 'JPY' })

    expect(all.body).toMatchObject({ total_items: 4, total_pages: 2, page: 2 })
    expect(all.body['transaction_details']).toHaveLength(1)
    expect(yen.body['transaction_details']).toMatchObject([
      { transaction_info: { transaction_event_code: 'T0006', transaction_amount: { value: '1299' } } },
      { transaction_info: { transaction_event_code: 'T1107', transaction_amount: { value: '-1299' } } },
    ])
  })

  test('covers 31 days at most', async () => {
    expect((await search(range(now - 31 * DAY, now))).status).toBe(200)
    expect((await search(range(now - 31 * DAY - 1, now))).status).toBe(400)
    expect((await search({})).status).toBe(400)
  })
})

test.each(['nonsense', '[]', '"x"'])('a body that is no JSON object is refused: %s', async (body) => {
  const { access_token: token } = (await (await tokenOf(STAND_IN_CLIENT.id)).json()) as Json
  const response = await standIn.fetch(`${standIn.url()}/v2/checkout/orders`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body,
  })

  expect(response.status).toBe(400)
})
