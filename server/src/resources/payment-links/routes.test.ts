import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestService, type TestService } from '#testing/harness.ts'
import { openTill, type Till } from '#testing/till.ts'
import { expireDueLinks } from './routes.ts'

let service: TestService
let till: Till
beforeAll(async () => {
  service = await startTestService()
  till = openTill(service)
  await service.send('POST /merchant-accounts', { id: 'other', display_name: 'Other' })
})
afterAll(() => service.close())

const ORDER = { amount: 2598, currency: 'USD', country: 'US' }
const DAY_MS = 24 * 3_600_000
const create = (body: object = {}, account?: string) =>
  service.send('POST /payment-links', { ...ORDER, ...body }, account ? { account } : {})
const made = async (body: object = {}, account?: string) => {
  const response = await create(body, account)
  expect(response.statusCode, response.body).toBe(201)
  return response.json()
}
const get = async (id: string) => (await service.send(`GET /payment-links/${id}`)).json()
const inMs = (ms: number) => new Date(service.context.clock().getTime() + ms).toISOString()
const expire = (id: string, account?: string) =>
  service.send(`POST /payment-links/${id}/expire`, undefined, account ? { account } : {})

describe('a new link', () => {
  test('is active for a day, and has the defaults', async () => {
    const link = await made()

    expect(link).toMatchObject({
      ...ORDER,
      type: 'payment-link',
      status: 'active',
      intent: 'authorize',
      payment_source: 'ecommerce',
      store: false,
      buyer: null,
      buyer_id: null,
      cart_items: null,
      metadata: null,
      connection_options: null,
    })
    expect(Date.parse(link.expires_at) - Date.parse(link.created_at)).toBe(DAY_MS)
    expect(await get(link.id)).toEqual(link)
    expect(await till.audited(link.id)).toEqual(['created by Test key'])
    expect(await till.told(link.id)).toEqual(['payment-link.created'])
  })

  test('shows all that it was made with', async () => {
    const said = {
      expires_at: inMs(3_600_000),
      external_identifier: 'order-4711',
      statement_descriptor: { name: 'FASHION STORE' },
      locale: 'pt-BR',
      merchant_name: 'Fashion Store',
      merchant_url: 'https://shop.example.com',
      merchant_banner_url: 'https://cdn.example.com/banner.png',
      merchant_color: '#FF5733',
      merchant_message: 'Thank you',
      merchant_terms_and_conditions_url: 'https://shop.example.com/terms',
      merchant_favicon_url: 'https://cdn.example.com/icon.png',
      intent: 'capture',
      return_url: 'https://shop.example.com/thanks?order=4711',
      metadata: { order: '4711', shelf: { row: 3 }, gift: true },
      payment_source: 'installment',
      store: true,
      installment_count: 6,
      connection_options: { 'mock-card': { skip_retry: true } },
    }

    const link = await made({
      ...said,
      cart_items: [{ name: 'Canvas bag', quantity: 2, unit_amount: 1299 }],
      buyer: { display_name: 'John Doe', billing_details: { email_address: 'john@example.com' } },
    })

    expect(link).toMatchObject(said)
    expect(link.cart_items).toMatchObject([{ name: 'Canvas bag', quantity: 2, unit_amount: 1299 }])
    expect(link.buyer).toMatchObject({ type: 'buyer', id: null, display_name: 'John Doe' })
    expect(link.buyer.billing_details.email_address).toBe('john@example.com')
  })

  test('names a stored buyer', async () => {
    const buyer = (await service.send('POST /buyers', { display_name: 'Ada' })).json()

    const link = await made({ buyer_id: buyer.id })

    expect(link.buyer_id).toBe(buyer.id)
    expect(link.buyer).toMatchObject({ id: buyer.id, display_name: 'Ada' })
  })

  test('has an address that cannot be guessed from its id, and events do not tell it', async () => {
    const link = await made()

    const [, , account, id, key = ''] = new URL(link.url).pathname.split('/')
    const { items } = (await service.send(`GET /events?target_id=${link.id}`)).json()

    expect({ account, id }).toEqual({ account: 'default', id: link.id })
    expect(Buffer.from(key, 'base64url')).toHaveLength(32)
    expect(items).toHaveLength(1)
    expect(items[0].target).toMatchObject({ type: 'payment-link', id: link.id, status: 'active' })
    expect(JSON.stringify(items)).not.toContain(key)
  })
})

