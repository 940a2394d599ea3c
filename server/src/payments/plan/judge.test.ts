import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { disagreements } from '#testing/books.ts'
import { giftCardDisagreements } from '#testing/gift-card-books.ts'
import { type GiftCardCounter, giftCardWith, openGiftCardCounter } from '#testing/gift-cards.ts'
import { waitingOnly } from '#testing/giving-up.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { CARD, openTill, type Till } from '#testing/till.ts'

let service: TestService
let till: Till
beforeAll(async () => {
  service = await startTestService()
  till = openTill(service)
  await service.send('POST /anti-fraud-services', {
    display_name: 'Watchful',
    anti_fraud_service_definition_id: 'mock-anti-fraud',
    fields: [],
  })
})
afterEach(async () => expect(await disagreements(service.database.pool)).toEqual([]))
afterAll(() => service.close())

const buyer = (email_address: string) => ({ buyer: { billing_details: { email_address } } })

describe('an anti-fraud service', () => {
  test.each([
    ['accept', 'accept', 'anti-fraud-decision'],
    ['someone', 'accept', 'anti-fraud-decision'],
    ['review', 'review', 'anti-fraud-decision'],
    ['error', 'error', 'anti-fraud-decision-error'],
    ['timeout', 'exception', 'anti-fraud-decision-error'],
    ['unavailable', 'skipped', 'anti-fraud-decision-error'],
  ])('lets %s@ pay: its decision is %s', async (name, anti_fraud_decision, event) => {
    const paid = await waitingOnly(service, 2_000, () =>
      till.pay({ ...buyer(`${name}@shop.example`), intent: 'capture' }),
    )

    expect(paid).toMatchObject({ status: 'capture_succeeded', anti_fraud_decision, pending_review: false })
    expect(await till.get(paid.id)).toEqual(paid)
    expect(await till.history(paid.id)).toContain(event)
  })

  test('has no opinion on a buyer without an e-mail address', async () => {
    const paid = await till.pay()

    expect(paid).toMatchObject({ status: 'authorization_succeeded', anti_fraud_decision: 'skipped' })
    expect(await till.history(paid.id)).toContain('anti-fraud-decision-skipped')
  })

  test('keeps a payment from being sent to any provider', async () => {
    const refused = await till.pay(buyer('reject@shop.example'))

    expect(refused).toMatchObject({
      status: 'authorization_declined',
      error_code: 'suspected_fraud',
      anti_fraud_decision: 'reject',
      payment_service: null,
    })
    expect(await till.books(refused.id)).toBeNull()
    expect(await till.told(refused.id)).toEqual(['transaction.declined'])
    expect(await till.history(refused.id)).toEqual(['anti-fraud-decision', 'transaction-updated-status'])
  })

  test('is asked before the buyer: a suspect gets no challenge', async () => {
    const payment_method = { ...CARD, number: '4111111111102011', redirect_url: 'https://shop.example.com/' }

    const refused = await till.pay({ ...buyer('reject@shop.example'), payment_method })

    expect(refused).toMatchObject({ status: 'authorization_declined', three_d_secure: null })
  })

  test('has its answer in the history, without the card', async () => {
    const { id } = await till.pay(buyer('review@shop.example'))

    const { items } = (await service.send(`GET /transactions/${id}/events`)).json()
    const said = items.find(({ name }: { name: string }) => name === 'anti-fraud-decision')
    expect(said.context).toEqual({
      anti_fraud_service_id: expect.any(String),
      anti_fraud_service_display_name: 'Watchful',
      anti_fraud_service_definition_id: 'mock-anti-fraud',
      decision: 'review',
      external_id: expect.any(String),
      reason: null,
    })
  })

  test('is told the card’s country, but not that of other methods', async () => {
    await service.send('POST /payment-services', {
      display_name: 'Elsewhere',
      payment_service_definition_id: 'test-redirect',
      fields: [{ key: 'account', value: 'shop' }],
      accepted_currencies: ['EUR'],
      accepted_countries: ['NL'],
    })
    const asked: { card_country: string | null }[] = []
    const { fetch } = service.providers
    const spy = vi.spyOn(service.providers, 'fetch').mockImplementation((url, init) => {
      if (url.endsWith('/decisions')) asked.push(JSON.parse(String(init?.body)))
      return fetch(url, init)
    })
    const redirect_url = 'https://shop.example.com/'
    const ideal = { method: 'ideal', country: 'NL', currency: 'EUR', redirect_url }

    await till.pay(buyer('accept@shop.example'))
    await till.pay({
      ...buyer('accept@shop.example'),
      currency: 'EUR',
      country: 'NL',
      payment_method: ideal,
    })

    spy.mockRestore()
    expect(asked.map(({ card_country }) => card_country)).toEqual(['US', null])
  })

  test('is not asked in an account without one', async () => {
    await service.send('POST /merchant-accounts', { id: 'trusting', display_name: 'Trusting' })
    const headers = { 'x-switchyard-merchant-account-id': 'trusting' }
    await till.addService({}, { headers })

    const paid = await till.pay(buyer('reject@shop.example'), { headers })

    expect(paid).toMatchObject({ status: 'authorization_succeeded', anti_fraud_decision: null })
  })

  test('is not asked while it is switched off', async () => {
    const { items } = (await service.send('GET /anti-fraud-services')).json()
    const url = `PUT /anti-fraud-services/${items[0].id}`
    await service.send(url, { active: false })

    const paid = await till.pay(buyer('reject@shop.example'))

    await service.send(url, { active: true })
    expect(paid).toMatchObject({ status: 'authorization_succeeded', anti_fraud_decision: null })
  })
})

