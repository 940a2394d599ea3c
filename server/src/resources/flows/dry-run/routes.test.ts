import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestService } from '#testing/harness.ts'
import { CARD, openTill, type Till } from '#testing/till.ts'

let service: TestService
let till: Till
let first: string
let second: string
beforeAll(async () => {
  service = await startTestService()
  till = openTill(service)
  ;[first, second] = [(await till.addService({})).id, (await till.addService({})).id]
})
afterAll(() => service.close())

const PAYMENT = { amount: 1299, currency: 'EUR', country: 'NL', payment_method: CARD }
const EUROS = { name: 'currency', operator: 'is_one_of', value: ['EUR'] }
const to = (...ids: string[]) => ({
  type: 'card-routing',
  version: 2,
  result: ids.map((payment_service_id) => ({ payment_service_id, instrument: 'pan' })),
})
const DRAFT = {
  flow: 'card-transaction',
  action: 'route-transaction',
  description: 'Draft',
  conditions: [EUROS],
}

const attempt = (body: object) => service.send('POST /flows/dry-run', body)
async function run(body: object) {
  const response = await attempt(body)
  expect(response.statusCode, response.body).toBe(200)
  return response.json()
}
type Candidate = { readonly payment_service_id: string; readonly reason: string | null }
const asked = ({ candidates }: { candidates: Candidate[] }) =>
  candidates.filter(({ reason }) => reason === null).map(({ payment_service_id }) => payment_service_id)

async function countRows(): Promise<number[]> {
  const { rows } = await sql<Record<string, number>>`
    select (select count(*)::int from transactions) as a, (select count(*)::int from attempts) as b,
      (select count(*)::int from vault.items) as c, (select count(*)::int from flow_versions) as d,
      (select count(*)::int from audit_logs) as e
  `.execute(service.context.db)
  return Object.values(rows[0] ?? {})
}

test('rules that are not stored are tried on a request, and nothing is written', async () => {
  const before = await countRows()

  const tried = await run({ transaction: PAYMENT, rules: [{ ...DRAFT, outcome: to(second, first) }] })
  const without = await run({ transaction: PAYMENT, rules: [] })

  expect(asked(tried)).toEqual([second, first])
  expect(tried).toMatchObject({ version: null, error_code: null, three_d_secure: null })
  expect(tried.steps.at(-1)).toMatchObject({
    action: 'route-transaction',
    rule: { description: 'Draft', position: 0 },
  })
  expect(asked(without).slice(-2)).toEqual([first, second])
  expect(await countRows()).toEqual(before)
})

test('a payment that was made is tried on the newest rules, and on an earlier version', async () => {
  const paid = await till.pay({ currency: 'EUR' })
  const path = '/flows/card-transaction/actions/route-transaction/rules'
  await service.send(`POST ${path}`, { conditions: [EUROS], outcome: to(second) })
  await service.send('POST /flows/card-transaction/actions/decline-early/rules', {
    conditions: [EUROS],
    outcome: { type: 'boolean', result: true },
    error_code: 'flow_no_euros',
  })

  const now = await run({ transaction_id: paid.id })
  const earlier = await run({ transaction_id: paid.id, version: 1 })

  expect(now).toMatchObject({ version: 2, error_code: 'flow_no_euros', candidates: [] })
  expect(earlier).toMatchObject({ version: 1, error_code: null })
  expect(asked(earlier)).toEqual([second])
  expect(earlier.candidates).toContainEqual({
    payment_service_id: first,
    display_name: 'Till',
    reason: 'not_in_rule',
    standing: null,
    text: null,
  })
})

test('the decision of the anti-fraud service is given, not asked for', async () => {
  const decline = {
    flow: 'card-transaction',
    action: 'decline-early',
    conditions: [{ name: 'anti_fraud_decision', operator: 'is_one_of', value: ['review'] }],
    outcome: { type: 'boolean', result: true },
  }

  const known = await run({ transaction: PAYMENT, rules: [decline], anti_fraud_decision: 'review' })
  const unknown = await run({ transaction: PAYMENT, rules: [decline] })

  expect([known.error_code, unknown.error_code]).toEqual(['flow_decline', null])
  expect(unknown.steps[0].passed_over[0].because).toBe('not_known')
})

test.each<[object, string]>([
  [{}, '/transaction'],
  [{ transaction: PAYMENT, transaction_id: crypto.randomUUID() }, '/transaction_id'],
  [{ transaction_id: crypto.randomUUID() }, '/transaction_id'],
  [{ transaction: { ...PAYMENT, currency: 'ZZZ' } }, '/transaction/currency'],
  [
    { transaction: { ...PAYMENT, payment_method: { ...CARD, number: '4111' } } },
    '/transaction/payment_method/number',
  ],
  [{ transaction: PAYMENT, version: 99 }, '/version'],
  [{ transaction: PAYMENT, version: 1, rules: [] }, '/rules'],
  [
    { transaction: PAYMENT, rules: [{ ...DRAFT, outcome: { type: 'list', result: [] } }] },
    '/rules/0/outcome/type',
  ],
  [{ transaction: PAYMENT, rules: [{ ...DRAFT, flow: 'checkout', outcome: to() }] }, '/rules/0/action'],
])('refuses %o', async (body, pointer) => {
  const response = await attempt(body)

  expect(response.statusCode, response.body).toBe(400)
  expect(response.json().details.map((detail: { pointer: string }) => detail.pointer)).toContain(pointer)
})
