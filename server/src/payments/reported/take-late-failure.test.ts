import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { LateFailure, SyncAnswer } from '#connectors/contract/connector.ts'
import { inTransaction, type Scope } from '#platform/database/db.ts'
import * as attempts from '#processing/attempts/store.ts'
import { type GiftCardCounter, giftCardWith, openGiftCardCounter } from '#testing/gift-cards.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { ReportDesk } from '#testing/report-desk.ts'
import { openTill, type Till } from '#testing/till.ts'
import { concludePayment } from '../conclude/conclude.ts'
import * as captures from '../store/captures.ts'
import { takeLateFailure } from './take-late-failure.ts'

const SECRET = 'a-secret-of-ours'

let service: TestService
let till: Till
let counter: GiftCardCounter
let scope: Scope
let later: { readonly id: string; readonly webhook_url: string }
beforeAll(async () => {
  service = await startTestService()
  till = openTill(service)
  counter = openGiftCardCounter(service)
  later = await till.addService({ asynchronous: 'true', webhook_secret: SECRET })
  scope = { ...service.context, merchantAccountId: 'default' }
})
afterAll(() => service.close())

type Paid = Awaited<ReturnType<Till['pay']>>

type At = { readonly payment_service: { readonly id: string } }

function fail(paid: At, of: LateFailure['of'], reference: string): Promise<boolean> {
  return takeLateFailure(scope, service.engine, paid.payment_service.id, {
    about: 'late_failure',
    of,
    reference,
    code: 'refused_transaction',
    failedAt: service.context.clock(),
    facts: { rawCode: 'R01', rawDescription: 'returned' },
  })
}

async function capturesOf(id: string) {
  return (await service.send(`GET /transactions/${id}/captures`)).json().items
}

async function refundOf(paid: Paid, amount: number) {
  const response = await till.act(paid.id, 'refunds', { amount })
  expect(response.statusCode, response.body).toBe(201)
  return response.json()
}

