import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SyncAnswer } from '#connectors/contract/connector.ts'
import { inTransaction } from '#platform/database/db.ts'
import type * as attempts from '#processing/attempts/store.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { CARD, openTill, type Till } from '#testing/till.ts'
import { concludePayment } from './conclude.ts'

let service: TestService
let till: Till
let extended: { readonly id: string }
beforeAll(async () => {
  service = await startTestService()
  till = openTill(service)
  extended = await till.addService({ extended: 'true' })
})
afterAll(() => service.close())

const lost = (on: string) => ({
  payment_service_id: extended.id,
  connection_options: { 'mock-card': { fault: { on, kind: 'lose-answer' } } },
})
const scope = () => ({ ...service.context, merchantAccountId: 'default' })
const attemptsOf = async (id: string) => {
  const { rows } = await sql<attempts.PaymentAttempt>`
    select * from attempts where transaction_id = ${id} order by created_at, id
  `.execute(service.database.db)
  return rows
}
const concludeWith = (attempt: attempts.PaymentAttempt | undefined, answer: SyncAnswer) => {
  if (!attempt) throw new Error('there is no such attempt')
  return inTransaction(scope(), (tx) => concludePayment(tx, service.engine, { attempt, answer }))
}
const inVault = async () => {
  const { rows } = await sql`
    select from vault.items where field ~ '^(entered-)?number|^security-code'`.execute(service.database.db)
  return rows.length
}
const findOut = async () => {
  service.moveClock(61_000)
  await service.resolveDue()
}

const APPROVED = { outcome: 'approved', reference: 'late', facts: { rawCode: '99' } } as const
const DECLINED = {
  outcome: 'declined',
  code: 'issuer_decline',
  isRetriable: false,
  reference: 'late',
  facts: {},
} as const

test('what an answer adds to a message that came before it is kept, and what was told stays', async () => {
  const card = await service.send('POST /payment-methods', CARD)
  const { id } = await till.pay({
    ...lost('authorize'),
    payment_method: { method: 'id', id: card.json().id },
  })
  const [sale] = await attemptsOf(id)
  const message = { outcome: 'approved', reference: 'early', facts: { rawCode: '00' } } as const
  await concludeWith(sale, message)
  const before = await till.get(id)

  const facts = { rawCode: '99', schemeTransactionId: '489341065491658', authResponseCode: '00' }
  await concludeWith(sale, { ...message, reference: 'another', facts })
  const unmoved = await till.get(id)
  for (let times = 0; times < 2; times += 1) await concludeWith(sale, { ...message, facts })

  expect(before).toMatchObject({ status: 'authorization_succeeded', scheme_transaction_id: null })
  expect(unmoved).toEqual(before)
  expect(await till.get(id)).toMatchObject({
    ...before,
    updated_at: expect.any(String),
    scheme_transaction_id: '489341065491658',
    auth_response_code: '00',
  })
  const { rows } =
    await sql`select scheme_transaction_id from payment_methods where id = ${card.json().id}`.execute(
      service.database.db,
    )
  expect(rows).toEqual([{ scheme_transaction_id: '489341065491658' }])
})

describe('a concluded attempt', () => {
  test.each([
    ['a second approval', APPROVED],
    ['a decline', DECLINED],
    ['a failure', { ...DECLINED, outcome: 'failed' }],
    ['that it never arrived', { outcome: 'not_found' }],
    ['that is unknown', { outcome: 'unknown', reason: '' }],
    ['that it is pending', { outcome: 'pending', reference: 'late', facts: {} }],
  ] as const)('stays so, whatever is heard later: %s', async (_what, answer) => {
    const { id } = await till.pay({ intent: 'capture' })
    const refund = (await till.act(id, 'refunds', { amount: 400 })).json()
    const before = [await till.get(id), await attemptsOf(id), await till.told(id), await till.history(id)]

    for (const attempt of await attemptsOf(id)) await concludeWith(attempt, answer)

    expect([await till.get(id), await attemptsOf(id), await till.told(id), await till.history(id)]).toEqual(
      before,
    )
    expect((await service.send(`GET /refunds/${refund.id}`)).json()).toEqual(refund)
  })

  test('is concluded once by ten different answers', async () => {
    const { id } = await till.pay(lost('authorize'))
    const [attempt] = await attemptsOf(id)
    const answers = Array.from({ length: 10 }, (_, index) => (index % 2 ? APPROVED : DECLINED))

    await Promise.all(answers.map((answer) => concludeWith(attempt, answer)))

    const told = await till.told(id)
    const { status } = await till.get(id)
    expect(told).toEqual([
      status === 'authorization_succeeded' ? 'transaction.authorized' : 'transaction.declined',
    ])
  })
})

