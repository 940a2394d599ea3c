import { inspect } from 'node:util'
import { beforeEach, describe, expect, test } from 'vitest'
import type { ApprovalRequired, Connector, Link, SyncAnswer } from '#connectors/contract/connector.ts'
import type { AuthorizeOrder } from '#connectors/contract/orders.ts'
import * as samples from '#connectors/contract/samples.ts'
import { REJECTIONS } from '#sandbox/stand-ins/paypal/cards.ts'
import { createStandIn, STAND_IN_CLIENT } from '#sandbox/stand-ins/paypal/stand-in.ts'
import { payPal, payPalCard } from './connectors.ts'
import {
  AMEX,
  type Desk,
  NETWORK_TOKEN,
  newOrder,
  openStandIn,
  pageOf,
  press,
  REDIRECT,
  RETURN_URL,
} from './testing/bench.ts'

const { authorize, complete, capture, refund, sync, tokenize, verify } = payPal as Required<Connector>
const voidPayment = (payPal as Required<Connector>).void
const HOUR = 3_600_000
const NO_DETAILS = {
  first_name: null,
  last_name: null,
  email_address: null,
  phone_number: null,
  address: null,
}

let desk: Desk
let link: Link
beforeEach(() => {
  desk = openStandIn()
  link = desk.link
})

function order(over: Partial<AuthorizeOrder> = {}): AuthorizeOrder {
  return samples.authorizeOrder(newOrder({ instrument: AMEX, ...over }))
}

async function asked(over: Partial<AuthorizeOrder> = {}) {
  const asking = order({ instrument: REDIRECT, ...over })
  const answer = await authorize(asking, link)
  if (answer.outcome !== 'approval_required') throw new Error(answer.outcome)
  return { order: asking, answer, reference: answer.reference }
}

function completion(
  { order, reference }: { order: AuthorizeOrder; reference: string },
  returned: object | null,
) {
  return { ...order, reference, returned } as Parameters<typeof complete>[0]
}

function inquiry(about: AuthorizeOrder, reference: string | null = null) {
  return samples.inquiryAbout('authorize', about, { order: about, reference, sentAt: desk.clock.now() })
}

/** Answers everything after the token with this. */
function answering(body: object, status = 200): Link {
  return {
    ...link,
    fetch: async (url, init) =>
      url.endsWith('/oauth2/token') ? link.fetch(url, init) : Response.json(body, { status }),
  }
}

describe('access tokens', () => {
  test('are asked for once, and again when they end or are revoked', async () => {
    await authorize(order(), link)
    await authorize(order(), link)
    expect(desk.standIn.tokens.count).toBe(1)

    desk.clock.move(9 * HOUR)
    expect((await authorize(order(), link)).outcome).toBe('approved')
    expect(desk.standIn.tokens.count).toBe(2)

    desk.standIn.tokens.revokeAll()
    expect((await authorize(order(), link)).outcome).toBe('approved')
    expect(desk.standIn.tokens.count).toBe(3)
  })

  test('of old credentials are not used for new ones', async () => {
    await authorize(order(), link)
    const changed = { ...link, fields: { ...link.fields, client_secret: 'another' } }

    expect(await authorize(order(), changed)).toMatchObject({
      outcome: 'failed',
      code: 'invalid_service_credentials',
    })
  })

  test('that cannot be had let another provider try, but do not end what the buyer has approved', async () => {
    const waiting = await asked()
    await press(desk, pageOf(waiting.answer), 'approve')
    const broken = samples.testLink({ ...link, fetch: () => Promise.reject(new TypeError('fetch failed')) })
    const { remember, forget } = samples.testLink({ fetch: broken.fetch })
    const down = { ...broken, remember, forget }

    expect(await authorize(order(), down)).toMatchObject({
      outcome: 'failed',
      code: 'service_network_error',
      isRetriable: true,
    })
    expect(await complete(completion(waiting, {}), down)).toMatchObject({ outcome: 'unknown' })
  })
})

