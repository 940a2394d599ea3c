import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { inTransaction } from '#platform/database/db.ts'
import * as attempts from '#processing/attempts/store.ts'
import { MISSING } from '#testing/answers.ts'
import { disagreements } from '#testing/books.ts'
import { giftCardDisagreements } from '#testing/gift-card-books.ts'
import { giftCardWith, openGiftCardCounter } from '#testing/gift-cards.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { byHand } from '#testing/model/guard.ts'
import { holdProcessorLine, type ProcessorLine } from '#testing/processor-line.ts'
import { CARD, openTill, type Till } from '#testing/till.ts'

const SUSPECT = { buyer: { billing_details: { email_address: 'review@shop.example' } } }

let service: TestService
let till: Till
let line: ProcessorLine
let watchful: { readonly id: string; readonly webhook_url: string }
beforeAll(async () => {
  service = await startTestService()
  till = openTill(service)
  line = holdProcessorLine(service)
  const response = await service.send('POST /anti-fraud-services', {
    display_name: 'Watchful',
    anti_fraud_service_definition_id: 'mock-anti-fraud',
    reviews_enabled: true,
    fields: [],
  })
  watchful = response.json()
})
afterEach(async () => {
  line.repair()
  expect(await disagreements(service.database.pool)).toEqual([])
  expect(await giftCardDisagreements(service.database.pool)).toEqual([])
})
afterAll(() => service.close())

const pay = (body: object = {}) => till.pay({ ...SUSPECT, intent: 'capture', ...body })
const say = (transaction_id: string, decision: string) => till.notify(watchful, { transaction_id, decision })
const isPending = async (id: string): Promise<boolean> => {
  const { items } = (await service.send(`GET /transactions?pending_review=true&id=${id}`)).json()
  return items.length === 1
}

