import { beforeEach, describe, expect, test } from 'vitest'
import type { Connector, Link, Reading } from '#connectors/contract/connector.ts'
import type { AuthorizeOrder, Contact, Mandate } from '#connectors/contract/orders.ts'
import { authorizeOrder, inquiryAbout, testLink } from '#connectors/contract/samples.ts'
import { secret } from '#connectors/contract/secret.ts'
import { decodeForm } from '#sandbox/stand-ins/stripe/form.ts'
import { createStandIn, type StandIn, TEST_KEY } from '#sandbox/stand-ins/stripe/stand-in.ts'
import { sign } from '#sandbox/stand-ins/stripe/webhooks.ts'
import { stripeConnectors } from './connectors.ts'

const SECRET = 'whsec_of_the_test'
const NOW = new Date('2026-11-16T10:00:00Z')
const BILLING: Contact = {
  first_name: 'Ada',
  last_name: 'Lovelace',
  email_address: 'ada@example.com',
  phone_number: null,
  address: null,
}
const BROWSER = {
  javascript_enabled: true,
  java_enabled: false,
  language: 'en',
  color_depth: 24,
  screen_height: 800,
  screen_width: 600,
  time_zone_offset: 0,
  user_agent: 'Browser/1',
  user_device: 'desktop',
} as const

let standIn: StandIn
let link: Link
let sent: object[] = []

beforeEach(() => {
  sent = []
  standIn = createStandIn({ now: () => NOW })
  link = testLink({
    fields: { secret_key: TEST_KEY, webhook_secret: SECRET },
    now: () => NOW,
    fetch: (url, init) => {
      sent.push(decodeForm(String(init?.body ?? '')))
      return standIn.fetch(url, init)
    },
  })
})

function named(id: string): Required<Connector> {
  const found = stripeConnectors.find(({ manifest }) => manifest.id === id)
  if (!found) throw new Error(`there is no ${id}`)
  return found as Required<Connector>
}

const finish = (id = '') =>
  standIn.fetch(`https://api.stripe.com/_stand-in/finish${id && `/${id}`}`, { method: 'POST', body: '{}' })

function debit(
  account: object,
  over: Partial<AuthorizeOrder> = {},
  mandate: Mandate | null = null,
): AuthorizeOrder {
  const holder = { first_name: 'Ada', last_name: 'Lovelace' }
  return authorizeOrder({
    instrument: {
      kind: 'bank',
      payload: secret(JSON.stringify({ account_holder: holder, ...account })),
      mandate,
    },
    intent: 'capture',
    billing: BILLING,
    ...over,
  })
}

const iban = (account_number: string, over: Partial<AuthorizeOrder> = {}) =>
  debit({ account_number, scheme: 'sepa' }, { currency: 'EUR', ...over })

async function messageAbout(type: string): Promise<Reading> {
  const body = JSON.stringify(standIn.events.findLast((event) => event.type === type))
  const headers = { 'stripe-signature': sign(body, { secret: SECRET, now: NOW }) }
  return named('stripe-sepa').readNotification({ headers, body: Buffer.from(body) }, link)
}

