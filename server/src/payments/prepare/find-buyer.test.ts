import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MISSING, pointers } from '#testing/answers.ts'
import { type SendOptions, signToken, startTestService, type TestService } from '#testing/harness.ts'
import { CARD, order } from '#testing/till.ts'

const ADDRESS = { line1: '12 Byron Square', city: 'London', postal_code: 'N1 9GU', country: 'GB' }
const BILLING = {
  first_name: 'Ada',
  last_name: 'Lovelace',
  email_address: 'ada@example.com',
  address: ADDRESS,
}
const NOTHING = { state: null, state_code: null, house_number_or_name: null, line2: null, organization: null }

let service: TestService
beforeAll(async () => {
  service = await startTestService()
  await service.send('POST /merchant-accounts', { id: 'other', display_name: 'Other' })
})
afterAll(() => service.close())

const pay = (body?: object, options?: SendOptions) => order(service, body, options)
const addBuyer = async (body: object = {}, account = 'default') =>
  (await service.send('POST /buyers', { display_name: 'Ada', ...body }, { account })).json()
const addShipping = async (buyerId: string, body: object = { first_name: 'Ada', address: ADDRESS }) =>
  (await service.send(`POST /buyers/${buyerId}/shipping-details`, body)).json()
const read = async (id: string) => (await service.send(`GET /transactions/${id}`)).json()

describe('a buyer', () => {
  test('is shown as of the time of the payment', async () => {
    const buyer = await addBuyer({
      external_identifier: 'ada-1',
      account_number: '42',
      billing_details: BILLING,
    })

    const { id, buyer: shown } = (await pay({ buyer_id: buyer.id })).json()
    await service.send(`PUT /buyers/${buyer.id}`, { display_name: 'Countess', billing_details: null })

    expect(shown).toEqual({
      type: 'buyer',
      id: buyer.id,
      reconciliation_id: buyer.reconciliation_id,
      display_name: 'Ada',
      external_identifier: 'ada-1',
      account_number: '42',
      billing_details: buyer.billing_details,
    })
    expect((await read(id)).buyer).toEqual(shown)
  })

  test('can be named by the merchant’s own reference', async () => {
    const buyer = await addBuyer({ external_identifier: 'ada-2' })

    const transaction = (await pay({ buyer_external_identifier: 'ada-2' })).json()

    expect(transaction.buyer).toMatchObject({ id: buyer.id, external_identifier: 'ada-2' })
  })

  test('must be named only once', async () => {
    const buyer = await addBuyer({ external_identifier: 'ada-3' })

    const response = await pay({ buyer_id: buyer.id, buyer_external_identifier: 'ada-3' })

    expect(response.statusCode).toBe(400)
    expect(pointers(response)).toEqual([['/buyer_external_identifier', 'value_error.conflict']])
  })

  test('must exist in this merchant account', async () => {
    const theirs = await addBuyer({ external_identifier: 'theirs' }, 'other')

    const [unknown, unknownReference, others, othersReference] = [
      await pay({ buyer_id: MISSING }),
      await pay({ buyer_external_identifier: 'nobody' }),
      await pay({ buyer_id: theirs.id }),
      await pay({ buyer_external_identifier: 'theirs' }),
    ]

    for (const response of [unknown, others]) {
      expect(response.statusCode).toBe(400)
      expect(pointers(response)).toEqual([['/buyer_id', 'value_error.not_found']])
    }
    for (const response of [unknownReference, othersReference]) {
      expect(response.statusCode).toBe(400)
      expect(pointers(response)).toEqual([['/buyer_external_identifier', 'value_error.not_found']])
    }
  })
})

describe('a guest', () => {
  test('is shown with the order, and no buyer is created', async () => {
    const before = (await service.send('GET /buyers')).json().items.length
    const shipping_details = { first_name: 'Charles', address: { ...ADDRESS, country: 'US' } }

    const { id, ...transaction } = (
      await pay({ buyer: { display_name: 'Ada', billing_details: BILLING, shipping_details } })
    ).json()

    expect(transaction.buyer).toEqual({
      type: 'buyer',
      id: null,
      reconciliation_id: null,
      display_name: 'Ada',
      external_identifier: null,
      account_number: null,
      billing_details: {
        type: 'billing-details',
        ...BILLING,
        phone_number: null,
        tax_id: null,
        address: { ...NOTHING, ...ADDRESS },
      },
    })
    expect(transaction.shipping_details).toEqual({
      type: 'shipping-details',
      id: null,
      buyer_id: null,
      first_name: 'Charles',
      last_name: null,
      email_address: null,
      phone_number: null,
      address: { ...NOTHING, ...ADDRESS, country: 'US' },
    })
    expect(transaction.avs_response_code).toBe('match')
    expect(await read(id)).toMatchObject({ buyer: transaction.buyer })
    expect((await service.send('GET /buyers')).json().items).toHaveLength(before)
  })

  test('has no stored shipping details', async () => {
    const buyer = await addBuyer()
    const { id } = await addShipping(buyer.id)

    const response = await pay({ buyer: { display_name: 'Bob' }, shipping_details_id: id })

    expect(response.statusCode).toBe(400)
    expect(pointers(response)).toEqual([['/shipping_details_id', 'value_error.not_found']])
  })
})