describe('an undecided attempt', () => {
  test.each([
    ['capture', 'capture.pending'],
    ['void', 'transaction.void-pending'],
    ['refunds', 'refund.pending'],
  ])('is told once: %s', async (operation, event) => {
    const isRefund = operation === 'refunds'
    const { id } = await till.pay({
      ...lost(isRefund ? 'refund' : operation),
      intent: isRefund ? 'capture' : 'authorize',
    })
    await till.act(id, operation, operation === 'void' ? undefined : {})
    const attempt = (await attemptsOf(id)).at(-1)

    await concludeWith(attempt, { outcome: 'unknown', reason: '' })
    await concludeWith(attempt, { outcome: 'unknown', reason: '' })

    expect((await till.told(id)).filter((name) => name === event)).toHaveLength(1)
    await findOut()
  })

  test('keeps its amount reserved', async () => {
    const { id } = await till.pay({
      ...lost('capture'),
      connection_options: { 'mock-card': { fault: { on: 'capture', kind: 'unreachable' } } },
    })
    await till.act(id, 'capture', { amount: 600, final: false })
    const [, attempt] = await attemptsOf(id)
    const reserved = await sql`
      select status, captured_amount, capturing_amount from transactions where id = ${id}
    `.execute(service.database.db)

    await concludeWith(attempt, DECLINED)

    expect(reserved.rows).toEqual([{ status: 'capture_pending', captured_amount: 0, capturing_amount: 600 }])
    expect(await till.get(id)).toMatchObject({ status: 'authorization_succeeded', captured_amount: 0 })
    expect((await till.act(id, 'void')).json().status).toBe('authorization_voided')
  })
})

describe('a capture that is refused', () => {
  test('is told as refused, and the authorization is not told again', async () => {
    const { id } = await till.pay({ amount: 500_002 })

    await till.act(id, 'capture', {})

    expect(await till.told(id)).toEqual([
      'transaction.authorized',
      'capture.declined',
      'transaction.capture-failed',
    ])
  })

  test('after another is told as refused, and the other is not told again', async () => {
    const { id } = await till.pay({ amount: 600_000 })
    await till.act(id, 'capture', { amount: 1_000, final: false })

    await till.act(id, 'capture', { amount: 500_001 })

    expect(await till.get(id)).toMatchObject({ status: 'capture_succeeded', captured_amount: 1_000 })
    expect(await till.told(id)).toEqual([
      'transaction.authorized',
      'capture.succeeded',
      'transaction.captured',
      'capture.failed',
      'transaction.capture-failed',
    ])
  })
})

test('an answer is concluded whole, or not at all', async () => {
  const before = await inVault()
  const { id } = await till.pay({ ...lost('authorize'), store: true })
  const [attempt] = await attemptsOf(id)
  const broken = inTransaction(scope(), async (tx) => {
    if (!attempt) throw new Error('there is no attempt')
    await concludePayment(tx, service.engine, { attempt, answer: APPROVED })
    throw new Error('the process died before the commit')
  })
  await expect(broken).rejects.toThrow('died')
  const after = [(await till.get(id)).status, await till.told(id), await inVault()]

  await findOut()

  expect(after).toEqual(['processing', [], before + 1])
  expect(await till.get(id)).toMatchObject({
    status: 'authorization_succeeded',
    payment_method: { id: expect.any(String) },
  })
  expect(await till.told(id)).toEqual(['transaction.authorized'])
  expect(await inVault()).toBe(before + 1)
})

describe('a payment that its merchant corrects while its outcome is unknown', () => {
  test.each(['authorization_failed', 'authorization_declined'])(
    'is found out first, and is then %s, as the merchant says',
    async (status) => {
      const { id } = await till.pay(lost('authorize'))
      const corrected = await service.send(`PUT /transactions/${id}`, { status })
      expect(corrected.statusCode, corrected.body).toBe(200)

      await findOut()

      expect(await till.get(id)).toMatchObject({ status, authorized_amount: 1000 })
      expect((await attemptsOf(id)).map(({ state }) => state)).toEqual(['approved'])
    },
  )
})

describe('a checkout session', () => {
  const enter = async () => {
    const { id } = (await service.send('POST /checkout/sessions')).json()
    await service.send(`PUT /checkout/sessions/${id}/fields`, { payment_method: CARD }, { token: null })
    return id as string
  }
  const payIn = (id: string, body: object) =>
    till.pay({ payment_method: { method: 'checkout-session', id }, ...body })

  test('whose payment was lost is paid, and its card deleted, once the outcome is known', async () => {
    const before = await inVault()
    const session = await enter()
    const { id } = await payIn(session, lost('authorize'))
    const held = await inVault()

    await findOut()

    expect(held).toBe(before + 2)
    expect((await till.get(id)).status).toBe('authorization_succeeded')
    expect(await inVault()).toBe(before)
  })

  test('whose payment was cancelled can be paid again', async () => {
    const session = await enter()
    const waiting = await payIn(session, { amount: 600_002, payment_service_id: extended.id })
    const cancelled = await till.act(waiting.id, 'cancel')
    expect(cancelled.json(), cancelled.body).toMatchObject({ status: 'succeeded' })

    const paid = await payIn(session, {})

    expect(paid.status).toBe('authorization_succeeded')
  })
})
