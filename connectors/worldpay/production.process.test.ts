import { generateKeyPairSync } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { SECRET_KEY, createStandIn as standInForCheckout } from '#sandbox/stand-ins/checkout/stand-in.ts'
import { ACCESS_KEY } from '#sandbox/stand-ins/checkout/vault-services.ts'
import {
  STAND_IN_ACCOUNT as SIFT_ACCOUNT,
  createStandIn as standInForSift,
} from '#sandbox/stand-ins/sift/stand-in.ts'
import { STAND_IN_TEAM, createStandIn as standInForSignifyd } from '#sandbox/stand-ins/signifyd/stand-in.ts'
import { createStandIn as standInForStripe, TEST_KEY } from '#sandbox/stand-ins/stripe/stand-in.ts'
import {
  STAND_IN_ACCOUNT,
  createStandIn as standInForWorldpay,
} from '#sandbox/stand-ins/worldpay/stand-in.ts'
import { entriesOf, startInProduction } from '#testing/in-production.ts'
import { useOwnFolder } from '#testing/own-folder.ts'
import type { Running } from '#testing/service-process.ts'

/** A service in production, in a process of its own, with real providers of several kinds configured. */

const now = () => new Date()
const own = useOwnFolder()
const worldpay = standInForWorldpay({ now })
const checkout = standInForCheckout({ now })
const sift = standInForSift({ now })
const signifyd = standInForSignifyd({ now })
const stripe = standInForStripe({ now })
const closing: (() => Promise<void>)[] = []
const hosts: Record<string, string> = {}
let service: Running

beforeAll(async () => {
  const all = [
    [worldpay, 'https://access.worldpay.com'],
    [checkout, 'https://access.checkout.com', 'https://api.checkout.com'],
    [sift, 'https://api.sift.com'],
    [signifyd, 'https://api.signifyd.com'],
    [stripe, 'https://api.stripe.com'],
  ] as const
  for (const [standIn, ...its] of all) {
    const { origin, close } = await standIn.listen(0)
    for (const host of its) hosts[host] = origin
    closing.push(close)
  }
})
beforeEach(async () => {
  service = await startInProduction(own, hosts)
})
afterAll(() => Promise.all(closing.map((close) => close())))

const STRIPE = { payment_service_definition_id: 'stripe-card', fields: entriesOf({ secret_key: TEST_KEY }) }
const WORLDPAY = {
  three_ds_service_definition_id: 'worldpay-three-ds',
  fields: entriesOf(STAND_IN_ACCOUNT),
}
const PLACES = { accepted_currencies: ['USD'], accepted_countries: ['US'], three_d_secure_enabled: true }

test('production has Signifyd judge, authenticates at Worldpay, and charges the card at Stripe with the proof', async () => {
  await connect('payment-services', { ...STRIPE, ...PLACES })
  await connect('three-ds-services', WORLDPAY)
  await connect('anti-fraud-services', {
    anti_fraud_service_definition_id: 'signifyd-anti-fraud',
    fields: entriesOf(STAND_IN_TEAM),
  })

  const simple = await payWith('4000000000000077')
  await send(simple.url, PROFILED)
  const challenged = await payWith('4111111111102011')
  const waiting = await send(challenged.url, { told: '' })
  const page = await (await fetch(challenged.url)).text()
  const [reference] = [...worldpay.challenges.keys()]
  const returned = await send(`${challenged.url}/return`, worldpay.decide(reference ?? '', 'approve'))
  const definitions = await read('/three-ds-service-definitions')

  expect(simple.status).toBe('buyer_approval_pending')
  expect(await read(`/transactions/${simple.id}`)).toMatchObject({
    status: 'authorization_succeeded',
    anti_fraud_decision: 'accept',
    three_d_secure: { status: 'complete', method: 'frictionless', response_data: { eci: '05' } },
  })
  expect(waiting.status).toBe(303)
  expect(page).toContain(`action="${hosts['https://access.worldpay.com']}/challenge" target="issuer"`)
  expect(returned.headers.get('location')).toContain('https://shop.example.com/back')
  expect(await read(`/transactions/${challenged.id}`)).toMatchObject({
    status: 'authorization_succeeded',
    three_d_secure: { status: 'complete', method: 'challenge' },
  })
  // The simulator is not there, and no field leads elsewhere.
  expect(definitions.items).toMatchObject([{ id: 'worldpay-three-ds' }])
  expect(JSON.stringify(definitions)).not.toContain('stand_in_url')
})

