import { describe, expect, test } from 'vitest'
import { ERROR_CODES } from '#connectors/contract/codes.ts'
import type { Connector, Link } from '#connectors/contract/connector.ts'
import * as samples from '#connectors/contract/samples.ts'
import { mollieConnectors } from './connectors.ts'
import { FAILURES } from './mapping.ts'
import { ASKED, type Asked, METHODS, type MethodRow } from './methods.ts'
import { fromMollie, toMollie } from './money.ts'
import { toLines } from './payment-request.ts'
import { KEYS_LIVE_MS } from './sync.ts'
import { mollieContract } from './testing/published-contract.ts'
import { BUYER, messageAbout, openShop, orderBy } from './testing/shop.ts'

const rowOf = (method: string) => METHODS.find((row) => row.method === method) as MethodRow
const connectorFor = (method: string) =>
  mollieConnectors.find(({ manifest }) => manifest.method === method) as Required<Connector>
const ideal = connectorFor('ideal')
const klarna = connectorFor('klarna')
const order = (over: object = {}, method = 'ideal') =>
  samples.authorizeOrder({ ...orderBy(rowOf(method)), ...over })

/** A link to a provider that gives this answer to everything. */
function answering(status: number, body: object | string): Link {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const fetch = async () => new Response(text, { status })
  return samples.testLink({ fetch, fields: openShop().link.fields })
}

/** A payment that has gone so far. */
async function paid(over: object = {}, method = 'ideal') {
  const shop = openShop()
  const asked = order(over, method)
  const answer = await connectorFor(method).authorize(asked, shop.link)
  const reference = 'reference' in answer ? String(answer.reference) : ''
  await shop.control(`payments/${reference}/approve`)
  return { shop, order: asked, reference }
}

describe('money', () => {
  test.each([
    [1299, 'EUR', '12.99'],
    [5, 'EUR', '0.05'],
    [120, 'EUR', '1.20'],
    [-7, 'EUR', '-0.07'],
    [1299, 'JPY', '1299'],
    [99_999_999_999, 'EUR', '999999999.99'],
  ])('%i %s is %s at Mollie, and back', (amount, currency, value) => {
    expect(toMollie(amount, currency)).toEqual({ currency, value })
    expect(fromMollie({ currency, value })).toEqual({ amount, currency })
  })

  test.each([
    null,
    { currency: 'EUR' },
    { currency: 'EUR', value: 12.99 },
    { currency: 'EUR', value: '12,99' },
    { currency: 'EUR', value: '12.9' },
    { currency: 'JPY', value: '12.99' },
  ])('%j is no amount', (given) => {
    expect(fromMollie(given)).toBeNull()
  })
})

