import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Gr4vy, getEmbedToken, verifyWebhook, withToken } from '@gr4vy/sdk'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { urlOf } from '../server/src/testing/database-url.ts'
import { guardedFolder } from '../server/src/testing/guard.ts'
import { cloneDatabase } from '../server/src/testing/harness.ts'
import { startReceiver } from '../server/src/testing/receiver.ts'
import { type Running, removeFolder, startHere } from '../server/src/testing/service-process.ts'
import { type Client, createClient } from './src/index.ts'

/** A public client of this interface, unchanged, in front of the service: what docs/guide/clients.md says of it. */

const CARD = {
  method: 'card',
  number: '4111111111111111',
  expirationDate: '12/30',
  securityCode: '123',
} as const

let dataDir: string
let service: Running
let privateKey: string
let client: Gr4vy
let own: Client

beforeAll(async () => {
  dataDir = guardedFolder()
  service = await startHere(dataDir, { DATABASE_URL: urlOf(await cloneDatabase()) })
  privateKey = readFileSync(join(dataDir, 'admin-key.pem'), 'utf8')
  own = createClient({ url: service.url, privateKey })
  const bearerAuth = withToken({ privateKey })
  client = new Gr4vy({
    serverURL: service.url,
    id: 'any',
    server: 'sandbox',
    merchantAccountId: 'default',
    bearerAuth,
  })
})

afterAll(async () => {
  await service?.end('SIGTERM')
  if (dataDir) removeFolder(dataDir)
})

const first = async <Item>(pages: Promise<AsyncIterable<{ result: { items: Item[] } }>>): Promise<Item[]> => {
  for await (const { result } of await pages) return result.items
  return []
}

test('payments: authorize, capture, refund, void, read and list', async () => {
  const { transactions } = client
  const paid = await transactions.create({
    amount: 1299,
    currency: 'USD',
    paymentMethod: CARD,
    externalIdentifier: 'sdk-1',
  })
  const captured = await transactions.capture({
    transactionId: paid.id,
    transactionCaptureCreate: { amount: 1299 },
  })
  const refund = await transactions.refunds.create({ amount: 299 }, paid.id)
  const rest = await transactions.refunds.all.create(paid.id)
  const other = await transactions.create(
    { amount: 500, currency: 'USD', paymentMethod: CARD },
    undefined,
    'sdk-key',
  )
  const replayed = await transactions.create(
    { amount: 500, currency: 'USD', paymentMethod: CARD },
    undefined,
    'sdk-key',
  )
  const voided = await transactions.void(other.id)

  expect(paid.status).toBe('authorization_succeeded')
  expect(captured).toMatchObject({ status: expect.stringMatching(/succeeded/) })
  expect(refund.status).toBe('succeeded')
  expect(rest.items).toHaveLength(1)
  expect(replayed.id).toBe(other.id)
  expect(voided).toMatchObject({ status: expect.stringMatching(/voided|succeeded/) })
  expect((await transactions.get(paid.id)).refundedAmount).toBe(1299)
  await expect(transactions.sync(paid.id)).rejects.toMatchObject({ statusCode: 400 })
  expect((await transactions.update({ externalIdentifier: 'sdk-2' }, paid.id)).externalIdentifier).toBe(
    'sdk-2',
  )
  expect((await client.refunds.get(refund.id)).id).toBe(refund.id)
  expect((await transactions.refunds.list(paid.id)).items).toHaveLength(2)
  expect((await transactions.refunds.get(paid.id, refund.id)).amount).toBe(299)
  expect((await first(transactions.events.list(paid.id))).length).toBeGreaterThan(0)
  expect((await transactions.settlements.list(paid.id)).items).toEqual([])
  expect((await transactions.actions.list(paid.id)).items).toEqual([])
  expect(await first(transactions.list({ limit: 1, currency: ['USD'] }))).toHaveLength(1)
})

test('buyers, stored cards, network tokens and checkout sessions', async () => {
  const buyer = await client.buyers.create({ displayName: 'Ada', externalIdentifier: 'ada' })
  const buyerId = String(buyer.id)
  const details = await client.buyers.shippingDetails.create({ firstName: 'Ada' }, buyerId)
  await client.buyers.shippingDetails.update({ firstName: 'Eva' }, buyerId, String(details.id))
  const stored = await client.paymentMethods.create({
    method: 'card',
    number: '4111111111111111',
    expirationDate: '12/30',
    securityCode: '123',
    buyerId,
  })
  const ids = { visaNetworkTokensRequestorId: '12345678901', visaNetworkTokensAppId: 'app' }
  await client.merchantAccounts.update(ids, 'default')
  const token = await client.paymentMethods.networkTokens.create(
    { merchantInitiated: false, isSubsequentPayment: false },
    stored.id,
  )
  const session = await client.checkoutSessions.create({ metadata: { order: '1' } })
  await client.checkoutSessions.update({ metadata: { order: '2' } }, session.id)

  expect((await client.buyers.get(buyerId)).displayName).toBe('Ada')
  expect((await client.buyers.update({ displayName: 'Eva' }, buyerId)).displayName).toBe('Eva')
  expect((await client.buyers.shippingDetails.get(buyerId, String(details.id))).firstName).toBe('Eva')
  expect((await client.buyers.shippingDetails.list(buyerId)).items).toHaveLength(1)
  expect((await client.buyers.paymentMethods.list({ buyerId })).items).toHaveLength(1)
  expect((await client.buyers.giftCards.list(undefined, buyerId)).items).toEqual([])
  expect((await client.paymentMethods.get(stored.id)).method).toBe('card')
  expect((await client.paymentMethods.networkTokens.list(stored.id)).items).toHaveLength(1)
  await client.paymentMethods.networkTokens.suspend(stored.id, token.id)
  await client.paymentMethods.networkTokens.resume(stored.id, token.id)
  const cryptogram = await client.paymentMethods.networkTokens.cryptogram.create(
    { merchantInitiated: false },
    stored.id,
    token.id,
  )
  expect(cryptogram.cryptogram).toEqual(expect.any(String))
  await client.paymentMethods.networkTokens.delete(stored.id, token.id)
  expect((await client.paymentMethods.paymentServiceTokens.list(stored.id)).items).toEqual([])
  expect((await client.checkoutSessions.get(session.id)).metadata).toEqual({ order: '2' })
  await client.checkoutSessions.delete(session.id)
  await client.paymentMethods.delete(stored.id)
  await client.buyers.shippingDetails.delete(buyerId, String(details.id))
  await client.buyers.delete(buyerId)
})

