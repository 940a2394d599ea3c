import { generateKeyPairSync } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { readWhole } from '#processing/provider.ts'
import { disagreements } from '#testing/books.ts'
import { changeBeforeOpening } from '#testing/change-before-opening.ts'
import { giftCardWith } from '#testing/gift-cards.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { openTill, type Till } from '#testing/till.ts'
import { openWalletPhone, type WalletPhone } from '#testing/wallet-phone.ts'
import { appleCertificate, removeWallets } from '#testing/wallet-shop.ts'
import { forgetUsedTokens } from '../store/wallet-tokens.ts'

const MINUTE_MS = 60_000
const BACK = 'https://shop.example.com/back'

let service: TestService
let till: Till
let phone: WalletPhone
beforeAll(async () => {
  service = await startTestService()
  till = openTill(service)
})
beforeEach(async () => {
  await removeWallets(service.send)
  phone = await openWalletPhone(service)
})
afterAll(async () => {
  expect(await disagreements(service.database.pool)).toEqual([])
  await service.close()
})

// biome-ignore lint/suspicious/noExplicitAny: what answers look like is held against their schemas by the harness
type Json = any

const apple = (token: unknown, more: object = {}) => ({ method: 'applepay', token, ...more })
const google = (token: unknown, more: object = {}) => ({ method: 'googlepay', token, ...more })
const order = (payment_method: object, more: object = {}) => ({
  amount: 1000,
  currency: 'USD',
  country: 'US',
  payment_method,
  ...more,
})
const send = (body: object, headers: Record<string, string> = {}) =>
  service.send('POST /transactions', body, { headers })

/** What the processor was given for a payment. */
async function presented(id: string): Promise<Json> {
  const url = `https://processor.simulator.invalid/books?transaction_id=${id}`
  const { entries } = (await (await readWhole(await service.providers.fetch(url))).json()) as Json
  return entries.map(({ presented: given }: Json) => given)
}