describe('what is sent', () => {
  test('names the payment, the buyer’s way back, and where messages go', async () => {
    const shop = openShop()
    const asked = order({
      details: { description: '  Ten tulips ' },
      buyer: { id: null, ipAddress: null, locale: 'nl' },
    })
    await ideal.authorize(asked, shop.link)

    expect(shop.sent[0]?.body).toEqual({
      amount: { currency: 'EUR', value: '12.99' },
      description: 'Ten tulips',
      redirectUrl: 'https://switchyard.example.com/return/attempt',
      webhookUrl: 'https://switchyard.example.com/notifications',
      method: 'ideal',
      locale: 'nl_NL',
      metadata: { attempt: asked.attemptId, transaction: asked.transactionId },
    })
  })

  test.each([
    ['en', 'en_US'],
    ['en-GB', 'en_GB'],
    ['de-AT', 'de_AT'],
    ['de-LI', 'de_DE'],
    ['ja', undefined],
  ])('the words of %s are those of %s', async (locale, expected) => {
    const shop = openShop()
    await ideal.authorize(order({ buyer: { id: null, ipAddress: null, locale } }), shop.link)

    expect(shop.sent[0]?.body['locale']).toBe(expected)
  })

  test.each([
    ['authorize', 'manual'],
    ['capture', 'automatic'],
  ])('Klarna is asked to %s: the money is captured in the mode %s', async (intent, mode) => {
    const shop = openShop()
    await klarna.authorize(order({ intent }, 'klarna'), shop.link)

    expect(shop.sent[0]?.body).toMatchObject({
      captureMode: mode,
      billingAddress: {
        givenName: 'Ada',
        streetAndNumber: 'Damrak 1',
        organizationName: 'Analytical Engines',
      },
      lines: [{ description: 'Order', quantity: 1, totalAmount: { value: '12.99' } }],
    })
  })

  test('lines have the tax in their prices, and add up', () => {
    const item = { name: 'Tulip', quantity: 3, unit_amount: 100, discount_amount: null, tax_amount: 30 }
    const odd = { ...item, name: 'Vase', quantity: 2, discount_amount: 5, tax_amount: 1, sku: 'V'.repeat(65) }
    const lines = toLines(order({ amount: 330 + 196, details: { cart_items: [item, odd] } }))

    expect(lines).toEqual([
      {
        description: 'Tulip',
        quantity: 3,
        unitPrice: { currency: 'EUR', value: '1.10' },
        totalAmount: { currency: 'EUR', value: '3.30' },
      },
      {
        description: '2 × Vase',
        quantity: 1,
        unitPrice: { currency: 'EUR', value: '2.01' },
        discountAmount: { currency: 'EUR', value: '0.05' },
        totalAmount: { currency: 'EUR', value: '1.96' },
      },
    ])
  })

  test('items that do not add up to the amount are one line', () => {
    const item = { name: 'Tulip', quantity: 3, unit_amount: 100, discount_amount: null, tax_amount: null }

    expect(toLines(order({ amount: 299, details: { cart_items: [item] } }))).toHaveLength(1)
  })

  const WITHOUT: Readonly<Record<Asked, object>> = {
    name: { billing: { ...BUYER, last_name: 'L' } },
    email: { billing: { ...BUYER, email_address: null } },
    address: { billing: { ...BUYER, address: { ...BUYER.address, city: null } } },
    organization: { billing: { ...BUYER, address: { ...BUYER.address, organization: null } } },
  }
  const asking = METHODS.flatMap((row) => (row.asks ?? []).map((name) => [row.method, name] as const))
  test.each(asking)(
    '%s is not asked for without %s, and the merchant hears what to send',
    async (method, name) => {
      const shop = openShop()
      const answer = await connectorFor(method).authorize(order(WITHOUT[name], method), shop.link)

      const code = name === 'address' ? 'missing_billing_address' : 'invalid_request_parameters'
      expect(answer).toMatchObject({ outcome: 'failed', code })
      expect('facts' in answer && answer.facts.rawDescription).toContain(ASKED[name])
      expect(shop.sent).toEqual([])
    },
  )

  test('nothing, for a buyer who cannot come back', async () => {
    const shop = openShop()

    expect(await ideal.authorize(order({ redirectUrl: null }), shop.link)).toMatchObject({
      code: 'invalid_request_parameters',
    })
    expect(shop.sent).toEqual([])
  })

  test.each(METHODS.filter(({ currencies }) => currencies !== 'all'))(
    'nothing, for $method in another currency',
    async (row) => {
      const shop = openShop()
      const answer = await connectorFor(row.method).authorize(
        order({ currency: 'ISK' }, row.method),
        shop.link,
      )

      expect(answer).toMatchObject({ outcome: 'failed', code: 'unsupported_currency' })
      expect(shop.sent).toEqual([])
    },
  )

  test.each([
    ['sandbox', 'live_'],
    ['production', 'test_'],
  ] as const)('nothing, in a %s with a key of the other mode', async (environment, start) => {
    const shop = openShop()
    const link = { ...shop.link, environment, fields: { api_key: `${start}${'a'.repeat(30)}` } }

    expect(await ideal.authorize(order(), link)).toMatchObject({ code: 'invalid_service_credentials' })
    expect(await ideal.verify(link)).toMatchObject({ outcome: 'rejected' })
    expect(shop.sent).toEqual([])
  })

  test('production asks Mollie, whatever address a field names', async () => {
    const asked: string[] = []
    const fetch = async (url: string) => {
      asked.push(url)
      return new Response('', { status: 500 })
    }
    const fields = { api_key: `live_${'a'.repeat(30)}`, stand_in_url: 'https://elsewhere.example.com' }
    await ideal.verify(samples.testLink({ fetch, fields, environment: 'production' }))

    expect(asked).toEqual(['https://api.mollie.com/v2/payments?limit=1'])
  })
})