describe('a capture that fails after it succeeded', () => {
  test('fails a payment that was captured in one step, and tells why', async () => {
    const paid = await till.pay({ intent: 'capture' })

    expect(await fail(paid, 'authorization', paid.payment_service_transaction_id)).toBe(true)

    const after = await till.get(paid.id)
    expect(after).toMatchObject({
      status: 'authorization_failed',
      captured_amount: 0,
      captured_at: null,
      error_code: 'refused_transaction',
    })
    expect(await capturesOf(paid.id)).toMatchObject([
      { status: 'failed', error_code: 'refused_transaction', raw_response_code: 'R01' },
    ])
    expect(await till.told(paid.id)).toEqual(
      expect.arrayContaining(['capture.failed', 'transaction.capture-failed', 'transaction.failed']),
    )
    const history = (await service.send(`GET /transactions/${paid.id}/events`)).json().items
    expect(history).toContainEqual(
      expect.objectContaining({
        name: 'payment-connector-response-transaction-capture-failed',
        context: expect.objectContaining({
          amount: 1_000,
          code: 'refused_transaction',
          uncollected_amount: 0,
        }),
      }),
    )
  })

  test('changes nothing when it is told again', async () => {
    const paid = await till.pay({ intent: 'capture' })
    await fail(paid, 'authorization', paid.payment_service_transaction_id)
    const before = await till.get(paid.id)
    const told = await till.told(paid.id)

    expect(await fail(paid, 'authorization', paid.payment_service_transaction_id)).toBe(true)

    expect(await till.get(paid.id)).toEqual(before)
    expect(await till.told(paid.id)).toEqual(told)
  })

  test('leaves the other captures, and can be captured again', async () => {
    const paid = await till.pay()
    await till.act(paid.id, 'capture', { amount: 400, final: false })
    await till.act(paid.id, 'capture', { amount: 600 })
    const [last] = await capturesOf(paid.id)

    await fail(paid, 'capture', last.xid)

    expect(await till.get(paid.id)).toMatchObject({ status: 'capture_succeeded', captured_amount: 400 })
    expect((await till.told(paid.id)).at(-1)).toBe('transaction.capture-failed')
  })

  test('brings a payment that was only to be authorized back to that', async () => {
    const paid = await till.pay()
    await till.act(paid.id, 'capture', {})
    const [only] = await capturesOf(paid.id)

    await fail(paid, 'capture', only.xid)

    expect(await till.get(paid.id)).toMatchObject({ status: 'authorization_succeeded', captured_amount: 0 })
    expect((await till.told(paid.id)).filter((name) => name === 'transaction.authorized')).toHaveLength(1)
  })

  test('keeps what was refunded before: refunds never exceed captures', async () => {
    const paid = await till.pay({ intent: 'capture' })
    await refundOf(paid, 300)

    await fail(paid, 'authorization', paid.payment_service_transaction_id)

    expect(await till.get(paid.id)).toMatchObject({
      status: 'capture_succeeded',
      captured_amount: 300,
      refunded_amount: 300,
    })
    const refused = await till.act(paid.id, 'refunds', { amount: 1 })
    expect(refused.statusCode).toBe(400)
    const { rows } = await sql`select uncollected_amount from transactions where id = ${paid.id}`.execute(
      service.context.db,
    )
    expect(rows).toEqual([{ uncollected_amount: 300 }])
    const voided = await service.send(`PUT /transactions/${paid.id}`, { status: 'authorization_voided' })
    expect(voided.statusCode, voided.body).toBe(400)
  })

  test('is undone with the refund that kept a part of it, when that fails later, too', async () => {
    const paid = await till.pay({ intent: 'capture' })
    const refund = await refundOf(paid, 300)
    await fail(paid, 'authorization', paid.payment_service_transaction_id)

    await fail(paid, 'refund', refund.payment_service_refund_id)

    expect(await till.get(paid.id)).toMatchObject({
      status: 'authorization_failed',
      captured_amount: 0,
      refunded_amount: 0,
    })
  })

  test('no longer counts as not settled once its settlement is taken back', async () => {
    const desk = await ReportDesk.open(service)
    const paid = await till.pay({ intent: 'capture' })
    const reference = paid.payment_service_transaction_id
    desk.publish({ lines: [{ reference, amount: 1_000 }] })
    await desk.ingest()
    await fail(paid, 'authorization', reference)
    expect(await flagsOf(paid.id)).toEqual(['above_expected'])

    desk.publish({ lines: [{ reference, amount: -1_000 }] })
    await desk.ingest()

    const after = await till.get(paid.id)
    expect([after.settled, after.settled_amount]).toEqual([true, 0])
    expect(await flagsOf(paid.id)).toEqual([])
  })
})

