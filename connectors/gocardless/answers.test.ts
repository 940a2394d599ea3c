import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { Connector, Link, Message } from '#connectors/contract/connector.ts'
import type { ReportLine } from '#connectors/contract/reports.ts'
import * as samples from '#connectors/contract/samples.ts'
import { reportLink } from '#processing/report-link.ts'
import { STAND_IN_ACCOUNT } from '#sandbox/stand-ins/gocardless/stand-in.ts'
import { goCardlessConnectors } from './connectors.ts'
import { METHODS, type MethodRow } from './methods.ts'
import { KEYS_LIVE_MS } from './sync.ts'
import { openShop, orderBy, type Shop } from './testing/shop.ts'

const rowOf = (method: string) => METHODS.find((row) => row.method === method) as MethodRow
const connectorFor = (method: string) =>
  goCardlessConnectors.find(({ manifest }) => manifest.method === method) as Required<Connector>
const bacs = connectorFor('bacs')
const order = (over: object = {}, method = 'bacs') =>
  samples.authorizeOrder({ ...orderBy(rowOf(method)), ...over })

/** A link to a provider that gives this answer to everything. */
function answering(status: number, body: object | string): Link {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return samples.testLink({
    fetch: async () => new Response(text, { status }),
    fields: STAND_IN_ACCOUNT,
  })
}

/** A payment for which the buyer is asked. */
async function asked(over: object = {}, { method = 'bacs', shop = openShop() } = {}) {
  const one = order(over, method)
  const connector = connectorFor(method)
  const answer = await connector.authorize(one, shop.link)
  const request = 'reference' in answer ? String(answer.reference) : ''
  const { attemptId, transactionId, amount, currency, intent } = one
  const completion = { attemptId, transactionId, amount, currency, intent, reference: request, returned: {} }
  return { shop, order: one, request, answer, completion, connector }
}

/** A debit that the buyer has permitted, and the bank has not paid. */
async function permitted(decision = 'approve', over: object = {}, given: Parameters<typeof asked>[1] = {}) {
  const sale = await asked(over, given)
  await sale.shop.control(`requests/${sale.request}/${decision}`)
  const made = await sale.connector.complete(sale.completion, sale.shop.link)
  await sale.shop.message()
  return { ...sale, made, reference: 'reference' in made ? String(made.reference) : '' }
}

async function paid(over: object = {}, given: Parameters<typeof asked>[1] = {}) {
  const sale = await permitted('approve', over, given)
  await sale.shop.control('finish')
  return sale
}

const told = async (shop: Shop) => bacs.readNotification(await shop.message(), shop.link)
const made = (shop: Shop, kind: string) => shop.standIn.books.movements.filter((one) => one.kind === kind)