describe('what comes back', () => {
  test('every reason for a failure that Mollie lists has a code', () => {
    expect(mollieContract.listed('failureReason').filter((one) => !Object.hasOwn(FAILURES, one))).toEqual([])
    expect(Object.values(FAILURES).filter((code) => !Object.hasOwn(ERROR_CODES, code))).toEqual([])
  })

  test('a reason that is new is still a refusal', async () => {
    const { shop, order: asked, reference } = await paid()
    const link = {
      ...shop.link,
      fetch: async (url: string, init?: RequestInit) => {
        const payment = (await (await shop.link.fetch(url, init)).json()) as object
        const details = { failureReason: 'a_reason_that_is_new' }
        return Response.json({ ...payment, status: 'failed', details })
      },
    }
    const { attemptId, transactionId, amount, currency, intent } = asked
    const completion = { attemptId, transactionId, amount, currency, intent, reference, returned: {} }

    expect(await ideal.complete(completion, link)).toMatchObject({
      outcome: 'declined',
      code: 'other_decline',
      facts: { rawCode: 'a_reason_that_is_new' },
    })
  })

  test('a buyer who is asked has as long as Mollie says', async () => {
    const shop = openShop({ now: () => new Date('2026-11-19T10:00:00Z') })

    expect(await ideal.authorize(order(), shop.link)).toMatchObject({
      outcome: 'approval_required',
      approval: { kind: 'redirect', url: expect.stringContaining('/checkout/tr_') },
      expiresAt: new Date('2026-11-19T10:15:00Z'),
    })
  })

  test.each([
    [422, 'amount', 'invalid_amount'],
    [422, 'amount.currency', 'unsupported_currency'],
    [422, 'billingAddress.email', 'invalid_billing_address'],
    [422, 'method', 'unsupported_payment_method'],
    [422, 'webhookUrl', 'invalid_service_configuration'],
    [422, undefined, 'invalid_service_request'],
    [401, undefined, 'invalid_service_credentials'],
    [403, undefined, 'insufficient_service_permissions'],
    [429, undefined, 'service_rate_limit'],
  ])('%i about %s is %s, and nothing was done', async (status, field, code) => {
    const body = { status, title: 'No', detail: 'ada@example.com is wrong', field, _links: {} }
    const answer = await ideal.authorize(order(), answering(status, body))

    expect(answer).toMatchObject({ outcome: 'failed', code })
    // Mollie's sentence may repeat what the buyer has entered.
    expect(JSON.stringify(answer)).not.toContain('ada@')
  })

  test.each([
    [409, { status: 409, title: 'Conflict', detail: 'under way', _links: {} }],
    [503, { status: 503, title: 'Service Unavailable', detail: 'no bank', _links: {} }],
    [422, { title: 'of a gateway' }],
    [422, '<html>'],
    [200, { resource: 'payment', id: 'tr_1', status: 'new' }],
    [200, { resource: 'order', id: 'tr_1', status: 'paid' }],
    [201, { resource: 'payment', id: 'tr_1', status: 'paid' }],
  ])('%i with %j says nothing about what was done', async (status, body) => {
    expect((await ideal.authorize(order(), answering(status, body))).outcome).toBe('unknown')
  })

  test('another amount than was asked for is none of ours', async () => {
    const { shop, order: asked, reference } = await paid()
    const { attemptId, transactionId, currency, intent } = asked
    const completion = { attemptId, transactionId, amount: 1298, currency, intent, reference, returned: {} }

    expect(await ideal.complete(completion, shop.link)).toMatchObject({ outcome: 'unknown' })
    expect(await ideal.complete({ ...completion, amount: 1299 }, shop.link)).toMatchObject({
      outcome: 'approved',
    })
  })

  test('a payment that Klarna holds while it is captured by itself is not paid yet', async () => {
    const { shop, order: asked, reference } = await paid({ intent: 'capture' }, 'klarna')
    const payment = shop.standIn.books.find(reference)
    payment.status = 'authorized'
    const { attemptId, transactionId, amount, currency, intent } = asked
    const completion = { attemptId, transactionId, amount, currency, intent, reference, returned: {} }

    expect(await klarna.complete(completion, shop.link)).toMatchObject({ outcome: 'pending', reference })
    expect(await klarna.readNotification(shop.message(), shop.link)).toEqual({
      outcome: 'read',
      notifications: [],
    })
  })
})