describe('a card', () => {
  const codes: Record<string, string> = {
    'CCREJECT-REFUSED': 'issuer_decline',
    'CCREJECT-SF': 'suspected_fraud',
    'CCREJECT-EC': 'expired_payment_method',
    'CCREJECT-IRC': 'canceled_payment_method',
    'CCREJECT-IF': 'insufficient_funds',
    'CCREJECT-LS': 'canceled_payment_method',
    'CCREJECT-IA': 'invalid_payment_method',
    'CCREJECT-BANK_ERROR': 'issuer_decline',
    'CCREJECT-CVV_F': 'incorrect_cvv',
  }

  test.each(Object.keys(REJECTIONS))('of %s is declined', async (first_name) => {
    for (const intent of ['authorize', 'capture'] as const) {
      expect(await authorize(order({ intent, billing: { ...NO_DETAILS, first_name } }), link)).toMatchObject({
        code: codes[first_name],
        facts: {
          rawCode: REJECTIONS[first_name],
          avsResponseCode: 'unavailable',
          cvvResponseCode: 'unavailable',
        },
      })
    }
  })

  test('that is approved tells what its bank said, and the scheme’s id', async () => {
    const answer = await authorize(order(), link)

    expect(answer).toMatchObject({
      outcome: 'approved',
      facts: {
        rawCode: '0000',
        avsResponseCode: 'match',
        cvvResponseCode: 'match',
        schemeTransactionId: expect.stringMatching(/^\w{15}$/),
        additionalIdentifiers: { paypal_order_id: expect.stringMatching(/^\w{17}$/) },
      },
    })
  })

  test('is never in an address or an answer', async () => {
    const shown: unknown[] = []
    const watched: Link = {
      ...link,
      fetch: async (url, init) => {
        shown.push(url)
        return link.fetch(url, init)
      },
    }
    shown.push(
      await authorize(order(), watched),
      await tokenize(samples.tokenizeOrder({ instrument: AMEX }), watched),
    )

    expect(inspect(shown, { depth: null })).not.toContain('371449635398431')
  })

  test.each([
    ['approve', 'approved'],
    ['attempted', 'approved'],
    ['failed', 'failed'],
    ['cancel', 'failed'],
  ])('is checked by 3-D Secure: %s', async (decision, outcome) => {
    const waiting = await asked({ instrument: AMEX, threeDSecure: 'provider' })
    const returned = await press(desk, pageOf(waiting.answer), decision)

    const answer = await complete(completion(waiting, returned), link)

    expect(answer.outcome).toBe(outcome)
    expect(desk.standIn.books.authorizations.size).toBe(outcome === 'approved' ? 1 : 0)
  })

  test('that must not be tried again says so', async () => {
    const asking = order({ intent: 'capture' })
    const answer = await authorize(asking, answering(orderOf(asking, { advice: '03' }), 201))

    expect(answer).toMatchObject({ outcome: 'declined', code: 'issuer_decline', isRetriable: false })
  })
})

/** An order of PayPal about a declined card. */
function orderOf(
  asking: AuthorizeOrder,
  { advice = '', over = {}, unit = {} }: { advice?: string; over?: object; unit?: object },
) {
  const amount = { currency_code: 'USD', value: '12.99' }
  const response = { response_code: '5100', ...(advice && { payment_advice_code: advice }) }
  const capture = { id: 'C', status: 'DECLINED', amount, processor_response: response }
  const own = { custom_id: asking.attemptId, amount, payments: { captures: [capture] }, ...unit }
  return { id: 'O', status: 'COMPLETED', intent: 'CAPTURE', purchase_units: [own], ...over }
}