describe('a capture that fails after a part was refunded', () => {
  test('can be captured again as a whole, and then be refunded up to that', async () => {
    const paid = await till.pay()
    await till.act(paid.id, 'capture', { amount: 400, final: false })
    await till.act(paid.id, 'capture', { amount: 600, final: false })
    await refundOf(paid, 500)
    const [last] = await capturesOf(paid.id)
    await fail(paid, 'capture', last.xid)
    expect(await till.get(paid.id)).toMatchObject({ captured_amount: 500, capturable_amount: 600 })

    const again = await till.act(paid.id, 'capture', {})

    expect(again.json()).toMatchObject({ status: 'capture_succeeded', captured_amount: 1_000 })
    expect((await till.act(paid.id, 'refunds', { amount: 501 })).statusCode).toBe(400)
    expect((await refundOf(paid, 500)).status).toBe('succeeded')
  })

  test('is not failed a second time in place of a later capture', async () => {
    const paid = await till.pay({ intent: 'capture' })
    await refundOf(paid, 300)
    await fail(paid, 'authorization', paid.payment_service_transaction_id)
    await inTransaction(scope, (tx) =>
      captures.insert(tx, { transaction_id: paid.id, amount: 700, is_final: true, status: 'succeeded' }),
    )
    await service.send(`PUT /transactions/${paid.id}`, { captured_amount: 700 })

    await fail(paid, 'authorization', paid.payment_service_transaction_id)

    expect(await till.get(paid.id)).toMatchObject({ status: 'capture_succeeded', captured_amount: 700 })
  })

  test('can be corrected while it is captured again', async () => {
    const paid = await till.pay({ payment_service_id: later.id })
    const { payment_service_transaction_id } = paid
    await till.act(paid.id, 'capture', { final: false })
    await tell('capture.succeeded', { payment_service_transaction_id })
    const refund = await refundOf(paid, 300)
    const [only] = await capturesOf(paid.id)
    await fail(paid, 'capture', only.xid)
    expect((await till.act(paid.id, 'capture', {})).json().status).toBe('capture_pending')

    const corrected = await service.send(`PUT /transactions/${paid.id}`, { external_identifier: 'again' })

    expect(corrected.statusCode, corrected.body).toBe(200)
    expect(corrected.json()).toMatchObject({ captured_amount: 300, capturable_amount: 0 })
    expect(refund.status).toBe('processing')
  })

  test('is expected to be settled with nothing', async () => {
    const desk = await ReportDesk.open(service)
    const paid = await till.pay({ intent: 'capture' })
    const reference = paid.payment_service_transaction_id
    desk.publish({ lines: [{ reference, amount: 1_000 }] })
    await desk.ingest()
    await refundOf(paid, 300)
    await fail(paid, 'authorization', reference)
    desk.publish({ lines: [{ reference, amount: -1_000 }] })

    await desk.ingest()

    expect(await flagsOf(paid.id)).toEqual([])
  })
})

test('a capture fails whose amount the merchant has corrected', async () => {
  const paid = await till.pay({ intent: 'capture' })
  await service.send(`PUT /transactions/${paid.id}`, { captured_amount: 400 })

  expect(await fail(paid, 'authorization', paid.payment_service_transaction_id)).toBe(true)

  expect(await till.get(paid.id)).toMatchObject({ status: 'authorization_failed', captured_amount: 0 })
})

describe('a capture that fails after the rest was released', () => {
  test('ends the payment as voided', async () => {
    const paid = await till.pay()
    await till.act(paid.id, 'capture', { amount: 400, final: false })
    await till.act(paid.id, 'void')
    const [only] = await capturesOf(paid.id)

    await fail(paid, 'capture', only.xid)

    expect(await till.get(paid.id)).toMatchObject({
      status: 'authorization_voided',
      captured_amount: 0,
      captured_at: null,
      voided_at: expect.any(String),
      error_code: 'refused_transaction',
    })
    expect((await till.told(paid.id)).slice(-2)).toEqual(['transaction.capture-failed', 'transaction.voided'])
  })

  test('has the release tried again if the provider refuses it', async () => {
    const paid = await till.pay({ payment_service_id: later.id })
    const { payment_service_transaction_id } = paid
    await till.act(paid.id, 'capture', { amount: 400, final: false })
    await tell('capture.succeeded', { payment_service_transaction_id })
    await till.act(paid.id, 'void')
    const [only] = await capturesOf(paid.id)
    await fail(paid, 'capture', only.xid)

    const answer = await tell('void.failed', { payment_service_transaction_id })

    expect(answer.statusCode, answer.body).toBe(204)
    expect(await till.get(paid.id)).toMatchObject({ status: 'authorization_voided', captured_amount: 0 })
    expect(await attempts.openOf(scope, paid.id)).toMatchObject([{ kind: 'void', state: 'queued' }])
  })
})