describe('an answer that was lost', () => {
  test('is not asked for again once Mollie may have forgotten the key', async () => {
    const sentAt = new Date()
    const shop = openShop({ now: () => new Date(sentAt.getTime() + KEYS_LIVE_MS) })
    const asked = order()

    expect(
      await ideal.sync(samples.inquiryAbout('authorize', asked, { order: asked, sentAt }), shop.link),
    ).toMatchObject({ outcome: 'unknown' })
    expect(shop.sent).toEqual([])
  })

  test('is found by its mark, although the order is gone', async () => {
    const sale = await paid()
    const refund = samples.refundOrder(sale, { amount: 500 })
    await ideal.refund(refund, sale.shop.link)
    await sale.shop.control('finish')
    const inquiry = samples.inquiryAbout('refund', refund, { reference: sale.reference })

    expect(await ideal.sync(inquiry, sale.shop.link)).toMatchObject({ outcome: 'approved' })
    expect(await ideal.sync({ ...inquiry, attemptId: crypto.randomUUID() }, sale.shop.link)).toMatchObject({
      outcome: 'unknown',
    })
  })

  test('is looked for among the newest payments, page by page, and no further back than it was sent', async () => {
    let at = Date.now()
    const shop = openShop({ now: () => new Date(at) })
    const lost = order()
    await ideal.authorize(lost, shop.link)
    for (let made = 0; made < 250; made++) await ideal.authorize(order(), shop.link)
    const inquiry = samples.inquiryAbout('authorize', lost, { sentAt: new Date(at) })
    const found = await ideal.sync(inquiry, shop.link)
    at += 2 * 3_600_000
    shop.sent.splice(0)
    const later = samples.inquiryAbout('authorize', order(), { sentAt: new Date(at) })
    const missed = await ideal.sync(later, shop.link)

    expect(found).toMatchObject({ outcome: 'approval_required' })
    expect(missed).toMatchObject({ outcome: 'unknown' })
    expect(shop.sent).toHaveLength(1)
  })

  test('of a refund that Mollie takes for a repetition of another one stays unknown, and is made later', async () => {
    let at = Date.now()
    const now = () => new Date(at)
    const shop = openShop({ now })
    const asked = order()
    const answer = await ideal.authorize(asked, shop.link)
    const reference = 'reference' in answer ? String(answer.reference) : ''
    await shop.control(`payments/${reference}/approve`)
    const refunds = [1, 2].map(() => samples.refundOrder({ order: asked, reference }, { amount: 300 }))
    const answers = await Promise.all(refunds.map((one) => ideal.refund(one, shop.link)))
    at += 60_000
    const [, second] = refunds
    const later =
      second &&
      (await ideal.sync(samples.inquiryAbout('refund', second, { order: second, sentAt: now() }), shop.link))

    expect(answers.map(({ outcome }) => outcome).toSorted()).toEqual(['pending', 'unknown'])
    expect(later).toMatchObject({ outcome: 'pending' })
    expect(shop.standIn.books.movements.filter(({ kind }) => kind === 'refund')).toHaveLength(2)
  })

  test.each(['canceled', 'expired'] as const)('of a release is found by the status %s', async (status) => {
    const held = await paid({ intent: 'authorize' }, 'klarna')
    held.shop.standIn.books.find(held.reference).status = status
    const release = samples.voidOrder(held)

    expect(
      await klarna.sync(samples.inquiryAbout('void', release, { order: release }), held.shop.link),
    ).toMatchObject({
      outcome: 'approved',
      reference: held.reference,
    })
  })

  test('of a release of what a part was captured of is found, too', async () => {
    const held = await paid({ intent: 'authorize' }, 'klarna')
    await klarna.capture(samples.captureOrder(held, { amount: 300, isFinal: false }), held.shop.link)
    const release = samples.voidOrder(held, { amount: 999 })
    await klarna.void(release, held.shop.link)
    const inquiry = samples.inquiryAbout('void', release, { order: release })

    expect(await klarna.sync(inquiry, held.shop.link)).toMatchObject({ outcome: 'approved' })
  })

  test('of a cancellation is found, also if the payment has ended by itself', async () => {
    const shop = openShop()
    const asked = order()
    const answer = await ideal.authorize(asked, shop.link)
    const reference = 'reference' in answer ? String(answer.reference) : ''
    await shop.control(`payments/${reference}/expire`)
    const cancel = samples.cancelOrder({ order: asked, reference })

    expect(await ideal.cancel(cancel, shop.link)).toMatchObject({ outcome: 'approved' })
    expect(
      await ideal.sync(samples.inquiryAbout('cancel', cancel, { order: cancel }), shop.link),
    ).toMatchObject({
      outcome: 'approved',
    })
  })

  test('of a cancellation is none if the buyer has paid', async () => {
    const sale = await paid()

    expect(await ideal.cancel(samples.cancelOrder(sale), sale.shop.link)).toMatchObject({
      outcome: 'failed',
      code: 'unexpected_state',
    })
  })
})