describe('a network token', () => {
  const paid = (over: object, rest: Partial<AuthorizeOrder> = {}) =>
    order({ instrument: { ...NETWORK_TOKEN, ...over } as AuthorizeOrder['instrument'], ...rest })

  test.each([null, 'apple-pay', 'google-pay'])(
    'of %s pays once, also if its answer is lost',
    async (cardSource) => {
      for (const intent of ['authorize', 'capture'] as const) {
        const asking = paid({ cardSource }, { intent })
        const first = await authorize(asking, link)
        const again = await sync(inquiry(asking), link)

        expect(first).toMatchObject({
          outcome: 'approved',
          facts: { schemeTransactionId: expect.any(String) },
        })
        expect(again).toMatchObject({
          outcome: 'approved',
          reference: 'reference' in first && first.reference,
        })
        expect(desk.standIn.books.effects.get(asking.attemptId)).toBe(1)
      }
    },
  )

  test.each([null, 'apple-pay', 'google-pay'])('of %s is declined as a card is', async (cardSource) => {
    expect(await authorize(paid({ cardSource, cardholderName: 'CCREJECT-IF' }), link)).toMatchObject({
      outcome: 'declined',
      code: 'insufficient_funds',
    })
  })

  test.each([null, 'apple-pay'])('of %s needs its cryptogram while the buyer pays', async (cardSource) => {
    const later = {
      isMerchantInitiated: true,
      isSubsequentPayment: true,
      paymentSource: 'recurring',
      previousSchemeTransactionId: '123456789012345',
    } as const

    expect(await authorize(paid({ cardSource, cryptogram: null }), link)).toMatchObject({
      outcome: 'failed',
      facts: { rawCode: 'CRYPTOGRAM_REQUIRED' },
    })
    expect(await authorize(paid({ cardSource, cryptogram: null }, later), link)).toMatchObject({
      outcome: 'approved',
    })
  })

  test('shows neither its number nor its cryptogram', async () => {
    const urls: string[] = []
    const watched: Link = {
      ...link,
      fetch: (url, init) => {
        urls.push(url)
        return link.fetch(url, init)
      },
    }
    const answers = await Promise.all(
      [null, 'apple-pay', 'google-pay'].map((cardSource) => authorize(paid({ cardSource }), watched)),
    )

    const text = inspect([urls, answers], { depth: null })
    expect(text).not.toContain(NETWORK_TOKEN.token.use(String))
    expect(text).not.toContain(NETWORK_TOKEN.cryptogram.use(String))
  })
})

describe('an answer of PayPal is unknown', () => {
  test.each([
    ['that is about another attempt', { unit: { custom_id: 'other' } }],
    ['with another amount', { unit: { amount: { currency_code: 'USD', value: '1.00' } } }],
    ['in another currency', { unit: { amount: { currency_code: 'EUR', value: '12.99' } } }],
    ['with another intent', { over: { intent: 'AUTHORIZE' } }],
    ['with a new status', { over: { status: 'DREAMING' } }],
    ['without payments', { unit: { payments: {} } }],
    ['with two units', { over: { purchase_units: [{}, {}] } }],
    [
      'with a capture of a new status',
      {
        unit: {
          payments: {
            captures: [{ id: 'C', status: 'LATE', amount: { currency_code: 'USD', value: '12.99' } }],
          },
        },
      },
    ],
    ['that asks the buyer without an address', { over: { status: 'PAYER_ACTION_REQUIRED', links: [] } }],
  ])('%s', async (_what, change) => {
    const asking = order({ intent: 'capture' })

    expect(await authorize(asking, answering(orderOf(asking, change), 201))).toMatchObject({
      outcome: 'unknown',
    })
  })

  test.each([
    [409, { name: 'RESOURCE_CONFLICT', details: [{ issue: 'PREVIOUS_REQUEST_IN_PROGRESS' }] }],
    [422, { name: 'UNPROCESSABLE_ENTITY' }],
    [422, { name: 'UNPROCESSABLE_ENTITY', details: [{ issue: 'ORDER_ALREADY_CAPTURED' }] }],
    [422, { name: 'UNPROCESSABLE_ENTITY', details: [{ issue: 'SOMETHING_NEW_ALREADY_DONE' }] }],
    [400, { fault: 'proxy' }],
    [404, { message: 'no such page' }],
    [202, { id: 'O' }],
  ])('with %i and %o', async (status, body) => {
    expect(await authorize(order(), answering(body, status))).toMatchObject({ outcome: 'unknown' })
  })

  test.each([
    [401, { error: 'invalid_token' }, 'invalid_service_credentials'],
    [
      403,
      { name: 'NOT_AUTHORIZED', details: [{ issue: 'PERMISSION_DENIED' }] },
      'insufficient_service_permissions',
    ],
    [422, { name: 'UNPROCESSABLE_ENTITY', details: [{ issue: 'A_NEW_ISSUE' }] }, 'invalid_service_request'],
    [422, { name: 'UNPROCESSABLE_ENTITY', details: [{ issue: 'INSTRUMENT_DECLINED' }] }, 'service_decline'],
    [429, { name: 'RATE_LIMIT_REACHED' }, 'service_rate_limit'],
  ])('but not with %i and %o', async (status, body, code) => {
    expect(await authorize(order(), answering(body, status))).toMatchObject({ code })
  })
})

