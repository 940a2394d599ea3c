import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SyncAnswer } from '#connectors/contract/connector.ts'
import { inTransaction, type Scope } from '#platform/database/db.ts'
import * as attempts from '#processing/attempts/store.ts'
import { type GiftCardCounter, giftCardWith, openGiftCardCounter } from '#testing/gift-cards.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { byHand } from '#testing/model/guard.ts'
import { openTill, type Till } from '#testing/till.ts'
import { askToFollowUp } from '../attempts/ask.ts'
import * as transactions from '../store/payments.ts'
import { concludePayment } from './conclude.ts'

/** The processor answers later. */
const PENDING = 600_002
const APPROVED = { outcome: 'approved', reference: 'told-later', facts: {} } as const
const REFUSED = {
  outcome: 'failed',
  code: 'service_error',
  isRetriable: false,
  reference: null,
  facts: {},
} as const

let service: TestService
let counter: GiftCardCounter
let till: Till
let extended: { readonly id: string; readonly webhook_url: string }
let scope: Scope
beforeAll(async () => {
  service = await startTestService()
  counter = openGiftCardCounter(service)
  till = openTill(service)
  extended = await till.addService({ extended: 'true' })
  scope = { ...service.context, merchantAccountId: 'default' }
})
afterAll(() => service.close())

const say = (attempt: attempts.PaymentAttempt, answer: SyncAnswer) =>
  inTransaction(scope, (tx) => concludePayment(tx, service.engine, { attempt, answer }))
const openOf = async (id: string, kind: string) => {
  const found = (await attempts.openOf(scope, id)).find((attempt) => attempt.kind === kind)
  if (!found) throw new Error(`no ${kind} is open`)
  return found
}
const goOn = async () => {
  for (const ms of [120_000, 120_000]) {
    service.moveClock(ms)
    await service.resolveDue()
  }
}
const stepsOf = async (id: string) =>
  (await counter.attemptsOf(id)).map(({ kind, state }) => `${kind} ${state}`)

/** A cancel is on its way beside an authorization, which the provider then tells first. */
async function cancelLate(id: string) {
  const cancel = await inTransaction(scope, (tx) =>
    attempts.send(
      tx,
      { timeoutMs: 3_600_000 },
      { transaction_id: id, kind: 'cancel', service_id: extended.id, amount: PENDING },
    ),
  )
  await say(await openOf(id, 'authorize'), APPROVED)
  return (answer: SyncAnswer = APPROVED) => say(cancel, answer)
}

async function waiting(body: object = {}): Promise<string> {
  const { id, status } = await till.pay({ amount: PENDING, payment_service_id: extended.id, ...body })
  expect(status).toBe('processing')
  return id
}