describe('a last capture of a part', () => {
  async function captured(over: object = {}) {
    const held = await paid({ intent: 'authorize' }, 'klarna')
    const capture = samples.captureOrder(held, { amount: 300, isFinal: true, ...over })
    const answer = await klarna.capture(capture, held.shop.link)
    await held.shop.control('finish')
    const moved = () => held.shop.standIn.books.movements.slice(1).map(({ kind, value }) => [kind, value])
    const { reference } = held
    const sync = (link: Link, about: object = { order: capture, reference }) =>
      klarna.sync(samples.inquiryAbout('capture', capture, about), link)
    return { ...held, capture, answer, moved, sync }
  }

  /** A link whose releases arrive, and are not answered; or do not arrive. */
  const cutOff = ({ fetch, ...link }: Link, arrives: boolean): Link => ({
    ...link,
    fetch: async (url, init) => {
      if (!url.endsWith('/release-authorization')) return fetch(url, init)
      if (arrives) await fetch(url, init)
      throw new Error('the connection broke')
    },
  })

  const DONE = [
    ['capture', '3.00'],
    ['release', '9.99'],
  ]

  test('releases the rest once it has succeeded, when a message tells of it', async () => {
    const { shop, answer, moved, capture } = await captured()
    const before = moved()
    const heard = await klarna.readNotification(shop.message(), shop.link)
    await klarna.readNotification(shop.message(), shop.link)

    expect([answer.outcome, before]).toEqual(['pending', [['capture', '3.00']]])
    expect(heard).toMatchObject({ notifications: [{}, { about: 'capture', attemptId: capture.attemptId }] })
    expect(moved()).toEqual(DONE)
  })

  test.each([true, false])(
    'is told when the release is sure; that one arrived is %s, and its answer was lost',
    async (arrives) => {
      const { shop, moved, sync } = await captured()
      const lost = await sync(cutOff(shop.link, arrives))
      const heard = await klarna.readNotification(shop.message(), cutOff(shop.link, arrives))
      const found = await sync(shop.link)

      expect(lost).toMatchObject({ outcome: 'unknown', reason: expect.stringContaining('released') })
      const told = 'notifications' in heard ? heard.notifications.map(({ about }) => about) : []
      expect(told).toEqual(arrives ? ['authorization', 'capture'] : ['authorization'])
      expect(found).toMatchObject({ outcome: 'approved', reference: expect.stringMatching(/^cpt_/) })
      expect(moved()).toEqual(DONE)
    },
  )

  test('is released from its mark alone, although the order is gone', async () => {
    const { shop, moved, sync, reference } = await captured()

    expect(await sync(shop.link, { reference })).toMatchObject({ outcome: 'approved' })
    expect(moved()).toEqual(DONE)
  })

  test('that fails releases nothing, so that it can be made again', async () => {
    const held = await paid({ intent: 'authorize' }, 'klarna')
    const capture = samples.captureOrder(held, { amount: 300, isFinal: true })
    await klarna.capture(capture, held.shop.link)
    await held.shop.control('finish', { success: false })
    await klarna.readNotification(held.shop.message(), held.shop.link)

    expect(held.shop.standIn.books.find(held.reference).status).toBe('authorized')
  })

  test.each([
    ['is not the last', { isFinal: false }],
    ['takes all', { amount: 1299 }],
  ])('releases nothing if it %s', async (_what, over) => {
    const { shop, moved } = await captured(over)
    await klarna.readNotification(shop.message(), shop.link)

    expect(moved().map(([kind]) => kind)).toEqual(['capture'])
  })
})

