import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import type { SyncAnswer } from '#connectors/contract/connector.ts'
import { inTransaction, type Scope } from '#platform/database/db.ts'
import { findBySubject } from '#processing/attempts/history.ts'
import * as attempts from '#processing/attempts/store.ts'
import { giftCardWith, openGiftCardCounter } from '#testing/gift-cards.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { openTill, type Till } from '#testing/till.ts'
import { expireApprovals } from '../acts/expire.ts'
import { takeNotification } from '../attempts/take-notification.ts'
import { concludePayment } from './conclude.ts'

let service: TestService
let till: Till
beforeAll(async () => {
  service = await startTestService()
  till = openTill(service)
})
afterEach(() => vi.restoreAllMocks())
afterAll(() => service.close())

/** A payment that failed because its answer was lost, although the provider has approved it. */
async function payAndFail(order: { readonly intent?: 'capture' } = {}) {
  const scope: Scope = { ...service.context, merchantAccountId: 'default' }
  const fault = { on: 'authorize', kind: 'lose-answer' }
  // Another service would have the processor be asked at once.
  const payment_service_id = (await service.send('GET /payment-services')).json().items.at(-1).id
  const { id } = await till.pay({
    ...order,
    payment_service_id,
    connection_options: { 'mock-card': { fault } },
  })
  const [sale] = await attempts.openOf(scope, id)
  if (!sale) throw new Error('nothing is open')
  const say = (answer: SyncAnswer, attempt: attempts.PaymentAttempt = sale) =>
    inTransaction(scope, (tx) => concludePayment(tx, service.engine, { attempt, answer }))
  await say({ outcome: 'not_found' })
  const entries = await sql<{ reference: string }>`
    select reference from simulator.entries where attempt_id = ${sale.id}
  `.execute(service.context.db)
  const approval = { outcome: 'approved', reference: entries.rows[0]?.reference ?? '', facts: {} } as const
  return { id, scope, sale, say, approval }
}

test('an approval after the payment has failed is in the history, and its hold is released once', async () => {
  const { id, scope, say, approval } = await payAndFail()

  for (let times = 0; times < 3; times += 1) await say(approval)
  const queued = await attempts.openOf(scope, id)
  await service.resolveDue()
  await say(approval)

  expect(queued.map(({ kind }) => kind)).toEqual(['void'])
  expect(await attempts.openOf(scope, id)).toEqual([])
  expect(await till.get(id)).toMatchObject({ status: 'authorization_failed', authorized_amount: 0 })
  expect(await till.history(id)).toContain('transaction-sync-failed-event')
  expect((await till.books(id))?.voided).toBe(1000)
})

test('a sale that is approved after the payment has failed is refunded once, and subscribers are told', async () => {
  const { id, scope, say, approval } = await payAndFail({ intent: 'capture' })

  for (let times = 0; times < 3; times += 1) await say(approval)
  const taken = await till.books(id)
  await service.resolveDue()
  await say(approval)
  await service.resolveDue()

  expect(taken).toMatchObject({ captured: 1000, refunded: 0 })
  expect(await till.books(id)).toMatchObject({ captured: 1000, refunded: 1000, voided: 0 })
  expect(await attempts.openOf(scope, id)).toEqual([])
  expect(await till.get(id)).toMatchObject({ status: 'authorization_failed', captured_amount: 0 })
  expect((await till.told(id)).filter((name) => name === 'transaction.modified')).toHaveLength(1)
})

test('a refund of a late sale whose answer is lost is inquired about, and made once', async () => {
  const { id, scope, say, approval } = await payAndFail({ intent: 'capture' })
  await say(approval)
  const fetch = service.providers.fetch
  vi.spyOn(service.providers, 'fetch').mockImplementationOnce(async (url, init) => {
    await fetch(url, init)
    throw new TypeError('fetch failed')
  })

  await service.resolveDue()
  const unsure = await attempts.openOf(scope, id)
  service.moveClock(120_000)
  await service.resolveDue()

  expect(unsure).toMatchObject([{ kind: 'void', state: 'unknown' }])
  expect(await attempts.openOf(scope, id)).toEqual([])
  expect(await till.books(id)).toMatchObject({ captured: 1000, refunded: 1000 })
})