async function countPayments(): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::integer as count from transactions`.execute(
    service.context.db,
  )
  return rows[0]?.count ?? -1
}

/** Sends a payment that must be refused, and checks that nothing of it is stored. */
async function refusal(body: object): Promise<{ pointer: string; type: string; message: string }> {
  const before = await countPayments()
  const response = await send(body)
  expect(response.statusCode, response.body).toBe(400)
  expect(await countPayments()).toBe(before)
  const [detail] = response.json().details
  return { pointer: detail.pointer, type: detail.type, message: detail.message }
}

describe('a token of Apple Pay', () => {
  test('is opened, and the provider gets a network token with its cryptogram', async () => {
    const paid = await till.pay({ payment_method: apple(phone.applePay()) })

    expect(paid).toMatchObject({
      status: 'authorization_succeeded',
      method: 'applepay',
      instrument_type: 'network_token',
      payment_method: {
        method: 'applepay',
        mode: 'applepay',
        scheme: 'visa',
        label: '1111',
        expiration_date: '12/40',
        details: { bin: '41111111' },
      },
      three_d_secure: null,
    })
    expect(await presented(paid.id)).toEqual([
      { type: 'network-token', wallet: 'apple-pay', hasCryptogram: true, eci: '07' },
    ])
  })

  test('is opened as part of the whole token that a page gets', async () => {
    const token = {
      paymentData: phone.applePay(),
      paymentMethod: { network: 'Visa' },
      transactionIdentifier: 'A1',
    }
    const paid = await till.pay({ payment_method: apple(token, { card_suffix: '4242' }) })

    expect(paid.payment_method.label).toBe('4242')
    expect(paid.instrument_type).toBe('network_token')
  })

  test('leaves an event without secrets', async () => {
    const paid = await till.pay({ payment_method: apple(phone.applePay()) })

    const { items } = (await service.send(`GET /transactions/${paid.id}/events`)).json()
    expect(
      items.find(({ name }: Json) => name === 'digital-wallet-apple-pay-token-decrypted')?.context,
    ).toEqual({
      instrument_type: 'network_token',
      payment_method_scheme: 'visa',
      has_cryptogram: true,
      eci: '07',
      account_verified: null,
      card_holder_authenticated: null,
    })
  })

  test('needs no 3-D Secure, also where a card would', async () => {
    const token = phone.applePay({ number: '4111111111101203' })
    const paid = await till.pay({ payment_method: apple(token, { redirect_url: BACK }) })

    expect(paid).toMatchObject({ status: 'authorization_succeeded', three_d_secure: null })
  })

  test('can be captured and refunded like any payment', async () => {
    const paid = await till.pay({ payment_method: apple(phone.applePay()), intent: 'capture' })
    const refund = await till.act(paid.id, 'refunds', { amount: 400 })

    expect(paid.status).toBe('capture_succeeded')
    expect(refund.json().status).toBe('succeeded')
  })

  test.each([
    ['another amount', { amount: 1001 }, '/amount'],
    ['another currency', { currency: 'EUR' }, '/currency'],
  ])('is refused with %s than the buyer agreed to', async (_name, changed, pointer) => {
    const found = await refusal(order(apple(phone.applePay()), changed))

    expect(found).toMatchObject({ pointer, type: 'value_error.conflict' })
  })

  test('pays what gift cards leave', async () => {
    const gift_cards = [{ ...giftCardWith(5000), amount: 400 }]
    const rest = await till.pay({ payment_method: apple(phone.applePay({ amount: 600 })), gift_cards })

    expect(rest).toMatchObject({
      status: 'authorization_succeeded',
      gift_card_redemptions: [{ amount: 400 }],
    })
    const whole = order(apple(phone.applePay()), { gift_cards })
    expect(await refusal(whole)).toMatchObject({ pointer: '/amount' })
  })

  test('is refused after five minutes', async () => {
    const token = phone.applePay()
    service.moveClock(5 * MINUTE_MS + 1000)

    expect(await refusal(order(apple(token)))).toMatchObject({
      pointer: '/payment_method/token',
      type: 'value_error.expired',
      message: expect.stringContaining('it is too old'),
    })
    service.moveClock(-5 * MINUTE_MS - 1000)
  })

  test('is refused after any change', async () => {
    const token = phone.applePay() as Json
    const changed = { ...token, data: `${token.data[0] === 'A' ? 'B' : 'A'}${token.data.slice(1)}` }

    expect(await refusal(order(apple(changed)))).toMatchObject({
      type: 'value_error.conflict',
      message: expect.stringContaining('its signature does not count'),
    })
  })

  test('is refused if it is for another merchant identifier or another key', async () => {
    const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const other = publicKey.export({ type: 'spki', format: 'pem' }).toString()

    expect(
      await refusal(order(apple(phone.applePay({ merchantIdentifier: 'merchant.other' })))),
    ).toMatchObject({
      type: 'value_error.not_found',
      message: expect.stringContaining('another merchant identifier'),
    })
    expect(await refusal(order(apple(phone.applePay({ publicKey: other }))))).toMatchObject({
      type: 'value_error.not_found',
      message: expect.stringContaining('a key that this merchant account does not have'),
    })
  })

  test.each([
    ['nothing', {}, 'value_error.str.regex', 'its version'],
    ['garbage', { paymentData: { version: 'EC_v1', header: [] } }, 'value_error.str.regex', 'its header'],
    ['RSA', { version: 'RSA_v1' }, 'value_error.const', 'RSA_v1 is not supported'],
    ['an unknown version', { version: 'EC_v9' }, 'value_error.const', 'its version is not EC_v1'],
  ])('is refused if it is %s', async (_name, token, type, message) => {
    expect(await refusal(order(apple(token)))).toEqual({
      pointer: '/payment_method/token',
      type,
      message: expect.stringContaining(message),
    })
  })

  test('is refused once its key is deleted, while another is there', async () => {
    const token = phone.applePay()
    const another = { purpose: 'apple-payment-processing', ...appleCertificate() }
    await service.send(`POST /digital-wallets/${phone.appleKey.walletId}/keys`, another)
    await phone.deleteKey(phone.appleKey)

    expect(await refusal(order(apple(token)))).toMatchObject({ type: 'value_error.not_found' })
  })

  test('is refused if its key is deleted while it is opened', async () => {
    const { id } = phone.appleKey
    const body = order(apple(phone.applePay()))

    const response = await changeBeforeOpening(service, () => send(body), [
      sql`delete from vault.items where token = (select private_key_token from digital_wallet_keys where id = ${id})`,
      sql`delete from digital_wallet_keys where id = ${id}`,
    ])

    expect(response.statusCode, response.body).toBe(400)
    expect(response.json().message).toContain('was deleted meanwhile')
  })

  test('is passed on unopened where the account has no key', async () => {
    await phone.deleteKey(phone.appleKey)
    const paid = await till.pay({ payment_method: apple({ anything: true }) })

    expect(paid).toMatchObject({ status: 'authorization_succeeded', instrument_type: 'applepay' })
    expect(await presented(paid.id)).toMatchObject([{ type: 'wallet', wallet: 'applepay' }])
    expect(await till.history(paid.id)).not.toContain('digital-wallet-apple-pay-token-decrypted')
  })

  test('is opened with the keys of the account that is paid, and no others', async () => {
    await service.send('POST /merchant-accounts', { id: 'other-shop', display_name: 'Other shop' })
    const options = { account: 'other-shop' }
    await till.addService({}, options)

    const passedOn = await service.send('POST /transactions', order(apple(phone.applePay())), options)

    expect(passedOn.json()).toMatchObject({ instrument_type: 'applepay' })
  })
})

describe('a token of Google Pay', () => {
  test.each([
    ['text', (token: object) => JSON.stringify(token)],
    ['an object', (token: object) => token],
  ])('with a cryptogram is opened, given as %s', async (_name, given) => {
    const paid = await till.pay({ payment_method: google(given(phone.googlePay())) })

    expect(paid).toMatchObject({
      status: 'authorization_succeeded',
      method: 'googlepay',
      instrument_type: 'network_token',
      payment_method: { method: 'googlepay', mode: 'googlepay', scheme: 'visa', label: '1111' },
      three_d_secure: null,
    })
    expect(await presented(paid.id)).toEqual([
      { type: 'network-token', wallet: 'google-pay', hasCryptogram: true, eci: '05' },
    ])
    expect(await till.history(paid.id)).toContain('digital-wallet-google-pay-token-decrypted')
  })

  test('without a cryptogram goes through 3-D Secure, as a typed card does', async () => {
    const token = phone.googlePay({ authMethod: 'PAN_ONLY', number: '4111111111101203' })
    const paid = await till.pay({ payment_method: google(token, { redirect_url: BACK }) })

    expect(paid).toMatchObject({
      status: 'authorization_succeeded',
      method: 'googlepay',
      instrument_type: 'pan',
      three_d_secure: { status: 'complete', method: 'frictionless' },
    })
    expect(await presented(paid.id)).toEqual([
      { type: 'card', wallet: 'googlepay_pan_only', hasCryptogram: false, eci: null },
    ])
  })

  test('without a cryptogram waits sealed while the buyer approves, and pays then', async () => {
    const challenged = '4111111111102011'
    const token = phone.googlePay({ authMethod: 'PAN_ONLY', number: challenged })
    const paid = await till.pay({ payment_method: google(token, { redirect_url: BACK }) })
    expect(paid.status).toBe('buyer_approval_pending')

    const page = new URL(paid.payment_method.approval_url)
    await service.app.inject({
      method: 'POST',
      url: page.pathname + page.search,
      payload: 'decision=approve',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })

    expect(await till.get(paid.id)).toMatchObject({ status: 'authorization_succeeded' })
    expect(await presented(paid.id)).toMatchObject([{ type: 'card', wallet: 'googlepay_pan_only' }])
  })

  test('is refused when it has expired', async () => {
    const token = phone.googlePay()
    service.moveClock(60 * MINUTE_MS)

    expect(await refusal(order(google(token)))).toMatchObject({ type: 'value_error.expired' })
    service.moveClock(-60 * MINUTE_MS)
  })

  test('is refused for another merchant, another recipient and another key', async () => {
    const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const other = publicKey.export({ type: 'spki', format: 'pem' }).toString()

    expect(await refusal(order(google(phone.googlePay({ gatewayMerchantId: 'other-shop' }))))).toMatchObject({
      type: 'value_error.conflict',
      message: expect.stringContaining('it names another merchant'),
    })
    expect(await refusal(order(google(phone.googlePay({ recipientId: 'gateway:other' }))))).toMatchObject({
      type: 'value_error.conflict',
    })
    expect(await refusal(order(google(phone.googlePay({ publicKey: other }))))).toMatchObject({
      type: 'value_error.not_found',
      message: expect.stringContaining('another key'),
    })
  })

  test('opens with any key of the account, for each of its recipients', async () => {
    const route = `POST /digital-wallets/${phone.googleKey.walletId}/keys`
    const recipientId = 'merchant:BCR2DN6T7O2Q'
    const added = await service.send(route, { purpose: 'google-payment', recipient_id: recipientId })
    const publicKey = added.json().public_key

    const own = await till.pay({
      payment_method: google(phone.googlePay({ publicKey, recipientId, gatewayMerchantId: null })),
    })
    const gateway = await till.pay({ payment_method: google(phone.googlePay()) })

    expect([own.instrument_type, gateway.instrument_type]).toEqual(['network_token', 'network_token'])
    const mixed = phone.googlePay({ gatewayMerchantId: 'other-shop' })
    expect(await refusal(order(google(mixed)))).toMatchObject({
      message: expect.stringContaining('it names another merchant'),
    })
  })

  test.each([
    ['no JSON', 'garbage', 'value_error.str.regex'],
    ['an empty object', {}, 'value_error.str.regex'],
    ['an unknown version', { protocolVersion: 'ECv1' }, 'value_error.const'],
  ])('is refused if it is %s', async (_name, token, type) => {
    expect(await refusal(order(google(token)))).toMatchObject({ pointer: '/payment_method/token', type })
  })

  test('is refused after a change of its message', async () => {
    const token = phone.googlePay() as Json

    expect(
      await refusal(order(google({ ...token, signedMessage: `${token.signedMessage} ` }))),
    ).toMatchObject({
      type: 'value_error.conflict',
    })
  })
})

describe('a token that has paid', () => {
  test.each(['apple', 'google'])('cannot pay again: %s', async (wallet) => {
    const method = wallet === 'apple' ? apple(phone.applePay()) : google(phone.googlePay())
    const paid = await till.pay({ payment_method: method })

    expect(await refusal(order(method))).toEqual({
      pointer: '/payment_method/token',
      type: 'value_error.duplicate',
      message: expect.stringContaining('the token has paid already'),
    })
    expect((await till.get(paid.id)).status).toBe('authorization_succeeded')
  })

  test('cannot pay again after a decline', async () => {
    const method = apple(phone.applePay({ amount: 200_012 }))
    const declined = await till.pay({ amount: 200_012, payment_method: method })

    expect(declined.status).toBe('authorization_declined')
    expect(await refusal(order(method, { amount: 200_012 }))).toMatchObject({ type: 'value_error.duplicate' })
  })

  test('answers the same request with the same payment', async () => {
    const key = { 'idempotency-key': crypto.randomUUID() }
    const body = order(apple(phone.applePay()))

    const first = await send(body, key)
    const second = await send(body, key)

    expect([first.statusCode, second.statusCode]).toEqual([201, 201])
    expect(second.json()).toEqual(first.json())
    expect(await presented(first.json().id)).toHaveLength(1)
  })

  test('pays once when many requests bring it at the same time', async () => {
    const body = order(google(phone.googlePay()))

    const answers = await Promise.all(Array.from({ length: 6 }, () => send(body)))

    const statuses = answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)
    expect(statuses).toEqual([201, 400, 400, 400, 400, 400])
  })

  test('cannot pay another merchant account that holds the same key', async () => {
    const options = { account: 'twin-shop' }
    await service.send('POST /merchant-accounts', { id: 'twin-shop', display_name: 'Twin shop' })
    await till.addService({}, options)
    const own = appleCertificate()
    const keyed = async (walletId: string, to: object) =>
      (
        await service.send(
          `POST /digital-wallets/${walletId}/keys`,
          { purpose: 'apple-payment-processing', ...own },
          to,
        )
      ).json()
    const first = await keyed(phone.appleKey.walletId, {})
    const wallet = { provider: 'apple', merchant_name: 'Twin shop', accept_terms_and_conditions: true }
    await keyed((await service.send('POST /digital-wallets', wallet, options)).json().id, options)
    const method = apple(phone.applePay({ publicKey: first.public_key }))

    await till.pay({ payment_method: method })
    const again = await service.send('POST /transactions', order(method), options)

    expect(again.json().details[0].type).toBe('value_error.duplicate')
  })

  test('is forgotten an hour after it has expired, and not before', async () => {
    await till.pay({ payment_method: apple(phone.applePay()) })
    const kept = async () =>
      (await service.context.db.selectFrom('used_wallet_tokens').select('digest').execute()).length
    const before = await kept()

    await forgetUsedTokens(service.context)
    expect(await kept()).toBe(before)

    const later = { ...service.context, clock: () => new Date(Date.now() + 3 * 60 * MINUTE_MS) }
    await forgetUsedTokens(later)
    expect(await kept()).toBe(0)
  })
})