describe('a cancel that is approved after the authorization', () => {
  test('ends a hold as voided', async () => {
    const id = await waiting()
    const end = await cancelLate(id)
    const before = await till.get(id)

    await end()
    await end()

    expect(before.status).toBe('authorization_succeeded')
    expect(await till.get(id)).toMatchObject({
      status: 'authorization_voided',
      error_code: 'canceled',
      canceled_at: expect.any(String),
      voided_at: expect.any(String),
    })
    expect(await till.told(id)).toEqual(['transaction.authorized', 'transaction.voided'])
    expect(await attempts.openOf(scope, id)).toEqual([])
    expect((await till.act(id, 'capture', {})).statusCode).toBe(400)
  })

  test('takes a sale back', async () => {
    const id = await waiting({ intent: 'capture' })
    const end = await cancelLate(id)
    const before = await till.get(id)

    await end()
    await end()

    expect(before).toMatchObject({ status: 'capture_succeeded', captured_amount: PENDING })
    expect(await till.get(id)).toMatchObject({
      status: 'authorization_failed',
      error_code: 'canceled',
      captured_amount: 0,
      captured_at: null,
      canceled_at: expect.any(String),
    })
    expect(await till.told(id)).toEqual([
      'capture.succeeded',
      'transaction.captured',
      'capture.failed',
      'transaction.capture-failed',
      'transaction.failed',
    ])
    const { items } = (await service.send(`GET /transactions/${id}/captures`)).json()
    expect(items).toMatchObject([{ status: 'failed', error_code: 'canceled' }])
    expect((await till.act(id, 'refunds', {})).statusCode).toBe(400)
  })

  test('keeps what was refunded of a sale before', async () => {
    const id = await waiting({ intent: 'capture' })
    const end = await cancelLate(id)
    await sql`update transactions set refunded_amount = 100 where id = ${id}`.execute(service.database.db)

    await end()

    expect(await till.get(id)).toMatchObject({ status: 'capture_succeeded', captured_amount: 100 })
    const paid = await transactions.find(scope, id)
    expect(paid).toMatchObject({ uncollected_amount: 100, refunded_amount: 100 })
  })

  test('leaves a payment that is being captured, or was captured since', async () => {
    const [capturing, captured] = [await waiting(), await waiting()]
    const ends = [await cancelLate(capturing), await cancelLate(captured)]
    await byHand(
      service.database.db,
      sql`update transactions set status = 'capture_pending', capturing_amount = 1 where id = ${capturing}`,
      sql`update transactions set status = 'capture_succeeded', captured_amount = ${PENDING} where id = ${captured}`,
    )
    const before = [await till.get(capturing), await till.get(captured)]

    for (const end of ends) await end()

    expect([await till.get(capturing), await till.get(captured)]).toEqual(before)
  })

  test('of another service, or one that is refused, changes nothing', async () => {
    const [elsewhere, refused] = [await waiting(), await waiting()]
    const [endElsewhere, endRefused] = [await cancelLate(elsewhere), await cancelLate(refused)]
    const other = await till.addService({ extended: 'true' })
    await sql`update transactions set payment_service_id = ${other.id} where id = ${elsewhere}`.execute(
      service.database.db,
    )

    await endElsewhere()
    await endRefused(REFUSED)

    expect((await till.get(elsewhere)).status).toBe('authorization_succeeded')
    expect((await till.get(refused)).status).toBe('authorization_succeeded')
  })

  test('ends a payment that is being voided, whose void is not repeated', async () => {
    const id = await waiting()
    const end = await cancelLate(id)
    await sql`update transactions set status = 'authorization_void_pending' where id = ${id}`.execute(
      service.database.db,
    )
    const released = await inTransaction(scope, (tx) =>
      attempts.send(
        tx,
        { timeoutMs: 0 },
        { transaction_id: id, kind: 'void', service_id: extended.id, amount: PENDING },
      ),
    )

    await end()
    await say(released, REFUSED)

    expect((await till.get(id)).status).toBe('authorization_voided')
    expect(await attempts.openOf(scope, id)).toEqual([])
  })
})