describe('a debit by SEPA', () => {
  const sepa = named('stripe-sepa')

  test.each([
    ['AT611904300234573201', { outcome: 'approved' }],
    ['AT861904300235473202', { outcome: 'declined', code: 'service_decline' }],
  ])('is pending, and ends days later: %s', async (number, end) => {
    const order = iban(number)

    const answer = await sepa.authorize(order, link)
    await finish()
    const ended = await sepa.sync(inquiryAbout('authorize', order, { sentAt: NOW }), link)

    expect(answer.outcome).toBe('pending')
    expect(ended).toMatchObject(end)
  })

  test('is told of by a message, also when its bank takes it back', async () => {
    const order = iban('AT591904300235473203')
    await sepa.authorize(order, link)
    await finish()

    expect(await messageAbout('payment_intent.succeeded')).toMatchObject({
      notifications: [
        { about: 'authorization', attemptId: order.attemptId, answer: { outcome: 'approved' } },
      ],
    })
    expect(await messageAbout('charge.dispute.funds_withdrawn')).toMatchObject({
      notifications: [{ about: 'chargeback', amount: 1299, currency: 'EUR', reason: 'debit_not_authorized' }],
    })
  })

  test('has the buyer’s browser as proof of the mandate, if it is known', async () => {
    const buyer = { id: null, ipAddress: '192.0.2.1', locale: null }
    await sepa.authorize(iban('AT611904300234573201', { buyer, details: { browser_info: BROWSER } }), link)
    await sepa.authorize(iban('AT611904300234573201'), link)

    expect(sent).toMatchObject([
      {
        mandate_data: {
          customer_acceptance: {
            type: 'online',
            online: { ip_address: '192.0.2.1', user_agent: 'Browser/1' },
          },
        },
      },
      { mandate_data: { customer_acceptance: { type: 'offline' } } },
    ])
  })

  test('of a stored account rests on the permission that its buyer gave then', async () => {
    const mandate = { reference: '0'.repeat(32), signedAt: '2026-11-01T09:30:00.400Z' }
    const buyer = { id: null, ipAddress: '192.0.2.1', locale: null }
    const present = { currency: 'EUR', buyer, details: { browser_info: BROWSER } }
    const account = { account_number: 'AT611904300234573201', scheme: 'sepa' }
    const first = await sepa.authorize(debit(account, present, mandate), link)
    const later = await sepa.authorize(
      debit(account, { ...present, isSubsequentPayment: true }, mandate),
      link,
    )

    const accepted_at = String(Date.UTC(2026, 10, 1, 9, 30) / 1_000)
    expect(sent).toMatchObject([
      {
        setup_future_usage: 'off_session',
        mandate_data: { customer_acceptance: { type: 'online', accepted_at } },
      },
      {
        setup_future_usage: 'off_session',
        mandate_data: { customer_acceptance: { type: 'offline', accepted_at } },
      },
    ])
    for (const answer of [first, later]) {
      expect(answer).toMatchObject({
        outcome: 'pending',
        facts: { mandate: { reference: expect.stringMatching(/^mandate_/) } },
      })
    }
  })

  test('cannot rest on a permission of the future', async () => {
    const mandate = { reference: '0'.repeat(32), signedAt: '2026-11-17T00:00:00.000Z' }
    const account = { account_number: 'AT611904300234573201', scheme: 'sepa' }

    const answer = await sepa.authorize(debit(account, { currency: 'EUR' }, mandate), link)

    expect(answer).toMatchObject({ outcome: 'failed', code: 'invalid_service_request' })
  })

  test.each([
    ['no e-mail address', iban('AT611904300234573201', { billing: null }), 'invalid_request_parameters'],
    [
      'no holder',
      debit({ account_number: 'AT611904300234573201', account_holder: {} }),
      'invalid_payment_method',
    ],
    ['no number', debit({}), 'invalid_payment_method'],
    ['an account that is no JSON', notJson(), 'invalid_payment_method'],
    ['an amount of zero', iban('AT611904300234573201', { amount: 0 }), 'invalid_amount'],
  ])('with %s is refused, and nothing is sent', async (_name, order, code) => {
    expect(await sepa.authorize(order, link)).toMatchObject({ outcome: 'failed', code })
    expect(sent).toEqual([])
  })

  test('with a wrong IBAN is refused by Stripe, and the number does not show', async () => {
    const answer = await sepa.authorize(iban('XX00'), link)

    expect(answer).toMatchObject({ outcome: 'failed', code: 'invalid_service_request' })
    expect(JSON.stringify(answer)).not.toContain('XX00')
  })
})

