import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { startTestService, type TestService } from '#testing/harness.ts'
import { CARD, openTill, order, type Till } from '#testing/till.ts'

/** What follows an answer: the same service again, the next one, or none. */

let service: TestService
let till: Till
let first: string
let second: string
beforeAll(async () => {
  service = await startTestService()
  till = openTill(service)
  for (const { id } of (await service.send('GET /payment-services')).json().items)
    await service.send(`DELETE /payment-services/${id}`)
  first = (await addService('first')).id
  second = (await addService('second')).id
})
afterEach(() => void vi.restoreAllMocks())
afterAll(() => service.close())

const REDIRECT = 'https://shop.example.com/paid'
const FRICTIONLESS = '4111111111101203'
const CHALLENGED = '4111111111102011'

async function addService(name: string) {
  const added = await till.addService({ merchant_id: name })
  await service.send(`PUT /payment-services/${added.id}`, { display_name: name })
  return added
}

/** The simulator refuses, or loses, the next authorization at a service. */
async function arm(serviceId: string, outcome: object) {
  const response = await service.send(`POST /sandbox/payment-services/${serviceId}/next-outcomes`, outcome)
  expect(response.statusCode, response.body).toBe(201)
}
const refuseAt = (serviceId: string, code: string) => arm(serviceId, { effect: 'refuse', code })
const loseAt = (serviceId: string, effect: string) => arm(serviceId, { effect })

type Tried = { readonly payment_service_id: string; readonly retry_rule: string | null }
async function triedAt(id: string): Promise<unknown[]> {
  const { items } = (await service.send(`GET /transactions/${id}/events`)).json()
  const answers = items.filter(({ name }: { name: string }) => name.startsWith('payment-connector-response'))
  return answers
    .toReversed()
    .map(({ context }: { context: Tried }) => [
      context.payment_service_id === first ? 'first' : 'second',
      context.retry_rule,
    ])
}
async function candidatesOf(id: string): Promise<string[]> {
  const { candidates } = (await service.send(`GET /transactions/${id}/decision`)).json()
  return candidates.map(({ text }: { text: string }) => text)
}

async function route(...entries: object[]): Promise<() => Promise<unknown>> {
  const path = '/flows/card-transaction/actions/route-transaction/rules'
  const outcome = { type: 'card-routing', version: 2, result: entries }
  const response = await service.send(`POST ${path}`, { description: 'Both', conditions: [], outcome })
  expect(response.statusCode, response.body).toBe(201)
  return () => service.send(`DELETE ${path}/${response.json().id}`)
}
const entry = (payment_service_id: string, more: object = {}) => ({
  payment_service_id,
  instrument: 'pan',
  ...more,
})

describe('after a lost answer', () => {
  test('a caller without a key gets the payment, also if the database fails while it is looked up', async () => {
    await loseAt(first, 'lose-answer')
    const { fetch } = service.providers
    const { pool } = service.database
    let isBroken = false
    Object.assign(service.providers, {
      fetch: async (...asked: Parameters<typeof fetch>) => {
        const answer = fetch(...asked)
        await answer.catch(() => {})
        // What a service is asked with can be read no more.
        if (!isBroken) await pool.query('alter table payment_services rename to away')
        isBroken = true
        return answer
      },
    })
    const repair = async () => {
      Object.assign(service.providers, { fetch })
      await pool.query('alter table away rename to payment_services')
    }
    const response = await order(service, { country: 'US' })
    await repair()
    const paid = response.json()

    expect([isBroken, response.statusCode, paid.status]).toEqual([true, 201, 'processing'])
    service.moveClock(120_000)
    await service.resolveDue()
    expect(await till.get(paid.id)).toMatchObject({ status: 'authorization_succeeded' })
  })

  test.each(['lose-answer', 'garbage'])(
    'the provider is asked at once, and no other service charges the card again (%s)',
    async (effect) => {
      await loseAt(first, effect)

      const paid = await till.pay({})

      expect(paid).toMatchObject({ status: 'authorization_succeeded', payment_service: { id: first } })
      expect(await triedAt(paid.id)).toEqual([['first', null]])
      expect(await till.books(paid.id)).toMatchObject({ authorized: 1000 })
    },
  )

  test('the next service is asked if the provider promises that it did nothing', async () => {
    await loseAt(first, 'unreachable')

    const paid = await till.pay({})

    expect(paid).toMatchObject({ status: 'authorization_succeeded', payment_service: { id: second } })
    expect(await triedAt(paid.id)).toEqual([
      ['first', 'failure'],
      ['second', null],
    ])
    expect(await till.books(paid.id)).toMatchObject({ authorized: 1000 })
  })

  test('no other service is asked while the provider cannot tell', async () => {
    await loseAt(first, 'lose-answer')
    const { fetch } = service.providers
    vi.spyOn(service.providers, 'fetch').mockImplementation((url, init) =>
      url.includes('/attempts/') ? Promise.reject(new TypeError('fetch failed')) : fetch(url, init),
    )

    const paid = await till.pay({})

    expect(paid).toMatchObject({ status: 'processing', payment_service: { id: first } })
    vi.restoreAllMocks()
    const undo = await route(entry(first), entry(second))
    await loseAt(first, 'lose-answer')
    vi.spyOn(service.providers, 'fetch').mockImplementation((url, init) =>
      url.includes('/attempts/') ? Promise.reject(new TypeError('fetch failed')) : fetch(url, init),
    )
    const routed = await till.pay({})
    expect(await candidatesOf(routed.id)).toEqual([
      'first was asked.',
      'second was not tried: another service may have taken the payment, and has not said so yet.',
    ])
    await undo()
  })

  test('a single service is asked by the job, after a minute', async () => {
    await loseAt(first, 'lose-answer')

    expect(await till.pay({ payment_service_id: first })).toMatchObject({ status: 'processing' })
  })
})