describe('the buyer’s return', () => {
  test('of another payment, without parameters or invented charges nothing, and keeps waiting', async () => {
    const waiting = await asked()

    for (const returned of [null, {}, { token: 'x' }, { PayerID: 'y' }]) {
      expect(await complete(completion(waiting, returned), link)).toEqual(waiting.answer)
    }
  })

  test('charges once, also if it comes again, and says who has paid', async () => {
    const waiting = await asked({ intent: 'capture' })
    const returned = await press(desk, pageOf(waiting.answer), 'approve')

    const first = await complete(completion(waiting, returned), link)
    const again = await complete(completion(waiting, returned), link)

    expect(first).toMatchObject({
      outcome: 'approved',
      facts: {
        additionalIdentifiers: { paypal_order_id: waiting.reference, paypal_payer_id: returned['PayerID'] },
      },
    })
    expect(again).toEqual(first)
    expect(desk.standIn.books.captures.size).toBe(1)
  })

  test('after a cancel fails the payment, unless the buyer has approved in between', async () => {
    const waiting = await asked()
    const cancelled = await press(desk, pageOf(waiting.answer), 'cancel')
    expect(await complete(completion(waiting, cancelled), link)).toMatchObject({
      outcome: 'failed',
      code: 'cancelled_buyer_approval',
    })

    await press(desk, pageOf(waiting.answer), 'approve')
    expect(await complete(completion(waiting, cancelled), link)).toMatchObject({ outcome: 'approved' })
  })

  test('with an account that cannot pay is declined', async () => {
    const waiting = await asked({ intent: 'capture' })
    const returned = await press(desk, pageOf(waiting.answer), 'declined')

    expect(await complete(completion(waiting, returned), link)).toMatchObject({
      outcome: 'declined',
      code: 'service_decline',
      facts: { rawCode: 'INSTRUMENT_DECLINED' },
    })
  })

  test.each([
    [401, { error: 'invalid_token' }],
    [403, { name: 'NOT_AUTHORIZED', details: [{ issue: 'PERMISSION_DENIED' }] }],
    [429, { name: 'RATE_LIMIT_REACHED' }],
  ])('is not the end while PayPal answers the charge with %i, and charges later', async (status, body) => {
    const waiting = await asked({ intent: 'capture' })
    const returned = await press(desk, pageOf(waiting.answer), 'approve')
    const { fetch, ...rest } = link
    const refusing = {
      ...rest,
      fetch: (...request: Parameters<typeof fetch>) =>
        String(request[0]).endsWith('/capture')
          ? Promise.resolve(Response.json(body, { status }))
          : fetch(...request),
    }

    expect(await complete(completion(waiting, returned), refusing)).toMatchObject({ outcome: 'unknown' })
    expect(await sync(inquiry(waiting.order, waiting.reference), link)).toMatchObject({ outcome: 'approved' })
  })

  test('from a bank account is pending', async () => {
    const waiting = await asked({ intent: 'capture' })
    const returned = await press(desk, pageOf(waiting.answer), 'echeck')

    expect(await complete(completion(waiting, returned), link)).toMatchObject({
      outcome: 'pending',
      facts: { rawCode: 'PENDING', rawDescription: 'ECHECK' },
    })
  })

  test('after hours is too late', async () => {
    const waiting = await asked()
    desk.clock.move(7 * HOUR)

    expect(await complete(completion(waiting, {}), link)).toMatchObject({ code: 'cancelled_buyer_approval' })
  })
})