describe('a payment that waits for a review', () => {
  test('is authorized, and its money is not taken', async () => {
    const held = await pay()

    expect(held).toMatchObject({
      status: 'authorization_succeeded',
      intent: 'capture',
      anti_fraud_decision: 'review',
      pending_review: true,
      authorized_amount: 1000,
      captured_amount: 0,
    })
    expect(await isPending(held.id)).toBe(true)
    expect(await till.books(held.id)).toEqual({ authorized: 1000, captured: 0, refunded: 0, voided: 0 })
    expect(await till.told(held.id)).toEqual(['transaction.authorized'])
  })

  test('is captured when it is accepted, with the intent capture', async () => {
    const { id } = await pay()

    const answer = await say(id, 'accept')

    expect(answer.statusCode, answer.body).toBe(204)
    expect(await till.get(id)).toMatchObject({
      status: 'capture_succeeded',
      pending_review: false,
      anti_fraud_decision: 'review',
      captured_amount: 1000,
    })
    expect(await isPending(id)).toBe(false)
    expect(await till.told(id)).toEqual([
      'transaction.authorized',
      'transaction.review-accepted',
      'transaction.capture-pending',
      'capture.succeeded',
      'transaction.captured',
    ])
    expect(await till.history(id)).toContain('anti-fraud-webhook')
    expect(await till.audited(id)).toEqual(['created by Test key', 'captured by Anti-fraud service'])
  })

  test('stays authorized when it is accepted, with the intent authorize', async () => {
    const { id } = await pay({ intent: 'authorize' })

    await till.notify(watchful, { transactionId: id, decision: 'ACCEPT' })

    expect(await till.get(id)).toMatchObject({ status: 'authorization_succeeded', pending_review: false })
    expect(await till.told(id)).toEqual(['transaction.authorized', 'transaction.review-accepted'])
    expect(await till.audited(id)).toEqual(['created by Test key', 'updated by Anti-fraud service'])
    expect((await till.act(id, 'capture', { amount: 1000 })).json().status).toBe('capture_succeeded')
  })

  test('is voided when it is rejected', async () => {
    const { id } = await pay()

    const answer = await say(id, 'reject')

    expect(answer.statusCode, answer.body).toBe(204)
    expect(await till.get(id)).toMatchObject({
      status: 'authorization_voided',
      pending_review: false,
      captured_amount: 0,
    })
    expect(await till.books(id)).toEqual({ authorized: 1000, captured: 0, refunded: 0, voided: 1000 })
    expect(await till.told(id)).toEqual(['transaction.authorized', 'transaction.voided'])
    expect(await till.audited(id)).toEqual(['created by Test key', 'voided by Anti-fraud service'])
  })

  test.each([
    ['declined', 510002],
    ['failed', 510001],
  ])('is not to be captured when it is rejected and its void has %s', async (_how, amount) => {
    const { id } = await pay({ amount, intent: 'authorize' })

    await say(id, 'reject')
    const before = await till.get(id)
    const captured = await till.act(id, 'capture', { amount })

    expect(before).toMatchObject({ status: 'authorization_void_pending', pending_review: false })
    expect(captured.statusCode, captured.body).toBe(425)
    expect((await till.told(id)).at(-1)).toMatch(/^transaction.void-(declined|failed)$/)
    // The void is retried tomorrow.
    const { rows } = await sql<{ state: string; due_at: Date | null }>`
      select state, due_at from attempts where transaction_id = ${id} and due_at is not null
    `.execute(service.database.db)
    await byHand(
      service.database.db,
      sql`delete from attempts where transaction_id = ${id} and due_at is not null`,
    )
    expect(rows).toEqual([{ state: 'queued', due_at: expect.any(Date) }])
    expect(rows[0]?.due_at?.getTime()).toBeGreaterThan(service.context.clock().getTime() + 23 * 3_600_000)
  })

  test('is decided once: a later decision changes nothing', async () => {
    const { id } = await pay()
    await say(id, 'reject')
    const before = await till.get(id)

    const answers = [await say(id, 'accept'), await say(id, 'reject')]

    expect(answers.map(({ statusCode }) => statusCode)).toEqual([204, 204])
    expect(await till.get(id)).toEqual(before)
  })

  test('is decided once by two decisions at the same time', async () => {
    const { id } = await pay()

    await Promise.all(['accept', 'reject', 'accept', 'reject'].map((decision) => say(id, decision)))

    const { authorized_amount, captured_amount, status } = await till.get(id)
    const isTaken = status === 'capture_succeeded'
    expect(['capture_succeeded', 'authorization_voided']).toContain(status)
    expect(captured_amount).toBe(isTaken ? authorized_amount : 0)
  })

  test.each(['capture', 'void'])('can be decided by the merchant: %s', async (operation) => {
    const { id } = await pay()

    const done = await till.act(id, operation, {})
    const answer = await say(id, operation === 'capture' ? 'reject' : 'accept')

    expect(done.json()).toMatchObject({ pending_review: false })
    expect(answer.statusCode).toBe(204)
    expect(await till.get(id)).toMatchObject({ status: done.json().status, pending_review: false })
  })

  test('still waits for its review when its void is refused', async () => {
    const { id } = await pay({ amount: 510002 })

    const refused = await till.act(id, 'void')

    expect(refused.json()).toMatchObject({ status: 'authorization_succeeded', pending_review: true })
  })

  test('is approved by the cardholder first', async () => {
    const payment_method = { ...CARD, number: '4111111111102011', redirect_url: 'https://shop.example.com/' }
    const waiting = await pay({ payment_method })
    const decision = await service.app.inject({
      method: 'POST',
      url: new URL(waiting.payment_method.approval_url).pathname,
      payload: 'decision=approve',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })

    expect(decision.statusCode).toBe(303)
    expect(waiting).toMatchObject({ status: 'buyer_approval_pending', pending_review: false })
    expect(await till.get(waiting.id)).toMatchObject({
      status: 'authorization_succeeded',
      pending_review: true,
    })
  })

  test('is not sent to a provider when it is rejected before the cardholder has approved', async () => {
    const payment_method = { ...CARD, number: '4111111111102011', redirect_url: 'https://shop.example.com/' }
    const waiting = await pay({ payment_method })

    await say(waiting.id, 'reject')
    await service.app.inject({
      method: 'POST',
      url: new URL(waiting.payment_method.approval_url).pathname,
      payload: 'decision=approve',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })

    expect(await till.get(waiting.id)).toMatchObject({
      status: 'authorization_failed',
      error_code: 'suspected_fraud',
    })
    expect(await till.books(waiting.id)).toBeNull()
  })
})

describe('a review that ends before it is known whether the money is held', () => {
  const pending = async () => {
    line.intercept(async (go, url) => {
      const answer = await go()
      if (url.startsWith('https://processor.')) throw new TypeError('fetch failed')
      return answer
    })
    const { id, status } = await pay()
    line.repair()
    expect(status).toBe('processing')
    return id as string
  }
  const findOut = async () => {
    service.moveClock(60_000)
    await service.resolveDue()
    service.moveClock(60_000)
    await service.resolveDue()
  }

  test('captures the money once it is held', async () => {
    const id = await pending()

    await say(id, 'accept')
    await findOut()

    expect(await till.get(id)).toMatchObject({ status: 'capture_succeeded', pending_review: false })
  })

  test('releases the money once it is held', async () => {
    const id = await pending()

    await say(id, 'reject')
    await findOut()

    expect(await till.get(id)).toMatchObject({ status: 'authorization_voided', pending_review: false })
  })
})