describe('a debit by ACH', () => {
  const ach = named('stripe-ach')
  const account = (account_number: string) =>
    debit({ account_number, routing_number: '110000000', account_type: 'savings' })

  test.each([
    ['000123456789', { outcome: 'approved' }],
    ['000222222227', { outcome: 'declined', code: 'insufficient_funds' }],
    ['000111111113', { outcome: 'declined', code: 'canceled_payment_method' }],
    ['000111111116', { outcome: 'failed', code: 'invalid_payment_method' }],
    ['000333333335', { outcome: 'declined', code: 'refused_transaction' }],
  ])('is verified by the buyer, and ends days later: %s', async (number, end) => {
    const order = account(number)
    const answer = await ach.authorize(order, link)
    if (answer.outcome !== 'approval_required') throw new Error(`Stripe answered ${answer.outcome}`)
    const { reference } = answer
    await finish(reference)
    const verified = await ach.complete({ ...order, reference, returned: null }, link)
    await finish()

    const ended = await ach.sync(inquiryAbout('authorize', order, { sentAt: NOW, reference }), link)

    expect(verified.outcome).toBe('pending')
    expect(ended).toMatchObject(end)
    expect(sent[0]).toMatchObject({
      payment_method_data: {
        us_bank_account: { account_type: 'savings', account_holder_type: 'individual' },
      },
    })
  })

  test.each([
    ['ten days after the deposit', (date: number) => date, new Date('2026-11-27T10:00:00Z')],
    ['twelve days if Stripe does not tell of it', () => undefined, new Date('2026-11-28T10:00:00Z')],
  ])('is waited for: %s', async (_name, change, expiresAt) => {
    const fetch: Link['fetch'] = async (url, init) => {
      const intent = JSON.parse(await (await link.fetch(url, init)).text())
      const details = intent.next_action.verify_with_microdeposits
      details.arrival_date = change(details.arrival_date)
      return Response.json(intent)
    }

    expect(await ach.authorize(account('000123456789'), { ...link, fetch })).toMatchObject({
      outcome: 'approval_required',
      expiresAt,
    })
  })
})

describe('a redirect', () => {
  const redirected = (method: string, over: Partial<AuthorizeOrder> = {}) =>
    authorizeOrder({
      instrument: { kind: 'redirect', method, country: 'NL', currency: 'EUR' },
      currency: 'EUR',
      intent: 'capture',
      billing: BILLING,
      redirectUrl: 'https://pay.example.com/return',
      ...over,
    })

  test('needs a way back, Klarna the country, and Bancontact the name', async () => {
    const without = await named('stripe-ideal').authorize(redirected('ideal', { redirectUrl: null }), link)
    const klarna = await named('stripe-klarna').authorize(redirected('klarna'), link)
    const bancontact = await named('stripe-bancontact').authorize(
      redirected('bancontact', { billing: null }),
      link,
    )

    expect(without).toMatchObject({ outcome: 'failed', code: 'invalid_request_parameters' })
    expect(klarna).toMatchObject({ outcome: 'failed', code: 'missing_billing_address' })
    expect(bancontact).toMatchObject({ outcome: 'failed', code: 'invalid_request_parameters' })
    expect(sent).toEqual([])
  })

  test('in another currency is refused', async () => {
    const answer = await named('stripe-ideal').authorize(redirected('ideal', { currency: 'USD' }), link)

    expect(answer).toMatchObject({ outcome: 'failed', code: 'unsupported_currency' })
  })

  test('is not completed with the intent of another payment', async () => {
    const ideal = named('stripe-ideal')
    const [one, other] = [redirected('ideal'), redirected('ideal')]
    const answer = await ideal.authorize(one, link)
    const reference = 'reference' in answer ? (answer.reference ?? '') : ''
    await finish(reference)

    const completed = await ideal.complete({ ...other, reference, returned: null }, link)

    expect(completed.outcome).toBe('unknown')
  })
})

function notJson(): AuthorizeOrder {
  return authorizeOrder({
    instrument: { kind: 'bank', payload: secret('no'), mandate: null },
    billing: BILLING,
  })
}