describe('a code or a number that is paid after its time', () => {
  const DAY_MS = 86_400_000
  const payLate = async (method: 'boleto' | 'pix', amount = 1000) => {
    const scope: Scope = { ...service.context, merchantAccountId: 'default' }
    await service.send('POST /payment-services', {
      display_name: method,
      payment_service_definition_id: `mock-${method}`,
      fields: [{ key: 'merchant_id', value: 'shop' }],
      accepted_currencies: ['BRL'],
      accepted_countries: ['BR'],
    })
    const country = { currency: 'BRL', country: 'BR' }
    const payment_method = { method, ...country, redirect_url: 'https://shop.example.com' }
    const { id } = await till.pay({ ...country, amount, intent: 'capture', payment_method })
    const [sale] = await attempts.openOf(scope, id)
    service.moveClock(2 * DAY_MS)
    await expireApprovals(service.context, service.engine)
    await service.resolveDue()
    const ended = await till.get(id)
    const reference = sale?.reference ?? ''
    await sql`update simulator.entries set status = 'approved', amount = requested_amount where reference = ${reference}`.execute(
      service.context.db,
    )
    await inTransaction(scope, async (tx) => {
      const attempt = await attempts.find(tx, sale?.id ?? '')
      if (!attempt) throw new Error('there is no sale')
      const answer = { outcome: 'approved', reference, facts: {} } as const
      await concludePayment(tx, service.engine, { attempt: attempts.ofPayment(attempt), answer })
    })
    for (let day = 0; day < 4; day += 1) {
      await service.resolveDue()
      service.moveClock(DAY_MS + 3_600_000)
    }
    const { rows } = await sql<{ state: string; code: string | null }>`
      select state, error_code as code from attempts where transaction_id = ${id} and kind = 'void'
    `.execute(service.context.db)
    return { id, scope, ended, returns: rows }
  }
  const failed = {
    status: 'authorization_failed',
    error_code: 'incomplete_buyer_approval',
    captured_amount: 0,
  }

  test('is given back, and the payment stays failed', async () => {
    const { id, scope, ended, returns } = await payLate('pix')

    expect(ended).toMatchObject(failed)
    expect(returns).toEqual([{ state: 'approved', code: null }])
    expect(await till.books(id)).toMatchObject({ captured: 1000, refunded: 1000 })
    expect(await till.get(id)).toMatchObject(failed)
    expect(await till.told(id)).not.toContain('transaction.void-failed')
    expect(await attempts.openOf(scope, id)).toEqual([])
  })

  test('in cash, which does not come back, is told once, and not tried each day for ever', async () => {
    const { id, scope, ended, returns } = await payLate('boleto')

    expect(ended).toMatchObject(failed)
    expect(returns).toEqual([{ state: 'failed', code: 'unsupported_transaction' }])
    expect(await till.books(id)).toMatchObject({ captured: 1000, refunded: 0 })
    expect(await till.get(id)).toMatchObject(failed)
    expect(await till.history(id)).toEqual(
      expect.arrayContaining([
        'transaction-sync-failed-event',
        'payment-connector-response-transaction-void-failed',
      ]),
    )
    expect((await till.told(id)).slice(-2)).toEqual(['transaction.modified', 'transaction.void-failed'])
    expect(await attempts.openOf(scope, id)).toEqual([])
  })
})

test.each([
  ['more', 1500, 1000],
  ['less', 600, 600],
])(
  'a sale of which the provider got %s than was asked is paid with what is ours',
  async (_name, told, taken) => {
    const scope: Scope = { ...service.context, merchantAccountId: 'default' }
    const fault = { on: 'authorize', kind: 'lose-answer' }
    const payment_service_id = (await till.addService({})).id
    const { id } = await till.pay({
      intent: 'capture',
      payment_service_id,
      connection_options: { 'mock-card': { fault } },
    })
    const [attempt] = await attempts.openOf(scope, id)
    if (!attempt) throw new Error('nothing is open')
    const answer = { outcome: 'approved', reference: 'transfer', amount: told, facts: {} } as const

    await inTransaction(scope, (tx) => concludePayment(tx, service.engine, { attempt, answer }))

    const events = (await service.send(`GET /transactions/${id}/events`)).json().items
    const surplus = { asked_amount: 1000, told_amount: 1500 }
    expect(await till.get(id)).toMatchObject({
      status: 'capture_succeeded',
      amount: 1000,
      captured_amount: taken,
    })
    expect(events.filter((event: { context: object }) => 'told_amount' in event.context)).toMatchObject(
      told > 1000 ? [{ name: 'transaction-sync-failed-event', context: surplus }] : [],
    )
  },
)

