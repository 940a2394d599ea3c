import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { AuthorizeAnswer, Connector as Contract, SyncAnswer } from '#connectors/contract/connector.ts'
import { browserOf } from '#resources/approvals/read-browser.ts'
import { disagreements } from '#testing/books.ts'
import { signToken, startTestService, type TestService } from '#testing/harness.ts'
import { openTill, type Till } from '#testing/till.ts'
import { approve as conclude } from './approve.ts'
import { expireApprovals, expireAuthorizations } from './expire.ts'

const MINUTE = 60_000
const BROWSER = browserOf({ headers: {}, ip: '192.0.2.1' }, {})
const DAY = 24 * 60 * MINUTE
const CARD = {
  method: 'card',
  number: '4111111111102011',
  expiration_date: '12/40',
  security_code: '123',
  redirect_url: 'https://shop.example.com/back',
}

let service: TestService
let till: Till
let token: string
beforeAll(async () => {
  service = await startTestService()
  till = openTill(service)
  // These tests move the clock by days.
  token = await signToken(service.admin, { exp: Math.floor(Date.now() / 1000) + 200 * 86_400 })
})
/** Payments whose hold was never voided. It lapsed, of which the processor's books say nothing. */
const lapsed = new Set<unknown>()
afterEach(async () => {
  const found = await disagreements(service.database.pool)
  expect(found.filter((row) => !lapsed.has((row as { id?: string }).id))).toEqual([])
})
afterAll(() => service.close())