describe('what is sent', () => {
  test('asks for a mandate first, and shows the buyer what is known of them', async () => {
    const details = { description: '  Ten tulips ' }
    const {
      shop,
      order: one,
      answer,
    } = await asked({
      details,
      buyer: { id: null, ipAddress: null, locale: 'en-GB' },
    })

    expect(shop.sent.map(({ path }) => path)).toEqual(['/billing_requests', '/billing_request_flows'])
    const { attemptId: attempt, transactionId: transaction } = one
    expect(shop.sent[0]?.body.billing_requests).toEqual({
      metadata: { attempt, amount: '1299', method: 'bacs' },
      mandate_request: {
        currency: 'GBP',
        scheme: 'bacs',
        description: 'Ten tulips',
        metadata: { attempt, transaction, method: 'bacs' },
      },
    })
    expect(shop.sent[1]?.body.billing_request_flows).toMatchObject({
      redirect_uri: 'https://switchyard.example.com/return/attempt',
      language: 'en',
      prefilled_customer: {
        given_name: 'Ada',
        address_line1: '12 Old Street',
        postal_code: 'EC1V 9BD',
        country_code: 'GB',
      },
    })
    expect(answer).toMatchObject({
      outcome: 'approval_required',
      approval: { kind: 'redirect', url: expect.stringContaining('/flow/BRF') },
      expiresAt: expect.any(Date),
    })
  })

  test('a company without a person is named as one, and a creditor is the one that is paid', async () => {
    const shop = openShop()
    const billing = { ...orderBy(rowOf('bacs')).billing, first_name: null, last_name: null }
    const link = { ...shop.link, fields: { ...STAND_IN_ACCOUNT, creditor: 'CR123' } }
    await bacs.authorize(order({ billing }), link)

    expect(shop.sent[0]?.body.billing_requests.links).toEqual({ creditor: 'CR123' })
    expect(shop.sent[1]?.body.billing_request_flows.prefilled_customer.company_name).toBe(
      'Analytical Engines',
    )
  })

  test('once the buyer has permitted it, the debit is made of the mandate', async () => {
    const { shop, made: answer, order: one } = await permitted()

    expect(answer).toMatchObject({ outcome: 'pending', reference: expect.stringMatching(/^PM/) })
    expect(shop.sent.at(-1)).toMatchObject({
      path: '/payments',
      body: {
        payments: {
          amount: 1299,
          currency: 'GBP',
          metadata: { attempt: one.attemptId, method: 'bacs' },
          links: { mandate: expect.stringMatching(/^MD/) },
        },
      },
    })
  })

  test.each([
    ['paybybank', { currency: 'EUR' }],
    ['payto', { currency: 'AUD', scheme: 'pay_to' }],
  ])('%s is paid on the page of the bank, and makes no mandate', async (method, expected) => {
    const sale = await paid({}, { method })

    const { payment_request: payment, mandate_request: mandate } =
      sale.shop.sent[0]?.body.billing_requests ?? {}
    expect(payment).toMatchObject({ amount: 1299, ...expected })
    expect(mandate).toBeUndefined()
    expect(await sale.connector.complete(sale.completion, sale.shop.link)).toMatchObject({
      outcome: 'approved',
    })
    expect(made(sale.shop, 'payment')).toHaveLength(1)
  })

  test.each([
    ['a buyer who cannot come back', { redirectUrl: null }, 'invalid_request_parameters'],
    ['another currency', { currency: 'EUR' }, 'unsupported_currency'],
    ['nothing to pay', { amount: 0 }, 'invalid_amount'],
  ])('nothing, for %s', async (_what, over, code) => {
    const { shop, answer } = await asked(over)

    expect(answer).toMatchObject({ outcome: 'failed', code })
    expect(shop.sent).toEqual([])
  })

  test.each([
    ['production', 'https://api.gocardless.com'],
    ['sandbox', 'https://api-sandbox.gocardless.com'],
  ] as const)('%s asks %s', async (environment, origin) => {
    const asked: string[] = []
    const fetch = async (url: string) => {
      asked.push(new URL(url).origin)
      return new Response('', { status: 500 })
    }
    const elsewhere = environment === 'production' ? { stand_in_url: 'https://elsewhere.example.com' } : {}
    const fields = { ...STAND_IN_ACCOUNT, ...elsewhere }
    await bacs.verify(samples.testLink({ fetch, fields, environment }))

    expect(asked).toEqual([origin])
  })
})

