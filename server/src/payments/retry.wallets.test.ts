import { afterAll, beforeAll, expect, test } from 'vitest'
import * as adyen from '#sandbox/stand-ins/adyen/stand-in.ts'
import * as checkout from '#sandbox/stand-ins/checkout/stand-in.ts'
import * as payPal from '#sandbox/stand-ins/paypal/stand-in.ts'
import * as stripe from '#sandbox/stand-ins/stripe/stand-in.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { openTill, type Till } from '#testing/till.ts'
import { openWalletPhone, type WalletPhone } from '#testing/wallet-phone.ts'

/** Opens the tokens of its wallets. */
const SHOP = { account: 'wallet-shop' }
/** Leaves it to its providers. */
const SEALED = { account: 'sealed-shop' }

const clock = { now: () => new Date() }
const standIns = {
  stripe: stripe.createStandIn(clock),
  payPal: payPal.createStandIn(clock),
  checkout: checkout.createStandIn(clock),
  adyen: adyen.createStandIn(clock),
}
const closing: (() => Promise<void>)[] = []
let service: TestService
let till: Till
let phone: WalletPhone

beforeAll(async () => {
  service = await startTestService()
  // The network is asked for real here: a busy machine must not turn an answer into an unknown one.
  Object.assign(service.providers, { timeoutMs: 25_000 })
  till = openTill(service)
  const [atStripe, atCheckout, atAdyen] = await Promise.all([
    standIns.stripe.listen(0),
    standIns.checkout.listen(0),
    standIns.adyen.listen(0),
  ])
  closing.push(atStripe.close, atCheckout.close, atAdyen.close, () => standIns.payPal.close())
  const { apiKey, merchantAccount } = standIns.adyen.account
  // In this order they are asked.
  const accounts = {
    'stripe-card': { secret_key: stripe.TEST_KEY, stand_in_url: atStripe.origin },
    'checkout-card': { secret_key: checkout.SECRET_KEY, stand_in_url: atCheckout.origin },
    'paypal-card': {
      client_id: payPal.STAND_IN_CLIENT.id,
      client_secret: payPal.STAND_IN_CLIENT.secret,
      stand_in_url: await standIns.payPal.listen(),
    },
    'adyen-card': { api_key: apiKey, merchant_account: merchantAccount, stand_in_url: atAdyen.origin },
  }
  for (const at of [SHOP, SEALED]) {
    await service.send('POST /merchant-accounts', { id: at.account, display_name: 'Shop' })
    for (const [definition, fields] of Object.entries(accounts)) {
      const made = await service.send(
        'POST /payment-services',
        {
          display_name: definition,
          payment_service_definition_id: definition,
          fields: Object.entries(fields).map(([key, value]) => ({ key, value })),
          accepted_currencies: ['USD'],
          accepted_countries: ['US'],
        },
        at,
      )
      expect(made.statusCode, made.body).toBe(201)
    }
  }
  phone = await openWalletPhone(service, SHOP)
})
afterAll(async () => {
  await service.close()
  await Promise.all(closing.map((close) => close()))
})

/** The bank behind Checkout.com declines the next payment, for a reason that others may not have. */
async function decline() {
  const url = 'https://stand-in.invalid/_stand-in/next'
  await standIns.checkout.fetch(url, { method: 'POST', body: '{"response_code":"20005"}' })
}

/** By service: what became of the payment there, in order. */
async function fates(id: string, at: typeof SHOP): Promise<string[][]> {
  const { items } = (await service.send(`GET /transactions/${id}/events`, undefined, at)).json()
  return items
    .toReversed()
    .flatMap(({ name, context }: { name: string; context: Record<string, string> }) => {
      const { payment_service_definition_id: definition, status, reason, message } = context
      if (name === 'payment-service-skipped') return [[definition, message ?? reason]]
      return definition === undefined ? [] : [[definition, status]]
    })
}

test.each(['applepay', 'googlepay'] as const)(
  'a payment by %s that one provider declines goes on at the next',
  async (method) => {
    const token = method === 'applepay' ? phone.applePay() : phone.googlePay()
    await decline()

    const paid = await till.pay({ payment_method: { method, token } }, SHOP)

    expect(await fates(paid.id, SHOP)).toEqual([
      ['stripe-card', 'instrument_not_supported'],
      ['checkout-card', 'declined'],
      ['paypal-card', 'approved'],
    ])
    expect(paid).toMatchObject({ status: 'authorization_succeeded', instrument_type: 'network_token' })
  },
)

test('a token that only its provider opens is offered to no other, and the history says why', async () => {
  const sealed = { paymentData: { version: 'EC_v1', data: 'b3BhcXVl', signature: 'c2ln', header: {} } }
  const byStripe = { id: 'tok_visa', object: 'token' }

  const atAdyen = await till.pay({ payment_method: { method: 'applepay', token: sealed } }, SEALED)
  const atStripe = await till.pay({ payment_method: { method: 'googlepay', token: byStripe } }, SEALED)
  const paze = { method: 'paze', token: 't', checkout_token: 'c' }
  const nowhere = await till.pay({ payment_method: paze }, SEALED)

  const others = [
    ['checkout-card', 'instrument_not_supported'],
    ['paypal-card', 'instrument_not_supported'],
  ]
  const notStripe = expect.stringMatching(/^Stripe takes .* as a token of Stripe/)
  expect(await fates(atAdyen.id, SEALED)).toEqual([
    ['stripe-card', notStripe],
    ...others,
    ['adyen-card', 'approved'],
  ])
  expect(await fates(atStripe.id, SEALED)).toEqual([...others, ['stripe-card', 'approved']])
  expect(await fates(nowhere.id, SEALED)).toEqual([
    ['stripe-card', notStripe],
    ...others,
    ['adyen-card', expect.stringContaining('not Paze')],
  ])
  expect(nowhere).toMatchObject({ status: 'authorization_failed', error_code: 'all_attempts_skipped' })
})