describe('a soft decline', () => {
  const SOFT = 'requires_buyer_authentication'
  const typed = (number: string) => ({ ...CARD, number, redirect_url: REDIRECT })

  test('is followed by the same service with 3-D Secure', async () => {
    await refuseAt(first, SOFT)

    const paid = await till.pay({ payment_method: typed(FRICTIONLESS) })

    expect(paid).toMatchObject({
      status: 'authorization_succeeded',
      payment_service: { id: first },
      three_d_secure: { status: 'complete', method: 'frictionless' },
    })
    expect(await triedAt(paid.id)).toEqual([
      ['first', 'step_up'],
      ['first', null],
    ])
  })

  test('waits for the buyer if the issuer asks, and is then charged once', async () => {
    await refuseAt(first, SOFT)
    const asked = await till.pay({ payment_method: typed(CHALLENGED), store: true })
    const { approval_url } = asked.payment_method

    const page = new URL(approval_url)
    const answer = await service.app.inject({
      method: 'POST',
      url: page.pathname + page.search,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'decision=approve',
    })

    expect(asked.status).toBe('buyer_approval_pending')
    expect(answer.statusCode).toBe(303)
    expect(await till.get(asked.id)).toMatchObject({
      status: 'authorization_succeeded',
      payment_service: { id: first },
      cvv_response_code: 'match',
      three_d_secure: { status: 'complete', method: 'challenge' },
      payment_method: { id: expect.any(String) },
    })
    expect(await till.books(asked.id)).toMatchObject({ authorized: 1000 })
    const held = await service.context.db.selectFrom('transaction_cards').selectAll().execute()
    expect(held).toEqual([])
  })

  test('is final without a way back for the buyer, without the buyer, and the second time', async () => {
    const { redirect_url: _, ...nowhere } = typed(FRICTIONLESS)
    await refuseAt(first, SOFT)
    const noWayBack = await till.pay({ payment_method: nowhere })
    await refuseAt(first, SOFT)
    const byPhone = await till.pay({ payment_method: typed(FRICTIONLESS), payment_source: 'moto' })
    await refuseAt(first, SOFT)
    await refuseAt(first, SOFT)
    const twice = await till.pay({ payment_method: typed(FRICTIONLESS) })

    for (const { status, error_code } of [noWayBack, byPhone, twice])
      expect([status, error_code]).toEqual(['authorization_failed', SOFT])
    expect(await triedAt(twice.id)).toEqual([
      ['first', 'step_up'],
      ['first', null],
    ])
  })

  test('is final if the rule allows one attempt at the service', async () => {
    const undo = await route(entry(first, { max_attempts: 1 }), entry(second))
    await refuseAt(first, SOFT)

    const paid = await till.pay({ payment_method: typed(FRICTIONLESS) })
    await undo()

    expect(paid.error_code).toBe(SOFT)
    expect(await triedAt(paid.id)).toEqual([['first', null]])
  })
})

describe('the retry list of a rule', () => {
  test('asks the next service after a code that usually ends a payment', async () => {
    const undo = await route(entry(first, { retry: { on: ['incorrect_cvv'] } }), entry(second))
    await refuseAt(first, 'incorrect_cvv')
    const listed = await till.pay({})
    await refuseAt(first, 'insufficient_funds')
    const unlisted = await till.pay({})
    await undo()

    expect(listed).toMatchObject({ status: 'authorization_succeeded', payment_service: { id: second } })
    expect(unlisted).toMatchObject({ error_code: 'insufficient_funds', payment_service: { id: first } })
    expect(await candidatesOf(unlisted.id)).toEqual([
      'first was asked.',
      'second was not tried: insufficient_funds is not retried at another service, unless the rule says so.',
    ])
  })

  test('ends the payment after a code that usually goes on, and says so', async () => {
    const undo = await route(entry(first, { retry: { not_on: ['issuer_decline'] } }), entry(second))
    await refuseAt(first, 'issuer_decline')
    const listed = await till.pay({})
    await refuseAt(first, 'service_decline')
    const unlisted = await till.pay({})
    await undo()

    expect(listed).toMatchObject({ error_code: 'issuer_decline', payment_service: { id: first } })
    expect(await candidatesOf(listed.id)).toEqual([
      'first was asked.',
      'second was not tried: the rule does not retry after issuer_decline.',
    ])
    expect(unlisted).toMatchObject({ status: 'authorization_succeeded', payment_service: { id: second } })
  })

  test('does not overrule a provider or a scheme that forbids it', async () => {
    const undo = await route(entry(first, { retry: { on: ['issuer_decline'] } }), entry(second))
    const options = (option: object) => ({ amount: 200_012, connection_options: { 'mock-card': option } })
    const forbidden = await till.pay(options({ skip_retry: true }))
    const advised = await till.pay({
      ...options({ merchant_advice_code: { account_number: null, result: '03' } }),
      payment_method: { ...CARD, number: '5555555555554444' },
    })
    await undo()

    expect(await candidatesOf(forbidden.id)).toEqual([
      'first was asked.',
      'second was not tried: the provider says not to retry after this issuer_decline.',
    ])
    expect((await candidatesOf(advised.id))[1]).toContain('never to retry the card')
  })
})

test('without rules, a decline about the buyer’s data is not sent to another service, which says why', async () => {
  await refuseAt(first, 'incorrect_cvv')

  const paid = await till.pay({})

  expect(paid).toMatchObject({ error_code: 'incorrect_cvv', payment_service: { id: first } })
  expect(await candidatesOf(paid.id)).toEqual([
    'first was asked.',
    'second was not tried: incorrect_cvv is not retried at another service, unless the rule says so.',
  ])
})
