import { afterAll, beforeAll, expect, test } from 'vitest'
import { METHOD_KINDS, PAYMENT_METHODS } from '#domain/payment-method.ts'
import { startTestService, type TestService } from '#testing/harness.ts'

const METHODS_OF_THE_CONTRACT =
  'affirm afterpay alipay alipayhk applepay bacs bancontact banked becs bitpay boleto boost card cashapp chaseorbital ' +
  'checkout-session clearpay click-to-pay dana dcb dlocal ebanx efecty eps everydaypay gcash gem gemds gift-card giropay ' +
  'givingblock gocardless googlepay googlepay_pan_only gopay grabpay id ideal kakaopay kcp klarna latitude latitudeds ' +
  'laybuy linepay linkaja maybankqrpay mercadopago multibanco multipago netbanking network-token oney_3x oney_4x oney_6x ' +
  'oney_10x oney_12x ovo oxxo payid paymaya paypal paypalpaylater payto venmo pix pse rabbitlinepay razorpay scalapay ' +
  'sepa shopeepay singteldash smartpay sofort spei stripedd thaiqr touchngo truemoney trustly trustlyeurope upi vipps ' +
  'waave webpay wechat zippay'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

type Definition = { id: string; method: string; display_name: string; icon_url: string }

async function list(): Promise<Definition[]> {
  const response = await service.send('GET /payment-method-definitions')
  expect(response.statusCode, response.body).toBe(200)
  return response.json().items
}

const iconAt = (url: string) => service.send(`GET ${new URL(url).pathname}`, undefined, { token: null })

test('lists exactly the methods of the contract, each with a name', async () => {
  const items = await list()

  expect(items.map(({ id }) => id)).toEqual(METHODS_OF_THE_CONTRACT.split(' '))
  expect(items.every(({ id, method }) => id === method)).toBe(true)
  expect(new Set(items.map(({ display_name }) => display_name)).size).toBe(items.length)
  expect(items.find(({ id }) => id === 'sepa')).toEqual({
    id: 'sepa',
    method: 'sepa',
    display_name: 'SEPA',
    long_display_name: 'SEPA Direct Debit',
    icon_url: 'http://127.0.0.1:3000/assets/payment-methods/sepa.svg',
  })
})

test('every kind has a method', () => {
  const used = new Set(Object.values(PAYMENT_METHODS).map(({ kind }) => kind))

  expect(used).toEqual(new Set(METHOD_KINDS))
})

test('serves harmless, constant icons itself, without a token', async () => {
  const icons = new Set<string>()
  for (const { icon_url } of await list()) {
    const response = await iconAt(icon_url)

    expect(response.statusCode, icon_url).toBe(200)
    expect(response.headers).toMatchObject({
      'content-type': 'image/svg+xml',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
      'cache-control': 'public, max-age=86400',
      'access-control-allow-origin': '*',
      'x-content-type-options': 'nosniff',
    })
    expect(response.body).toMatch(
      /^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" viewBox="0 0 48 32" role="img"><title>[^<>&]+<\/title>/,
    )
    expect(response.body).not.toMatch(
      /<(?!\/?(svg|title|rect|g|path|circle)\b)| on\w+=|href|style=|NaN|undefined/,
    )
    expect((await iconAt(icon_url)).body).toBe(response.body)
    icons.add(response.body)
  }
  expect(icons.size).toBe(Object.keys(PAYMENT_METHODS).length)
})

test.each([
  'unknown.svg',
  'card',
  'card.png',
  '__proto__.svg',
  'constructor.svg',
  '..%2Fcard.svg',
  '%00.svg',
])('has no icon called %s', async (name) => {
  const response = await service.send(`GET /assets/payment-methods/${name}`, undefined, { token: null })

  expect(response.statusCode).toBe(404)
})
