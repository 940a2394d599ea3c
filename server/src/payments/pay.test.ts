import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readWhole } from '#processing/provider.ts'
import { METADATA_LIMITS } from '#resources/transactions/wire/order.ts'
import { MISSING, pointers } from '#testing/answers.ts'
import { type SendOptions, startTestService, type TestService } from '#testing/harness.ts'
import { CARD, order } from '#testing/till.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
  await service.send('POST /merchant-accounts', { id: 'other', display_name: 'Other' })
})
afterAll(() => service.close())

const pay = (body?: object, options?: SendOptions) => order(service, { country: 'US', ...body }, options)
const read = async (id: string) => (await service.send(`GET /transactions/${id}`)).json()

type Books = {
  readonly entries: readonly { readonly operation: string; readonly amount: number }[]
  readonly sums: readonly { readonly authorized: number; readonly captured: number }[]
}

async function booksOf(transactionId: string): Promise<Books> {
  const url = `https://processor.simulator.invalid/books?transaction_id=${transactionId}`
  return (await (await readWhole(await service.providers.fetch(url))).json()) as Books
}

/** What subscribers are told, oldest first. */
function toldOf(id: string) {
  return service.context.db
    .selectFrom('events')
    .select(['name', 'target', 'merchant_account_id'])
    .where('target_id', '=', id)
    .orderBy('id')
    .execute()
}

describe('a payment with a card', () => {
  test('is authorized and not captured', async () => {
    const response = await pay()

    expect(response.statusCode, response.body).toBe(201)
    const transaction = response.json()
    expect(transaction).toMatchObject({
      type: 'transaction',
      merchant_account_id: 'default',
      status: 'authorization_succeeded',
      intent: 'authorize',
      intent_outcome: 'succeeded',
      amount: 1299,
      authorized_amount: 1299,
      captured_amount: 0,
      refunded_amount: 0,
      currency: 'USD',
      country: 'US',
      error_code: null,
      raw_response_code: '00',
      raw_response_description: 'Approved',
      auth_response_code: '00',
      iso_response_code: '00',
      payment_source: 'ecommerce',
      merchant_initiated: false,
      is_subsequent_payment: false,
      method: 'card',
      instrument_type: 'pan',
      payment_method: {
        type: 'payment-method',
        id: null,
        method: 'card',
        mode: 'card',
        label: '1111',
        scheme: 'visa',
        expiration_date: '12/40',
        details: { bin: '41111111' },
        fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
        approval_url: null,
      },
      payment_service: { display_name: 'Simulator', payment_service_definition_id: 'mock-card' },
      authorized_at: expect.any(String),
      captured_at: null,
      voided_at: null,
      scheme_transaction_id: expect.any(String),
    })
    expect(await read(transaction.id)).toEqual(transaction)
    const { entries, sums } = await booksOf(transaction.id)
    expect(entries).toMatchObject([{ operation: 'authorize', amount: 1299 }])
    expect(sums).toMatchObject([{ authorized: 1299, captured: 0 }])
  })

  test('with the intent capture is taken in one step', async () => {
    const transaction = (await pay({ intent: 'capture' })).json()

    expect(transaction).toMatchObject({
      status: 'capture_succeeded',
      intent_outcome: 'succeeded',
      authorized_amount: 1299,
      captured_amount: 1299,
      captured_at: expect.any(String),
    })
    const { entries, sums } = await booksOf(transaction.id)
    expect(entries).toHaveLength(1)
    expect(sums).toMatchObject([{ captured: 1299 }])
    const captures = (await service.send(`GET /transactions/${transaction.id}/captures`)).json()
    expect(captures.items).toMatchObject([{ amount: 1299, status: 'succeeded', final: true }])
  })

  test('with the amount zero checks the card', async () => {
    const response = await pay({ amount: 0 })

    expect(response.json()).toMatchObject({
      status: 'authorization_succeeded',
      amount: 0,
      authorized_amount: 0,
      intent_outcome: 'succeeded',
    })
  })

  test('may be authorized in part, if the merchant agrees to that', async () => {
    const agreed = await pay({ amount: 600001, allow_partial_authorization: true })
    const taken = await pay({ amount: 600001, allow_partial_authorization: true, intent: 'capture' })
    const refused = await pay({ amount: 600001 })

    expect(agreed.json()).toMatchObject({
      status: 'authorization_succeeded',
      amount: 600001,
      authorized_amount: 300000,
    })
    expect(taken.json()).toMatchObject({
      status: 'capture_succeeded',
      authorized_amount: 300000,
      captured_amount: 300000,
    })
    expect(refused.json()).toMatchObject({
      status: 'authorization_declined',
      error_code: 'insufficient_funds',
      authorized_amount: 0,
    })
  })

  test('with as many notes as there may be is found by the last of them', async () => {
    const notes = Array.from({ length: METADATA_LIMITS.maxProperties }, (_, index) => [
      `key ${index}`,
      `value ${index}`,
    ])

    const response = await pay({ metadata: Object.fromEntries(notes) })

    expect(response.statusCode, response.body.slice(0, 500)).toBe(201)
    const last = encodeURIComponent(JSON.stringify(Object.fromEntries(notes.slice(-1))))
    const found = (await service.send(`GET /transactions?metadata=${last}`)).json()
    expect(found.items.map(({ id }: { id: string }) => id)).toEqual([response.json().id])
  })

  test('is not found by other accounts', async () => {
    const { id } = (await pay()).json()

    const response = await service.send(`GET /transactions/${id}`, undefined, { account: 'other' })

    expect(response.statusCode).toBe(404)
  })
})