describe('what comes back', () => {
  const failing = (status: number, error: object) =>
    answering(status, { error: { code: status, type: 'validation_failed', errors: [], ...error } })

  test.each([
    [422, { errors: [{ field: 'amount', reason: 'invalid', message: 'ada@example.com' }] }, 'invalid_amount'],
    [422, { errors: [{ field: 'mandate_request.currency' }] }, 'unsupported_currency'],
    [422, { type: 'invalid_state', errors: [{ reason: 'mandate_is_inactive' }] }, 'canceled_payment_method'],
    [422, {}, 'invalid_service_request'],
    [401, {}, 'invalid_service_credentials'],
    [403, {}, 'insufficient_service_permissions'],
    [429, {}, 'service_rate_limit'],
  ])('%i with %j is %s, and nothing was done', async (status, error, code) => {
    const answer = await bacs.authorize(order(), failing(status, error))

    expect(answer).toMatchObject({ outcome: expect.stringMatching(/failed|declined/), code })
    expect(JSON.stringify(answer)).not.toContain('ada@')
  })

  test.each([
    [409, { errors: [{ reason: 'idempotency_key_in_use' }] }],
    [422, { type: 'gocardless' }],
    [500, { type: 'gocardless' }],
    [422, { code: 400 }],
  ])('%i with %j says nothing about what was done', async (status, error) => {
    expect((await bacs.authorize(order(), failing(status, error))).outcome).toBe('unknown')
  })

  test.each([
    [200, '<html>'],
    [200, {}],
    [201, { billing_requests: { id: 'BRQ1', status: 'pending', metadata: { attempt: 'another' } } }],
    [201, { payments: { id: 'PM1' } }],
  ])('%i with %j says nothing either', async (status, body) => {
    expect((await bacs.authorize(order(), answering(status, body))).outcome).toBe('unknown')
  })

  test('a debit that has failed says why, though only its event does', async () => {
    const sale = await permitted('refuse')
    await sale.shop.control('finish')

    expect(await bacs.complete(sale.completion, sale.shop.link)).toMatchObject({
      outcome: 'declined',
      code: 'insufficient_funds',
    })
  })

  test.each([401, 403, 404, 410, 429])(
    'a question that is answered %i says nothing about the payment',
    async (code) => {
      const error = { error: { code, type: 'invalid_api_usage', message: 'no', errors: [] } }
      const { attemptId, transactionId, amount, currency, intent } = order()
      const about = { attemptId, transactionId, amount, currency, intent, returned: {} }
      const link = answering(code, error)

      for (const reference of ['PM123', 'BRQ123'])
        expect(await bacs.complete({ ...about, reference }, link), reference).toMatchObject({
          outcome: 'unknown',
        })
    },
  )

  test('a buyer who has not decided is waited for', async () => {
    const { shop, completion, request } = await asked()

    expect(await bacs.complete(completion, shop.link)).toMatchObject({
      outcome: 'pending',
      reference: request,
    })
    expect(made(shop, 'payment')).toEqual([])
  })

  test('a buyer who does not permit the debit has cancelled', async () => {
    const { shop, completion, request } = await asked()
    await shop.control(`requests/${request}/cancel`)

    expect(await bacs.complete(completion, shop.link)).toMatchObject({
      outcome: 'failed',
      code: 'cancelled_buyer_approval',
    })
    expect(await told(shop)).toMatchObject({
      notifications: [{ about: 'authorization', reference: request, answer: { outcome: 'failed' } }],
    })
  })
})

