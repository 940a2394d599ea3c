import { randomUUID } from 'node:crypto'
import {
  CheckoutAPI,
  Client,
  Config,
  EnvironmentEnum,
  hmacValidator,
  ManagementAPI,
  Types,
} from '@adyen/api-library'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createStandIn } from './stand-in.ts'

/** Adyen's own library is a client that knows nothing of us: what it can do with the stand-in, others can. */

const standIn = createStandIn({ now: () => new Date() })
const { account } = standIn
let origin = ''
let close = async () => {}
beforeAll(async () => {
  ;({ origin, close } = await standIn.listen(0))
})
afterAll(() => close())

/** The library itself only speaks TLS. Requests and answers are its own. */
async function send(
  endpoint: string,
  json: string | Buffer,
  config: Config,
  options: { idempotencyKey?: string; method?: string | undefined; params?: unknown },
) {
  const { method = 'POST', params } = options
  const query = new URLSearchParams({ ...(params as object | undefined) })
  const path = endpoint.replace(/^https:\/\/(checkout|management)-test\.adyen\.com/, '')
  const response = await fetch(`${origin}${path}${query.size > 0 ? `?${query}` : ''}`, {
    method,
    headers: {
      'x-api-key': config.apiKey ?? '',
      'content-type': 'application/json',
      ...(options.idempotencyKey && { 'idempotency-key': options.idempotencyKey }),
    },
    ...(!['GET', 'DELETE'].includes(method) && { body: String(json) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(text)
  return text
}

function clientWith(apiKey: string) {
  const config = new Config({ apiKey, environment: EnvironmentEnum.TEST })
  return new Client(config, {
    request: (...[endpoint, json, settings, , options]) => send(endpoint, json, settings, options ?? {}),
  })
}

const checkout = (apiKey = account.apiKey) => new CheckoutAPI(clientWith(apiKey))

const amount = { value: 1299, currency: 'EUR' }
const { merchantAccount } = account

async function authorised(): Promise<string> {
  const request = {
    amount,
    merchantAccount,
    reference: randomUUID(),
    returnUrl: 'https://shop.example.com/back',
    additionalData: { manualCapture: 'true' },
    paymentMethod: {
      type: 'scheme' as Types.checkout.CardDetails.TypeEnum,
      number: '4111111111111111',
      expiryMonth: '03',
      expiryYear: '2030',
      cvc: '737',
    },
  } satisfies Types.checkout.PaymentRequest
  const answer = await checkout().PaymentsApi.payments(request, { idempotencyKey: randomUUID() })
  expect(answer.resultCode).toBe('Authorised')
  return answer.pspReference ?? ''
}

test('pays, captures and refunds', async () => {
  const psp = await authorised()
  const { ModificationsApi } = checkout()

  const capture = await ModificationsApi.captureAuthorisedPayment(psp, {
    amount,
    merchantAccount,
    reference: 'c',
  })
  await control('finish', { pspReference: capture.pspReference })
  const refund = await ModificationsApi.refundCapturedPayment(psp, {
    amount,
    merchantAccount,
    reference: 'r',
  })
  await control('finish', { pspReference: refund.pspReference })

  expect([capture.status, refund.status]).toEqual(['received', 'received'])
  expect(await sumsOf(psp)).toMatchObject({ captured: 1299, refunded: 1299 })
})

test('pays and cancels', async () => {
  const psp = await authorised()

  const cancel = await checkout().ModificationsApi.cancelAuthorisedPaymentByPspReference(psp, {
    merchantAccount,
  })
  await control('finish', { pspReference: cancel.pspReference })

  expect(cancel.paymentPspReference).toBe(psp)
  expect(await sumsOf(psp)).toMatchObject({ status: 'cancelled', captured: 0 })
})

test('stores a card, pays with it, and deletes it', async () => {
  const { RecurringApi, PaymentsApi } = checkout()
  const shopperReference = randomUUID()
  const stored = await RecurringApi.storedPaymentMethods({
    merchantAccount,
    shopperReference,
    recurringProcessingModel:
      Types.checkout.StoredPaymentMethodRequest.RecurringProcessingModelEnum.CardOnFile,
    paymentMethod: { type: 'scheme', number: '4111111111111111', expiryMonth: '03', expiryYear: '2030' },
  })
  const storedPaymentMethodId = stored.id ?? ''
  const paid = await PaymentsApi.payments({
    amount,
    merchantAccount,
    shopperReference,
    reference: randomUUID(),
    returnUrl: 'https://shop.example.com/back',
    shopperInteraction: Types.checkout.PaymentRequest.ShopperInteractionEnum.ContAuth,
    paymentMethod: { type: Types.checkout.CardDetails.TypeEnum.Scheme, storedPaymentMethodId },
  })
  const forget = () =>
    RecurringApi.deleteTokenForStoredPaymentDetails(storedPaymentMethodId, shopperReference, merchantAccount)
  await forget()

  expect(paid.resultCode).toBe('Authorised')
  await expect(forget()).rejects.toThrow('Contract not found')
})

test('is refused with a wrong key', async () => {
  await expect(checkout('wrong').PaymentsApi.paymentMethods({ merchantAccount })).rejects.toThrow(
    'Unauthorized',
  )
})

test('accepts the signatures of webhooks, and no others', async () => {
  await control('notifications/take')
  await authorised()
  const { message } = (await control('notifications/take')) as { message: string }
  const [{ NotificationRequestItem: item }] = JSON.parse(message).notificationItems
  const validator = new hmacValidator()

  expect(validator.validateHMAC(item, account.hmacKey)).toBe(true)
  expect(validator.validateHMAC({ ...item, amount: { ...amount, value: 1 } }, account.hmacKey)).toBe(false)
  expect(validator.validateHMAC(item, account.hmacKey.replace('4', '5'))).toBe(false)
})

// The last test here: the stand-in signs with another key from then on.
test('sets up a webhook with a key, and finds it', async () => {
  const { WebhooksMerchantLevelApi } = new ManagementAPI(clientWith(account.apiKey))
  const url = 'https://shop.example.com/webhook'
  const { id = '' } = await WebhooksMerchantLevelApi.setUpWebhook(merchantAccount, {
    type: 'standard',
    url,
    active: false,
    communicationFormat: Types.management.CreateMerchantWebhookRequest.CommunicationFormatEnum.Json,
  })
  const { hmacKey } = await WebhooksMerchantLevelApi.generateHmacKey(merchantAccount, id)
  const listed = await WebhooksMerchantLevelApi.listAllWebhooks(merchantAccount, 1, 100)

  expect(hmacKey).toMatch(/^[0-9A-F]{64}$/)
  expect(listed.data).toMatchObject([{ id, url }])
  await control('notifications/take')
  await authorised()
  const { message } = (await control('notifications/take')) as { message: string }
  const [{ NotificationRequestItem: item }] = JSON.parse(message).notificationItems
  expect(new hmacValidator().validateHMAC(item, hmacKey)).toBe(true)
})

async function control(path: string, body: object = {}): Promise<unknown> {
  const response = await fetch(`${origin}/_stand-in/${path}`, { method: 'POST', body: JSON.stringify(body) })
  return response.json()
}

async function sumsOf(psp: string) {
  const books = (await (await fetch(`${origin}/_stand-in/books`)).json()) as {
    payments: { pspReference: string }[]
  }
  return books.payments.find(({ pspReference }) => pspReference === psp)
}