describe('a capture after the answer', () => {
  test('is made in a second step, by a job', async () => {
    const created = (await pay({ intent: 'capture', async_capture: true })).json()

    expect(created).toMatchObject({
      status: 'capture_pending',
      authorized_amount: 1299,
      captured_amount: 0,
      captured_at: null,
    })
    expect((await booksOf(created.id)).entries).toHaveLength(1)

    await service.resolveDue()

    expect(await read(created.id)).toMatchObject({
      status: 'capture_succeeded',
      captured_amount: 1299,
      captured_at: expect.any(String),
    })
    const { entries, sums } = await booksOf(created.id)
    expect(entries.map(({ operation }) => operation)).toEqual(['authorize', 'capture'])
    expect(sums).toMatchObject([{ authorized: 1299, captured: 1299 }])
    const told = (await toldOf(created.id)).map(({ name }) => name)
    expect(told).toEqual(['transaction.capture-pending', 'transaction.captured'])
  })

  test('that fails fails the payment, and the hold is released', async () => {
    const created = (await pay({ amount: 500001, intent: 'capture', async_capture: true })).json()
    expect(created.status).toBe('capture_pending')

    await service.resolveDue()
    await service.resolveDue()

    expect(await read(created.id)).toMatchObject({
      status: 'authorization_failed',
      error_code: 'service_network_error',
      captured_amount: 0,
    })
    const { entries } = await booksOf(created.id)
    expect(entries.map(({ operation }) => operation)).toEqual(['authorize', 'capture', 'void'])
  })

  test('is not queued for a payment that was declined', async () => {
    const created = (await pay({ amount: 200011, intent: 'capture', async_capture: true })).json()

    await service.resolveDue()

    expect(await read(created.id)).toMatchObject({
      status: 'authorization_declined',
      error_code: 'insufficient_funds',
    })
    expect((await booksOf(created.id)).entries).toHaveLength(1)
  })

  test('is allowed only with the intent capture', async () => {
    const response = await pay({ async_capture: true })

    expect(response.statusCode).toBe(400)
    expect(pointers(response)).toEqual([['/async_capture', 'value_error.conflict']])
  })
})

describe('no service fits', () => {
  test.each([
    ['a method that none is set up for', { payment_method: { ...redirect(), method: 'paypal' } }],
    ['a bank account', { payment_method: { method: 'bank', account_holder: { first_name: 'Ada' } } }],
    ['a Plaid token', { payment_method: { method: 'plaid', token: 'public-sandbox-1' } }],
  ])('%s: the payment has failed, and is on record', async (_what, body) => {
    const response = await pay(body)

    expect(response.statusCode, response.body).toBe(201)
    const transaction = response.json()
    expect(transaction).toMatchObject({
      status: 'authorization_failed',
      intent_outcome: 'failed',
      error_code: 'all_attempts_skipped',
      payment_service: null,
      payment_service_transaction_id: null,
      authorized_amount: 0,
    })
    expect(await read(transaction.id)).toEqual(transaction)
    expect((await booksOf(transaction.id)).entries).toEqual([])
    expect((await toldOf(transaction.id)).map(({ name }) => name)).toEqual(['transaction.failed'])
  })

  test('in an account without any', async () => {
    const response = await pay({}, { account: 'other' })

    expect(response.json()).toMatchObject({
      merchant_account_id: 'other',
      status: 'authorization_failed',
      error_code: 'all_attempts_skipped',
    })
    const path = `GET /transactions/${response.json().id}/events`
    const { items } = (await service.send(path, undefined, { account: 'other' })).json()
    expect(items).toMatchObject([
      { name: 'transaction-updated-status' },
      {
        name: 'payment-service-missing',
        context: { message: 'this merchant account has no active payment service for card' },
      },
    ])
  })

  test('a service that does not exist is refused', async () => {
    const theirs = await addService({ display_name: 'Theirs' }, 'other')

    for (const id of [MISSING, theirs.id]) {
      const response = await pay({ payment_service_id: id })

      expect(response.statusCode).toBe(400)
      expect(pointers(response)).toEqual([['/payment_service_id', 'value_error.not_found']])
    }
  })

  test('one that is switched off is skipped, and so is one that was deleted', async () => {
    const inactive = await addService({ active: false })
    const deleted = await addService({})
    await service.send(`DELETE /payment-services/${deleted.id}`)

    const skipped = await pay({ payment_service_id: inactive.id })
    const gone = await pay({ payment_service_id: deleted.id })

    expect(skipped.json()).toMatchObject({
      status: 'authorization_failed',
      error_code: 'all_attempts_skipped',
    })
    expect(pointers(gone)).toEqual([['/payment_service_id', 'value_error.not_found']])
  })
})