describe('an answer that was lost', () => {
  test('is asked for again under the same key, and GoCardless names what it has made', async () => {
    const { shop, order: one, request } = await asked()
    const inquiry = samples.inquiryAbout('authorize', one, { order: one, sentAt: shop.link.now() })

    expect(await bacs.sync(inquiry, shop.link)).toMatchObject({
      outcome: 'approval_required',
      reference: request,
    })
    expect(shop.standIn.books.requests.size).toBe(1)
  })

  test('of a debit does not make another one, also after the key was forgotten', async () => {
    const sale = await asked()
    await sale.shop.control(`requests/${sale.request}/approve`)
    const { link, sent } = sale.shop
    const cutOff: Link = {
      ...link,
      fetch: async (url, init) => {
        const reply = await link.fetch(url, init)
        if (init?.method === 'POST') throw new Error('the connection broke')
        return reply
      },
    }
    const lost = await bacs.complete(sale.completion, cutOff)
    sent.splice(0)
    const found = await bacs.complete(sale.completion, link)

    expect(lost.outcome).toBe('unknown')
    expect(found).toMatchObject({ outcome: 'pending', reference: expect.stringMatching(/^PM/) })
    expect(sent.map(({ method }) => method)).not.toContain('POST')
    expect(made(sale.shop, 'payment')).toHaveLength(1)
  })

  test('is found by its mark among the newest requests, although the order is gone, and debits of what stands there', async () => {
    const sale = await asked()
    for (let other = 0; other < 3; other++) await bacs.authorize(order(), sale.shop.link)
    await sale.shop.control(`requests/${sale.request}/approve`)
    const inquiry = samples.inquiryAbout('authorize', sale.order, { sentAt: sale.shop.link.now() })

    expect(await bacs.sync(inquiry, sale.shop.link)).toMatchObject({
      outcome: 'pending',
      reference: expect.stringMatching(/^PM/),
    })
    expect(made(sale.shop, 'payment')).toMatchObject([{ amount: 1299 }])
  })

  test('is not asked for again once GoCardless may have forgotten the key', async () => {
    const sentAt = new Date()
    const shop = openShop({ now: () => new Date(sentAt.getTime() + KEYS_LIVE_MS) })
    const one = order()

    expect(
      await bacs.sync(samples.inquiryAbout('authorize', one, { order: one, sentAt }), shop.link),
    ).toMatchObject({ outcome: 'unknown' })
    expect(shop.sent).toEqual([])
  })

  test('of a refund is found by its mark', async () => {
    const sale = await paid()
    const refund = samples.refundOrder(sale, { amount: 500 })
    await bacs.refund(refund, sale.shop.link)
    const inquiry = samples.inquiryAbout('refund', refund, { reference: sale.reference })
    const [first] = [await bacs.sync(inquiry, sale.shop.link)]
    await sale.shop.control('finish')

    expect(first).toMatchObject({ outcome: 'pending' })
    expect(await bacs.sync(inquiry, sale.shop.link)).toMatchObject({ outcome: 'approved' })
    expect(made(sale.shop, 'refund')).toHaveLength(1)
  })

  test('of a cancellation is found, also if it has ended by itself', async () => {
    const { shop, order: one, request } = await asked()
    const cancel = samples.cancelOrder({ order: one, reference: request })
    await shop.control(`requests/${request}/cancel`)

    expect(await bacs.cancel(cancel, shop.link)).toMatchObject({ outcome: 'approved' })
    const inquiry = samples.inquiryAbout('cancel', cancel, { reference: request })
    expect(await bacs.sync(inquiry, shop.link)).toMatchObject({ outcome: 'approved' })
  })
})

describe('what follows', () => {
  test('a debit that the banks do not have yet can be cancelled', async () => {
    const sale = await permitted()

    expect(await bacs.cancel(samples.cancelOrder(sale), sale.shop.link)).toMatchObject({
      outcome: 'approved',
      reference: sale.reference,
    })
    expect(await told(sale.shop)).toMatchObject({
      notifications: [{ about: 'authorization', answer: { outcome: 'failed' } }],
    })
  })

  test.each([
    ['submitted', 'submit'],
    ['paid', 'confirm'],
  ])('one that was %s cannot', async (_status, step) => {
    const sale = await permitted()
    await sale.shop.control(`payments/${sale.reference}/${step}`)

    expect(await bacs.cancel(samples.cancelOrder(sale), sale.shop.link)).toMatchObject({
      outcome: 'failed',
      code: 'unexpected_state',
    })
  })

  test('two refunds name what is refunded in all', async () => {
    const sale = await paid()
    const refunds = [400, 500].map((amount) => samples.refundOrder(sale, { amount }))
    for (const one of refunds) await bacs.refund(one, sale.shop.link)
    const more = await bacs.refund(samples.refundOrder(sale, { amount: 400 }), sale.shop.link)

    const asked = sale.shop.sent.flatMap(({ body }) => body.refunds?.total_amount_confirmation ?? [])
    expect(asked).toEqual([400, 900, 1300])
    expect(more).toMatchObject({ outcome: 'failed', code: 'refund_already_satisfied' })
  })

  test('a refund between whose two requests another one was made is asked for again', async () => {
    const sale = await paid()
    const { link } = sale.shop
    let isFirst = true
    const between: Link = {
      ...link,
      fetch: async (url, init) => {
        if (init?.method === 'POST' && isFirst) {
          isFirst = false
          await bacs.refund(samples.refundOrder(sale, { amount: 100 }), link)
        }
        return link.fetch(url, init)
      },
    }
    const refund = samples.refundOrder(sale, { amount: 200 })
    const first = await bacs.refund(refund, between)
    const sync = samples.inquiryAbout('refund', refund, {
      order: refund,
      sentAt: link.now(),
      reference: sale.reference,
    })

    expect(first).toMatchObject({ outcome: 'unknown' })
    expect(await bacs.sync(sync, link)).toMatchObject({ outcome: 'pending' })
    expect(made(sale.shop, 'refund').map(({ amount }) => amount)).toEqual([100, 200])
  })

  test.each([{ reference: 'tr_1' }, { reference: '../PM1' }])('nothing is asked about %j', async (over) => {
    const sale = await paid()
    sale.shop.sent.splice(0)

    expect(await bacs.refund(samples.refundOrder(sale, over), sale.shop.link)).toMatchObject({
      code: 'unknown_service_resource',
    })
    expect(await bacs.cancel(samples.cancelOrder(sale, over), sale.shop.link)).toMatchObject({
      code: 'unknown_service_resource',
    })
    expect(sale.shop.sent).toEqual([])
  })
})