test('production has Sift judge, authenticates at Worldpay, and charges cards and their tokens at Checkout.com', async () => {
  const keys = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  checkout.vault.publicKey = keys.publicKey
  await own.call(service, 'PUT /merchant-accounts/default', { account_updater_enabled: true })
  await connect('payment-services', {
    payment_service_definition_id: 'checkout-card',
    fields: entriesOf({ secret_key: SECRET_KEY }),
    open_loop: true,
    network_tokens_enabled: true,
    ...PLACES,
  })
  await connect('three-ds-services', WORLDPAY)
  await connect('network-token-services', {
    network_token_service_definition_id: 'checkout-network-token',
    fields: entriesOf(ACCESS_KEY),
  })
  await connect('account-updater-services', {
    account_updater_service_definition_id: 'checkout-account-updater',
    fields: entriesOf({ ...ACCESS_KEY, private_key: keys.privateKey }),
  })
  await connect('anti-fraud-services', {
    anti_fraud_service_definition_id: 'sift-anti-fraud',
    fields: entriesOf(SIFT_ACCOUNT),
  })

  const bought = await payWith('4000000000000077')
  await send(bought.url, PROFILED)
  const rejected = await payWith('4000000000000077', 'reject')
  const [kept, replaced] = [await store('4242424242424242'), await store('4111111100011116')]
  const wanted = { merchant_initiated: false, is_subsequent_payment: false }
  const token = await own.call(service, `/payment-methods/${kept}/network-tokens`, wanted)
  await own.call(service, '/account-updater/jobs', { payment_method_ids: [replaced] })
  const later = await pay({
    payment_method: { method: 'id', id: kept },
    ...{ payment_source: 'recurring', merchant_initiated: true, is_subsequent_payment: true },
  })

  expect(await read(`/transactions/${bought.id}`)).toMatchObject({
    status: 'authorization_succeeded',
    anti_fraud_decision: 'accept',
    three_d_secure: { status: 'complete', response_data: { eci: '05' } },
  })
  expect(rejected).toMatchObject({
    status: 'authorization_declined',
    anti_fraud_decision: 'reject',
    error_code: 'suspected_fraud',
  })
  expect(token.status).toBe(201)
  expect(later).toMatchObject({ status: 'authorization_succeeded', instrument_type: 'network_token' })
  await expect
    .poll(() => read(`/payment-methods/${replaced}`), { timeout: 30_000 })
    .toMatchObject({ has_replacement: true })
  expect([...sift.orders.keys()]).toEqual(expect.arrayContaining([bought.id, rejected.id]))
  // The rejected order went no further.
  expect(checkout.books.payments.size).toBe(2)
  expect(checkout.violations).toEqual([])
})

test('production pays out to cards at Worldpay and at Checkout.com, and each payout leaves once', async () => {
  const at = { accepted_currencies: ['USD'], accepted_countries: ['US'] }
  const ofWorldpay = await connect('payment-services', {
    ...{ payment_service_definition_id: 'worldpay-card', ...at },
    fields: entriesOf({ ...STAND_IN_ACCOUNT, narrative: 'Shop' }),
  })
  const ofCheckout = await connect('payment-services', {
    ...{ payment_service_definition_id: 'checkout-card', ...at },
    fields: entriesOf({
      secret_key: SECRET_KEY,
      processing_channel_id: 'pc_hpswyyx23geezflc2ocz3exn4y',
      currency_account_id: 'ca_qcc7x4nxxk6efeogm7yczdnsxu',
    }),
  })
  const payOut = async (payment_service_id: string, first_name: string) => {
    const card = { method: 'card', number: '4111111111111111', expiration_date: '12/40' }
    const order = { amount: 2_500, currency: 'USD', payment_service_id, payment_method: card }
    const buyer = { billing_details: { first_name } }
    const made = await own.call(service, '/payouts', { ...order, buyer })
    expect(made.status, await made.clone().text()).toBe(201)
    return (await made.json()) as { readonly id: string; readonly status: string }
  }

  const paid = await payOut(ofWorldpay, 'Jane')
  const refused = await payOut(ofWorldpay, 'REFUSED51')
  const waiting = await payOut(ofCheckout, 'Jane')
  await fetch(`${hosts['https://api.checkout.com']}/_stand-in/finish`, { method: 'POST', body: '{}' })

  expect(await read(`/payouts/${paid.id}`)).toMatchObject({
    status: 'succeeded',
    payment_service_payout_id: paid.id,
  })
  expect(refused.status).toBe('declined')
  expect(await read(`/payouts/${waiting.id}`)).toMatchObject({
    status: 'pending',
    payment_service_payout_id: expect.any(String),
  })
  const sent = [worldpay.payments.movements, checkout.books.movements]
    .flat()
    .filter(({ kind }) => /^payout$/i.test(kind))
  expect(sent).toMatchObject([{ amount: 2_500 }, { amount: 2_500 }])
})

/** What the page tells of the browser. */
const PROFILED = { told: '{"MessageType":"profile.completed","SessionId":"0_1","Status":true}' }

async function connect(kind: string, account: object): Promise<string> {
  const made = await own.call(service, `/${kind}`, { display_name: 'Ours', ...account })
  expect(made.status, await made.clone().text()).toBe(201)
  return ((await made.json()) as { id: string }).id
}

type Payment = {
  readonly id: string
  readonly status: string
  readonly payment_method?: { readonly approval_url?: string }
}

async function pay(over: object): Promise<Payment> {
  const order = { amount: 1299, currency: 'USD', country: 'US', ...over }
  return (await (await own.call(service, '/transactions', order)).json()) as Payment
}

async function payWith(number: string, name = 'jane') {
  const payment = await pay({
    payment_method: {
      method: 'card',
      number,
      expiration_date: '12/40',
      security_code: '123',
      redirect_url: 'https://shop.example.com/back',
    },
    buyer: { billing_details: { first_name: 'Jane', email_address: `${name}@example.com` } },
  })
  return { ...payment, url: payment.payment_method?.approval_url ?? '' }
}

async function store(number: string): Promise<string> {
  const card = { method: 'card', number, expiration_date: '12/30' }
  const stored = await own.call(service, '/payment-methods', card)
  expect(stored.status).toBe(201)
  return ((await stored.json()) as { id: string }).id
}

async function read(path: string) {
  return (await (await own.call(service, path)).json()) as { readonly items?: readonly object[] }
}

function send(url: string, form: Record<string, string>): Promise<Response> {
  return fetch(url, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' })
}
