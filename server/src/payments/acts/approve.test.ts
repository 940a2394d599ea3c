import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { disagreements } from '#testing/books.ts'
import { stopCommitting } from '#testing/commits.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { holdProcessorLine, type ProcessorLine } from '#testing/processor-line.ts'
import { openTill, type Till } from '#testing/till.ts'

const BACK = 'https://shop.example.com/back'
const CHALLENGED = {
  method: 'card',
  number: '4111111111102011',
  expiration_date: '12/40',
  security_code: '333',
  redirect_url: BACK,
}

let service: TestService
let till: Till
let line: ProcessorLine
beforeAll(async () => {
  service = await startTestService()
  till = openTill(service)
  line = holdProcessorLine(service)
})
afterEach(async () => {
  vi.restoreAllMocks()
  line.repair()
  expect(await disagreements(service.database.pool)).toEqual([])
})
afterAll(() => service.close())

type Payment = { readonly id: string; readonly payment_method: { readonly approval_url: string } }

const challenge = (body: object = {}, method: object = {}): Promise<Payment> =>
  till.pay({ payment_method: { ...CHALLENGED, ...method }, ...body })
const decide = ({ payment_method }: Payment, decision: string) =>
  service.app.inject({
    method: 'POST',
    url: new URL(payment_method.approval_url).pathname,
    payload: `decision=${decision}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
const inVault = async (): Promise<string[]> => {
  const { rows } = await sql<{
    field: string
  }>`select regexp_replace(field, '^entered-| of .*$', '', 'g') as field from vault.items where field <> 'fields' order by 1`.execute(
    service.database.db,
  )
  return rows.map(({ field }) => field)
}
/** What the vault holds that it did not hold before. */
const added = async (before: readonly string[]) => {
  const now = await inVault()
  for (const field of before) {
    if (now.includes(field)) now.splice(now.indexOf(field), 1)
  }
  return now
}
const attempts = async (id: string) => {
  const { rows } = await sql<{ state: string }>`
    select state from attempts where transaction_id = ${id} order by id`.execute(service.database.db)
  return rows.map(({ state }) => state)
}

describe('approving', () => {
  test('charges the card with the proof, and deletes it', async () => {
    const before = await inVault()
    const waiting = await challenge()
    const held = await added(before)

    const response = await decide(waiting, 'approve')

    expect(held).toEqual(['number', 'security-code'])
    expect(response.statusCode).toBe(303)
    expect(await till.get(waiting.id)).toMatchObject({
      status: 'authorization_succeeded',
      authorized_amount: 1000,
      cvv_response_code: 'no_match',
      payment_method: { id: null, label: '2011', approval_url: null, approval_target: null },
      three_d_secure: {
        status: 'complete',
        method: 'challenge',
        response_data: { authentication_response: 'Y', directory_response: 'Y', eci: '05' },
      },
    })
    expect(await till.told(waiting.id)).toEqual([
      'transaction.authentication-pending',
      'transaction.authenticated',
      'transaction.authorized',
    ])
    expect(await till.history(waiting.id)).toEqual([
      'three-d-secure-authentication-request',
      'transaction-updated-status',
      'three-d-secure-success',
      'transaction-updated-status',
      'payment-connector-response-transaction-authorization-succeeded',
      'transaction-updated-status',
    ])
    expect(await added(before)).toEqual([])
    expect(await till.audited(waiting.id)).toEqual(['created by Test key', 'updated by Buyer'])
  })

  test('captures at once with the intent capture', async () => {
    const waiting = await challenge({ intent: 'capture' })

    await decide(waiting, 'approve')

    expect(await till.get(waiting.id)).toMatchObject({ status: 'capture_succeeded', captured_amount: 1000 })
    expect(await till.told(waiting.id)).toContain('transaction.captured')
  })

  test('leaves an asynchronous capture to the job', async () => {
    const waiting = await challenge({ intent: 'capture', async_capture: true })

    await decide(waiting, 'approve')
    const { status } = await till.get(waiting.id)
    await service.resolveDue()

    expect(status).toBe('capture_pending')
    expect(await till.get(waiting.id)).toMatchObject({ status: 'capture_succeeded', captured_amount: 1000 })
  })

  test('shows that the card was declined', async () => {
    const waiting = await challenge({ amount: 200_011 })

    await decide(waiting, 'approve')

    expect(await till.get(waiting.id)).toMatchObject({
      status: 'authorization_declined',
      error_code: 'insufficient_funds',
      three_d_secure: { status: 'complete' },
    })
  })

  test('allows a partial authorization if the merchant did', async () => {
    const waiting = await challenge({ amount: 600_001, allow_partial_authorization: true })

    await decide(waiting, 'approve')

    expect(await till.get(waiting.id)).toMatchObject({
      status: 'authorization_succeeded',
      authorized_amount: 300_000,
    })
  })

  test('asks only the service that the merchant chose', async () => {
    const chosen = (await service.send('GET /payment-services')).json().items[0]
    await till.addService({})
    const waiting = await challenge({ amount: 200_012, payment_service_id: chosen.id })

    await decide(waiting, 'approve')

    expect(await till.get(waiting.id)).toMatchObject({
      status: 'authorization_declined',
      error_code: 'issuer_decline',
      payment_service: { id: chosen.id },
    })
    expect(await attempts(waiting.id)).toEqual(['declined'])
  })

  test('goes on to the next service if the merchant chose none', async () => {
    const waiting = await challenge({ amount: 200_012 })

    await decide(waiting, 'approve')

    expect(await attempts(waiting.id)).toEqual(['declined', 'declined'])
  })

  test('stores the card, but no security code', async () => {
    const buyer = (await service.send('POST /buyers', { display_name: 'Ada' })).json()
    const before = await inVault()
    const waiting = await challenge({ store: true, buyer_id: buyer.id })

    await decide(waiting, 'approve')

    const { payment_method } = await till.get(waiting.id)
    const stored = await service.send(`GET /payment-methods/${payment_method.id}`)
    expect(stored.json()).toMatchObject({ label: '2011', buyer: { id: buyer.id }, status: 'succeeded' })
    expect(await added(before)).toEqual(['number'])
  })

  test.each([
    ['approved', 1000, true],
    ['declined', 200_011, false],
  ])('stores a card only if the payment is approved: %s', async (_how, amount, isStored) => {
    const before = await inVault()
    const waiting = await challenge({ store: true, amount })

    await decide(waiting, 'approve')

    expect((await till.get(waiting.id)).payment_method.id !== null).toBe(isStored)
    expect(await added(before)).toEqual(isStored ? ['number'] : [])
  })
})

describe('refusing', () => {
  test('ends the payment without asking for money, and deletes the card', async () => {
    const before = await inVault()
    const waiting = await challenge({ store: true })

    const response = await decide(waiting, 'refuse')

    expect(response.statusCode).toBe(303)
    expect(await till.get(waiting.id)).toMatchObject({
      status: 'authorization_failed',
      error_code: 'failed_buyer_approval',
      intent_outcome: 'failed',
      buyer_approval_timedout_at: null,
      three_d_secure: { status: 'declined', method: 'challenge' },
      payment_method: { id: null, approval_url: null },
    })
    expect(await till.books(waiting.id)).toBeNull()
    expect(await till.told(waiting.id)).toEqual(['transaction.authentication-pending', 'transaction.failed'])
    expect(await till.audited(waiting.id)).toEqual(['created by Test key', 'updated by Buyer'])
    expect(await added(before)).toEqual([])
  })

  test('after approving changes nothing', async () => {
    const waiting = await challenge()
    await decide(waiting, 'approve')

    const response = await decide(waiting, 'refuse')

    expect(response.statusCode).toBe(303)
    expect((await till.get(waiting.id)).status).toBe('authorization_succeeded')
  })

  test('before approving stands', async () => {
    const waiting = await challenge()
    await decide(waiting, 'refuse')

    await decide(waiting, 'approve')

    expect((await till.get(waiting.id)).status).toBe('authorization_failed')
    expect(await till.books(waiting.id)).toBeNull()
  })
})

test('a decision of the merchant meanwhile stands, and the card is deleted', async () => {
  const before = await inVault()
  const waiting = await challenge({ store: true })
  await service.send(`PUT /transactions/${waiting.id}`, { status: 'authorization_failed' })
  const held = await added(before)

  const response = await decide(waiting, 'approve')

  expect(held).toEqual([])
  expect(response.statusCode).toBe(303)
  expect((await till.get(waiting.id)).status).toBe('authorization_failed')
  expect(await till.books(waiting.id)).toBeNull()
})

describe('deciding more than once', () => {
  test('charges once', async () => {
    const waiting = await challenge()
    await decide(waiting, 'approve')

    const again = await decide(waiting, 'approve')

    expect(again.statusCode).toBe(303)
    expect(again.headers.location).toContain('status=authorization_succeeded')
    expect(await attempts(waiting.id)).toEqual(['approved'])
  })

  test('at the same moment charges once', async () => {
    const waiting = await challenge({ intent: 'capture' })

    const responses = await Promise.all(Array.from({ length: 10 }, () => decide(waiting, 'approve')))

    expect(responses.map(({ statusCode }) => statusCode)).toEqual(Array(10).fill(303))
    expect(await attempts(waiting.id)).toEqual(['approved'])
    expect(await till.books(waiting.id)).toMatchObject({ captured: 1000 })
    expect((await till.told(waiting.id)).filter((name) => name === 'transaction.authenticated')).toHaveLength(
      1,
    )
  })

  test('in opposite ways at the same moment does one of the two', async () => {
    const waiting = await challenge()

    await Promise.all(['approve', 'refuse', 'approve', 'refuse'].map((decision) => decide(waiting, decision)))

    const { status } = await till.get(waiting.id)
    const isCharged = (await till.books(waiting.id)) !== null
    expect(['authorization_succeeded', 'authorization_failed']).toContain(status)
    expect(status === 'authorization_succeeded').toBe(isCharged)
  })
})

describe('a stored card', () => {
  const store = async () => {
    const { redirect_url: _back, ...card } = CHALLENGED
    return (await service.send('POST /payment-methods', card)).json()
  }

  test('is charged with the security code of the request, which is then deleted', async () => {
    const { id } = await store()
    const before = await inVault()
    const waiting = await challenge({
      payment_method: { method: 'id', id, security_code: '333', redirect_url: BACK },
    })
    const held = await added(before)

    await decide(waiting, 'approve')

    expect(held).toEqual(['security-code'])
    expect(await till.get(waiting.id)).toMatchObject({
      status: 'authorization_succeeded',
      cvv_response_code: 'no_match',
      payment_method: { id },
    })
    expect(await added(before)).toEqual([])
  })

  test('is charged without a security code if none was given', async () => {
    const { id } = await store()
    const waiting = await challenge({ payment_method: { method: 'id', id, redirect_url: BACK } })

    await decide(waiting, 'approve')

    expect(await till.get(waiting.id)).toMatchObject({
      status: 'authorization_succeeded',
      cvv_response_code: 'not_provided',
    })
  })

  test('that is deleted meanwhile is not charged', async () => {
    const { id } = await store()
    const before = await inVault()
    const waiting = await challenge({
      payment_method: { method: 'id', id, security_code: '333', redirect_url: BACK },
    })
    await service.send(`DELETE /payment-methods/${id}`)

    const response = await decide(waiting, 'approve')

    expect(response.statusCode).toBe(303)
    expect(await till.get(waiting.id)).toMatchObject({
      status: 'authorization_failed',
      error_code: 'all_attempts_skipped',
    })
    expect((await inVault()).length).toBe(before.length - 1)
  })
})

describe('a card of a checkout session', () => {
  const enter = async () => {
    const { id } = (await service.send('POST /checkout/sessions')).json()
    const { redirect_url: _back, ...card } = CHALLENGED
    const entered = await service.send(
      `PUT /checkout/sessions/${id}/fields`,
      { payment_method: card },
      { token: null },
    )
    expect(entered.statusCode, entered.body).toBe(204)
    return id as string
  }
  const payIn = (id: string) =>
    challenge({ payment_method: { method: 'checkout-session', id, redirect_url: BACK } })

  test('is charged with its security code, and both are deleted afterwards', async () => {
    const before = await inVault()
    const session = await enter()
    const waiting = await payIn(session)

    await decide(waiting, 'approve')

    expect(await till.get(waiting.id)).toMatchObject({
      status: 'authorization_succeeded',
      cvv_response_code: 'no_match',
      checkout_session_id: session,
    })
    expect(await added(before)).toEqual([])
  })

  test('cannot pay again while the cardholder decides', async () => {
    const session = await enter()
    const waiting = await payIn(session)

    const again = await service.send('POST /transactions', {
      amount: 1000,
      currency: 'USD',
      payment_method: { method: 'checkout-session', id: session, redirect_url: BACK },
    })

    expect(again.statusCode).toBe(400)
    expect(again.json().details).toMatchObject([
      { pointer: '/payment_method/id', type: 'value_error.conflict' },
    ])
    await decide(waiting, 'refuse')
  })

  test('can pay again after the cardholder has refused, without the security code', async () => {
    const session = await enter()
    const before = await inVault()
    await decide(await payIn(session), 'refuse')
    const left = await added(before)
    const again = await payIn(session)

    await decide(again, 'approve')

    expect(left).toEqual([])
    expect(await till.get(again.id)).toMatchObject({
      status: 'authorization_succeeded',
      cvv_response_code: 'not_provided',
    })
  })
})

describe('trouble', () => {
  test.each(['lose-answer', 'garbage'])(
    'on the way (%s) leaves it processing until it is found out',
    async (kind) => {
      const before = await inVault()
      const chosen = (await service.send('GET /payment-services')).json().items.at(-1)
      const waiting = await challenge({
        store: true,
        payment_service_id: chosen.id,
        connection_options: { 'mock-card': { fault: { on: 'authorize', kind } } },
      })

      const response = await decide(waiting, 'approve')

      expect(response.headers.location).toContain('status=processing')
      expect(await till.get(waiting.id)).toMatchObject({
        status: 'processing',
        payment_method: { approval_url: null },
      })
      service.moveClock(61_000)
      await service.resolveDue()
      expect(await till.get(waiting.id)).toMatchObject({ status: 'authorization_succeeded' })
      expect(await added(before)).toEqual(['number'])
    },
  )

  test('of a process that dies after it has asked is resolved by another', async () => {
    const before = await inVault()
    const waiting = await challenge()
    line.intercept(async (go) => {
      const response = await go()
      stopCommitting(service)
      return response
    })
    const response = await decide(waiting, 'approve')
    vi.restoreAllMocks()
    line.repair()
    const again = await decide(waiting, 'approve')
    service.moveClock(61_000)

    await service.resolveDue()

    expect(response.statusCode).toBe(303)
    expect(again.headers.location).toContain('status=processing')
    expect(await till.get(waiting.id)).toMatchObject({ status: 'authorization_succeeded' })
    expect(await attempts(waiting.id)).toEqual(['approved'])
    expect(await added(before)).toEqual([])
  })

  test('with a service that was switched off meanwhile ends the payment', async () => {
    const own = await till.addService({ merchant_id: 'own' })
    const changed = await service.send(`PUT /payment-services/${own.id}`, { three_d_secure_enabled: true })
    expect(changed.statusCode, changed.body).toBe(200)
    const before = await inVault()
    const waiting = await challenge({ payment_service_id: own.id })
    await service.send(`DELETE /payment-services/${own.id}`)

    await decide(waiting, 'approve')

    expect(await till.get(waiting.id)).toMatchObject({
      status: 'authorization_failed',
      error_code: 'all_attempts_skipped',
    })
    expect(await added(before)).toEqual([])
  })
})
