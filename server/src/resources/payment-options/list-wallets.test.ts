import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startTestService, type TestService } from '#testing/harness.ts'
import { appleCertificate, removeWallets } from '#testing/wallet-shop.ts'

type Option = {
  readonly method: string
  readonly mode: string
  readonly icon_url: string
  readonly context: object
}

let service: TestService
beforeAll(async () => {
  service = await startTestService()
  await service.send('POST /merchant-accounts', { id: 'other-shop', display_name: 'Other shop' })
})
afterAll(() => service.close())
beforeEach(() => removeWallets(service.send))

async function register(provider: string, body: object = {}): Promise<string> {
  const request = { provider, merchant_name: 'Fashion store', accept_terms_and_conditions: true, ...body }
  return (await service.send('POST /digital-wallets', request)).json().id
}

async function options(request: object = {}, account = 'default'): Promise<Option[]> {
  const response = await service.send('POST /payment-options', request, { account })
  expect(response.statusCode, response.body).toBe(200)
  return response.json().items
}
const methods = async (request: object = {}, account = 'default') =>
  (await options(request, account)).map(({ method }) => method)

test('registered wallets follow the methods of services, with what their buttons need', async () => {
  const apple = await register('apple', { merchant_display_name: 'Fashion' })
  await service.send(`POST /digital-wallets/${apple}/keys`, {
    purpose: 'apple-merchant-identity',
    ...appleCertificate(),
  })
  await register('paze')
  await register('click-to-pay')
  await register('google')

  const [card, applePay, googlePay, clickToPay, paze] = await options()

  expect(card).toMatchObject({ method: 'card', context: null })
  expect(applePay).toEqual({
    type: 'payment-option',
    method: 'applepay',
    mode: 'applepay',
    label: 'Apple Pay',
    icon_url: expect.stringContaining('/assets/payment-methods/applepay.svg'),
    can_store_payment_method: false,
    can_delay_capture: true,
    context: {
      merchant_name: 'Fashion',
      supported_schemes: ['amex', 'discover', 'jcb', 'maestro', 'mastercard', 'unionpay', 'visa'],
    },
  })
  expect(googlePay).toMatchObject({
    method: 'googlepay',
    mode: 'googlepay',
    context: { merchant_name: 'Fashion store', gateway: 'switchyard', gateway_merchant_id: 'default' },
  })
  expect(clickToPay).toMatchObject({ method: 'click-to-pay', mode: 'click-to-pay' })
  expect(paze).toMatchObject({ method: 'paze', mode: 'paze' })
  const icon = await service.send(`GET ${new URL(paze?.icon_url ?? '').pathname}`, undefined, { token: null })
  expect(icon.body).toContain('<title>Paze</title>')
})

test('Apple Pay is left out without a merchant identity that is valid now', async () => {
  const id = await register('apple')
  expect(await methods()).toEqual(['card'])

  await service.send(`POST /digital-wallets/${id}/keys`, { purpose: 'apple-merchant-identity' })
  expect(await methods()).toEqual(['card'])

  await service.send(`POST /digital-wallets/${id}/keys`, {
    purpose: 'apple-payment-processing',
    ...appleCertificate(),
  })
  expect(await methods()).toEqual(['card'])
})

test('a wallet is left out where no payment service takes the payment', async () => {
  await register('google')
  const [simulator] = (await service.send('GET /payment-services')).json().items

  await service.send(`PUT /payment-services/${simulator.id}`, { accepted_currencies: ['EUR'] })

  expect(await methods({ currency: 'EUR' })).toEqual(['card', 'googlepay'])
  expect(await methods({ currency: 'USD' })).toEqual([])
})

test('a wallet of another account is not offered', async () => {
  await register('google')

  expect(await methods({}, 'other-shop')).toEqual([])
})

test('a rule of the checkout hides options and sets their order', async () => {
  await register('google')
  const rules = '/flows/checkout/actions/select-payment-options/rules'
  const condition = { name: 'country', operator: 'is_one_of', value: ['NL'] }
  const add = (result: string[]) =>
    service.send(`POST ${rules}`, { conditions: [condition], outcome: { type: 'list', result } })

  const { id } = (await add(['googlepay', 'card', 'ideal'])).json()
  const inside = await methods({ currency: 'EUR', country: 'NL' })
  const outside = await methods({ currency: 'EUR', country: 'US' })
  await service.send(`PUT ${rules}/${id}`, { position: 0, outcome: { type: 'list', result: [] } })

  expect(inside).toEqual(['googlepay', 'card'])
  expect(outside).toEqual(['card', 'googlepay'])
  expect(await methods({ currency: 'EUR', country: 'NL' })).toEqual([])
  await service.send(`DELETE ${rules}/${id}`)
})

test('a wallet is left out where no provider opens what it gives', async () => {
  const at = { account: 'other-shop' }
  const made = await service.send(
    'POST /payment-services',
    {
      display_name: 'Adyen',
      payment_service_definition_id: 'adyen-card',
      fields: [
        { key: 'api_key', value: 'key' },
        { key: 'merchant_account', value: 'Shop' },
      ],
      accepted_currencies: ['EUR'],
      accepted_countries: ['NL'],
    },
    at,
  )
  expect(made.statusCode, made.body).toBe(201)
  const wallet = { merchant_name: 'Shop', accept_terms_and_conditions: true }
  for (const provider of ['google', 'paze'])
    await service.send('POST /digital-wallets', { provider, ...wallet }, at)

  expect(await methods({}, at.account)).toEqual(['card', 'googlepay'])
})