describe('for a payment with gift cards alone, an anti-fraud service', () => {
  let counter: GiftCardCounter
  beforeAll(async () => {
    counter = openGiftCardCounter(service)
  })
  afterEach(async () => expect(await giftCardDisagreements(service.database.pool)).toEqual([]))

  test.each([
    ['accept', 'accept', 'anti-fraud-decision'],
    ['review', 'review', 'anti-fraud-decision'],
    ['error', 'error', 'anti-fraud-decision-error'],
  ])('lets %s@ pay: its decision is %s', async (name, anti_fraud_decision, event) => {
    const card = giftCardWith(500)

    const paid = await counter.pay([{ ...card, amount: 300 }], buyer(`${name}@shop.example`))

    expect(paid).toMatchObject({ status: 'capture_succeeded', anti_fraud_decision, pending_review: false })
    expect(await till.history(paid.id)).toContain(event)
    expect(await counter.balanceOf(card)).toBe(200)
  })

  test('keeps it from being paid: no gift card is redeemed', async () => {
    const cards = [giftCardWith(500), giftCardWith(500)]

    const refused = await counter.pay(
      cards.map((card) => ({ ...card, amount: 300 })),
      buyer('reject@shop.example'),
    )

    expect(refused).toMatchObject({
      status: 'authorization_declined',
      error_code: 'suspected_fraud',
      anti_fraud_decision: 'reject',
      gift_card_redemptions: [{ status: 'skipped' }, { status: 'skipped' }],
    })
    expect(await Promise.all(cards.map(counter.balanceOf))).toEqual([500, 500])
    expect(await till.told(refused.id)).toEqual(['transaction.declined'])
  })

  test('is told the order, but no number', async () => {
    const asked: Record<string, unknown>[] = []
    const { fetch } = service.providers
    const spy = vi.spyOn(service.providers, 'fetch').mockImplementation((url, init) => {
      if (url.endsWith('/decisions')) asked.push(JSON.parse(String(init?.body)))
      return fetch(url, init)
    })
    const card = giftCardWith(500)

    await counter.pay([{ ...card, amount: 300 }], buyer('accept@shop.example'))

    spy.mockRestore()
    expect(asked).toMatchObject([{ amount: 300, currency: 'USD', method: 'gift-card', bin: null }])
    expect(JSON.stringify(asked)).not.toContain(card.number)
  })
})