describe('sync', () => {
  test('charges what the buyer has approved, with and without the order', async () => {
    for (const hasOrder of [true, false]) {
      const waiting = await asked()
      await press(desk, pageOf(waiting.answer), 'approve')
      const about = { ...inquiry(waiting.order, waiting.reference), ...(!hasOrder && { order: null }) }

      expect(await sync(about as Parameters<typeof sync>[0], link)).toMatchObject({ outcome: 'approved' })
    }
    expect(desk.standIn.books.authorizations.size).toBe(2)
  })

  test('follows an authorization and a capture that PayPal reviews', async () => {
    Object.assign(desk.standIn.books.behaviour, { authorizations: 'pending', captures: 'pending' })
    for (const intent of ['authorize', 'capture'] as const) {
      const asking = order({ intent })
      const first = (await authorize(asking, link)) as { outcome: string; reference: string }
      expect(first.outcome).toBe('pending')
      expect(await sync(inquiry(asking, first.reference), link)).toMatchObject({ outcome: 'pending' })

      const books = intent === 'authorize' ? desk.standIn.books.authorizations : desk.standIn.books.captures
      Object.assign(books.get(first.reference) ?? {}, {
        status: intent === 'authorize' ? 'CREATED' : 'DECLINED',
      })

      const outcome = intent === 'authorize' ? 'approved' : 'declined'
      expect(await sync(inquiry(asking, first.reference), link)).toMatchObject({ outcome })
    }
  })

  test('does not repeat what PayPal no longer knows', async () => {
    const asking = order()
    await authorize(asking, link)
    const about = inquiry(asking)
    desk.clock.move(6 * HOUR)

    expect(await sync(about, link)).toMatchObject({ outcome: 'unknown' })
    expect(desk.standIn.books.orders.size).toBe(1)
  })

  test.each([
    [422, 'DUPLICATE_INVOICE_ID'],
    [403, 'PERMISSION_DENIED'],
    [404, 'INVALID_RESOURCE_ID'],
  ])('takes no refusal of the repetition that says nothing about the first: %i %s', async (status, issue) => {
    const refusal = answering({ name: 'X', details: [{ issue }] }, status)

    expect(await sync(inquiry(order()), refusal)).toMatchObject({ outcome: 'unknown' })
  })

  test('of an order that has ended fails the payment', async () => {
    const waiting = await asked()
    desk.clock.move(7 * HOUR)

    expect(await sync(inquiry(waiting.order, waiting.reference), link)).toMatchObject({
      outcome: 'failed',
      code: 'cancelled_buyer_approval',
    })
  })

  test('of a token needs to know it, or the order', async () => {
    const asking = samples.tokenizeOrder({ instrument: REDIRECT, redirectUrl: RETURN_URL })
    const about = (over: object) =>
      sync(samples.inquiryAbout('tokenize', asking, { sentAt: desk.clock.now(), ...over }), link)
    const first = (await tokenize(asking, link)) as ApprovalRequired

    expect(await about({})).toMatchObject({ outcome: 'unknown' })
    expect(await about({ order: asking })).toMatchObject({
      outcome: 'approval_required',
      reference: first.reference,
    })
    await press(desk, pageOf(first), 'approve')
    expect(await about({ reference: first.reference })).toMatchObject({
      outcome: 'approved',
      token: { label: expect.stringContaining('@example.com') },
    })
  })
})

