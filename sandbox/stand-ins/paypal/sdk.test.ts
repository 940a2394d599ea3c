import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  ApiError,
  CheckoutPaymentIntent,
  Client,
  GooglePayAuthenticationMethod,
  GooglePayPaymentMethod,
  OrdersController,
  type PaymentSource,
  PaymentsController,
  PaypalPaymentTokenUsageType,
  TransactionSearchController,
  VaultController,
  VaultTokenRequestType,
} from '@paypal/paypal-server-sdk'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inventId } from './books.ts'
import { createStandIn, STAND_IN_CLIENT } from './stand-in.ts'

/** PayPal's own client, which knows nothing of us, with the stand-in instead of PayPal. */

const DAY = 24 * 3_600_000
let now = Date.parse('2026-03-02T10:00:00Z')
const standIn = createStandIn({ now: () => new Date(now), tokenSeconds: 864_000 })
let client: Client

beforeAll(async () => {
  const url = await standIn.listen()
  client = new Client({
    clientCredentialsAuthCredentials: {
      oAuthClientId: STAND_IN_CLIENT.id,
      oAuthClientSecret: STAND_IN_CLIENT.secret,
    },
    logging: { logger: { log: () => {} } },
    // The client has two hosts and no option for a third, so its requests are sent elsewhere on their way out.
    unstable_httpClientOptions: {
      transformRequest: [(body: unknown) => body],
      adapter: async (config: { url: string; method: string; headers: object; data?: string }) => {
        const address = config.url.replace(/^https:\/\/api-m\.(sandbox\.)?paypal\.com/, url)
        const response = await fetch(address, {
          method: config.method.toUpperCase(),
          headers: Object.fromEntries(Object.entries(config.headers).map(([k, v]) => [k, String(v)])),
          ...(config.data && { body: config.data }),
        })
        return {
          status: response.status,
          statusText: response.statusText,
          headers: Object.fromEntries(response.headers),
          data: await response.text(),
          config,
          request: {},
        }
      },
    },
  })
})
afterAll(() => standIn.close())

const USD = (value: string) => ({ currencyCode: 'USD', value })
const returnUrl = 'https://shop.example.com/return'

async function press(
  links: readonly { rel: string; href: string }[] | undefined,
  rel: string,
): Promise<void> {
  const page = links?.find((link) => link.rel === rel)?.href ?? ''
  const response = await fetch(page, {
    method: 'POST',
    body: new URLSearchParams({ decision: 'approve' }),
    redirect: 'manual',
  })
  expect(response.status).toBe(303)
}

async function authorizedByWallet(): Promise<string> {
  const orders = new OrdersController(client)
  const { result: order } = await orders.createOrder({
    body: {
      intent: CheckoutPaymentIntent.Authorize,
      purchaseUnits: [{ amount: USD('12.99'), invoiceId: inventId() }],
      paymentSource: { paypal: { experienceContext: { returnUrl, cancelUrl: returnUrl } } },
    },
    paypalRequestId: inventId(),
  })
  expect(order.status).toBe('PAYER_ACTION_REQUIRED')
  await press(order.links, 'payer-action')
  const { result: done } = await orders.authorizeOrder({ id: order.id ?? '', paypalRequestId: inventId() })
  expect(done.status).toBe('COMPLETED')
  return done.purchaseUnits?.[0]?.payments?.authorizations?.[0]?.id ?? ''
}

