import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { forgetFadedScores } from '#processing/scores/store.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { ReportDesk } from '#testing/report-desk.ts'
import { openTill, type Till } from '#testing/till.ts'

let service: TestService
let till: Till
beforeAll(async () => {
  service = await startTestService()
  till = openTill(service)
})
afterAll(() => service.close())

/** An account with two services and a rule that chooses between them by success. */
async function open(account: string): Promise<readonly [string, string]> {
  await service.send('POST /merchant-accounts', { id: account, display_name: account })
  const first = await till.addService({}, { account })
  const second = await till.addService({}, { account })
  const ids = [first.id, second.id] as const
  const rule = await service.send(
    'POST /flows/card-transaction/actions/route-transaction/rules',
    { description: 'By success', conditions: [], outcome: { ...routing(ids), strategy: 'success_rate' } },
    { account },
  )
  expect(rule.statusCode, rule.body).toBe(201)
  return ids
}

const routing = (ids: readonly string[]) => ({
  type: 'card-routing',
  version: 2,
  result: ids.map((payment_service_id) => ({ payment_service_id, instrument: 'pan' })),
})

async function failNext(account: string, id: string, times: number): Promise<void> {
  for (let index = 0; index < times; index += 1) {
    const armed = await service.send(
      `POST /sandbox/payment-services/${id}/next-outcomes`,
      { effect: 'refuse', code: 'service_error' },
      { account },
    )
    expect(armed.statusCode, armed.body).toBe(201)
  }
}

const healthOf = async (account: string) =>
  (await service.send('GET /flows/health', undefined, { account })).json().items

const pay = (account: string, named?: string) =>
  till.pay(named ? { payment_service_id: named } : {}, { account })

test('nothing is known of services that took no payment', async () => {
  await open('fresh')

  expect(await healthOf('fresh')).toEqual([
    expect.objectContaining({ status: 'unknown', success_rate: null, payments: 0 }),
    expect.objectContaining({ status: 'unknown', interval: null, segments: [] }),
  ])
})

test('a service that fails again and again is set aside, tells why, and comes back by a probe', async () => {
  const account = 'outage'
  const [first, second] = await open(account)
  // Payments that name a service teach as well.
  for (let index = 0; index < 12; index += 1) await pay(account, first)
  await pay(account, second)
  await failNext(account, first, 6)
  for (let index = 0; index < 6; index += 1) await pay(account, first)

  const [aside, healthy] = await healthOf(account)
  expect(aside).toMatchObject({ status: 'aside', failures_in_a_row: 6, failing_since: expect.any(String) })
  expect(healthy).toMatchObject({ status: 'healthy', success_rate: 1, payments: 1 })
  expect(aside.segments[0]).toMatchObject({ scheme: 'visa', payments: 18 })

  const paid = await pay(account)
  expect(paid.payment_service.id).toBe(second)
  const decided = await service.send(`GET /transactions/${paid.id}/decision`, undefined, { account })
  expect(decided.json().candidates).toEqual([
    expect.objectContaining({ payment_service_id: second, was_asked: true }),
    expect.objectContaining({
      payment_service_id: first,
      standing: expect.objectContaining({ is_aside: true, is_probe: false, segment: 'card' }),
      text: expect.stringContaining('It had failed too often in a row, so it came last.'),
    }),
  ])

  // After half a minute one payment asks it. It still fails, and the payment goes on to the other one.
  await failNext(account, first, 1)
  service.moveClock(31_000)
  const probed = await pay(account)
  const trace = await service.send(`GET /transactions/${probed.id}/decision`, undefined, { account })
  expect(probed.payment_service.id).toBe(second)
  expect(trace.json().candidates[0]).toMatchObject({
    payment_service_id: first,
    was_asked: true,
    standing: { is_probe: true },
  })
  expect((await pay(account)).payment_service.id).toBe(second)

  await pay(account, first)
  expect((await healthOf(account))[0]).toMatchObject({ status: 'healthy', failures_in_a_row: 0 })
})

test('most payments go to the service that approves more, and some try the other', async () => {
  const account = 'ranked'
  const [first, second] = await open(account)
  for (let index = 0; index < 12; index += 1) await pay(account, second)
  await failNext(account, first, 6)
  for (let index = 0; index < 12; index += 1) await pay(account, first)

  const chosen = []
  for (let index = 0; index < 20; index += 1) chosen.push((await pay(account)).payment_service.id)

  expect(chosen.filter((id) => id === second).length).toBeGreaterThan(15)
})