describe('shipping details', () => {
  test('are copied, so that later changes do not show', async () => {
    const buyer = await addBuyer()
    const shipping = await addShipping(buyer.id)

    const { id, shipping_details } = (
      await pay({ buyer_id: buyer.id, shipping_details_id: shipping.id })
    ).json()
    await service.send(`PUT /buyers/${buyer.id}/shipping-details/${shipping.id}`, { first_name: 'Eve' })
    await service.send(`DELETE /buyers/${buyer.id}/shipping-details/${shipping.id}`)

    expect(shipping_details).toEqual({
      type: 'shipping-details',
      id: shipping.id,
      buyer_id: buyer.id,
      first_name: 'Ada',
      last_name: null,
      email_address: null,
      phone_number: null,
      address: { ...NOTHING, ...ADDRESS },
    })
    expect((await read(id)).shipping_details).toEqual(shipping_details)
  })

  test('must belong to the buyer who pays', async () => {
    const [ada, bob] = [await addBuyer(), await addBuyer()]
    const shipping = await addShipping(ada.id)

    const answers = [
      await pay({ buyer_id: bob.id, shipping_details_id: shipping.id }),
      await pay({ buyer_id: ada.id, shipping_details_id: MISSING }),
      await pay({ shipping_details_id: shipping.id }),
    ]

    for (const response of answers) {
      expect(response.statusCode, response.body).toBe(400)
      expect(pointers(response)).toEqual([['/shipping_details_id', 'value_error.not_found']])
    }
  })

  test('may belong to the stored card’s owner', async () => {
    const buyer = await addBuyer()
    const shipping = await addShipping(buyer.id)
    const { id } = (await service.send('POST /payment-methods', { ...CARD, buyer_id: buyer.id })).json()

    const response = await pay({ payment_method: { method: 'id', id }, shipping_details_id: shipping.id })

    expect(response.json()).toMatchObject({ buyer: { id: buyer.id }, shipping_details: { id: shipping.id } })
  })
})

describe('a card that is stored with the payment', () => {
  const storedFor = async (response: Awaited<ReturnType<typeof pay>>) => {
    const { id } = response.json().payment_method
    return (await service.send(`GET /payment-methods/${id}`)).json().buyer?.id ?? null
  }

  test('belongs to the buyer who pays, to the one that the method names, or to no buyer', async () => {
    const buyer = await addBuyer({ external_identifier: 'keeper' })
    const named = (names: object) => ({ store: true, payment_method: { ...CARD, ...names } })

    expect(await storedFor(await pay({ store: true, buyer_id: buyer.id }))).toBe(buyer.id)
    expect(await storedFor(await pay(named({ buyer_id: buyer.id })))).toBe(buyer.id)
    expect(await storedFor(await pay(named({ buyer_external_identifier: 'keeper' })))).toBe(buyer.id)
    expect(await storedFor(await pay({ store: true }))).toBeNull()
    expect(await storedFor(await pay({ store: true, buyer: { display_name: 'Guest' } }))).toBeNull()
  })

  test('cannot belong to another buyer than the one who pays, nor to an unknown buyer', async () => {
    const [ada, bob] = [await addBuyer(), await addBuyer()]

    const others = await pay({
      store: true,
      buyer_id: ada.id,
      payment_method: { ...CARD, buyer_id: bob.id },
    })
    const unknown = await pay({ store: true, payment_method: { ...CARD, buyer_id: MISSING } })
    const both = await pay({
      store: true,
      payment_method: { ...CARD, buyer_id: ada.id, buyer_external_identifier: 'ada' },
    })

    expect(pointers(others)).toEqual([['/payment_method/buyer_id', 'value_error.conflict']])
    expect(pointers(unknown)).toEqual([['/payment_method/buyer_id', 'value_error.not_found']])
    expect(pointers(both)).toEqual([['/payment_method/buyer_external_identifier', 'value_error.conflict']])
  })
})

describe('a browser', () => {
  const tokenFor = (embed: object) => signToken(service.admin, { scopes: ['embed'], embed })

  test('pays for its own buyer, and learns nothing about others', async () => {
    const [own, other] = [await addBuyer(), await addBuyer({ external_identifier: 'somebody' })]
    const shipping = await addShipping(other.id)
    const none = { token: await tokenFor({}) }
    const pinned = { token: await tokenFor({ buyer_id: own.id }) }

    expect((await pay({}, pinned)).json().buyer.id).toBe(own.id)
    for (const names of [
      { buyer_id: other.id },
      { buyer_id: MISSING },
      { buyer_external_identifier: 'somebody' },
      { buyer_external_identifier: 'nobody' },
    ]) {
      const response = await pay({ ...names, shipping_details_id: shipping.id }, none)

      expect(response.statusCode, response.body).toBe(400)
      expect(response.json().details).toMatchObject([
        { pointer: `/${Object.keys(names)[0]}`, message: 'there is no such buyer' },
      ])
    }
    expect(pointers(await pay({ buyer_id: other.id }, pinned))).toEqual([
      ['/buyer_id', 'value_error.conflict'],
    ])
    expect(pointers(await pay({ buyer_external_identifier: 'somebody' }, pinned))).toEqual([
      ['/buyer_external_identifier', 'value_error.conflict'],
    ])
  })

  test('stores cards for its own buyer only', async () => {
    const [own, other] = [await addBuyer(), await addBuyer()]
    const none = { token: await tokenFor({}) }
    const pinned = { token: await tokenFor({ buyer_id: own.id }) }
    const forOther = { store: true, payment_method: { ...CARD, buyer_id: other.id } }
    const forOwn = { store: true, payment_method: { ...CARD, buyer_id: own.id } }

    for (const options of [none, pinned]) {
      expect(pointers(await pay(forOther, options))).toEqual([
        ['/payment_method/buyer_id', 'value_error.not_found'],
      ])
    }
    expect((await pay(forOwn, pinned)).statusCode).toBe(201)
  })
})
