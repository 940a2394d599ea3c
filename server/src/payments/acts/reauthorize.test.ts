import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { signToken, startTestService, type TestService } from '#testing/harness.ts'
import { CARD, openTill, type Till } from '#testing/till.ts'
import { expireAuthorizations } from './expire.ts'

const DAY = 24 * 3_600_000
const ANEW = { reauthorize_if_authorization_expired: true }

let service: TestService
let till: Till
let token: string
beforeAll(async () => {
  service = await startTestService()
  till = openTill(service)
  // The clock moves by more than the usual lifetime of a token.
  token = await signToken(service.admin, { exp: Math.floor(Date.now() / 1000) + 1_000 * 86_400 })
})
afterAll(() => service.close())

const pay = (body: object) => till.pay(body, { token })
const capture = (id: string, body: object = ANEW, options = {}) =>
  till.act(id, 'capture', body, { token, ...options })
const get = (id: string) => till.get(id, { token })
const historyOf = async (id: string) =>
  (await service.send(`GET /transactions/${id}/events`, undefined, { token })).json().items
/** A payment service whose voids wait for a notification. */
const slow = async () => till.addService({ asynchronous: 'true' }, { token })
const renewalsOf = async (id: string) =>
  (
    await service.send(`GET /transactions?reauthorized_from_transaction_id=${id}`, undefined, { token })
  ).json().items

async function expire() {
  service.moveClock(7 * DAY + 60_000)
  await expireAuthorizations(service.context, service.engine)
  await service.resolveDue()
}

async function stored() {
  const method = (await service.send('POST /payment-methods', CARD, { token })).json()
  return { method: 'id', id: method.id }
}

describe('an authorization that has expired', () => {
  test('cannot be captured', async () => {
    const { id } = await pay({ payment_method: await stored() })
    await expire()

    const response = await capture(id, {})

    expect(await get(id)).toMatchObject({
      status: 'authorization_voided',
      error_code: 'expired_authorization',
    })
    expect(response.statusCode).toBe(400)
    expect(response.json().message).toContain('its status is authorization_voided')
    expect(await renewalsOf(id)).toEqual([])
  })

  test('is paid again with the stored method, if the merchant asks for it', async () => {
    const method = await stored()
    const expired = await pay({
      payment_method: method,
      external_identifier: 'order-1',
      metadata: { shelf: 'B12' },
      buyer: { display_name: 'Ada', billing_details: { first_name: 'Ada' } },
      cart_items: [{ name: 'Bag', quantity: 1, unit_amount: 1000 }],
    })
    await expire()

    const response = await capture(expired.id)

    const renewed = response.json()
    expect(response.statusCode, response.body).toBe(200)
    expect(renewed.id).not.toBe(expired.id)
    expect(renewed).toMatchObject({
      type: 'transaction',
      status: 'capture_succeeded',
      intent: 'capture',
      amount: 1000,
      captured_amount: 1000,
      external_identifier: 'order-1',
      metadata: { shelf: 'B12' },
      buyer: { id: null, display_name: 'Ada', billing_details: { first_name: 'Ada' } },
      cart_items: [{ name: 'Bag' }],
      payment_method: { id: method.id },
      payment_source: 'card_on_file',
      merchant_initiated: true,
      is_subsequent_payment: true,
      reauthorized_from_transaction_id: expired.id,
    })
    expect(await renewalsOf(expired.id)).toMatchObject([{ id: renewed.id }])
    expect(await till.books(expired.id)).toMatchObject({ authorized: 1000, captured: 0, voided: 1000 })
    expect(await till.books(renewed.id)).toMatchObject({ captured: 1000 })
  })

  test('has events in the history of both', async () => {
    const { id } = await pay({ payment_method: await stored() })
    await expire()

    const renewed = (await capture(id)).json()

    expect(await historyOf(id)).toContainEqual(
      expect.objectContaining({
        name: 'reauthorization-attempted',
        context: { reauthorized_transaction_id: renewed.id },
      }),
    )
    expect(await historyOf(renewed.id)).toContainEqual(
      expect.objectContaining({
        name: 'reauthorization-created',
        context: { reauthorized_from_transaction_id: id },
      }),
    )
  })

  test('has them before any provider is asked for money', async () => {
    const { id } = await pay({ payment_method: await stored() })
    await expire()
    const { fetch } = service.providers
    let before: { readonly name: string }[] = []
    const look: typeof fetch = async (...request) => {
      before = await historyOf(id)
      return fetch(...request)
    }
    Object.assign(service.providers, { fetch: look })

    await capture(id)

    Object.assign(service.providers, { fetch })
    expect(before.map(({ name }) => name)).toContain('reauthorization-attempted')
  })

  test('with a card that it stored is paid again with that', async () => {
    const expired = await pay({ store: true })
    await expire()

    const renewed = (await capture(expired.id)).json()

    expect(renewed).toMatchObject({
      status: 'capture_succeeded',
      payment_method: { id: expired.payment_method.id },
    })
  })

  test.each([
    ['that was never stored', async () => CARD],
    ['that is gone', stored],
  ])('with a card %s cannot be paid again', async (name, card) => {
    const payment_method = await card()
    const { id } = await pay({ payment_method })
    if (name === 'that is gone' && 'id' in payment_method) {
      await service.send(`DELETE /payment-methods/${payment_method.id}`, undefined, { token })
    }
    await expire()

    const response = await capture(id)

    expect(response.statusCode).toBe(400)
    expect(response.json().message).toBe(
      'Create a new transaction: the authorization has expired, and its payment method is not stored.',
    )
    expect(await renewalsOf(id)).toEqual([])
  })

  test('is paid again for the part that is captured', async () => {
    const { id } = await pay({ payment_method: await stored() })
    await expire()

    const renewed = (
      await capture(id, {
        ...ANEW,
        amount: 400,
        cart_items: [{ name: 'Box', quantity: 1, unit_amount: 400 }],
      })
    ).json()

    expect(renewed).toMatchObject({ amount: 400, captured_amount: 400, cart_items: [{ name: 'Box' }] })
  })

  test.each([
    ['more than was authorized', 1001, 'value_error.number.not_le'],
    ['nothing', 0, 'value_error.number.not_ge'],
  ])('is not paid again for %s', async (_name, amount, type) => {
    const { id } = await pay({ payment_method: await stored() })
    await expire()

    const response = await capture(id, { ...ANEW, amount })

    expect(response.statusCode).toBe(400)
    expect(response.json().details).toMatchObject([{ pointer: '/amount', type }])
    expect(await renewalsOf(id)).toEqual([])
  })
})