describe('a failure that overtakes its approval', () => {
  test.each(['first', 'last'])(
    'fails a sale, and nothing is refunded: the failure comes %s',
    async (turn) => {
      const paid = await till.pay({ payment_service_id: later.id, intent: 'capture' })
      const { payment_service_transaction_id } = paid
      const steps = [
        () => fail(paid, 'authorization', payment_service_transaction_id),
        () => tell('capture.succeeded', { payment_service_transaction_id }),
      ]

      for (const step of turn === 'first' ? steps : steps.toReversed()) await step()
      await service.resolveDue()

      expect(await till.get(paid.id)).toMatchObject({
        status: 'authorization_failed',
        authorized_amount: 1_000,
        captured_amount: 0,
        error_code: 'refused_transaction',
      })
      expect((await till.books(paid.id))?.refunded).toBe(0)
      expect(await attemptsOf(paid.id)).toEqual(['authorize approved'])
      expect(await till.history(paid.id)).not.toContain('transaction-sync-failed-event')
      const told = await till.told(paid.id)
      expect(told.filter((name) => name === 'transaction.captured')).toHaveLength(1)
      expect(told.at(-1)).toBe('transaction.failed')
    },
  )

  test('fails a capture and a refund', async () => {
    const paid = await till.pay({ payment_service_id: later.id })
    const { payment_service_transaction_id } = paid
    await till.act(paid.id, 'capture', { amount: 600 })
    await tell('capture.succeeded', { payment_service_transaction_id })
    const refund = await refundOf(paid, 200)

    await fail(paid, 'refund', refund.payment_service_refund_id)

    expect(await attemptsOf(paid.id)).toContain('refund approved')
    expect((await service.send(`GET /refunds/${refund.id}`)).json().status).toBe('failed')
    expect(await till.get(paid.id)).toMatchObject({ captured_amount: 600, refunded_amount: 0 })
  })
})

describe('a sale that came too late, and that the provider has returned', () => {
  test.each(['first', 'last'])('is not refunded as well: the failure comes %s', async (turn) => {
    const fault = { on: 'authorize', kind: 'lose-answer' }
    const { items } = (await service.send('GET /payment-services')).json()
    const { id } = await till.pay({
      intent: 'capture',
      payment_service_id: items.find((one: { id: string }) => one.id !== later.id).id,
      connection_options: { 'mock-card': { fault } },
    })
    const [attempt] = await attempts.openOf(scope, id)
    if (!attempt) throw new Error('nothing is open')
    const reference = `late sale, ${turn}`
    const say = (answer: SyncAnswer) =>
      inTransaction(scope, (tx) => concludePayment(tx, service.engine, { attempt, answer }))
    await say({ outcome: 'pending', reference, facts: {} } as SyncAnswer)
    await say({ outcome: 'not_found' })
    const steps = [
      () => fail({ payment_service: { id: attempt.service_id } }, 'authorization', reference),
      () => say({ outcome: 'approved', reference, facts: {} }),
    ]

    for (const step of turn === 'first' ? steps : steps.toReversed()) await step()
    await service.resolveDue()

    expect((await till.books(id))?.refunded).toBe(0)
    expect(await attempts.openOf(scope, id)).toEqual([])
    expect(await till.get(id)).toMatchObject({ status: 'authorization_failed', captured_amount: 0 })
  })
})

describe('a refund that fails after it succeeded', () => {
  test('can be refunded again', async () => {
    const paid = await till.pay({ intent: 'capture' })
    const refund = await refundOf(paid, 1_000)

    expect(await fail(paid, 'refund', refund.payment_service_refund_id)).toBe(true)

    expect(await till.get(paid.id)).toMatchObject({ captured_amount: 1_000, refunded_amount: 0 })
    expect((await service.send(`GET /refunds/${refund.id}`)).json()).toMatchObject({
      status: 'failed',
      error_code: 'refused_transaction',
    })
    expect((await till.told(paid.id)).at(-1)).toBe('refund.failed')
    // The payment service is asked again.
    expect((await refundOf(paid, 1_000)).id).not.toBe(refund.id)
  })

  test('fails once', async () => {
    const paid = await till.pay({ intent: 'capture' })
    const refund = await refundOf(paid, 400)
    await fail(paid, 'refund', refund.payment_service_refund_id)
    await fail(paid, 'refund', refund.payment_service_refund_id)

    expect(await till.get(paid.id)).toMatchObject({ captured_amount: 1_000, refunded_amount: 0 })
    expect((await till.told(paid.id)).filter((name) => name === 'refund.failed')).toHaveLength(1)
  })
})