describe('PayPal’s own client', () => {
  test('creates, captures and refunds', async () => {
    const payments = new PaymentsController(client)
    const authorizationId = await authorizedByWallet()

    const { result: capture } = await payments.captureAuthorizedPayment({
      authorizationId,
      paypalRequestId: inventId(),
      body: { amount: USD('10.00'), finalCapture: true },
    })
    const { result: refund } = await payments.refundCapturedPayment({
      captureId: capture.id ?? '',
      paypalRequestId: inventId(),
      body: { amount: USD('4.00') },
    })

    expect(capture).toMatchObject({ status: 'COMPLETED', amount: USD('10.00') })
    expect(refund).toMatchObject({ status: 'COMPLETED', amount: USD('4.00') })
    const { result: shown } = await payments.getRefund({ refundId: refund.id ?? '' })
    expect(shown).toMatchObject({ id: refund.id })
  })

  test('voids, and is told why it cannot do so twice', async () => {
    const payments = new PaymentsController(client)
    const authorizationId = await authorizedByWallet()

    const { result } = await payments.voidPayment({ authorizationId, prefer: 'return=representation' })
    const again = await payments.voidPayment({ authorizationId }).catch((error: unknown) => error)

    expect(result).toMatchObject({ status: 'VOIDED' })
    expect(again).toBeInstanceOf(ApiError)
    expect(again).toMatchObject({ statusCode: 422, result: { details: [{ issue: 'PREVIOUSLY_VOIDED' }] } })
  })

  test('pays with a card, and with a token of it', async () => {
    const orders = new OrdersController(client)
    const vault = new VaultController(client)
    const card = { number: '4012888888881881', expiry: '2030-12', securityCode: '123' }
    const { result: setup } = await vault.createSetupToken({
      paypalRequestId: inventId(),
      body: { paymentSource: { card } },
    })
    const { result: token } = await vault.createPaymentToken({
      paypalRequestId: inventId(),
      body: { paymentSource: { token: { id: setup.id ?? '', type: VaultTokenRequestType.SetupToken } } },
    })
    const pay = (paymentCard: object) =>
      orders.createOrder({
        body: {
          intent: CheckoutPaymentIntent.Capture,
          purchaseUnits: [{ amount: USD('5.00'), invoiceId: inventId() }],
          paymentSource: { card: paymentCard },
        },
        paypalRequestId: inventId(),
      })

    const { result: typed } = await pay(card)
    const { result: stored } = await pay({ vaultId: token.id })
    await vault.deletePaymentToken(token.id ?? '')
    const gone = await pay({ vaultId: token.id }).catch((error: unknown) => error)

    expect([typed.status, stored.status]).toEqual(['COMPLETED', 'COMPLETED'])
    expect(gone).toMatchObject({ statusCode: 422 })
  })

  test('pays with a network token, Apple Pay and Google Pay', async () => {
    const orders = new OrdersController(client)
    const card = { number: '4012888888881881', expiry: '2030-12' }
    const cryptogram = 'AgAAAAAAAIR8CQrXcIhbQAAAAAA='
    const pay = (paymentSource: PaymentSource) =>
      orders.createOrder({
        body: {
          intent: CheckoutPaymentIntent.Authorize,
          purchaseUnits: [{ amount: USD('5.00'), invoiceId: inventId() }],
          paymentSource,
        },
        paypalRequestId: inventId(),
      })

    const answers = await Promise.all([
      pay({ card: { networkToken: { ...card, cryptogram } } }),
      pay({ applePay: { decryptedToken: { tokenizedCard: card, paymentData: { cryptogram } } } }),
      pay({
        googlePay: {
          decryptedToken: {
            paymentMethod: GooglePayPaymentMethod.Card,
            authenticationMethod: GooglePayAuthenticationMethod.Cryptogram3Ds,
            card,
            cryptogram,
          },
        },
      }),
    ])

    expect(answers.map(({ result }) => result.status)).toEqual(['COMPLETED', 'COMPLETED', 'COMPLETED'])
    expect(answers[1]?.result.paymentSource?.applePay?.card?.lastDigits).toBe('1881')
    expect(answers[2]?.result.paymentSource?.googlePay?.card?.lastDigits).toBe('1881')
  })

  test('stores an account at PayPal', async () => {
    const vault = new VaultController(client)
    const { result: setup } = await vault.createSetupToken({
      paypalRequestId: inventId(),
      body: {
        paymentSource: {
          paypal: {
            usageType: PaypalPaymentTokenUsageType.Merchant,
            experienceContext: { returnUrl, cancelUrl: returnUrl },
          },
        },
      },
    })
    await press(setup.links, 'approve')

    const { result: token } = await vault.createPaymentToken({
      paypalRequestId: inventId(),
      body: { paymentSource: { token: { id: setup.id ?? '', type: VaultTokenRequestType.SetupToken } } },
    })

    expect(token.paymentSource?.paypal?.emailAddress).toContain('@')
  })

  test('searches transactions', async () => {
    const start = now
    now += DAY

    const { result } = await new TransactionSearchController(client).searchTransactions({
      startDate: new Date(start - DAY).toISOString(),
      endDate: new Date(now).toISOString(),
    })

    expect(result.transactionDetails?.length).toBeGreaterThan(0)
    expect(result.transactionDetails?.[0]?.transactionInfo).toMatchObject({ transactionEventCode: 'T0006' })
  })
})

test('a webhook gets signed events, in order, until it takes them', async () => {
  const taken: { type: string; signature: string }[] = []
  let isOpen = false
  const shop = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const type = JSON.parse(Buffer.concat(chunks).toString()).event_type
    if (isOpen) taken.push({ type, signature: String(request.headers['paypal-transmission-sig']) })
    response.writeHead(isOpen ? 200 : 503).end()
  })
  await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(shop.address() as AddressInfo).port}/`
  standIn.events.all.length = 0
  standIn.events.register(STAND_IN_CLIENT.id, { url, event_types: [{ name: '*' }] })
  await authorizedByWallet()
  isOpen = true

  await fetch(`${standIn.url()}/_stand-in/books`)
  await expect
    .poll(() => taken.map(({ type }) => type), { timeout: 30_000 })
    .toEqual(['CHECKOUT.ORDER.APPROVED', 'PAYMENT.AUTHORIZATION.CREATED'])

  expect(taken.every(({ signature }) => signature.length > 300)).toBe(true)
  standIn.events.webhooks.clear()
  shop.closeAllConnections()
  shop.close()
})