test.each(['refund_already_satisfied', 'refund_period_expired'] as const)(
  'a refund of a late sale is not tried again after %s',
  async (code) => {
    const { id, scope, say, approval } = await payAndFail({ intent: 'capture' })
    await say(approval)
    const [refund] = await attempts.openOf(scope, id)

    await say({ outcome: 'failed', code, isRetriable: false, reference: null, facts: {} }, refund)

    expect(await attempts.openOf(scope, id)).toEqual([])
    const told = (await till.told(id)).filter((name) => name === 'transaction.void-failed')
    expect(told).toHaveLength(code === 'refund_already_satisfied' ? 0 : 1)
  },
)

test('an attempt that one service declined is still found by its reference after the next was asked', async () => {
  const scope: Scope = { ...service.context, merchantAccountId: 'default' }
  await till.addService({})
  const { id } = await till.pay({ amount: 200012 })

  const { rows } = await sql<{ service_id: string; reference: string; error_code: string }>`
    select service_id, reference, error_code from attempts
    where transaction_id = ${id} order by created_at
  `.execute(service.context.db)

  expect(rows.length).toBeGreaterThan(1)
  const [declined] = rows
  expect(declined).toMatchObject({ reference: expect.any(String), error_code: expect.any(String) })
  const subject = { reference: declined?.reference ?? null }
  const named = { serviceId: declined?.service_id ?? '', subject }
  expect(await findBySubject(scope, { ...named, kind: 'authorize' })).toBeDefined()
})

/** Another service approves a payment long after it was asked, and holds that much for it. */
async function approveLate(id: string, amount: number) {
  const scope: Scope = { ...service.context, merchantAccountId: 'default' }
  const first = await till.addService({})
  const second = await till.pay({ payment_service_id: first.id, amount })
  const entries = await sql<{ reference: string }>`
    select reference from simulator.entries where transaction_id = ${second.id}
  `.execute(service.context.db)
  const reference = entries.rows[0]?.reference ?? ''
  const attempt = await inTransaction(scope, async (tx) => {
    const asked = {
      transaction_id: id,
      kind: 'authorize',
      service_id: first.id,
      amount,
    } as const
    const sent = await attempts.send(tx, { timeoutMs: 0 }, asked)
    return attempts.change(tx, sent, { state: 'failed', due_at: null })
  })
  const say = () =>
    inTransaction(scope, (tx) =>
      concludePayment(tx, service.engine, {
        attempt,
        answer: { outcome: 'approved', reference, facts: {} },
      }),
    )
  return { scope, reference, say }
}

test('an approval after another service has authorized is released, and the payment stays as it is', async () => {
  const { id, payment_service_transaction_id } = await till.pay()
  const { scope, reference, say } = await approveLate(id, 1000)

  await say()
  await say()
  const captured = await till.act(id, 'capture', { amount: 1000 })
  await service.resolveDue()
  await say()

  expect(captured.json()).toMatchObject({ status: 'capture_succeeded', payment_service_transaction_id })
  expect(await attempts.openOf(scope, id)).toEqual([])
  expect(await till.get(id)).toMatchObject({ status: 'capture_succeeded', voided_at: null })
  const voids = await sql<{ reference: string; count: string }>`
    select authorization_reference as reference, count(*) from simulator.entries where operation = 'void' group by 1
  `.execute(service.context.db)
  expect(voids.rows).toContainEqual({ reference, count: '1' })
})

test('a hold that another service does not release is voided again, and blocks no operation', async () => {
  const { id } = await till.pay()
  const { scope, say } = await approveLate(id, 510002)

  await say()
  await service.resolveDue()
  const waiting = await attempts.openOf(scope, id)
  const corrected = await service.send(`PUT /transactions/${id}`, { authorized_amount: 900 })
  const voided = await till.act(id, 'void')

  expect(waiting).toMatchObject([{ kind: 'void', state: 'queued', subject_id: expect.any(String) }])
  expect(corrected.statusCode, corrected.body).toBe(200)
  expect(voided.json()).toMatchObject({ status: 'authorization_voided' })
  expect((await attempts.openOf(scope, id)).map((attempt) => attempt.id)).toEqual(
    waiting.map((attempt) => attempt.id),
  )
  const told = ['transaction.authorized', 'transaction.modified', 'transaction.voided']
  expect(await till.told(id)).toEqual(told)
})

test('a refund of a late sale that is refused is tried again, also after holds have lapsed', async () => {
  const { id, scope, sale, say, approval } = await payAndFail({ intent: 'capture' })
  await say(approval)
  const [refund] = await attempts.openOf(scope, id)
  service.moveClock(40 * 86_400_000)
  const refused = { code: 'refused_transaction', isRetriable: false, reference: null, facts: {} } as const

  await say({ outcome: 'declined', ...refused }, refund)

  const again = await attempts.openOf(scope, id)
  expect(again).toMatchObject([{ kind: 'void', state: 'queued', subject_id: sale.id }])
  expect(again[0]?.id).not.toBe(refund?.id)
  service.moveClock(2 * 86_400_000)
  await service.resolveDue()
  expect(await till.books(id)).toMatchObject({ captured: 1000, refunded: 1000 })
})