describe('paying again', () => {
  test('is done once by ten requests at once', async () => {
    const { id } = await pay({ payment_method: await stored() })
    await expire()

    const responses = await Promise.all(Array.from({ length: 10 }, () => capture(id)))
    const later = await capture(id)

    const [made] = await renewalsOf(id)
    expect(responses.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
    expect(responses.filter(({ statusCode }) => statusCode === 400)).toHaveLength(9)
    expect(await renewalsOf(id)).toHaveLength(1)
    expect(later.statusCode).toBe(400)
    expect(later.json().message).toContain(`it was authorized again as ${made.id}`)
  })

  test('may be tried again when it failed', async () => {
    const { id } = await pay({ payment_method: await stored(), amount: 500002 })
    await expire()

    const declined = await capture(id)
    const again = await capture(id, { ...ANEW, amount: 500000 })

    expect(declined.statusCode).toBe(200)
    expect(declined.json()).toMatchObject({
      status: 'authorization_declined',
      error_code: 'refused_transaction',
      reauthorized_from_transaction_id: id,
    })
    expect(again.json()).toMatchObject({ status: 'capture_succeeded', amount: 500000 })
    expect(await renewalsOf(id)).toHaveLength(2)
  })

  test('with the same key gets the same answer', async () => {
    const { id } = await pay({ payment_method: await stored() })
    await expire()
    const headers = { 'idempotency-key': 'pay-again-once' }

    const first = await capture(id, ANEW, { headers })
    const second = await capture(id, ANEW, { headers })

    expect(first.statusCode).toBe(200)
    expect(second.body).toBe(first.body)
    expect(await renewalsOf(id)).toHaveLength(1)
  })
})

describe('an authorization that the provider has not released yet', () => {
  test('is released first, then paid again', async () => {
    const { id } = await pay({ payment_method: await stored() })
    service.moveClock(7 * DAY + 60_000)
    await expireAuthorizations(service.context, service.engine)
    const before = await get(id)

    const renewed = (await capture(id)).json()

    expect(before.status).toBe('authorization_void_pending')
    expect(renewed).toMatchObject({ status: 'capture_succeeded', reauthorized_from_transaction_id: id })
    expect(await till.books(id)).toMatchObject({ captured: 0, voided: 1000 })
  })

  test('is not paid again while that is pending', async () => {
    const provider = await slow()
    const { id, payment_service_transaction_id } = await pay({
      payment_method: await stored(),
      payment_service_id: provider.id,
    })
    await expire()

    const early = await capture(id)
    const none = await renewalsOf(id)
    await till.notify(provider, { event: 'void.succeeded', payment_service_transaction_id })
    const later = await capture(id)

    expect(early.statusCode).toBe(425)
    expect(early.json().code).toBe('too_early')
    expect(none).toEqual([])
    expect(later.json()).toMatchObject({ reauthorized_from_transaction_id: id })
  })

  test('is captured itself when the provider does not release it', async () => {
    const provider = await slow()
    const { id, payment_service_transaction_id } = await pay({
      payment_method: await stored(),
      payment_service_id: provider.id,
    })
    await expire()
    await capture(id)
    await till.notify(provider, { event: 'void.declined', payment_service_transaction_id })

    const captured = await capture(id)

    expect(captured.json()).toMatchObject({ id, status: 'capture_pending' })
    expect(await renewalsOf(id)).toEqual([])
  })
})

test('a payment that was paid again cannot be captured as well, though the merchant says that it is authorized', async () => {
  const { id } = await pay({ payment_method: await stored() })
  await expire()
  const renewed = (await capture(id)).json()
  await service.send(`PUT /transactions/${id}`, { status: 'authorization_succeeded' }, { token })

  const again = await capture(id, {})

  expect((await get(id)).status).toBe('authorization_succeeded')
  expect(again.statusCode).toBe(400)
  expect(again.json().message).toBe(
    `The transaction cannot be captured: it was authorized again as ${renewed.id}, whose status is capture_succeeded.`,
  )
})

describe('a report on the capture', () => {
  const REPORT = { headers: { prefer: 'resource=transaction-capture', 'idempotency-key': 'report-again' } }

  test('shows the new payment and its capture, also to a retry', async () => {
    const { id } = await pay({ payment_method: await stored() })
    await expire()

    const first = await capture(id, ANEW, REPORT)
    const again = await capture(id, ANEW, REPORT)

    const [renewed] = await renewalsOf(id)
    const captures = await service.send(`GET /transactions/${renewed.id}/captures`, undefined, { token })
    expect(first.json()).toMatchObject({
      type: 'transaction-capture',
      status: 'succeeded',
      code: null,
      raw_response_code: '00',
      capture_id: captures.json().items[0].id,
      payment_service_capture_id: captures.json().items[0].xid,
      transaction: { id: renewed.id, status: 'capture_succeeded', reauthorized_from_transaction_id: id },
    })
    expect(again.body).toBe(first.body)
  })

  test('says why there is none', async () => {
    const { id } = await pay({ payment_method: await stored(), amount: 500002 })
    await expire()

    const { transaction, ...report } = (
      await capture(id, ANEW, { headers: { prefer: REPORT.headers.prefer } })
    ).json()

    expect(report).toEqual({
      type: 'transaction-capture',
      status: 'declined',
      code: 'refused_transaction',
      raw_response_code: '500002',
      raw_response_description: 'refused_transaction',
      capture_id: null,
      payment_service_capture_id: null,
      external_identifier: null,
      billing_details: null,
      shipping_details: null,
    })
    expect(transaction).toMatchObject({ status: 'authorization_declined', captured_amount: 0 })
  })
})

describe('does not pay again', () => {
  test('while the authorization holds', async () => {
    const { id } = await pay({ payment_method: await stored() })

    const response = await capture(id)

    expect(response.json()).toMatchObject({ id, status: 'capture_succeeded' })
    expect(await renewalsOf(id)).toEqual([])
  })

  test('when the provider does not release the expired authorization', async () => {
    const { id } = await pay({ payment_method: await stored(), amount: 510001 })
    await expire()
    const before = await get(id)

    const response = await capture(id)

    expect(before).toMatchObject({ status: 'authorization_succeeded', error_code: 'expired_authorization' })
    expect(response.json()).toMatchObject({ id, status: 'capture_succeeded', error_code: null })
    expect(await renewalsOf(id)).toEqual([])
  })

  test('when the merchant has voided it', async () => {
    const { id } = await pay({ payment_method: await stored() })
    await till.act(id, 'void', undefined, { token })

    const response = await capture(id)

    expect(response.statusCode).toBe(400)
    expect(await renewalsOf(id)).toEqual([])
  })

  test('when the payment was declined, even with the code of an expired authorization', async () => {
    const { id } = await pay({ payment_method: await stored(), amount: 200004 })

    const response = await capture(id)

    expect(await get(id)).toMatchObject({
      status: 'authorization_declined',
      error_code: 'expired_authorization',
    })
    expect(response.statusCode).toBe(400)
    expect(response.json().message).toContain('its status is authorization_declined')
    expect(await renewalsOf(id)).toEqual([])
  })
})