describe('a review that rejects what is being captured', () => {
  const capturing = async () => {
    const { id } = await pay({ intent: 'authorize' })
    line.intercept((go, url) =>
      url.startsWith('https://processor.') ? Promise.reject(new TypeError('fetch failed')) : go(),
    )
    await till.act(id, 'capture', { amount: 1000 })
    line.repair()
    return id as string
  }

  test('releases the hold when the capture got lost on the way', async () => {
    const id = await capturing()
    const { status } = await till.get(id)

    await say(id, 'reject')
    for (const ms of [61_000, 301_000]) {
      service.moveClock(ms)
      await service.resolveDue()
    }

    expect(status).toBe('capture_pending')
    expect(await till.get(id)).toMatchObject({ status: 'authorization_voided', captured_amount: 0 })
    expect(await till.books(id)).toEqual({ authorized: 1000, captured: 0, refunded: 0, voided: 1000 })
  })
})

describe('an accepted review', () => {
  test('whose capture is lost on the way is captured later', async () => {
    const { id } = await pay()
    line.intercept((go, url) =>
      url.startsWith('https://processor.') ? Promise.reject(new TypeError('fetch failed')) : go(),
    )
    await say(id, 'accept')
    const before = await till.get(id)
    line.repair()

    for (const ms of [61_000, 301_000]) {
      service.moveClock(ms)
      await service.resolveDue()
    }

    expect(before).toMatchObject({ status: 'capture_pending', captured_amount: 0 })
    expect(await till.get(id)).toMatchObject({ status: 'capture_succeeded', captured_amount: 1000 })
    expect((await till.books(id))?.captured).toBe(1000)
  })

  test('waits for an increment', async () => {
    const { id, payment_service } = await pay()
    const scope = { ...service.context, merchantAccountId: 'default' }
    const asked = {
      transaction_id: id,
      service_id: payment_service.id,
      amount: 1,
    } as const
    const raising = await inTransaction(scope, (tx) =>
      attempts.send(tx, { timeoutMs: 3_600_000 }, { ...asked, kind: 'increment' }),
    )

    const early = await say(id, 'accept')
    const isStillPending = await isPending(id)
    await byHand(service.database.db, sql`delete from attempts where id = ${raising.id}`)
    const later = await say(id, 'accept')

    expect([early.statusCode, later.statusCode]).toEqual([425, 204])
    expect(isStillPending).toBe(true)
    expect((await till.get(id)).status).toBe('capture_succeeded')
  })
})

describe('gift cards that pay a part of a payment in review', () => {
  test.each([
    ['accept', 'capture_succeeded', 100],
    ['reject', 'authorization_voided', 400],
  ])('have paid, and %s decides about the rest', async (decision, status, balance) => {
    const counter = openGiftCardCounter(service)
    const card = giftCardWith(400)
    const held = await counter.pay([{ ...card, amount: 300 }], {
      ...SUSPECT,
      intent: 'capture',
      amount: 1000,
    })

    await say(held.id, decision)

    expect(held).toMatchObject({ status: 'authorization_succeeded', pending_review: true })
    expect(await till.get(held.id)).toMatchObject({ status, pending_review: false })
    expect(await counter.balanceOf(card)).toBe(balance)
  })
})

describe('a decision', () => {
  test('about an unknown payment is answered with 404', async () => {
    expect((await say(MISSING, 'accept')).statusCode).toBe(404)
    expect((await say('no-id', 'accept')).statusCode).toBe(404)
  })

  test('about a payment that the service did not judge is answered with 404', async () => {
    const headers = { 'x-switchyard-merchant-account-id': 'other' }
    await service.send('POST /merchant-accounts', { id: 'other', display_name: 'Other' })
    await till.addService({}, { headers })
    const { id } = await till.pay(SUSPECT, { headers })

    expect((await say(id, 'accept')).statusCode).toBe(404)
  })

  test.each([[{ decision: 'accept' }], [{ transaction_id: MISSING, decision: 'perhaps' }], [{}]])(
    'must make sense: %j',
    async (message) => {
      expect((await till.notify(watchful, message)).statusCode).toBe(400)
    },
  )

  test('needs the key of the address', async () => {
    const { id } = await pay()
    const webhook_url = watchful.webhook_url.replace(/[^/]+$/, 'guessed')

    const answer = await till.notify({ webhook_url }, { transaction_id: id, decision: 'accept' })

    expect(answer.statusCode).toBe(404)
    expect(await isPending(id)).toBe(true)
  })
})