describe('a message', () => {
  test('that the buyer has permitted the debit lets the server go on, also if the buyer did not come back', async () => {
    const { shop, request, order: one } = await asked()
    await shop.control(`requests/${request}/approve`)

    expect(await told(shop)).toMatchObject({
      notifications: [{ about: 'approvable', reference: request, attemptId: one.attemptId }],
    })
  })

  test('that the bank refuses is a refusal, with the reason of the bank', async () => {
    const sale = await permitted('refuse')
    await sale.shop.control('finish')

    expect(await told(sale.shop)).toMatchObject({
      notifications: [
        {
          about: 'authorization',
          reference: sale.reference,
          answer: { outcome: 'declined', code: 'insufficient_funds', facts: { rawCode: 'AM04' } },
        },
      ],
    })
  })

  test('with a cause that is new is still the refusal of the bank', async () => {
    const sale = await permitted('refuse')
    await sale.shop.control('finish')
    const { body } = await sale.shop.message()
    const message = sale.shop.sign(body.toString().replaceAll('insufficient_funds', 'a_cause_that_is_new'))

    expect(String(message.body)).toContain('a_cause_that_is_new')
    expect(await bacs.readNotification(message, sale.shop.link)).toMatchObject({
      notifications: [{ reference: sale.reference, answer: { outcome: 'declined', code: 'other_decline' } }],
    })
  })

  test('that it failed after it was confirmed is a late failure', async () => {
    const sale = await permitted('return')
    await sale.shop.control('finish')

    expect(await told(sale.shop)).toMatchObject({
      notifications: [
        { about: 'authorization', answer: { outcome: 'approved' } },
        {
          about: 'late_failure',
          of: 'authorization',
          code: 'insufficient_funds',
          failedAt: expect.any(Date),
        },
      ],
    })
  })

  test('that GoCardless tries again tells nothing', async () => {
    const sale = await permitted()
    await sale.shop.control(`payments/${sale.reference}/retry`)

    expect(await told(sale.shop)).toMatchObject({ notifications: [] })
  })

  test('about a chargeback says how much, and one that was cancelled gives it back', async () => {
    const sale = await paid()
    await sale.shop.message()
    await sale.shop.control(`payments/${sale.reference}/charge-back`)
    await sale.shop.control(`payments/${sale.reference}/cancel-chargeback`)

    const dispute = { dispute: sale.reference, amount: 1299, currency: 'GBP' }
    expect(await told(sale.shop)).toMatchObject({
      notifications: [
        { about: 'chargeback', code: 'MD06', ...dispute },
        { about: 'chargeback_reversal', ...dispute },
      ],
    })
  })

  test('about refunds tells when they arrive, and when they come back', async () => {
    const sale = await paid()
    const refund = samples.refundOrder(sale, { amount: 500 })
    const answer = await bacs.refund(refund, sale.shop.link)
    const id = 'reference' in answer ? answer.reference : ''
    await sale.shop.message()
    await sale.shop.control('finish')
    await sale.shop.control(`refunds/${id}/bounced`)

    expect(await told(sale.shop)).toMatchObject({
      notifications: [
        { about: 'refund', reference: id, attemptId: refund.attemptId, answer: { outcome: 'approved' } },
        { about: 'late_failure', of: 'refund', reference: id, code: 'service_error' },
      ],
    })
  })

  test('whose look-up fails comes again', async () => {
    const sale = await permitted('refuse')
    await sale.shop.control('finish')
    const message = await sale.shop.message()

    await expect(bacs.readNotification(message, answering(500, {}))).rejects.toThrow('did not show')
  })

  test('of things that are no payments of ours tells nothing', async () => {
    const events = [
      { resource_type: 'mandates', action: 'active', links: { mandate: 'MD1' } },
      { resource_type: 'payments', action: 'submitted', links: { payment: 'PM1' } },
      { resource_type: 'payments', action: 'confirmed' },
    ]
    const body = Buffer.from(JSON.stringify({ events }))
    const { webhook_secret: secret } = STAND_IN_ACCOUNT
    const signature = createHmac('sha256', secret).update(body).digest('hex')
    const message: Message = { headers: { 'webhook-signature': signature }, body }

    expect(await bacs.readNotification(message, openShop().link)).toEqual({
      outcome: 'read',
      notifications: [],
    })
  })
})

