import { describe, expect, test } from 'vitest'
import type { PayoutMerchant, PayoutOrder } from '#connectors/contract/orders.ts'
import * as samples from '#connectors/contract/samples.ts'
import { readNotification } from './notification.ts'
import { payout } from './payout.ts'
import { sync } from './sync.ts'
import { card, FIELDS, openShop } from './testing/shop.ts'

const PLACE = {
  line1: 'Main Street',
  line2: null,
  house_number_or_name: '12',
  city: 'Springfield',
  country: 'US',
  postal_code: '62704',
  state: null,
  state_code: 'US-IL',
  organization: null,
}
const SENT_PLACE = {
  address_line1: '12 Main Street',
  city: 'Springfield',
  state: 'IL',
  zip: '62704',
  country: 'US',
}
const MERCHANT: PayoutMerchant = {
  name: 'Lucky Ltd',
  identification_number: 'LL-4711',
  phone_number: '+14155550123',
  url: 'https://lucky.example.com',
  statement_descriptor: 'LUCKY WIN',
  merchant_category_code: '7995',
  address: PLACE,
}

const order = (over: Partial<PayoutOrder> = {}) => samples.payoutOrder({ instrument: card(), ...over })

async function taken(shop: ReturnType<typeof openShop>, over: Partial<PayoutOrder> = {}) {
  const asked = order(over)
  const answer = await payout(asked, shop.link)
  return { order: asked, answer, reference: 'reference' in answer ? (answer.reference ?? '') : '' }
}

async function told(shop: ReturnType<typeof openShop>, type: string) {
  const reading = await readNotification(shop.message(type), shop.link)
  return reading.outcome === 'read' ? reading.notifications : reading
}

test('a payout goes from the account to the card, with who gets it and on whose behalf', async () => {
  const shop = openShop()
  const billing = {
    first_name: 'Ada',
    last_name: 'Byron',
    email_address: null,
    phone_number: null,
    address: PLACE,
  }

  const { order: asked } = await taken(shop, { billing, merchant: MERCHANT, category: 'online_gambling' })

  expect(shop.sent).toEqual([
    {
      path: '/payments',
      key: asked.attemptId,
      body: {
        source: { type: 'currency_account', id: FIELDS.currency_account_id },
        destination: {
          type: 'card',
          number: samples.CARD_NUMBER,
          expiry_month: 12,
          expiry_year: 2035,
          account_holder: {
            type: 'individual',
            first_name: 'Ada',
            last_name: 'Byron',
            billing_address: SENT_PLACE,
          },
        },
        amount: 1299,
        currency: 'USD',
        processing_channel_id: FIELDS.processing_channel_id,
        reference: asked.reconciliationId,
        metadata: { payout_attempt: asked.attemptId },
        instruction: { funds_transfer_type: 'OG' },
        billing_descriptor: { reference: 'LUCKY WIN' },
        sender: {
          type: 'corporate',
          company_name: 'Lucky Ltd',
          address: SENT_PLACE,
          reference: asked.reconciliationId.slice(0, 15),
        },
      },
    },
  ])
})

test('the request may name another channel and account, and the account the kind of transfer', async () => {
  const options = { processing_channel_id: `pc_${'b'.repeat(26)}`, source_id: `ca_${'b'.repeat(26)}` }
  const shop = openShop({ options, fields: { ...FIELDS, funds_transfer_type: 'FD' } })
  await taken(shop, { merchant: { ...MERCHANT, address: null } })

  const { body } = shop.sent[0] ?? { body: {} }

  expect(body).toMatchObject({
    source: { id: options.source_id },
    processing_channel_id: options.processing_channel_id,
    instruction: { funds_transfer_type: 'FD' },
  })
  expect(body).not.toHaveProperty('sender')
})