describe('a link is refused', () => {
  test.each([
    ['a time that is over', { expires_at: '2020-01-01T00:00:00Z' }, '/expires_at', 'value_error.expired'],
    [
      'a cart that does not add up',
      { cart_items: [line(2598), line(1)] },
      '/cart_items',
      'value_error.conflict',
    ],
    ['a currency that is none', { currency: 'QQQ' }, '/currency', 'type_error.enum'],
    ['a country that is none', { country: 'QQ' }, '/country', 'type_error.enum'],
    ['no country', { country: undefined }, '/country', 'value_error.missing'],
    ['an amount below zero', { amount: -1 }, '/amount', 'value_error.number.not_ge'],
    ['a capture of nothing', { amount: 0, intent: 'capture' }, '/amount', 'value_error.number.not_ge'],
    ['a language that the page does not speak', { locale: 'tlh' }, '/locale', 'type_error.enum'],
    ['a colour that is none', { merchant_color: 'red;}body{' }, '/merchant_color', 'value_error.str.regex'],
    ['a script as an address', { merchant_url: 'javascript:alert(1)' }, '/merchant_url', 'value_error.url'],
    ['an app as a return address', { return_url: 'myapp://paid' }, '/return_url', 'value_error.url'],
    [
      'an address with a password',
      { return_url: 'https://a:b@shop.example' },
      '/return_url',
      'value_error.url',
    ],
    ['a series whose card is not stored', { payment_source: 'recurring' }, '/store', 'value_error.conflict'],
    ['an unknown field', { cents: 1 }, '/cents', 'value_error.extra'],
    [
      'a buyer who is named and described',
      { buyer: {}, buyer_id: '01900000-0000-7000-8000-0000000000ff' },
      '/buyer',
      'value_error.conflict',
    ],
    [
      'a buyer who does not exist',
      { buyer_id: '01900000-0000-7000-8000-0000000000ff' },
      '/buyer_id',
      'value_error.not_found',
    ],
  ])('with %s', async (_what, body, pointer, type) => {
    const response = await create(body)

    expect(response.statusCode, response.body).toBe(400)
    expect(response.json().details).toMatchObject([{ location: 'body', pointer, type }])
  })

  test('with a buyer of another account', async () => {
    const buyer = (await service.send('POST /buyers', {}, { account: 'other' })).json()

    const response = await create({ buyer_id: buyer.id })

    expect(response.statusCode).toBe(400)
    expect(response.json().details[0].pointer).toBe('/buyer_id')
  })
})

describe('a cart adds up', () => {
  test.each([
    [
      'with discounts, taxes, duties and shipping',
      [
        {
          ...line(2000),
          quantity: 1,
          discount_amount: 100,
          tax_amount: 400,
          duty_amount: 200,
          shipping_amount: 98,
        },
      ],
    ],
    ['less lines that lower the amount', [line(3000), { ...line(402), product_type: 'discount' }]],
    ['if it is empty', []],
  ])('%s', async (_how, cart_items) => {
    expect((await create({ cart_items })).statusCode).toBe(201)
  })

  test('exactly, also beyond the exact range of a number', async () => {
    const dear = { ...line(99_999_999), quantity: 99_999_999 }

    const response = await create({ cart_items: [dear, { ...dear, product_type: 'discount' }, line(2598)] })

    expect(response.statusCode, response.body).toBe(201)
  })
})

describe('expiring', () => {
  test('ends a link at once, and again answers 204 without telling it again', async () => {
    const { id } = await made()

    const answers = [await expire(id), await expire(id)]

    expect(answers.map(({ statusCode }) => statusCode)).toEqual([204, 204])
    expect((await get(id)).status).toBe('expired')
    expect(await till.told(id)).toEqual(['payment-link.created', 'payment-link.updated'])
    expect(await till.audited(id)).toEqual(['created by Test key', 'updated by Test key'])
  })

  test('happens by itself, also before the job has run', async () => {
    const { id } = await made({ expires_at: inMs(60_000) })
    const later = await made({ expires_at: inMs(7_200_000) })
    service.moveClock(60_001)

    const before = await get(id)
    await expireDueLinks(service.context)
    await expireDueLinks(service.context)

    expect(before.status).toBe('expired')
    expect((await get(id)).status).toBe('expired')
    expect((await get(later.id)).status).toBe('active')
    expect(await till.told(id)).toEqual(['payment-link.created', 'payment-link.updated'])
  })
})

describe('another account', () => {
  test('finds no link', async () => {
    const { id } = await made()

    const answers = [
      await service.send(`GET /payment-links/${id}`, undefined, { account: 'other' }),
      await expire(id, 'other'),
    ]

    expect(answers.map(({ statusCode }) => statusCode)).toEqual([404, 404])
    expect((await get(id)).status).toBe('active')
  })
})

function line(unit_amount: number) {
  return { name: 'Canvas bag', quantity: 1, unit_amount }
}
