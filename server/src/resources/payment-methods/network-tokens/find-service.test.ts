import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { registriesFor } from '#processing/connectors.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { openTokenDesk, requestorIds, type TokenDesk } from '#testing/network-tokens.ts'
import { deleted, provisioned } from '#testing/test-network-token-connector.ts'
import { openTill } from '#testing/till.ts'
import { JOBS } from '../../../app.ts'
import { findActiveService } from './find-service.ts'

/** Tokens of a merchant's own account at a token service. */

const KEY = 'canary-key-of-a-token-service'
const DAY_MS = 86_400_000

let service: TestService
let desk: TokenDesk
let account = ''
let count = 0
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())
beforeEach(async () => {
  count += 1
  account = `tokens-${count}`
  const body = { id: account, display_name: account, ...requestorIds(account) }
  await service.send('POST /merchant-accounts', body)
  desk = openTokenDesk(service, account)
})

async function connect(answer = 'at-once', definition = 'test-network-token') {
  const response = await service.send(
    'POST /network-token-services',
    {
      display_name: 'Tokens',
      network_token_service_definition_id: definition,
      fields: [
        { key: 'account', value: answer },
        { key: 'api_key', value: KEY },
      ],
    },
    { account },
  )
  expect(response.statusCode, response.body).toBe(201)
  return response.json() as { id: string; webhook_url: string }
}

const forget = async () => {
  const job = JOBS.find(({ name }) => name === 'forget-secrets-of-deleted-network-token-services')
  await job?.run(service as never, new AbortController().signal)
}

test('the active service makes the token, and proves payments with it', async () => {
  await connect()
  const token = await desk.make()
  const till = openTill(service)
  const { id: taker } = await till.addService({}, { account })
  const taking = { network_tokens_enabled: true, open_loop: true }
  await service.send(`PUT /payment-services/${taker}`, taking, { account })
  const paid = await till.pay(
    {
      payment_service_id: taker,
      payment_method: { method: 'id', id: token.payment_method_id },
    },
    { account },
  )

  expect(provisioned.at(-1)).toMatchObject({
    clientReference: token.id,
    requestor: { scheme: 'visa', requestorId: `${account}-visa-requestor` },
    expirationDate: '12/40',
    reference: null,
  })
  expect(token).toMatchObject({ status: 'active', token: '4895370012003478', expiration_date: '11/38' })
  expect(paid).toMatchObject({ status: 'authorization_succeeded', instrument_type: 'network_token' })
  // The simulator has not been asked.
  expect(await desk.books(token.id)).toEqual([])
})

test.each(['slow', 'lost'])(
  'a token whose answer is %s is there when it is asked about again',
  async (answer) => {
    await connect(answer)
    const id = await desk.store()

    const first = await desk.provision(id)
    service.moveClock(DAY_MS)
    await service.resolveDue()
    service.moveClock(-DAY_MS)

    const [token] = await desk.list(id)
    expect([first.statusCode, token.status]).toEqual([504, 'active'])
    const orders = provisioned.filter(({ clientReference }) => clientReference === token.id)
    expect(new Set(orders.map(({ attemptId }) => attemptId)).size).toBe(1)
    // What the first answer has told is asked about.
    expect(orders.map(({ reference }) => reference)).toEqual([
      null,
      answer === 'slow' ? `token-${token.id}` : null,
    ])
  },
)

test('a service with ids of its own needs none, and refuses what it cannot', async () => {
  await service.send('POST /merchant-accounts', { id: `${account}-plain`, display_name: 'Plain' })
  account = `${account}-plain`
  desk = openTokenDesk(service, account)
  await connect('at-once', 'plain-network-token')
  const token = await desk.make()
  const other = await desk.provision(
    await desk.store({ method: 'card', number: '5555555555554444', expiration_date: '12/40' }),
  )
  const suspended = await desk.act(token, 'suspend')
  const removed = await desk.act(token, 'delete')

  expect(provisioned.at(-1)).toMatchObject({ clientReference: token.id, requestor: null })
  expect([other.statusCode, suspended.statusCode, removed.statusCode]).toEqual([400, 400, 204])
  expect(other.json().message).toContain('gives cards of mastercard no tokens')
  expect(suspended.json().message).toContain('Delete the token instead')
  expect(deleted).toContain(`token-${token.id}`)
})

test('a deleted service keeps its secrets for its tokens, and makes no new ones', async () => {
  const { id } = await connect()
  const token = await desk.make()
  await service.send(`DELETE /network-token-services/${id}`, undefined, { account })
  const secrets = async () =>
    service.context.db
      .selectFrom('network_token_services')
      .select('secrets')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
      .then((row) => Object.keys(row.secrets))
  const HALF_HOUR_MS = 1_800_000
  service.moveClock(HALF_HOUR_MS)
  await forget()
  const kept = await secrets()

  const proved = await desk.act(token, 'cryptogram', { merchant_initiated: false })
  const next = await desk.make()
  const removed = await desk.act(token, 'delete')
  await forget()
  service.moveClock(-HALF_HOUR_MS)

  expect([kept, await secrets()]).toEqual([['api_key'], []])
  expect([proved.statusCode, removed.statusCode]).toEqual([201, 204])
  expect(deleted).toContain(`token-${token.id}`)
  // The simulator has made it.
  expect(await desk.books(next.id)).toHaveLength(1)
})

test('a service tells at its own address what becomes of its tokens', async () => {
  const { webhook_url } = await connect()
  const token = await desk.make()
  const other = openTokenDesk(service, account)
  const tell = (text: string, key = KEY) =>
    service.app.inject({
      method: 'POST',
      url: new URL(webhook_url).pathname,
      payload: text,
      headers: { 'content-type': 'text/plain', 'x-key': key },
    })

  const [unsigned, unknown, told] = [
    await tell(`suspended ${token.id}`, 'another'),
    await tell('suspended 01900000-0000-7000-8000-0000000000ff'),
    await tell(`suspended ${token.id}`),
  ]
  // The simulator's address is not its.
  const astray = await other.notify({ network_token_id: token.id, event: 'token.deleted' })

  expect([unsigned, unknown, told, astray].map(({ statusCode }) => statusCode)).toEqual([400, 404, 204, 404])
  expect(await desk.list(token.payment_method_id)).toMatchObject([{ status: 'suspended' }])
})

test('is needed where there is no simulator', async () => {
  const { networkTokens } = registriesFor('production')
  const providers = { ...service.engine.providers, networkTokens }
  const scope = { ...service.context, merchantAccountId: account }

  expect(await findActiveService(scope, providers)).toBeUndefined()
  expect(networkTokens.list.map(({ manifest }) => manifest.id)).toEqual([
    'checkout-network-token',
    'worldpay-network-token',
  ])
})
