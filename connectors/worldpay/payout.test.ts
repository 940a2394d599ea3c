import { describe, expect, test } from 'vitest'
import type { Link } from '#connectors/contract/connector.ts'
import type { Contact, PayoutMerchant, PayoutOrder } from '#connectors/contract/orders.ts'
import * as samples from '#connectors/contract/samples.ts'
import { PAYOUTS } from './mapping.ts'
import { readNotification } from './notification.ts'
import { payout } from './payout.ts'
import { sync } from './sync.ts'
import contract from './testing/contract.json' with { type: 'json' }
import { worldpayContract } from './testing/published-contract.ts'
import { FIELDS, named, openShop } from './testing/shop.ts'

const PLACE = {
  line1: 'Main Street',
  line2: 'Flat 3',
  house_number_or_name: '12',
  city: 'Springfield',
  country: 'US',
  postal_code: '62704',
  state: null,
  state_code: 'US-IL',
  organization: null,
}
const MERCHANT: PayoutMerchant = {
  name: 'Lucky Ltd',
  identification_number: 'LL-4711',
  phone_number: '+14155550123',
  url: 'https://lucky.example.com',
  statement_descriptor: 'LÜCKY WIN',
  merchant_category_code: '7995',
  address: null,
}

async function taken(over: Partial<PayoutOrder> = {}, link: Partial<Link> = {}) {
  const shop = openShop(link)
  const order = samples.payoutOrder(over)
  const answer = await payout(order, shop.link)
  const ask = (attemptId = order.attemptId) =>
    sync({ ...samples.inquiryAbout('payout', order, { order }), attemptId }, shop.link)
  return { shop, order, answer, ask }
}

function answering(status: number, body: unknown): Link {
  return samples.testLink({ fields: FIELDS, fetch: async () => Response.json(body, { status }) })
}

test('a payout goes to the card, with who gets it, under its own reference', async () => {
  const billing: Contact = { ...named('Zoë'), last_name: 'O’Brien', address: PLACE }
  const { shop, order, answer } = await taken({ billing, merchant: MERCHANT })

  expect(shop.sent).toEqual([
    {
      path: '/payouts/fastAccess',
      body: {
        transactionReference: order.attemptId,
        merchant: { entity: 'default' },
        instruction: {
          value: { amount: 1299, currency: 'USD' },
          narrative: { line1: 'LUCKY WIN' },
          payoutInstrument: {
            type: 'card/plain',
            cardNumber: samples.CARD_NUMBER,
            cardExpiryDate: { month: 12, year: 2035 },
            cardHolderName: 'Zoe O Brien',
            billingAddress: {
              postalCode: '62704',
              countryCode: 'US',
              address1: 'Main Street 12',
              address2: 'Flat 3',
              city: 'Springfield',
              state: 'IL',
            },
          },
        },
      },
    },
  ])
  expect(answer).toMatchObject({
    outcome: 'approved',
    reference: order.attemptId,
    facts: { schemeTransactionId: '400200004000001' },
  })
})

test.each<[string, Contact | null, object]>([
  ['nobody', null, {}],
  ['a name without letters that Worldpay takes', named('寿司'), {}],
  [
    'an address without a city',
    { ...named('Jane'), address: { ...PLACE, city: null } },
    { cardHolderName: 'Jane', billingAddress: { postalCode: '62704', countryCode: 'US', state: 'IL' } },
  ],
  [
    'an address without a postcode',
    { ...named('Jane'), address: { ...PLACE, postal_code: null } },
    { cardHolderName: 'Jane' },
  ],
])('of %s, only what Worldpay takes is sent', async (_what, billing, known) => {
  const { shop, answer } = await taken({ billing })
  const { instruction } = (shop.sent[0]?.body ?? {}) as { instruction: { payoutInstrument: object } }

  expect(answer.outcome).toBe('approved')
  expect(instruction.payoutInstrument).toEqual({
    type: 'card/plain',
    cardNumber: samples.CARD_NUMBER,
    cardExpiryDate: { month: 12, year: 2035 },
    ...known,
  })
})

test('something else than a card is refused, and nothing is sent', async () => {
  const instrument = { kind: 'redirect', method: 'ideal', country: 'NL', currency: 'EUR' } as const
  const { shop, answer } = await taken({ instrument })

  expect(answer).toMatchObject({ outcome: 'failed', code: 'unsupported_payment_method' })
  expect(shop.sent).toEqual([])
})

