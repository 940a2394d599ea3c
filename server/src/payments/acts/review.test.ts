import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { disagreements } from '#testing/books.ts'
import { REPORTING, signToken, startTestService, type TestService } from '#testing/harness.ts'
import { signIn } from '#testing/sign-in.ts'
import { openTill, type Till } from '#testing/till.ts'

let service: TestService
let till: Till
beforeAll(async () => {
  service = await startTestService()
  till = openTill(service)
  await service.send('POST /merchant-accounts', { id: 'other', display_name: 'Other' })
  await service.send('POST /anti-fraud-services', {
    display_name: 'Watchful',
    anti_fraud_service_definition_id: 'mock-anti-fraud',
    reviews_enabled: true,
    fields: [],
  })
})
afterEach(async () => expect(await disagreements(service.database.pool)).toEqual([]))
afterAll(() => service.close())

const pay = (body: object = {}) =>
  till.pay({
    buyer: { billing_details: { email_address: 'review@shop.example' } },
    intent: 'capture',
    ...body,
  })
const decide = (id: string, decision: string, options = {}) =>
  service.send(`POST /transactions/${id}/review`, { decision }, options)

describe('a review by the merchant', () => {
  test('captures an accepted payment, and says who accepted it', async () => {
    const { id } = await pay()
    const { headers } = await signIn(service, { name: 'Ines Reviewer' })

    const response = await decide(id, 'accept', { token: null, headers })

    expect(response.statusCode).toBe(200)
    expect(response.json()).toMatchObject({
      status: 'capture_succeeded',
      pending_review: false,
      captured_amount: 1000,
    })
    expect(await till.told(id)).toContain('transaction.review-accepted')
    expect(await till.audited(id)).toContain('captured by Ines Reviewer')
  })

  test('leaves an accepted payment held if it was only to be authorized', async () => {
    const { id } = await pay({ intent: 'authorize' })

    const response = await decide(id, 'accept')

    expect(response.json()).toMatchObject({ status: 'authorization_succeeded', pending_review: false })
    expect((await till.books(id))?.captured).toBe(0)
  })

  test('releases a rejected payment', async () => {
    const { id } = await pay()

    const response = await decide(id, 'reject')

    expect(response.json()).toMatchObject({ status: 'authorization_voided', pending_review: false })
    expect(await till.books(id)).toMatchObject({ captured: 0, voided: 1000 })
  })

  test('is decided once: the second decision is refused, the same key gets the same answer', async () => {
    const { id } = await pay()
    const headers = { 'idempotency-key': 'review-once' }
    const first = await decide(id, 'accept', { headers })

    const again = await decide(id, 'accept', { headers })
    const other = await decide(id, 'reject')

    expect(again.body).toBe(first.body)
    expect(other.statusCode).toBe(400)
    expect(other.json().message).toBe(
      'The transaction does not wait for a review: its pending_review is false.',
    )
    expect((await till.books(id))?.captured).toBe(1000)
  })

  test('is refused for a payment that waits for none', async () => {
    const { id } = await till.pay()

    expect((await decide(id, 'accept')).statusCode).toBe(400)
  })

  test('is hidden from another merchant account, and from those who may only read', async () => {
    const { id } = await pay()
    const token = await signToken(await service.addKey({ roleIds: [REPORTING] }))

    expect((await decide(id, 'accept', { account: 'other' })).statusCode).toBe(404)
    expect((await decide(id, 'accept', { token })).statusCode).toBe(403)
    expect((await till.get(id)).pending_review).toBe(true)
  })

  test('takes no other decision', async () => {
    const { id } = await pay()

    const response = await decide(id, 'perhaps')

    expect(response.statusCode).toBe(400)
    expect(response.json().details[0]).toMatchObject({ location: 'body', pointer: '/decision' })
  })
})