test('what one account learns changes nothing for another', async () => {
  const [first] = await open('poisoned')
  await open('clean')
  await failNext('poisoned', first, 15)
  for (let index = 0; index < 15; index += 1) await pay('poisoned', first)

  expect((await healthOf('poisoned'))[0].status).toBe('aside')
  expect((await healthOf('clean')).map(({ status }: { status: string }) => status)).toEqual([
    'unknown',
    'unknown',
  ])
})

test('figures that have faded are forgotten after a month', async () => {
  const account = 'faded'
  const [first] = await open(account)
  await pay(account, first)
  expect((await healthOf(account))[0].payments).toBe(1)
  const days = 86_400_000
  service.moveClock(31 * days)
  await forgetFadedScores.run(service, new AbortController().signal)
  service.moveClock(-31 * days)

  expect((await healthOf(account))[0]).toMatchObject({ status: 'unknown', payments: 0 })
})

test('the cheapest service comes first, and a cost belongs to its strategy', async () => {
  const account = 'thrifty'
  const [first, second] = await open(account)
  const dear = { ...entryOf(first), cost: { basis_points: 290, fixed: 30 } }
  const cheap = { ...entryOf(second), cost: { basis_points: 150 } }
  const rule = (strategy: string) =>
    service.send(
      'POST /flows/card-transaction/actions/route-transaction/rules',
      { conditions: [], outcome: { type: 'card-routing', version: 2, result: [dear, cheap], strategy } },
      { account },
    )
  const { items } = (await service.send('GET /flows/card-transaction', undefined, { account })).json()
  await service.send(
    `DELETE /flows/card-transaction/actions/route-transaction/rules/${items[0].id}`,
    undefined,
    { account },
  )

  expect((await rule('ordered')).json().details[0]).toMatchObject({
    pointer: '/outcome/result/0/cost',
    message: 'leave it out, or set strategy to least_cost',
  })
  expect((await rule('least_cost')).statusCode).toBe(201)
  const paid = await till.pay({ amount: 1_299 }, { account })
  const { candidates } = (
    await service.send(`GET /transactions/${paid.id}/decision`, undefined, { account })
  ).json()

  expect(candidates.map((one: { standing: { cost: number } }) => one.standing.cost)).toEqual([19.485, 67.671])
  expect(paid.payment_service.id).toBe(second)
})

test('what settled payments have cost comes before the cost in the rule, once there are a hundred', async () => {
  const [settling, other] = [await till.addService({}), await till.addService({})]
  const desk = await ReportDesk.open(service)
  const paid: Record<string, never>[] = []
  for (const amount of [1_000, 3_000])
    paid.push(await till.pay({ amount, intent: 'capture', payment_service_id: settling.id }))
  // 2 % and 10: dearer than what the rule says, and dearer than the other service.
  desk.publish({
    lines: paid.map(({ payment_service_transaction_id: reference, amount = 0 }) => ({
      reference: reference ?? null,
      amount,
      commission: amount * 0.02 + 10,
    })),
  })
  await desk.ingest()
  const priced = (id: string, basis_points: number) => ({ ...entryOf(id), cost: { basis_points } })
  const result = [priced(settling.id, 100), priced(other.id, 150)]
  const rules = [
    {
      flow: 'card-transaction',
      action: 'route-transaction',
      conditions: [],
      outcome: { type: 'card-routing', version: 2, strategy: 'least_cost', result },
    },
  ]
  const tried = async () => {
    const body = { transaction_id: paid[0]?.['id'], rules }
    const { candidates } = (await service.send('POST /flows/dry-run', body)).json()
    return candidates.slice(0, 2).map(({ payment_service_id, standing }: Tried) => ({
      payment_service_id,
      cost: standing.cost,
      cost_payments: standing.cost_payments,
    }))
  }

  const before = await tried()
  // As if each had been settled fifty times.
  await sql`
    update service_costs set payments = payments * 50, amounts = amounts * 50, fees = fees * 50, squares = squares * 50,
      products = products * 50
  `.execute(service.context.db)
  await expect.poll(tried, { timeout: 20_000, interval: 500 }).not.toEqual(before)

  expect(before).toEqual([
    { payment_service_id: settling.id, cost: 10, cost_payments: null },
    { payment_service_id: other.id, cost: 15, cost_payments: null },
  ])
  expect(await tried()).toEqual([
    { payment_service_id: other.id, cost: 15, cost_payments: null },
    { payment_service_id: settling.id, cost: 30, cost_payments: 100 },
  ])
})

type Tried = {
  readonly payment_service_id: string
  readonly standing: { readonly cost: number; readonly cost_payments: number | null }
}

function entryOf(payment_service_id: string) {
  return { payment_service_id, instrument: 'pan' }
}
