import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { registryOf } from '#processing/service-accounts/registry.ts'
import { stopCommitting } from '#testing/commits.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { openTestBank } from '#testing/test-bank.ts'
import { openTill, type Till } from '#testing/till.ts'
import { expireApprovals } from './expire.ts'

const BACK = 'https://shop.example.com/back'
const MINUTE = 60_000
const bank = openTestBank()

let service: TestService
let till: Till
beforeAll(async () => {
  service = await startTestService()
  till = openTill(service)
  const { connectors } = service.providers
  Object.assign(service.providers, { connectors: registryOf([...connectors.list, bank.connector]) })
  const made = await service.send('POST /payment-services', {
    display_name: 'Bank',
    payment_service_definition_id: 'test-bancontact',
    fields: [],
    accepted_currencies: ['EUR'],
    accepted_countries: ['BE'],
  })
  expect(made.statusCode, made.body).toBe(201)
})
beforeEach(() => {
  bank.completed.length = 0
  bank.reset()
})
afterAll(() => service.close())

const METHOD = { method: 'bancontact', country: 'BE', currency: 'EUR', redirect_url: BACK }
const ask = async (body: object = {}) => {
  const payment = await till.pay({ currency: 'EUR', country: 'BE', payment_method: METHOD, ...body })
  expect(payment.status).toBe('buyer_approval_pending')
  const order = bank.authorized.at(-1)
  const id = payment.id as string
  const attemptId = order?.attemptId ?? ''
  const reference = `bank-${attemptId}`
  return { id, attemptId, reference, path: new URL(order?.redirectUrl ?? '').pathname }
}
type Parameters = Record<string, string>
const queryOf = (parameters: Parameters) => new URLSearchParams(parameters).toString()
const comeBack = (path: string, parameters: Parameters = {}) =>
  service.app.inject({ method: 'GET', url: `${path}?${queryOf(parameters)}` })
const post = (path: string, payload: string) =>
  service.app.inject({
    method: 'POST',
    url: path,
    payload,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
const kept = async (id: string) => {
  const { rows } = await sql<{ state: string; may_complete: boolean; returned: Buffer | null }>`
    select state, may_complete, returned from attempts where transaction_id = ${id} and kind = 'authorize'
  `.execute(service.database.db)
  return rows[0]
}
const resolveAfter = async (ms: number) => {
  service.moveClock(ms)
  await service.resolveDue()
}

describe('a buyer who comes back', () => {
  test.each(['GET', 'POST'] as const)(
    'by %s completes the payment before the shop is told',
    async (method) => {
      const { id, attemptId, reference, path } = await ask()
      const returned = bank.decide(reference, 'approve')

      const answer = await (method === 'GET' ? comeBack(path, returned) : post(path, queryOf(returned)))

      expect([answer.statusCode, answer.headers.location]).toEqual([
        303,
        expect.stringContaining(`${BACK}?transaction_id=${id}&transaction_status=authorization_succeeded`),
      ])
      expect(bank.completed).toEqual([
        {
          attemptId,
          transactionId: id,
          amount: 1000,
          currency: 'EUR',
          intent: 'authorize',
          reference,
          returned,
        },
      ])
      expect(await till.get(id)).toMatchObject({
        status: 'authorization_succeeded',
        payment_service_transaction_id: reference,
      })
    },
  )

  test('brings parameters of the address and of the form, and the form counts more', async () => {
    const { reference, path } = await ask()
    const form = queryOf({ ...bank.decide(reference, 'approve'), both: 'form' })

    await post(`${path}?both=address&only=address`, form)

    expect(bank.completed[0]?.returned).toEqual({
      ...bank.decide(reference, 'approve'),
      both: 'form',
      only: 'address',
    })
  })

  test('after a sale gets it captured in one step', async () => {
    const { id, reference, path } = await ask({ intent: 'capture' })

    await comeBack(path, bank.decide(reference, 'approve'))

    expect(bank.completed[0]).toMatchObject({ intent: 'capture' })
    expect((await till.get(id)).status).toBe('capture_succeeded')
  })

  test('after a refusal finds the payment declined, and no other service is asked', async () => {
    const { id, reference, path } = await ask()
    const asked = bank.authorized.length

    const answer = await comeBack(path, bank.decide(reference, 'refuse'))

    expect(answer.headers.location).toContain('transaction_status=authorization_declined')
    expect(await till.get(id)).toMatchObject({
      status: 'authorization_declined',
      error_code: 'issuer_decline',
    })
    expect(bank.authorized).toHaveLength(asked)
  })

  test.each([
    ['without parameters', {}],
    ['with parameters of another payment', 'another'],
    ['with invented parameters', { redirectResult: 'x', token: 'y' }],
  ])('%s changes nothing, and can still approve', async (_how, given) => {
    const { id, attemptId, reference, path } = await ask()
    const other =
      given === 'another' ? bank.decide((await ask()).reference, 'approve') : (given as Parameters)

    const answer = await comeBack(path, other)

    expect(answer.headers.location).toContain('transaction_status=buyer_approval_pending')
    expect(bank.outcomeOf(attemptId)).toBe('waiting')
    expect(await kept(id)).toMatchObject({ may_complete: false, returned: null })
    await comeBack(path, bank.decide(reference, 'approve'))
    expect((await till.get(id)).status).toBe('authorization_succeeded')
  })

  test('twice at once completes the payment once', async () => {
    const { id, reference, path } = await ask()
    const returned = bank.decide(reference, 'approve')

    const answers = await Promise.all([1, 2, 3].map(() => comeBack(path, returned)))

    expect(new Set(answers.map(({ headers }) => headers.location)).size).toBe(1)
    expect(await till.told(id)).toEqual(['transaction.authentication-pending', 'transaction.authorized'])
  })

  test.each(['approve', 'refuse'] as const)(
    'again after it was decided changes nothing: %s',
    async (first) => {
      const { id, reference, path } = await ask()
      await comeBack(path, bank.decide(reference, first))
      const { status } = await till.get(id)

      const again = await comeBack(path, bank.decide(reference, first === 'approve' ? 'refuse' : 'approve'))

      expect(again.headers.location).toContain(`transaction_status=${status}`)
      expect((await till.get(id)).status).toBe(status)
      expect(bank.completed).toHaveLength(1)
    },
  )

  test.each([
    [
      'more than fifty parameters',
      queryOf(Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`p${n}`, '']))),
    ],
    ['more than 32 KiB', queryOf({ result: 'x'.repeat(32 * 1024) })],
  ])('with %s is told so, and nothing is kept', async (_what, payload) => {
    const { id, path } = await ask()

    const page = await post(path, payload)

    expect(page.statusCode).toBe(400)
    expect(page.headers['content-type']).toContain('text/html')
    expect(bank.completed).toEqual([])
    expect(await kept(id)).toMatchObject({ may_complete: false, returned: null })
  })

  test('with a wrong key is not found', async () => {
    const { reference, path } = await ask()

    const answer = await comeBack(path.replace(/.{43}\/return$/, `${'x'.repeat(43)}/return`), {
      ...bank.decide(reference, 'approve'),
    })

    expect(answer.statusCode).toBe(404)
    expect(bank.completed).toEqual([])
  })

  test('is led to a further approval of the provider', async () => {
    const { id, reference, path } = await ask()
    const further = `https://bank.example.com/second/${reference}`
    bank.meanwhile = async () => {
      bank.meanwhile = async () => undefined
      return {
        outcome: 'approval_required',
        reference,
        approval: { kind: 'redirect', url: further },
        facts: {},
      }
    }

    const answer = await comeBack(path, { step: 'one' })

    expect([answer.statusCode, answer.headers.location]).toEqual([303, further])
    expect((await till.get(id)).payment_method.approval_url).toBe(further)
    await comeBack(path, bank.decide(reference, 'approve'))
    expect((await till.get(id)).status).toBe('authorization_succeeded')
  })
})