test('what a merchant sets up', async () => {
  const services = await first(client.paymentServices.list())
  const link = await client.paymentLinks.create({ amount: 1299, currency: 'USD', country: 'US' })
  const account = await client.merchantAccounts.create({ id: 'sdk-shop', displayName: 'Shop' })
  const report = await client.reports.create({
    name: 'Payments',
    schedule: 'once',
    scheduleEnabled: false,
    spec: { model: 'transactions', params: {} },
  })

  expect(services.length).toBeGreaterThan(0)
  expect((await client.paymentServices.get(services[0]?.id ?? '')).id).toBe(services[0]?.id)
  expect((await first(client.paymentServiceDefinitions.list())).length).toBeGreaterThan(0)
  expect((await client.paymentServiceDefinitions.get('mock-card')).id).toBe('mock-card')
  expect((await client.paymentLinks.get(link.id)).id).toBe(link.id)
  expect(await first(client.paymentLinks.list())).toHaveLength(1)
  await client.paymentLinks.expire(link.id)
  expect((await client.merchantAccounts.update({ displayName: 'Shop 2' }, account.id)).displayName).toBe(
    'Shop 2',
  )
  expect((await client.merchantAccounts.get(account.id)).displayName).toBe('Shop 2')
  expect(await first(client.merchantAccounts.list())).toHaveLength(2)
  expect((await client.merchantAccounts.threeDsConfiguration.list(account.id)).items).toEqual([])
  expect((await client.reports.get(report.id)).name).toBe('Payments')
  expect(await first(client.reports.list())).toHaveLength(1)
  expect((await first(client.reports.executions.list(report.id))).length).toBeLessThan(2)
  expect((await first(client.reportExecutions.list())).length).toBeLessThan(2)
  expect((await client.digitalWallets.list()).items).toEqual([])
  expect(await first(client.giftCards.list())).toEqual([])
  expect(await first(client.payouts.list())).toEqual([])
  expect(await first(client.threeDsScenarios.list())).toEqual([])
  expect((await client.cardSchemeDefinitions.list()).items.length).toBeGreaterThan(0)
  expect(
    (await client.paymentOptions.list({ country: 'US', currency: 'USD', amount: 1299 })).items.length,
  ).toBeGreaterThan(0)
  expect((await first(client.auditLogs.list())).length).toBeGreaterThan(0)
})

test('its tokens for pages, its errors and its check of webhooks fit', async () => {
  const session = await client.checkoutSessions.create()
  const embedParams = { amount: 1299, currency: 'USD' }
  const token = await getEmbedToken({ privateKey, checkoutSessionId: session.id, embedParams })
  const receiver = await startReceiver()
  const { id, secret } = await own.webhookSubscriptions.create({ url: receiver.url })
  await own.webhookSubscriptions.sendTest(id)
  await receiver.waitFor(1)
  await own.webhookSubscriptions.delete(id)
  await receiver.close()
  const { body = '', headers = {} } = receiver.received[0] ?? {}
  const signatures = String(headers['x-service-webhook-signatures'])
  const timestamp = String(headers['x-service-webhook-timestamp'])

  const page = createClient({ url: service.url, token })
  await expect(page.cardDetails.get({ bin: '411111', currency: 'USD' })).resolves.toMatchObject({
    scheme: 'visa',
  })
  await expect(client.buyers.get('0199a3c1-52f0-7c31-9d0a-5e1f0c7a2b11')).rejects.toMatchObject({
    statusCode: 404,
  })
  await expect(
    client.transactions.create({ amount: -1, currency: 'USD', paymentMethod: CARD }),
  ).rejects.toMatchObject({ statusCode: 400 })
  expect(() => verifyWebhook(body, String(secret), signatures, timestamp, 300)).not.toThrow()
  expect(() => verifyWebhook(`${body} `, String(secret), signatures, timestamp, 300)).toThrow()
})