describe('follow-ups', () => {
  async function authorized(over: Partial<AuthorizeOrder> = {}) {
    const asking = order(over)
    const answer = (await authorize(asking, link)) as SyncAnswer & { reference: string }
    return { order: asking, reference: answer.reference }
  }

  test('refund the capture that the server names, and say so if there is none', async () => {
    const sale = await authorized({ intent: 'capture' })
    const asking = samples.refundOrder(
      { ...sale, captureReference: sale.reference },
      { amount: 500, reason: 'broken' },
    )

    expect(await refund(asking, link)).toMatchObject({ outcome: 'approved' })
    expect([...desk.standIn.books.refunds.values()]).toMatchObject([
      { customId: asking.attemptId, note: 'broken' },
    ])
    expect(await refund({ ...asking, attemptId: 'x', captureReference: null }, link)).toMatchObject({
      outcome: 'failed',
      code: 'invalid_amount',
    })
  })

  test.each([
    [{ amount: 1300 }, 'invalid_amount'],
    [{ currency: 'EUR' }, 'incorrect_currency'],
  ])('refuse a refund of %o: %s', async (over, code) => {
    const sale = await authorized({ intent: 'capture' })

    const answer = await refund(
      samples.refundOrder({ ...sale, captureReference: sale.reference }, over),
      link,
    )

    expect(answer).toMatchObject({ code })
  })

  test.each([
    ['capture', { supplementary_data: { related_ids: { authorization_id: 'OTHER' } } }],
    ['capture', { invoice_id: 'OTHER' }],
    ['capture', { amount: { currency_code: 'USD', value: '1.00' } }],
    ['capture', { status: 'DREAMING' }],
    ['capture', { id: null }],
    ['refund', { custom_id: 'OTHER' }],
    ['refund', { amount: { currency_code: 'EUR', value: '12.99' } }],
    ['refund', { status: 'DREAMING' }],
  ])('do not take the answer to another %s for theirs: %o', async (what, over) => {
    const sale = await authorized(what === 'refund' ? { intent: 'capture' } : {})
    const changing: Link = {
      ...link,
      fetch: async (url, init) => {
        const response = await link.fetch(url, init)
        if (!url.endsWith(`/${what}`)) return response
        return Response.json({ ...((await response.json()) as object), ...over }, { status: response.status })
      },
    }

    const answer =
      what === 'capture'
        ? await capture(samples.captureOrder(sale), changing)
        : await refund(samples.refundOrder({ ...sale, captureReference: sale.reference }), changing)

    expect(answer).toMatchObject({ outcome: 'unknown' })
  })

  test('of amounts that PayPal cannot express are not sent', async () => {
    const sent: string[] = []
    const watched: Link = {
      ...link,
      fetch: (url, init) => {
        sent.push(url)
        return link.fetch(url, init)
      },
    }
    const sale = { order: order({ currency: 'HUF', amount: 129_950 }), reference: 'A', captureReference: 'C' }
    const invalid = { outcome: 'failed', code: 'invalid_amount' }

    expect(await capture(samples.captureOrder(sale), watched)).toMatchObject(invalid)
    expect(await refund(samples.refundOrder(sale), watched)).toMatchObject(invalid)
    expect(sent).toEqual([])
  })

  test('believe a void without a body', async () => {
    const held = await authorized()
    const silent: Link = {
      ...link,
      fetch: async (url, init) => {
        const answer = await link.fetch(url, init)
        return String(url).endsWith('/void') ? new Response(null, { status: 204 }) : answer
      },
    }

    expect(await voidPayment(samples.voidOrder(held), silent)).toMatchObject({ outcome: 'approved' })
  })

  test('void again what is void', async () => {
    const held = await authorized()

    expect(await voidPayment(samples.voidOrder(held), link)).toMatchObject({ outcome: 'approved' })
    expect(await voidPayment(samples.voidOrder(held), link)).toMatchObject({
      outcome: 'approved',
      facts: { rawCode: 'PREVIOUSLY_VOIDED' },
    })
    expect(await capture(samples.captureOrder(held), link)).toMatchObject({ code: 'unexpected_state' })
  })

  test('cannot void what is captured', async () => {
    const held = await authorized()
    await capture(samples.captureOrder(held), link)

    expect(await voidPayment(samples.voidOrder(held), link)).toMatchObject({ code: 'unexpected_state' })
  })

  test('capture nothing after 29 days', async () => {
    const held = await authorized()
    desk.clock.move(30 * 24 * HOUR)

    expect(await capture(samples.captureOrder(held), link)).toMatchObject({ code: 'expired_authorization' })
  })
})