describe('more than there is', () => {
  test.each([
    ['refund', { amount: 1300 }],
    ['refund', { reference: 'other' }],
  ] as const)('%s of %j is refused', async (act, over) => {
    const sale = await paid()

    expect(await ideal[act](samples.refundOrder(sale, over), sale.shop.link)).toMatchObject({
      outcome: 'failed',
    })
  })

  test('a capture or a release of what is not held is refused', async () => {
    const sale = await paid({ intent: 'capture' }, 'klarna')

    for (const answer of [
      await klarna.capture(samples.captureOrder(sale), sale.shop.link),
      await klarna.void(samples.voidOrder(sale), sale.shop.link),
      await klarna.capture(samples.captureOrder(sale, { reference: '../x' }), sale.shop.link),
      await klarna.void(samples.voidOrder(sale, { reference: '../x' }), sale.shop.link),
      await klarna.cancel(samples.cancelOrder(sale, { reference: null }), sale.shop.link),
    ])
      expect(answer.outcome).toBe('failed')
  })
})

describe('a message', () => {
  const read = (shop: ReturnType<typeof openShop>) => ideal.readNotification(shop.message(), shop.link)

  test('about a payment of another system is taken, and changes nothing', async () => {
    const { shop, reference } = await paid()
    const { asked } = shop.standIn.books.find(reference)
    Object.assign(asked, { metadata: 'order 7' })

    expect(await read(shop)).toEqual({ outcome: 'read', notifications: [] })
  })

  test('about refunds that people made at Mollie tells nothing of them', async () => {
    const { shop, reference } = await paid()
    const init = {
      method: 'POST',
      headers: { authorization: `Bearer ${shop.link.fields['api_key']}` },
      body: JSON.stringify({ amount: { currency: 'EUR', value: '1.00' } }),
    }
    await shop.standIn.fetch(`https://api.mollie.com/v2/payments/${reference}/refunds`, init)
    await shop.control('finish')

    expect(await read(shop)).toMatchObject({ notifications: [{ about: 'authorization' }] })
  })

  test('about captures and refunds tells those that are decided, by our ids', async () => {
    const held = await paid({ intent: 'authorize' }, 'klarna')
    const capture = samples.captureOrder(held, { amount: 900, isFinal: false })
    await klarna.capture(capture, held.shop.link)
    await held.shop.control('finish')
    const refund = samples.refundOrder(held, { amount: 200 })
    await klarna.refund(refund, held.shop.link)
    const before = await klarna.readNotification(held.shop.message(), held.shop.link)
    await held.shop.control('finish', { success: false })
    const after = await klarna.readNotification(held.shop.message(), held.shop.link)

    expect(before).toMatchObject({
      notifications: [
        { about: 'authorization', reference: held.reference },
        { about: 'capture', attemptId: capture.attemptId, answer: { outcome: 'approved' } },
      ],
    })
    expect(after).toMatchObject({
      notifications: [
        {},
        {},
        { about: 'refund', attemptId: refund.attemptId, answer: { code: 'service_error' } },
      ],
    })
  })

  test('about what was held and is released tells of a release, not of a refusal', async () => {
    const held = await paid({ intent: 'authorize' }, 'klarna')
    await klarna.void(samples.voidOrder(held), held.shop.link)

    expect(await klarna.readNotification(held.shop.message(), held.shop.link)).toMatchObject({
      notifications: [{ about: 'void', reference: held.reference, answer: { outcome: 'approved' } }],
    })
  })

  test('about a payment that Mollie does not show now comes again', async () => {
    const { shop } = await paid()

    await expect(ideal.readNotification(shop.message(), answering(500, {}))).rejects.toThrow('did not show')
    await expect(
      ideal.readNotification(
        messageAbout('id=tr_1'),
        answering(200, { resource: 'payment', id: 'tr_2', status: 'paid' }),
      ),
    ).rejects.toThrow('did not show')
  })
})