test('an entity that may not pay out is told what to ask for', async () => {
  const { answer, shop } = await taken({}, { fields: { ...FIELDS, entity: 'other' } })

  expect(answer).toMatchObject({
    outcome: 'failed',
    code: 'invalid_service_configuration',
    facts: { rawDescription: expect.stringContaining('ask Worldpay to enable card payouts') },
  })
  expect(shop.standIn.payments.movements).toEqual([])
})

test('each outcome that Worldpay lists for a payout has a meaning, but the one that says two things', () => {
  const { enum: listed } = contract.schemas['4/payouts_fastAccess_201_response'].properties.outcome

  expect(new Set([...Object.keys(PAYOUTS), 'error'])).toEqual(new Set(listed))
})

describe('the outcome', () => {
  test.each([
    ['REFUSED51', { outcome: 'declined', code: 'insufficient_funds', facts: { rawCode: '51' } }],
    ['STANDARD', { outcome: 'approved', facts: { rawCode: 'requestReceived' } }],
    ['PENDING', { outcome: 'pending' }],
    ['REVIEW', { outcome: 'pending' }],
    ['ERROR', { outcome: 'unknown' }],
  ])('of %s is in the answer, and is the same when it is asked for', async (name, outcome) => {
    const { answer, ask, shop } = await taken({ billing: named(name) })

    expect(answer).toMatchObject(outcome)
    expect(await ask()).toMatchObject(outcome)
    expect(shop.sent.filter(({ path }) => path === '/payouts/fastAccess')).toHaveLength(1)
  })

  test.each([
    ['finish', 'approved', { outcome: 'approved' }],
    ['fail', 'refused', { outcome: 'declined', code: 'other_decline' }],
  ])('that comes later (%s) is told by a message, and shown', async (control, type, outcome) => {
    const { ask, order, shop } = await taken({ billing: named('PENDING') })
    await shop.control(control)
    await shop.control('finish')
    const message = shop.message(type)

    expect(worldpayContract.problemsOfWebhook(`${type}Payout`, JSON.parse(String(message.body)))).toEqual([])
    expect(await readNotification(message, shop.link)).toMatchObject({
      notifications: [
        { about: 'payout', reference: order.attemptId, attemptId: order.attemptId, answer: outcome },
      ],
    })
    expect(await ask()).toMatchObject({ ...outcome, reference: order.attemptId })
  })

  test('of a payout about which Worldpay is not sure is looked for', async () => {
    const { answer, ask, shop } = await taken({ billing: named('UNSURE') })

    expect(answer).toMatchObject({ outcome: 'unknown' })
    expect(await ask()).toMatchObject({ outcome: 'approved' })
    expect(shop.sent.map(({ path }) => path.split('?')[0])).toEqual(['/payouts/fastAccess', '/payouts/query'])
  })

  test('is unknown, however long it is ago, if Worldpay does not show the payout: nothing is sent again', async () => {
    const { ask, shop } = await taken()

    expect(await ask(crypto.randomUUID())).toMatchObject({ outcome: 'unknown' })
    expect(shop.standIn.payments.movements).toHaveLength(1)
  })

  test.each<[number, object]>([
    [201, {}],
    [201, { outcome: 'Levitating' }],
    [500, { errorName: 'checkOutcome' }],
    [422, { errorName: 'checkOutcome' }],
    [404, { errorName: 'resourceNotFound' }],
    [500, { errorName: 'internalErrorOccurred' }],
  ])('is unknown after %i %o', async (status, body) => {
    expect(await payout(samples.payoutOrder(), answering(status, body))).toMatchObject({ outcome: 'unknown' })
  })

  test('in a message about a payout of another system, or one that only says that it waits, is no news', async () => {
    const { shop } = await taken()
    const told = async (over: object) => {
      shop.standIn.payments.post({ classification: 'payout', type: 'approved', ...over })
      const waiting = shop.standIn.payments.waiting.at(-1)
      if (!waiting) throw new Error('there is no message')
      const reading = await readNotification({ ...waiting, body: Buffer.from(waiting.body) }, shop.link)
      return reading.outcome === 'read' ? reading.notifications : reading
    }
    const transactionReference = crypto.randomUUID()

    expect(await told({ transactionReference: 'Memory265-13/08/1876' })).toEqual([])
    expect(await told({ transactionReference, type: 'pending' })).toEqual([])
    expect(await told({ transactionReference })).toHaveLength(1)
  })
})