describe('what the buyer brought back', () => {
  test('is sealed while the answer is lost, and the job goes on with it', async () => {
    const { id, reference, path } = await ask()
    bank.meanwhile = () => Promise.reject(new Error('the line broke'))
    const secret = `${reference}:approve`

    const answer = await comeBack(path, bank.decide(reference, 'approve'))

    expect(answer.headers.location).toContain('transaction_status=buyer_approval_pending')
    const before = await kept(id)
    expect(before).toMatchObject({ state: 'unknown', may_complete: true })
    expect(before?.returned?.toString('latin1')).not.toContain(secret)
    bank.reset()
    await resolveAfter(MINUTE + 1)
    expect(bank.completed).toHaveLength(2)
    expect(bank.completed[1]).toEqual(bank.completed[0])
    expect((await till.get(id)).status).toBe('authorization_succeeded')
    expect(await kept(id)).toEqual({ state: 'approved', may_complete: false, returned: null })
  })

  test('is used by the job after this process died', async () => {
    const { id, reference, path } = await ask()
    bank.meanwhile = async () => {
      stopCommitting(service)
      return undefined
    }

    const page = await comeBack(path, bank.decide(reference, 'approve'))

    expect(page.statusCode).toBe(500)
    vi.restoreAllMocks()
    bank.reset()
    expect((await till.get(id)).status).toBe('buyer_approval_pending')
    await resolveAfter(MINUTE)
    expect(bank.completed[1]).toEqual(bank.completed[0])
    expect((await till.get(id)).status).toBe('authorization_succeeded')
  })

  test('is not undone by a second visit without it', async () => {
    const { id, reference, path } = await ask()
    bank.meanwhile = () => Promise.reject(new Error('the line broke'))
    await comeBack(path, bank.decide(reference, 'approve'))
    bank.reset()

    await comeBack(path)

    expect(bank.completed[1]).toEqual(bank.completed[0])
    expect((await till.get(id)).status).toBe('authorization_succeeded')
  })

  test('in time counts, also if the answer comes after the buyer’s time is over', async () => {
    const { id, reference, path } = await ask()
    bank.meanwhile = async () => ({ outcome: 'pending', reference, facts: {} })
    await comeBack(path, bank.decide(reference, 'approve'))

    service.moveClock(11 * MINUTE)
    await expireApprovals(service.context, service.engine)
    bank.reset()
    await service.resolveDue()

    expect((await till.get(id)).status).toBe('authorization_succeeded')
  })

  test('after the buyer’s time is over completes nothing, and the provider is told to cancel', async () => {
    const { id, attemptId, reference, path } = await ask()
    service.moveClock(11 * MINUTE)

    const answer = await comeBack(path, bank.decide(reference, 'approve'))

    expect(bank.completed).toEqual([])
    expect(bank.outcomeOf(attemptId)).toBe('canceled')
    expect(answer.headers.location).toContain('transaction_status=authorization_failed')
    expect(await till.get(id)).toMatchObject({ error_code: 'incomplete_buyer_approval' })
  })
})