test('a failure of something that we do not know is not taken, so that the provider sends it again', async () => {
  const paid = await till.pay()

  expect(await fail(paid, 'capture', 'unheard-of')).toBe(false)
})

describe('a payment with a gift card', () => {
  /** A gift card of 500 has paid 400, and a card 600. */
  async function pay(body: object = {}) {
    const giftCard = giftCardWith(500)
    const order = { amount: 1_000, intent: 'capture', ...body }
    const paid = await counter.pay([{ ...giftCard, amount: 400 }], order)
    const [capture] = await capturesOf(paid.id)
    const target = { target_type: 'gift-card-redemption', target_id: paid.gift_card_redemptions[0].id }
    return {
      paid,
      failCapture: () => fail(paid, 'capture', capture.xid),
      refundToGiftCard: (amount: number) => counter.act(paid.id, 'refunds', { ...target, amount }),
      balance: () => counter.balanceOf(giftCard),
    }
  }

  test('is over once the refund fails that kept the failed capture', async () => {
    const { paid, failCapture, balance } = await pay()
    const refund = await refundOf(paid, 100)
    await failCapture()
    expect([(await till.get(paid.id)).status, await balance()]).toEqual(['capture_succeeded', 100])

    await fail(paid, 'refund', refund.payment_service_refund_id)

    expect(await till.get(paid.id)).toMatchObject({
      status: 'authorization_failed',
      error_code: 'refused_transaction',
      captured_amount: 0,
    })
    expect(await till.told(paid.id)).toContain('transaction.failed')
    expect(await balance()).toBe(500)
  })

  test('gives back the rest to a gift card that got back a part', async () => {
    const { paid, failCapture, refundToGiftCard, balance } = await pay()
    await refundToGiftCard(100)

    await failCapture()

    expect(await balance()).toBe(500)
    expect((await till.get(paid.id)).gift_card_redemptions).toMatchObject([{ refunded_amount: 400 }])
  })

  test.each(['lose-answer', 'unreachable'])(
    'gives back all beside a refund whose outcome is not known: %s',
    async (kind) => {
      const fault = { on: 'refund', kind }
      const { paid, failCapture, refundToGiftCard, balance } = await pay({
        connection_options: { 'mock-gift-card': { fault } },
      })
      expect((await refundToGiftCard(100)).json().status).toBe('processing')

      await failCapture()
      await counter.send(`PUT /transactions/${paid.id}`, { connection_options: {} })
      for (let times = 0; times < 3; times += 1) {
        service.moveClock(6 * 60_000)
        await service.resolveDue()
      }

      expect(await balance()).toBe(500)
      expect(await attempts.openOf(scope, paid.id)).toEqual([])
    },
  )
})

function tell(event: string, message: object) {
  return till.notify(later, { event, ...message }, SECRET)
}

async function attemptsOf(id: string): Promise<string[]> {
  const { rows } = await sql<{ made: string }>`
    select kind || ' ' || state as made from attempts where transaction_id = ${id} order by created_at, id
  `.execute(service.context.db)
  return rows.map(({ made }) => made)
}

async function flagsOf(id: string): Promise<string[]> {
  const { rows } = await sql<{ flag: string }>`
    select flag from payment_service_report_lines where transaction_id = ${id} and flag is not null
  `.execute(service.context.db)
  return rows.map(({ flag }) => flag)
}