describe('a payout', () => {
  async function linesOf(method: string, shop: Shop): Promise<readonly ReportLine[]> {
    const link = reportLink(
      { fetch: shop.link.fetch, timeoutMs: 10_000, environment: 'sandbox' },
      STAND_IN_ACCOUNT,
    )
    const { reports } = connectorFor(method)
    const listed = await reports.list?.(new Date(0), link)
    const files = listed?.outcome === 'listed' ? listed.files : []
    const lines: ReportLine[] = []
    for (const { id } of files) {
      for await (const entry of reports.parse(reports.read(id, link)))
        if (entry.type === 'line') lines.push(entry)
    }
    return lines
  }

  test('has the lines of each method, with what they cost', async () => {
    const sale = await paid()
    const { shop } = sale
    await paid({ amount: 700, currency: 'GBP' }, { method: 'paybybank', shop })
    await bacs.refund(samples.refundOrder(sale, { amount: 300 }), shop.link)
    await shop.control('finish')
    await shop.control('payouts')
    const lines = await linesOf('bacs', shop)

    expect(lines).toMatchObject([
      { kind: 'settlement', reference: sale.reference, ourReference: sale.order.attemptId, amount: 1299 },
      { kind: 'other', amount: 0, commission: 21, reason: 'gocardless_fee' },
      { kind: 'refund_settlement', reference: expect.stringMatching(/^RF/), amount: -300 },
    ])
    expect(await linesOf('paybybank', shop)).toMatchObject([
      { kind: 'settlement', amount: 700 },
      { kind: 'other', commission: 21 },
    ])
    expect(await linesOf('sepa', shop)).toEqual([])
  })

  test('takes back what failed later, and what was charged back', async () => {
    const failed = await permitted('return')
    const { shop } = failed
    await shop.control('finish')
    const taken = await paid({}, { shop })
    await shop.control('payouts')
    await shop.control(`payments/${taken.reference}/charge-back`)
    await shop.control('payouts')
    const lines = (await linesOf('bacs', shop)).filter(({ kind }) => kind !== 'other')

    const moved = lines.map(({ kind, reference, amount }) => [kind, reference, amount].join(' '))
    expect(new Set(moved)).toEqual(
      new Set([
        `settlement ${failed.reference} 1299`,
        `settlement ${taken.reference} 1299`,
        `settlement ${failed.reference} -1299`,
        `chargeback ${taken.reference} -1299`,
      ]),
    )
  })

  test('whose items do not add up is not booked', async () => {
    const { shop } = await paid()
    await shop.control('payouts')
    const link = {
      ...shop.link,
      fetch: async (url: string, init?: RequestInit) => {
        const response = await shop.standIn.fetch(url, init)
        if (!url.includes('/payouts')) return response
        return new Response((await response.text()).replaceAll('"amount":1279', '"amount":1280'))
      },
    }

    await expect(linesOf('bacs', { ...shop, link })).rejects.toThrow('do not add up')
  })
})
