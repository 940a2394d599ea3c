import { createHmac } from 'node:crypto'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { newId } from '#domain/ids.ts'
import { ApiError } from '#platform/http/errors.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { serveAntiFraudNotifications } from './take.ts'

const SECRET = 'canary-webhook-secret'
const TRANSACTION = newId()
const UNKNOWN = newId()

let service: TestService
let app: FastifyInstance
let webhookUrl = ''
let signed: { readonly id: string; readonly webhook_url: string }
const taken: object[] = []
beforeAll(async () => {
  service = await startTestService()
  app = Fastify()
  app.setErrorHandler((error, _request, reply) =>
    error instanceof ApiError ? reply.code(error.status).send(error.body()) : reply.code(500).send(),
  )
  const { engine, context } = service
  serveAntiFraudNotifications(app, {
    engine,
    context,
    take: async (scope, _engine, { id }, { transactionId, decision }) => {
      if (transactionId !== TRANSACTION) return false
      taken.push({ account: scope.merchantAccountId, id, decision })
      return true
    },
  })
  webhookUrl = (await make('mock-anti-fraud')).webhook_url
  signed = await make('mock-anti-fraud', [{ key: 'webhook_secret', value: SECRET }])
})
afterAll(async () => {
  await app.close()
  await service.close()
})
beforeEach(() => {
  taken.length = 0
})

async function make(definition: string, fields: object[] = []) {
  const response = await service.send('POST /anti-fraud-services', {
    display_name: definition,
    anti_fraud_service_definition_id: definition,
    fields,
    active: false,
  })
  expect(response.statusCode, response.body).toBe(201)
  return response.json()
}

function notify(url: string, payload: string | object, headers: Record<string, string> = {}) {
  const body = typeof payload === 'string' ? payload : JSON.stringify(payload)
  return app.inject({
    method: 'POST',
    url: new URL(url).pathname,
    payload: body,
    headers: { 'content-type': 'application/json', ...headers },
  })
}

test.each([
  ['accept', { transaction_id: TRANSACTION, decision: 'accept' }],
  ['reject', { transaction_id: TRANSACTION, decision: 'reject' }],
  ['accept', { transactionId: TRANSACTION.toUpperCase(), decision: 'ACCEPT' }],
  ['reject', { transactionId: TRANSACTION, decision: 'REJECT' }],
])('takes %s from %o', async (decision, message) => {
  const response = await notify(webhookUrl, message)

  expect(response.statusCode, response.body).toBe(204)
  const id = webhookUrl.split('/').at(-3)
  expect(taken).toEqual([{ account: 'default', id, decision }])
})

test.each([
  ['that is not known', UNKNOWN],
  ['that cannot be one', 'order-4711'],
])('answers 404 for a transaction %s, so that it is sent again', async (_name, transactionId) => {
  const response = await notify(webhookUrl, { transaction_id: transactionId, decision: 'accept' })

  expect(response.statusCode).toBe(404)
})

test('answers 400 with what is wrong', async () => {
  const response = await notify(webhookUrl, { transaction_id: TRANSACTION, decision: 'maybe' })

  expect(response.statusCode).toBe(400)
  expect(response.json().message).toBe('decision must be one of accept, reject')
  expect(taken).toEqual([])
})

test('takes only signed messages if a secret was entered', async () => {
  const message = JSON.stringify({ transaction_id: TRANSACTION, decision: 'accept' })
  const signature = createHmac('sha256', SECRET).update(message).digest('hex')

  const unsigned = await notify(signed.webhook_url, message)
  const forged = await notify(signed.webhook_url, message.replace('accept', 'reject'), {
    'x-signature': signature,
  })
  const right = await notify(signed.webhook_url, message, { 'x-signature': signature })

  expect([unsigned, forged, right].map(({ statusCode }) => statusCode)).toEqual([400, 400, 204])
  expect(taken).toHaveLength(1)
})

test.each([
  ['another key', (url: string) => `${url.slice(0, -1)}${url.endsWith('A') ? 'B' : 'A'}`],
  ['a shorter key', (url: string) => url.slice(0, -1)],
  ['another service’s key', (url: string) => url.replace(/[0-9a-f-]{36}/, signed.id)],
  ['no id', (url: string) => url.replace(/[0-9a-f-]{36}/, 'anything')],
])('answers 404 at a URL with %s', async (_name, change) => {
  const message = { transaction_id: TRANSACTION, decision: 'accept' }

  const response = await notify(change(webhookUrl), message)

  expect(response.statusCode).toBe(404)
  expect(taken).toEqual([])
})

test('takes messages for an inactive service, but not for a deleted one', async () => {
  const { id, webhook_url } = await make('mock-anti-fraud', [{ key: 'webhook_secret', value: SECRET }])
  await service.send(`DELETE /anti-fraud-services/${id}`)

  const inactive = await notify(webhookUrl, { transaction_id: TRANSACTION, decision: 'accept' })
  const deleted = await notify(webhook_url, { transaction_id: TRANSACTION, decision: 'accept' })

  expect([inactive.statusCode, deleted.statusCode]).toEqual([204, 404])
})

test('accepts irrelevant messages, refuses unexpected ones, and answers 503 if one could not be read', async () => {
  const { webhook_url } = await make('test-anti-fraud', [
    { key: 'account', value: 'shop' },
    { key: 'api_key', value: SECRET },
  ])
  const plain = await make('plain-anti-fraud')

  const ignored = await notify(webhook_url, 'ignore')
  const unexpected = await notify(plain.webhook_url, `accept ${TRANSACTION}`)
  const broken = await notify(webhook_url, 'break')

  expect([ignored, unexpected, broken].map(({ statusCode }) => statusCode)).toEqual([204, 400, 503])
  expect(broken.body).not.toContain(SECRET)
  expect(taken).toEqual([])
})