const get = (id: string) => till.get(id, { token })
const pay = (body: object = {}, options: object = {}) => till.pay(body, { token, ...options })
const challenge = (body: object = {}) => pay({ payment_method: CARD, ...body })
const approve = (path: string) =>
  service.app.inject({
    method: 'POST',
    url: new URL(path).pathname,
    payload: 'decision=approve',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
const inVault = async () => {
  const { rows } = await sql<{ field: string }>`
    select field from vault.items where field ~ '^(entered-)?number|^security-code'`.execute(
    service.database.db,
  )
  return rows.map(({ field }) => field)
}
const expireAfter = async (ms: number) => {
  service.moveClock(ms)
  await expireApprovals(service.context, service.engine)
}

describe('an approval', () => {
  test('is waited for ten minutes', async () => {
    const { id, created_at, approval_expires_at } = await challenge()

    await expireAfter(9 * MINUTE + 30_000)

    // The time runs from the moment at which the buyer is asked, a little after the creation.
    const waitsMs = Date.parse(approval_expires_at) - Date.parse(created_at)
    expect(Math.abs(waitsMs - 10 * MINUTE)).toBeLessThan(MINUTE)
    expect(await get(id)).toMatchObject({ status: 'buyer_approval_pending', approval_expires_at })
    expect(await inVault()).toEqual(['entered-number', 'security-code'])
  })

  test('that does not come fails the payment, and the card is deleted', async () => {
    const { id, approval_expires_at } = await challenge({ store: true })

    await expireAfter(10 * MINUTE + 1_000)

    const expired = await get(id)
    expect(expired).toMatchObject({
      status: 'authorization_failed',
      error_code: 'incomplete_buyer_approval',
      intent_outcome: 'failed',
      approval_expires_at,
      three_d_secure: { status: 'cancelled' },
      payment_method: { id: null, approval_url: null, approval_target: null },
    })
    expect(Date.parse(expired.buyer_approval_timedout_at)).toBeGreaterThan(Date.parse(approval_expires_at))
    expect(await till.told(id)).toEqual(['transaction.authentication-pending', 'transaction.failed'])
    expect(await till.books(id)).toBeNull()
    expect(await inVault()).toEqual([])
  })

  test('that comes too late does not count, even before the job has run', async () => {
    const { id, payment_method } = await challenge()
    service.moveClock(10 * MINUTE + 1_000)

    const answer = await approve(payment_method.approval_url)

    expect(answer.headers.location).toContain('status=authorization_failed')
    expect(await get(id)).toMatchObject({
      error_code: 'incomplete_buyer_approval',
      buyer_approval_timedout_at: expect.any(String),
    })
    expect(await till.books(id)).toBeNull()
    expect(await inVault()).toEqual([])
  })

  test.each([
    ['less', 2 * MINUTE, 2 * MINUTE],
    ['more, which is not given,', 60 * MINUTE, 10 * MINUTE],
    ['none at all', -MINUTE, -MINUTE],
  ])('is given %s time where the merchant says so', async (_how, asked, given) => {
    const now = service.context.clock().getTime()
    const { id, approval_expires_at } = await challenge({
      approval_expires_at: new Date(now + asked).toISOString(),
    })

    const lengthMs = Date.parse(approval_expires_at) - now
    expect(Math.abs(lengthMs - given)).toBeLessThan(MINUTE / 2)
    await expireAfter(Math.max(0, given) + MINUTE)
    expect((await get(id)).status).toBe('authorization_failed')
  })

  test('is expired once by several workers at the same time', async () => {
    const payments = [await challenge(), await challenge(), await challenge()]
    service.moveClock(11 * MINUTE)

    await Promise.all(Array.from({ length: 5 }, () => expireApprovals(service.context, service.engine)))

    for (const { id } of payments) {
      expect((await till.told(id)).filter((name) => name === 'transaction.failed')).toHaveLength(1)
    }
  })

  test('expires in every account, and in several batches', async () => {
    const there = { account: 'other', token }
    await service.send('POST /merchant-accounts', { id: 'other', display_name: 'Other' }, { token })
    const { id } = await till.addService({}, there)
    await service.send(`PUT /payment-services/${id}`, { three_d_secure_enabled: true }, there)
    const body = { payment_method: CARD }
    for (let i = 0; i < 11; i += 1) await Promise.all(Array.from({ length: 10 }, () => pay(body)))
    const elsewhere = await pay(body, there)

    await expireAfter(11 * MINUTE)

    const { rows } = await sql<{ count: string }>`
      select count(*) from transactions where status = 'buyer_approval_pending'`.execute(service.database.db)
    expect(rows).toEqual([{ count: '0' }])
    expect((await till.get(elsewhere.id, there)).error_code).toBe('incomplete_buyer_approval')
  })
})

describe('an approval that the provider waits for', () => {
  const PENDING = { amount: 600002 }
  let provider: { readonly id: string; readonly webhook_url: string }
  let mockCard: Connector
  let whole: Connector
  beforeAll(async () => {
    provider = await till.addService({}, { token })
    mockCard = connector()
    whole = { ...mockCard }
    const { authorize, sync } = whole
    // What is pending at this provider waits for the buyer.
    Object.assign(mockCard, {
      authorize: async (...asked: Parameters<typeof authorize>) => toApproval(await authorize(...asked)),
      sync: async (...asked: Parameters<typeof sync>) =>
        asked[0].operation === 'authorize' ? toApproval(await sync(...asked)) : sync(...asked),
    })
  })
  afterEach(() => Object.assign(mockCard, { cancel: whole.cancel }))
  afterAll(() => Object.assign(mockCard, whole))

  const connector = () => {
    const found = service.providers.connectors.find('mock-card')
    if (!found) throw new Error('there is no mock-card')
    return found as Connector
  }
  const waiting = () => pay({ ...PENDING, payment_service_id: provider.id })
  const turnAfter = async (ms: number) => {
    await expireAfter(ms)
    await service.resolveDue()
  }
  const attemptsOf = async (id: string) => {
    const { rows } = await sql<{ kind: string; state: string }>`
      select kind, state from attempts where transaction_id = ${id} order by created_at, id
    `.execute(service.database.db)
    return rows.map(({ kind, state }) => `${kind} ${state}`)
  }
  const end = (
    event: string,
    { payment_service_transaction_id }: { payment_service_transaction_id: string },
  ) => till.notify(provider, { event, payment_service_transaction_id })

  test('gets no more time with each inquiry, and is cancelled at the provider at its end', async () => {
    const { id, status, approval_expires_at } = await waiting()

    await turnAfter(2 * MINUTE)
    const early = await get(id)
    await turnAfter(8 * MINUTE + 1_000)

    expect(status).toBe('buyer_approval_pending')
    expect(early).toMatchObject({ status, approval_expires_at })
    expect(await get(id)).toMatchObject({
      status: 'authorization_failed',
      error_code: 'incomplete_buyer_approval',
      buyer_approval_timedout_at: expect.any(String),
      canceled_at: null,
      payment_method: { approval_url: null },
    })
    expect(await attemptsOf(id)).toEqual(['authorize failed', 'cancel approved'])
    expect(await till.told(id)).toEqual(['transaction.authentication-pending', 'transaction.failed'])
  })

  test('is not approved again, or refused, on our own page', async () => {
    const setChallenged = (three_d_secure_enabled: boolean) =>
      service.send(`PUT /payment-services/${provider.id}`, { three_d_secure_enabled }, { token })
    await setChallenged(true)
    const payment = await pay({ ...PENDING, payment_method: CARD, payment_service_id: provider.id })
    await setChallenged(false)
    const place = { merchantAccountId: 'default', id: payment.id }
    const before = await attemptsOf(payment.id)

    const { approval_url } = payment.payment_method
    const page = await approve(approval_url)
    for (const decision of ['approve', 'refuse']) {
      await conclude(service.context, service.engine, place, { sent: { decision }, browser: BROWSER })
    }
    const again = await service.app.inject({ method: 'GET', url: new URL(approval_url).pathname })

    const open = await attemptsOf(payment.id)
    const asked = await get(payment.id)
    await end('authorization.declined', asked)
    expect(before).toEqual([])
    for (const { statusCode, headers } of [page, again]) {
      expect([statusCode, headers.location]).toEqual([303, 'https://bank.example.com/approve'])
    }
    expect(asked.status).toBe('buyer_approval_pending')
    expect(open).toEqual(['authorize pending'])
  })

  test('stays open if it cannot be cancelled, as the buyer may still pay', async () => {
    Object.assign(mockCard, { cancel: undefined })
    const payment = await waiting()

    await turnAfter(11 * MINUTE)
    await turnAfter(2 * DAY)
    const late = await get(payment.id)
    await end('authorization.succeeded', payment)

    expect(late).toMatchObject({ status: 'buyer_approval_pending', error_code: null })
    expect(await get(payment.id)).toMatchObject({ status: 'authorization_succeeded', error_code: null })
    await till.act(payment.id, 'void', undefined, { token })
  })

  test('that cannot be cancelled has failed once the provider says so', async () => {
    Object.assign(mockCard, { cancel: undefined })
    const payment = await waiting()
    await turnAfter(11 * MINUTE)

    await end('authorization.failed', payment)

    expect(await get(payment.id)).toMatchObject({
      status: 'authorization_failed',
      error_code: 'incomplete_buyer_approval',
      buyer_approval_timedout_at: expect.any(String),
    })
  })

  test('that the provider does not cancel is cancelled again a day later', async () => {
    const refused = {
      outcome: 'failed',
      code: 'service_error',
      isRetriable: false,
      reference: null,
      facts: {},
    }
    Object.assign(mockCard, { cancel: async () => refused })
    const payment = await waiting()
    const tries: string[][] = []

    for (const ms of [11 * MINUTE, MINUTE, DAY]) {
      await turnAfter(ms)
      tries.push(await attemptsOf(payment.id))
    }
    const { status } = await get(payment.id)
    await end('authorization.declined', payment)

    const once = ['authorize pending', 'cancel failed']
    expect(tries).toEqual([once, once, [...once, 'cancel failed']])
    expect(status).toBe('buyer_approval_pending')
    expect((await get(payment.id)).status).toBe('authorization_declined')
  })
})

type Connector = Required<Pick<Contract, 'authorize' | 'sync' | 'cancel'>> & Contract

function toApproval<Answer extends AuthorizeAnswer | SyncAnswer>(answer: Answer): Answer | AuthorizeAnswer {
  if (answer.outcome !== 'pending') return answer
  const { reference, facts } = answer
  return {
    outcome: 'approval_required',
    reference,
    approval: { kind: 'redirect', url: 'https://bank.example.com/approve' },
    facts,
  }
}

describe('an authorization', () => {
  const expireAuthorizationsAfter = async (ms: number) => {
    service.moveClock(ms)
    await expireAuthorizations(service.context, service.engine)
    await service.resolveDue()
  }

  test('is held for seven days', async () => {
    const { id } = await pay()

    await expireAuthorizationsAfter(7 * DAY - MINUTE)

    expect((await get(id)).status).toBe('authorization_succeeded')
  })

  test('that was not captured is voided at the provider', async () => {
    const { id } = await pay()

    await expireAuthorizationsAfter(7 * DAY + MINUTE)

    expect(await get(id)).toMatchObject({
      status: 'authorization_voided',
      error_code: 'expired_authorization',
      voided_at: expect.any(String),
    })
    expect(await till.books(id)).toMatchObject({ authorized: 1000, voided: 1000 })
    expect(await till.told(id)).toEqual(['transaction.authorized', 'transaction.voided'])
  })

  test('that was captured, voided or is zero does not change', async () => {
    const captured = await pay()
    await till.act(captured.id, 'capture', { amount: 400 }, { token })
    const voided = await pay()
    await till.act(voided.id, 'void', undefined, { token })
    const empty = await pay({ amount: 0 })

    await expireAuthorizationsAfter(7 * DAY + MINUTE)

    expect((await get(captured.id)).status).toBe('capture_succeeded')
    expect((await get(voided.id)).error_code).toBeNull()
    expect((await get(empty.id)).status).toBe('authorization_succeeded')
  })

  test('of zero is not even locked', async () => {
    const { id } = await pay({ amount: 0 })
    service.moveClock(8 * DAY)

    await service.database.db.transaction().execute(async (db) => {
      await sql`select from transactions where id = ${id} for update`.execute(db)
      await expireAuthorizations(service.context, service.engine)
    })

    expect((await get(id)).status).toBe('authorization_succeeded')
  })

  test('that the merchant says is captured in part does not change', async () => {
    const { id } = await pay()
    await service.send(`PUT /transactions/${id}`, { captured_amount: 400 }, { token })

    await expireAuthorizationsAfter(7 * DAY + MINUTE)

    expect(await get(id)).toMatchObject({ status: 'authorization_succeeded', error_code: null })
    await service.send(`PUT /transactions/${id}`, { captured_amount: 0 }, { token })
  })

  test('that cannot be expired does not stop others, and the turn fails', async () => {
    const [stuck, other] = [await pay(), await pay()]
    service.moveClock(7 * DAY + MINUTE)
    await sql`
      alter table attempts add constraint stuck check (
        kind <> 'void' or transaction_id <> ${sql.lit(stuck.id)}) not valid
    `.execute(service.database.db)

    const turn = expireAuthorizations(service.context, service.engine)

    await expect(turn).rejects.toThrow('stuck')
    await sql`alter table attempts drop constraint stuck`.execute(service.database.db)
    await service.resolveDue()
    expect((await get(stuck.id)).status).toBe('authorization_succeeded')
    expect((await get(other.id)).status).toBe('authorization_voided')
  })

  test('on its way to be voided is in the history', async () => {
    const { id } = await pay()

    await expireAuthorizationsAfter(7 * DAY + MINUTE)

    const { items } = (await service.send(`GET /transactions/${id}/events`, undefined, { token })).json()
    const changes = items.filter(({ name }: { name: string }) => name === 'transaction-updated-status')
    expect(changes.map(({ context }: { context: { status: string } }) => context.status)).toEqual([
      'authorization_voided',
      'authorization_void_pending',
      'authorization_succeeded',
    ])
  })

  test('that the provider does not release stays, and is voided again a day later', async () => {
    const { id } = await pay({ amount: 510_001 })
    lapsed.add(id)
    const voids: number[] = []

    for (const ms of [7 * DAY + MINUTE, 10 * MINUTE, 10 * MINUTE, DAY, 10 * MINUTE]) {
      await expireAuthorizationsAfter(ms)
      const { rows } = await sql`
        select from attempts where transaction_id = ${id} and kind = 'void'
      `.execute(service.database.db)
      voids.push(rows.length)
    }

    expect(voids).toEqual([1, 1, 1, 2, 2])
    expect((await get(id)).status).toBe('authorization_succeeded')
  })

  test('that the provider never releases ends after a month, when nothing is held any more', async () => {
    const { id } = await pay({ amount: 510_001 })
    lapsed.add(id)
    const states: [number, string][] = []

    for (const ms of [7 * DAY + MINUTE, 23 * DAY, 2 * DAY, 2 * DAY]) {
      await expireAuthorizationsAfter(ms)
      const refused = (await till.told(id)).filter((name) => name === 'transaction.void-failed')
      states.push([refused.length, (await get(id)).status])
    }

    expect(states).toEqual([
      [1, 'authorization_succeeded'],
      [2, 'authorization_succeeded'],
      [2, 'authorization_voided'],
      [2, 'authorization_voided'],
    ])
    expect(await get(id)).toMatchObject({
      error_code: 'expired_authorization',
      voided_at: expect.any(String),
    })
    expect((await till.told(id)).filter((name) => name === 'transaction.voided')).toHaveLength(1)
    const captured = await till.act(id, 'capture', {}, { token })
    expect([captured.statusCode, captured.json().message]).toEqual([
      400,
      'The transaction cannot be captured: its status is authorization_voided.',
    ])
  })

  test('that is tried for the first time after a month is voided at the provider', async () => {
    const { id } = await pay()

    await expireAuthorizationsAfter(32 * DAY)

    expect(await get(id)).toMatchObject({
      status: 'authorization_voided',
      error_code: 'expired_authorization',
    })
    expect(await till.books(id)).toMatchObject({ voided: 1000 })
  })

  test('that has lapsed ends once by several workers at the same time', async () => {
    const { id } = await pay({ amount: 510_001 })
    lapsed.add(id)
    await expireAuthorizationsAfter(8 * DAY)
    service.moveClock(24 * DAY)

    await Promise.all(Array.from({ length: 5 }, () => expireAuthorizations(service.context, service.engine)))

    expect((await get(id)).status).toBe('authorization_voided')
    expect((await till.told(id)).filter((name) => name === 'transaction.voided')).toHaveLength(1)
  })

  test('is expired once by several workers at the same time', async () => {
    const payments = await Promise.all(Array.from({ length: 5 }, () => pay()))
    service.moveClock(8 * DAY)

    await Promise.all(Array.from({ length: 5 }, () => expireAuthorizations(service.context, service.engine)))
    await Promise.all(Array.from({ length: 5 }, () => service.resolveDue()))

    for (const { id } of payments) {
      expect(await till.books(id)).toMatchObject({ voided: 1000 })
      expect((await till.told(id)).filter((name) => name === 'transaction.voided')).toHaveLength(1)
    }
  })

  test('that is being captured is not released', async () => {
    const { id } = await pay({
      connection_options: { 'mock-card': { fault: { on: 'capture', kind: 'lose-answer' } } },
    })
    service.moveClock(7 * DAY - 1_000)
    await till.act(id, 'capture', {}, { token })

    await expireAuthorizationsAfter(2 * MINUTE)

    expect((await get(id)).status).toBe('capture_succeeded')
  })
})