test.each<[string, Partial<PayoutOrder>, Record<string, string>, string]>([
  ['an account without its sub-account', {}, { currency_account_id: '' }, 'invalid_service_configuration'],
  ['an account without its channel', {}, { processing_channel_id: '' }, 'invalid_service_configuration'],
  ['an amount that cannot be stated', { currency: 'KWD', amount: 1312 }, {}, 'invalid_amount'],
  [
    'something else than a card',
    { instrument: { kind: 'redirect', method: 'ideal', country: 'NL', currency: 'EUR' } },
    {},
    'unsupported_payment_method',
  ],
])('%s is refused, and nothing is sent', async (_what, over, fields, code) => {
  const shop = openShop({ fields: { ...FIELDS, ...fields } })

  expect((await taken(shop, over)).answer).toMatchObject({ outcome: 'failed', code })
  expect(shop.sent).toEqual([])
})

test('a card whose bank takes no payouts gets none', async () => {
  const shop = openShop()

  const { answer } = await taken(shop, { instrument: card('4485040371536584') })

  expect(answer).toMatchObject({ outcome: 'failed', facts: { rawCode: 'card_payout_not_supported' } })
  expect(shop.standIn.books.movements).toEqual([])
})

describe('the outcome', () => {
  test.each([
    ['payment_paid', '10000', { outcome: 'approved' }],
    ['payment_declined', '20051', { outcome: 'declined', code: 'insufficient_funds' }],
  ])('comes with %s, and the payout shows it, too', async (type, code, outcome) => {
    const shop = openShop()
    const { answer, order: asked, reference } = await taken(shop)
    await shop.control('next', { response_code: code })
    await shop.control('finish')

    expect(answer).toMatchObject({ outcome: 'pending' })
    expect(await told(shop, type)).toMatchObject([
      { about: 'payout', reference, attemptId: asked.attemptId, answer: outcome },
    ])
    const inquiry = samples.inquiryAbout('payout', asked, { reference })
    expect(await sync(inquiry, shop.link)).toMatchObject({ reference, ...outcome })
  })

  test('that the bank sends the money back is a decline', async () => {
    const shop = openShop()
    const { order: asked, reference } = await taken(shop)
    await shop.control('finish')
    await shop.control(`payments/${reference}/return`)

    const declined = { outcome: 'declined', code: 'issuer_decline' }
    expect(await told(shop, 'payment_returned')).toMatchObject([{ about: 'payout', answer: declined }])
    expect(await sync(samples.inquiryAbout('payout', asked, { reference }), shop.link)).toMatchObject(
      declined,
    )
  })

  test('is not known by an event that says only that the payout was sent', async () => {
    const shop = openShop()
    await taken(shop)
    await shop.control('finish')
    const { data } = JSON.parse(String(shop.message('payment_paid').body))
    shop.standIn.books.tell('payment_approved', data)

    expect(await told(shop, 'payment_approved')).toEqual([])
  })

  test.each([
    ['another payout', { metadata: { payout_attempt: 'other' } }],
    ['a status of its own', { status: 'Levitating' }],
    ['a payment', { id: 'act_mbabizu24mvu3mela5njyhpit4' }],
  ])('is unknown if Checkout.com shows %s', async (_what, over) => {
    const asked = order()
    const body = {
      id: 'pay_mbabizu24mvu3mela5njyhpit4',
      status: 'Paid',
      metadata: { payout_attempt: asked.attemptId },
      ...over,
    }
    const link = samples.testLink({ fields: FIELDS, fetch: async () => Response.json(body, { status: 202 }) })

    expect(await payout(asked, link)).toMatchObject({ outcome: 'unknown' })
  })

  test('is not asked for again after a day, because Checkout.com may pay a second time', async () => {
    const shop = openShop()
    const asked = order()
    const sentAt = new Date(Date.now() - 25 * 3_600_000)

    const answer = await sync(samples.inquiryAbout('payout', asked, { order: asked, sentAt }), shop.link)

    expect(answer).toMatchObject({ outcome: 'unknown' })
    expect(shop.standIn.books.movements).toEqual([])
    expect(shop.standIn.books.payments.size).toBe(0)
  })
})