describe('a capture from an account, after PayPal’s three days', () => {
  const LATE = { authorizationAgeMs: 96 * HOUR }

  async function held() {
    const waiting = await asked()
    const done = await complete(
      completion(waiting, await press(desk, pageOf(waiting.answer), 'approve')),
      link,
    )
    desk.clock.move(LATE.authorizationAgeMs)
    return { order: waiting.order, reference: (done as SyncAnswer & { reference: string }).reference }
  }

  /** Does something else with the requests to one path. */
  function at(end: string, answer: (pass: () => Promise<Response>) => Promise<Response>): Link {
    const { fetch } = link
    return {
      ...link,
      fetch: (url, init) => (url.endsWith(end) ? answer(() => fetch(url, init)) : fetch(url, init)),
    }
  }
  const refusing = (issue: string) => {
    const body = { name: 'UNPROCESSABLE_ENTITY', details: [{ issue }], message: 'no', debug_id: '1' }
    return at('/reauthorize', async () => Response.json(body, { status: 422 }))
  }
  const sourcesOf = () =>
    [...desk.standIn.books.captures.values()].map(
      ({ authorizationId }) => desk.standIn.books.authorizations.get(authorizationId ?? '')?.parentId,
    )

  test('captures the new authorization', async () => {
    const on = await held()

    const answer = await capture(samples.captureOrder(on, { ...LATE, amount: 999 }), link)

    expect(answer).toMatchObject({ outcome: 'approved' })
    expect(sourcesOf()).toEqual([on.reference])
    expect(desk.standIn.books.authorizations.size).toBe(2)
  })

  test.each(['/reauthorize', '/capture'])(
    'is one capture of one new hold, if the answer of %s is lost',
    async (end) => {
      const on = await held()
      const asking = samples.captureOrder(on, LATE)
      const losing = at(end, async (pass) => {
        await pass()
        throw new TypeError('fetch failed')
      })

      expect(await capture(asking, losing)).toMatchObject({ outcome: 'unknown' })
      const inquiry = samples.inquiryAbout('capture', asking, { order: asking, sentAt: desk.clock.now() })
      expect(await sync(inquiry, link)).toMatchObject({ outcome: 'approved' })
      expect(await sync(inquiry, link)).toMatchObject({ outcome: 'approved' })

      expect(sourcesOf()).toEqual([on.reference])
      expect(desk.standIn.books.authorizations.size).toBe(2)
    },
  )

  test('takes nothing if PayPal declines, and finds the same new hold when it is asked again', async () => {
    const on = await held()

    expect(await capture(samples.captureOrder(on, LATE), refusing('PAYER_CANNOT_PAY'))).toMatchObject({
      outcome: 'declined',
      code: 'service_decline',
    })
    const declined = at('/capture', async () =>
      Response.json(
        { name: 'UNPROCESSABLE_ENTITY', details: [{ issue: 'TRANSACTION_REFUSED' }] },
        { status: 422 },
      ),
    )
    expect((await capture(samples.captureOrder(on, LATE), declined)).outcome).toBe('declined')
    expect(sourcesOf()).toEqual([])
    expect((await capture(samples.captureOrder(on, LATE), link)).outcome).toBe('approved')

    expect(sourcesOf()).toEqual([on.reference])
    expect(desk.standIn.books.authorizations.size).toBe(2)
  })

  test('takes nothing while PayPal reviews the new hold', async () => {
    const on = await held()
    const reviewing = at('/reauthorize', async (pass) => {
      const body = (await (await pass()).json()) as object
      return Response.json({ ...body, status: 'PENDING' }, { status: 201 })
    })

    expect(await capture(samples.captureOrder(on, LATE), reviewing)).toMatchObject({
      code: 'service_decline',
    })
    expect(sourcesOf()).toEqual([])
  })

  test('uses the first hold if PayPal renews none, if parts follow, and of a card', async () => {
    const renewedNever = await held()
    const inParts = await held()
    const never = at('/reauthorize', () => Promise.reject(new Error('must not be asked')))
    const card = { order: order(), reference: '' }
    const approved = (await authorize(card.order, link)) as SyncAnswer & { reference: string }
    const ofCard = samples.captureOrder({ ...card, reference: approved.reference }, LATE)

    await capture(samples.captureOrder(renewedNever, LATE), refusing('REAUTHORIZATION_NOT_SUPPORTED'))
    await capture(samples.captureOrder(inParts, { ...LATE, amount: 100, isFinal: false }), never)
    await capture(samples.captureOrder(inParts, { ...LATE, amount: 200, capturedAmount: 100 }), never)
    await (payPalCard as Required<Connector>).capture(ofCard, never)

    expect(sourcesOf()).toEqual([null, null, null, null])
  })
})

describe('verify', () => {
  const say = (fields: object) => verify({ ...link, fields: { ...link.fields, ...fields } })

  test('says which credentials are wrong', async () => {
    expect(await say({})).toEqual({ outcome: 'accepted' })
    expect(await say({ webhook_id: '' })).toEqual({ outcome: 'accepted' })
    expect(await say({ client_secret: 'x' })).toMatchObject({
      outcome: 'rejected',
      message: expect.stringContaining('client_secret'),
    })
    expect(await say({ webhook_id: 'NONE' })).toMatchObject({
      outcome: 'rejected',
      message: expect.stringContaining('webhook_id'),
    })
  })

  test('rejects an app that may not take payments', async () => {
    const restricted = { ...STAND_IN_CLIENT, features: [] }
    const other = createStandIn({ now: desk.clock.now, clients: [restricted] })

    expect(
      await verify({ ...link, fetch: other.fetch, fields: { ...link.fields, webhook_id: '' } }),
    ).toMatchObject({
      outcome: 'rejected',
      message: expect.stringContaining('may not take payments'),
    })
  })
})

test('both methods are listed, with what each can do', () => {
  expect([payPal, payPalCard].map(({ manifest }) => [manifest.id, manifest.instruments])).toEqual([
    ['paypal-paypal', ['redirect', 'provider-token']],
    ['paypal-card', ['card', 'network-token', 'provider-token']],
  ])
})
