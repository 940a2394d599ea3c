import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type GiftCardCounter, giftCardWith, openGiftCardCounter } from '#testing/gift-cards.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { byHand } from '#testing/model/guard.ts'
import { openTill, type Till } from '#testing/till.ts'
import { expireAuthorizations } from '../acts/expire.ts'

const DAY_MS = 24 * 3_600_000
const SUSPECT = { buyer: { billing_details: { email_address: 'review@shop.example' } } }
/** The processor refuses to void what the card pays of it. */
const KEPT = { amount: 510_102 }

let service: TestService
let counter: GiftCardCounter
let till: Till
let watchful: { readonly id: string; readonly webhook_url: string }
beforeAll(async () => {
  service = await startTestService()
  counter = openGiftCardCounter(service)
  till = openTill(service)
  const made = await service.send('POST /anti-fraud-services', {
    display_name: 'Watchful',
    anti_fraud_service_definition_id: 'mock-anti-fraud',
    reviews_enabled: true,
    fields: [],
  })
  watchful = made.json()
})
afterAll(() => service.close())

/** A card holds its part, which is never released, and a gift card has paid 100. */
async function pay(body: object = {}) {
  const card = giftCardWith(100)
  const { id } = await counter.pay([{ ...card, amount: 100 }], { ...KEPT, ...body })
  return { id: id as string, card }
}

async function runAfter(ms: number) {
  service.moveClock(ms)
  await expireAuthorizations(service.context, service.engine)
  await service.resolveDue()
}

const statesOf = async (id: string) =>
  (await counter.attemptsOf(id)).map(({ kind, state }) => `${kind} ${state}`)
const timesTold = async (id: string, name: string) =>
  (await till.told(id)).filter((one) => one === name).length

describe('a hold that has lapsed beside a gift card', () => {
  test('ends the payment, and the gift card gets its money back', async () => {
    const { id, card } = await pay()
    const balances: number[] = []

    for (const ms of [8 * DAY_MS, 22 * DAY_MS, 2 * DAY_MS, DAY_MS]) {
      await runAfter(ms)
      balances.push(await counter.balanceOf(card))
    }

    expect(balances.at(1)).toBe(0)
    expect(balances.at(-1)).toBe(100)
    expect(await counter.get(id)).toMatchObject({
      status: 'authorization_voided',
      error_code: 'expired_authorization',
      voided_at: expect.any(String),
      gift_card_redemptions: [{ status: 'succeeded', amount: 100, refunded_amount: 100 }],
    })
    expect((await statesOf(id)).filter((step) => step.startsWith('reverse'))).toEqual(['reverse approved'])
    expect(await timesTold(id, 'transaction.voided')).toBe(1)
  })

  test('ends it at once if its first void is refused after that', async () => {
    const { id, card } = await pay()

    await runAfter(32 * DAY_MS)
    await runAfter(DAY_MS)

    expect(await counter.get(id)).toMatchObject({
      status: 'authorization_voided',
      error_code: 'expired_authorization',
    })
    expect(await counter.balanceOf(card)).toBe(100)
    expect((await statesOf(id)).filter((step) => step.startsWith('void'))).toEqual(['void declined'])
    expect((await till.told(id)).slice(-2)).toEqual(['transaction.void-declined', 'transaction.voided'])
  })

  test('ends it if a reviewer had rejected it', async () => {
    const { id, card } = await pay(SUSPECT)
    await till.notify(watchful, { transaction_id: id, decision: 'reject' })
    const before = await counter.get(id)
    const [voids, statuses]: [number[], string[]] = [[], []]

    for (const ms of [2 * DAY_MS, 28 * DAY_MS, 2 * DAY_MS, 2 * DAY_MS]) {
      await runAfter(ms)
      voids.push((await statesOf(id)).filter((step) => step.startsWith('void')).length)
      statuses.push((await counter.get(id)).status)
    }

    expect(before.status).toBe('authorization_void_pending')
    expect(voids).toEqual([3, 4, 4, 4])
    expect(statuses.slice(0, 2)).toEqual(['authorization_void_pending', 'authorization_void_pending'])
    // It was rejected. That it may be authorized again, as an expired one may, must not be.
    expect(await counter.get(id)).toMatchObject({ status: 'authorization_voided', error_code: null })
    expect(await counter.balanceOf(card)).toBe(100)
    expect(await timesTold(id, 'transaction.voided')).toBe(1)
  })

  test('ends it if no void of it is left to be sent', async () => {
    const { id, card } = await pay(SUSPECT)
    await till.notify(watchful, { transaction_id: id, decision: 'reject' })
    // As a restored backup may have it.
    await byHand(
      service.database.db,
      sql`delete from attempts where transaction_id = ${id} and due_at is not null`,
    )

    await runAfter(30 * DAY_MS)
    const early = await counter.get(id)
    await Promise.all([runAfter(2 * DAY_MS), runAfter(0), runAfter(0)])
    await runAfter(DAY_MS)

    expect(early.status).toBe('authorization_void_pending')
    expect((await counter.get(id)).status).toBe('authorization_voided')
    expect(await counter.balanceOf(card)).toBe(100)
    expect(await timesTold(id, 'transaction.voided')).toBe(1)
  })

  test('does not end it while it is unknown whether a void was done', async () => {
    const { id, card } = await pay(SUSPECT)
    await till.notify(watchful, { transaction_id: id, decision: 'reject' })
    await byHand(
      service.database.db,
      sql`update attempts set state = 'unknown', due_at = ${new Date(Date.now() + 400 * DAY_MS)}
        where transaction_id = ${id} and due_at is not null`,
    )

    await runAfter(40 * DAY_MS)

    expect((await counter.get(id)).status).toBe('authorization_void_pending')
    expect(await counter.balanceOf(card)).toBe(0)
  })
})