describe('a cancel that is approved after the authorization, beside gift cards', () => {
  /** Stored cards, which can be redeemed after the payment has ended. */
  async function payWith(count: 1 | 2, body: object = {}) {
    const cards = await Promise.all(
      Array.from({ length: count }, async () => ({ id: await counter.store(giftCardWith(100)) })),
    )
    const { id } = await counter.pay(
      cards.map((card) => ({ ...card, amount: 100 })),
      { amount: PENDING + 100 * count, payment_service_id: extended.id, ...body },
    )
    return { id: id as string, balances: () => Promise.all(cards.map(counter.balanceOf)) }
  }
  /** Asks the gift card service, and gives what it answers. */
  const redeem = async (id: string) => {
    const attempt = await openOf(id, 'redeem')
    const payment = await transactions.find(scope, id)
    if (!payment) throw new Error('there is no payment')
    const answer = await askToFollowUp(scope, service.engine, payment, attempt)
    return () => say(attempt, answer)
  }

  test.each([[1 as const], [2 as const]])('gives back what %i of them paid', async (count) => {
    const { id, balances } = await payWith(count)
    const end = await cancelLate(id)
    for (let done = 0; done < count; done += 1) await (await redeem(id))()
    const [before, paid] = [await counter.get(id), await balances()]

    await end()
    await goOn()

    expect(before.status).toBe('authorization_succeeded')
    expect(paid).toEqual(Array.from({ length: count }, () => 0))
    expect(await counter.get(id)).toMatchObject({ status: 'authorization_voided', error_code: 'canceled' })
    expect(await balances()).toEqual(Array.from({ length: count }, () => 100))
  })

  test('stays ended if a redemption that was under way is approved, and reverses it', async () => {
    const { id, balances } = await payWith(1)
    const end = await cancelLate(id)
    const concludeRedeemed = await redeem(id)

    await end()
    const [ended, paid] = [await counter.get(id), await balances()]
    await concludeRedeemed()
    await goOn()

    expect([ended.status, ended.error_code, paid]).toEqual(['authorization_failed', 'canceled', [0]])
    expect(await counter.get(id)).toMatchObject({
      status: 'authorization_failed',
      error_code: 'canceled',
      gift_card_redemptions: [{ status: 'succeeded', amount: 100, refunded_amount: 100 }],
    })
    expect(await balances()).toEqual([100])
    expect(await till.told(id)).toEqual(['transaction.failed'])
    expect((await stepsOf(id)).slice(-2)).toEqual(['redeem approved', 'reverse approved'])
  })

  test('gives back what the first paid while the second is under way', async () => {
    const { id, balances } = await payWith(2)
    const end = await cancelLate(id)
    await (await redeem(id))()
    const concludeSecond = await redeem(id)

    await end()
    await concludeSecond()
    await goOn()

    expect(await counter.get(id)).toMatchObject({ status: 'authorization_failed', error_code: 'canceled' })
    expect(await balances()).toEqual([100, 100])
    const steps = await stepsOf(id)
    expect(steps.filter((step) => step === 'reverse approved')).toHaveLength(2)
    expect(await till.told(id)).toEqual(['transaction.failed'])
  })

  test('redeems no further card', async () => {
    const { id, balances } = await payWith(2)
    const end = await cancelLate(id)
    const concludeFirst = await redeem(id)

    await end()
    await concludeFirst()
    await goOn()

    expect(await balances()).toEqual([100, 100])
    expect((await counter.get(id)).gift_card_redemptions).toMatchObject([
      { status: 'succeeded', refunded_amount: 100 },
      { status: 'skipped', refunded_amount: 0 },
    ])
    expect((await stepsOf(id)).filter((step) => step.startsWith('redeem'))).toHaveLength(1)
  })

  test('ends once, also if a redemption under way is refused', async () => {
    const { id, balances } = await payWith(2)
    const end = await cancelLate(id)
    await (await redeem(id))()
    const second = await openOf(id, 'redeem')

    await end()
    await say(second, REFUSED)
    await goOn()

    expect(await counter.get(id)).toMatchObject({ status: 'authorization_failed', error_code: 'canceled' })
    expect(await balances()).toEqual([100, 100])
    const steps = await stepsOf(id)
    expect(steps.filter((step) => step.startsWith('reverse'))).toEqual(['reverse approved'])
    expect(steps.filter((step) => step.startsWith('void'))).toEqual([])
    expect(await till.told(id)).toEqual(['transaction.failed'])
  })

  test('does not end a payment twice that has ended before', async () => {
    const { id, balances } = await payWith(2)
    const end = await cancelLate(id)
    await (await redeem(id))()
    await say(await openOf(id, 'redeem'), REFUSED)

    await end()
    await goOn()

    expect(await balances()).toEqual([100, 100])
    expect((await stepsOf(id)).filter((step) => step.startsWith('reverse'))).toEqual(['reverse approved'])
    expect(await till.told(id)).toEqual(['transaction.failed'])
  })
})