describe('one idempotency key', () => {
  const headers = () => ({ headers: { 'idempotency-key': crypto.randomUUID() } })

  test('fifty requests at once make one payment', async () => {
    const options = headers()
    const external_identifier = 'fifty-at-once'

    const answers = await Promise.all(
      Array.from({ length: 50 }, () => pay({ external_identifier, intent: 'capture' }, options)),
    )

    const made = answers.filter(({ statusCode }) => statusCode === 201)
    const waiting = answers.filter(({ statusCode }) => statusCode === 409)
    expect(made.length).toBeGreaterThan(0)
    expect(made.length + waiting.length).toBe(50)
    expect(new Set(made.map(({ body }) => body)).size).toBe(1)
    for (const answer of waiting) {
      expect(answer.json().code).toBe('concurrent_request')
      expect(answer.headers['retry-after']).toBeDefined()
    }
    const replayed = await pay({ external_identifier, intent: 'capture' }, options)
    expect(replayed.body).toBe(made[0]?.body)
    expect(replayed.headers['idempotent-replayed']).toBe('true')
    const listed = await service.send(`GET /transactions?external_identifier=${external_identifier}`)
    expect(listed.json().items).toHaveLength(1)
    const { entries, sums } = await booksOf(replayed.json().id)
    expect(entries).toHaveLength(1)
    expect(sums).toMatchObject([{ captured: 1299 }])
  })

  test('a decline is replayed too', async () => {
    const options = headers()
    const first = await pay({ amount: 200011 }, options)
    const again = await pay({ amount: 200011 }, options)

    expect(first.json().status).toBe('authorization_declined')
    expect(again.body).toBe(first.body)
    expect((await booksOf(first.json().id)).entries).toHaveLength(1)
  })

  test('another request is refused', async () => {
    const options = headers()
    await pay({}, options)

    const other = await pay({ amount: 1300 }, options)
    const otherCard = await pay({ payment_method: { ...CARD, security_code: '124' } }, options)

    expect(other.statusCode).toBe(422)
    expect(other.json().detail).toHaveLength(1)
    expect(otherCard.statusCode).toBe(422)
  })

  test('a request that was refused leaves the key free', async () => {
    const options = headers()
    const refused = await pay({ payment_method: { method: 'id', id: MISSING } }, options)
    const mended = await pay({}, options)

    expect(refused.statusCode).toBe(400)
    expect(mended.statusCode).toBe(201)
  })

  test('of another merchant account is another key', async () => {
    const options = headers()
    const ours = await pay({}, options)
    const theirs = await pay({}, { ...options, account: 'other' })

    expect(theirs.statusCode).toBe(201)
    expect(theirs.json().id).not.toBe(ours.json().id)
  })
})

function redirect() {
  return { country: 'US', currency: 'USD', redirect_url: 'https://shop.example.com/back' }
}

async function addService(body: object, account = 'default') {
  const response = await service.send(
    'POST /payment-services',
    {
      display_name: 'Second',
      payment_service_definition_id: 'mock-card',
      fields: [{ key: 'merchant_id', value: 'second' }],
      accepted_currencies: ['USD'],
      accepted_countries: ['US'],
      ...body,
    },
    { account },
  )
  expect(response.statusCode, response.body).toBe(201)
  return response.json()
}
