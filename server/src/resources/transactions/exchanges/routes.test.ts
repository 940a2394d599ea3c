import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createMetrics } from '#platform/observability/metrics.ts'
import { purgeExchanges } from '#processing/exchanges/store.ts'
import { giftCardWith } from '#testing/gift-cards.ts'
import { roleIdOf, signToken, startTestService, type TestService } from '#testing/harness.ts'
import { openTill, type Till } from '#testing/till.ts'

const DAY_MS = 86_400_000

let service: TestService
let till: Till
beforeAll(async () => {
  service = await startTestService()
  till = openTill(service)
})
afterAll(() => service.close())

const list = async (id: string, query = '') =>
  (await service.send(`GET /transactions/${id}/exchanges${query}`)).json()

test('lists what was asked of a simulated provider, newest first', async () => {
  const payment = await till.pay()
  await till.act(payment.id, 'capture', { amount: 900 })

  const { items } = await list(payment.id)

  expect(items).toMatchObject([
    {
      operation: 'capture',
      request: {
        url: `https://processor.simulator.invalid/authorizations/${payment.payment_service_transaction_id}/captures`,
        body: { content: { amount: 900, currency: 'USD' } },
      },
      response: { body: { content: { status: 'approved', amount: 900 } } },
    },
    {
      operation: 'authorize',
      request: {
        method: 'POST',
        body: {
          kind: 'json',
          content: {
            amount: 1000,
            instrument: {
              type: 'card',
              number: '*** (16 characters)',
              expiration_date: '*** (5 characters)',
              security_code: '*** (3 characters)',
            },
          },
        },
      },
      response: { status_code: 200 },
    },
  ])
})

test('turns its pages', async () => {
  const payment = await till.pay()
  await till.act(payment.id, 'void')

  const first = await list(payment.id, '?limit=1')
  const second = await list(payment.id, `?limit=1&cursor=${first.next_cursor}`)

  const operations = [...first.items, ...second.items].map(({ operation }) => operation)
  expect(operations).toEqual(['void', 'authorize'])
  expect(second.next_cursor).toBeNull()
})

test('shows what a gift card service was asked, without number and PIN', async () => {
  const payment = await till.pay({ amount: 6000, gift_cards: [{ ...giftCardWith(5000), amount: 5000 }] })

  const { items } = await list(payment.id)

  expect(
    items.map(({ service_type, operation }: { service_type: string; operation: string }) => [
      service_type,
      operation,
    ]),
  ).toEqual([
    ['gift-card-service', 'redeem'],
    ['payment-service', 'authorize'],
  ])
  expect(items[0].request.body.content).toMatchObject({
    amount: 5000,
    number: expect.stringMatching(/^[*]{3} [(]\d+ characters[)]$/),
    pin: '*** (5 characters)',
  })
})

test('names the request that caused it', async () => {
  const response = await service.send('POST /transactions', {
    amount: 100,
    currency: 'USD',
    payment_method: { method: 'card', number: '4111111111111111', expiration_date: '12/40' },
  })

  const { items } = await list(response.json().id)

  expect(items[0].request_id).toBe(response.headers['x-request-id'])
})

test.each([
  ['processing', 200],
  ['reporting', 200],
  ['system-manager', 403],
  ['report-manager', 403],
])('answers the role %s with %i', async (slug, status) => {
  const { id } = await till.pay()
  const key = await service.addKey({ roleIds: [await roleIdOf(service.context, slug)] })

  const response = await service.send(`GET /transactions/${id}/exchanges`, undefined, {
    token: await signToken(key),
  })

  expect(response.statusCode).toBe(status)
})

test('refuses a token that may only read transactions', async () => {
  const { id } = await till.pay()
  const token = await signToken(service.admin, { scopes: ['transactions.read'] })

  const response = await service.send(`GET /transactions/${id}/exchanges`, undefined, { token })

  expect(response.statusCode).toBe(403)
})

test('removes exchanges after 30 days, and says when the next one is due', async () => {
  const own = await startTestService()
  try {
    const [first, second] = [await openTill(own).pay(), await openTill(own).pay()]
    await own.engine.exchanges.flush()
    const age = (id: string, days: number) =>
      sql`update exchanges set created_at = ${new Date(own.context.clock().getTime() - days * DAY_MS)} where transaction_id = ${id}`.execute(
        own.database.db,
      )
    await age(first.id, 30.01)
    await age(second.id, 29)

    await purgeExchanges.run(own, new AbortController().signal)

    const left = await own.database.db
      .selectFrom('exchanges')
      .select(['transaction_id', 'created_at'])
      .execute()
    expect(left).toMatchObject([{ transaction_id: second.id }])
    expect(await purgeExchanges.nextDueAt?.(own)).toEqual(
      new Date((left[0]?.created_at.getTime() ?? 0) + 30 * DAY_MS + 1),
    )
  } finally {
    await own.close()
  }
})

test('keeps nothing if the operator wants none kept', async () => {
  const own = await startTestService({ exchangeRetentionDays: 0 })
  try {
    const payment = await openTill(own).pay()

    const response = await own.send(`GET /transactions/${payment.id}/exchanges`)

    expect(response.json().items).toEqual([])
    expect(own.engine.exchanges.counts).toEqual({ written: 0, lost: 0 })
  } finally {
    await own.close()
  }
})

test('a payment goes on if its exchange cannot be written, and the loss is counted', async () => {
  const own = await startTestService()
  try {
    await sql`alter table exchanges rename to exchanges_that_are_away`.execute(own.database.db)
    const metrics = createMetrics()
    metrics.watchExchanges(() => own.engine.exchanges.counts)

    const payment = await openTill(own).pay()
    await own.engine.exchanges.flush()

    expect(payment.status).toBe('authorization_succeeded')
    expect(own.troubles).toHaveLength(1)
    expect(await metrics.render()).toContain('switchyard_exchanges_total{result="lost"} 1')
  } finally {
    await own.close()
  }
})