describe('a void that is approved after it was refused', () => {
  const scopeOf = (): Scope => ({ ...service.context, merchantAccountId: 'default' })
  const voidsOf = async (id: string) => {
    const { rows } = await sql<attempts.PaymentAttempt>`
      select * from attempts where transaction_id = ${id} and kind = 'void' order by created_at, id
    `.execute(service.context.db)
    return rows
  }
  const approve = async (id: string) => {
    const [attempt] = await voidsOf(id)
    if (!attempt) throw new Error('there is no void')
    const answer = { outcome: 'approved', reference: 'late', facts: {} } as const
    await inTransaction(scopeOf(), (tx) => concludePayment(tx, service.engine, { attempt, answer }))
  }
  /** The processor refuses to void what the card pays of it. */
  const payWithGiftCard = async (body: object = {}) => {
    const counter = openGiftCardCounter(service)
    const card = giftCardWith(100)
    const { id } = await counter.pay([{ ...card, amount: 100 }], { amount: 510_102, ...body })
    const finish = async () => {
      service.moveClock(120_000)
      await service.resolveDue()
    }
    return { id: id as string, counter, card, finish }
  }

  test('ends the payment, and gift cards get back what they paid, once', async () => {
    const { id, counter, card, finish } = await payWithGiftCard()
    await counter.act(id, 'void')
    const before = await counter.get(id)

    await approve(id)
    await approve(id)
    await finish()

    expect(before.status).toBe('authorization_succeeded')
    expect(await counter.get(id)).toMatchObject({
      status: 'authorization_voided',
      voided_at: expect.any(String),
    })
    expect(await counter.balanceOf(card)).toBe(100)
    expect((await till.told(id)).slice(-2)).toEqual(['transaction.void-declined', 'transaction.voided'])
    const steps = (await counter.attemptsOf(id)).map(({ kind, state }) => `${kind} ${state}`)
    expect(steps.slice(-2)).toEqual(['void declined', 'reverse approved'])
  })

  test('comes from a notification, too', async () => {
    const { id, counter, card } = await payWithGiftCard()
    await counter.act(id, 'void')
    const [{ id: attemptId, service_id } = { id: '', service_id: '' }] = await voidsOf(id)
    const answer = { outcome: 'approved', reference: 'late', facts: {} } as const

    const isKnown = await takeNotification(scopeOf(), service.engine, service_id, {
      about: 'void',
      attemptId,
      reference: null,
      answer,
    })

    expect(isKnown).toBe(true)
    expect((await counter.get(id)).status).toBe('authorization_voided')
    expect(await counter.balanceOf(card)).toBe(100)
  })

  test('ends a payment that is being voided again, and the other void is not repeated', async () => {
    const watchful = (
      await service.send('POST /anti-fraud-services', {
        display_name: 'Watchful',
        anti_fraud_service_definition_id: 'mock-anti-fraud',
        reviews_enabled: true,
        fields: [],
      })
    ).json()
    const buyer = { billing_details: { email_address: 'review@shop.example' } }
    const { id, counter, card, finish } = await payWithGiftCard({ buyer })
    await till.notify(watchful, { transaction_id: id, decision: 'reject' })
    const before = await counter.get(id)

    await approve(id)
    await finish()
    for (const days of [2, 2]) {
      service.moveClock(days * 86_400_000)
      await service.resolveDue()
    }

    expect(before.status).toBe('authorization_void_pending')
    expect((await counter.get(id)).status).toBe('authorization_voided')
    expect(await counter.balanceOf(card)).toBe(100)
    expect((await voidsOf(id)).map(({ state, due_at }) => [state, due_at])).toEqual([
      ['declined', null],
      ['declined', null],
    ])
    await service.send(`DELETE /anti-fraud-services/${watchful.id}`)
  })

  test('changes nothing once the payment is captured', async () => {
    const { id, counter, card } = await payWithGiftCard()
    await counter.act(id, 'void')
    await counter.act(id, 'capture', {})
    const before = await counter.get(id)

    await approve(id)

    expect(before.status).toBe('capture_succeeded')
    expect(await counter.get(id)).toEqual(before)
    expect(await counter.balanceOf(card)).toBe(0)
  })
})
