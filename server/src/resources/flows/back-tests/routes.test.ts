import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestService, type TestService } from '#testing/harness.ts'
import { byHand } from '#testing/model/guard.ts'
import { CARD, openTill, type Till } from '#testing/till.ts'
import { runBackTests } from './run.ts'

let service: TestService
let till: Till
let first: string
let second: string
beforeAll(async () => {
  service = await startTestService()
  till = openTill(service)
  ;[first, second] = await openShop('shop')
  // Without rules all go to the first service. One is declined.
  for (const amount of [1_000, 2_000, 3_000, 6_000]) await till.pay({ amount }, { account: 'shop' })
  await till.pay({ amount: 200_015 }, { account: 'shop' })
  await till.pay({ amount: 2_000, currency: 'EUR', country: 'NL' }, { account: 'shop' })
})
afterAll(() => service.close())

async function openShop(account: string): Promise<[string, string]> {
  await service.send('POST /merchant-accounts', { id: account, display_name: account })
  const ids = [await till.addService({}, { account }), await till.addService({}, { account })]
  return [ids[0]?.id, ids[1]?.id]
}

const to = (...ids: string[]) => ({
  type: 'card-routing',
  version: 2,
  result: ids.map((payment_service_id) => ({ payment_service_id, instrument: 'pan' })),
})
const routing = (outcome: object, conditions: object[] = []) => ({
  flow: 'card-transaction',
  action: 'route-transaction',
  conditions,
  outcome,
})
const EUROS = { name: 'currency', operator: 'is_one_of', value: ['EUR'] }
const ABOVE = { name: 'amount', operator: 'greater_than', value: { currency: 'USD', value: 5_000 } }
const SINCE = () => new Date(Date.now() - 3_600_000).toISOString()

const create = (body: object, account = 'shop') => service.send('POST /flows/back-tests', body, { account })
const run = (stopping = new AbortController().signal) =>
  runBackTests({ context: service.context, engine: service.engine }, stopping)

/** Of a back-test that ran to its end. */
async function resultOf(body: object, account = 'shop') {
  const created = await create({ created_at_gte: SINCE(), ...body }, account)
  expect(created.statusCode, created.body).toBe(201)
  await run()
  return (await service.send(`GET /flows/back-tests/${created.json().id}`, undefined, { account })).json()
}

describe('a back-test', () => {
  test('counts what each rule and each service would get, and what would be declined', async () => {
    const rules = [
      {
        flow: 'card-transaction',
        action: 'decline-early',
        conditions: [ABOVE],
        outcome: { type: 'boolean', result: true },
      },
      { ...routing(to(second), [EUROS]), description: 'Euros' },
    ]
    const { status, progress, result } = await resultOf({ rules })

    expect([status, progress]).toEqual(['succeeded', { done: 6, total: 6 }])
    expect(result.rules).toMatchObject([
      { rule_id: null, action: 'decline-early', payments: 2 },
      { description: 'Euros', position: 0, payments: 1 },
    ])
    expect(result.declined).toEqual({ payments: 2, approved: 1 })
    expect(result.services).toEqual([
      { payment_service_id: first, display_name: 'Till', before: 4, after: 3 },
      { payment_service_id: second, display_name: 'Till', before: 0, after: 1 },
    ])
    expect(result.moves).toMatchObject([
      { payments: 3, approved: 3, expected: { approved: 3 }, unknown: 0 },
      { from: { payment_service_id: first }, to: { payment_service_id: second }, expected: null, unknown: 1 },
    ])
    // The moved payment is left out: too little is known of the second service.
    expect(result.estimate).toEqual({
      payments: 5,
      approved_before: 4,
      approved_after: 3,
      low: 3,
      high: 3,
      unknown: 1,
    })
  })

  test('estimates approvals from a hundred payments of the kind, with an interval', async () => {
    const [one, other] = await openShop('estimated')
    const seen = await till.pay({ payment_service_id: other }, { account: 'estimated' })
    const declined = await till.pay({ payment_service_id: other, amount: 200_015 }, { account: 'estimated' })
    await copy(seen.id, 89)
    await copy(declined.id, 29)
    for (const amount of [100, 200]) await till.pay({ amount }, { account: 'estimated' })
    const { result } = await resultOf({ rules: [routing(to(other))] }, 'estimated')
    const moved = result.moves.find(
      ({ from, to }: Move) => from?.payment_service_id !== to.payment_service_id,
    )

    expect(moved).toMatchObject({ from: { payment_service_id: one }, payments: 2, approved: 2, unknown: 0 })
    expect(moved.expected.approved).toBe(1.5)
    expect(moved.expected.low).toBeLessThan(1.5)
    expect(moved.expected.high).toBeLessThan(2)
    expect(result.estimate).toMatchObject({
      payments: 122,
      approved_before: 92,
      approved_after: 91.5,
      unknown: 0,
    })
  })

  test('tries a stored version, and names its rules', async () => {
    const rule = await service.send(
      'POST /flows/card-transaction/actions/route-transaction/rules',
      { conditions: [], outcome: to(second) },
      { account: 'shop' },
    )
    const { version, result } = await resultOf({ version: 1 })
    const listed = await service.send('GET /flows/back-tests?limit=1', undefined, { account: 'shop' })

    expect([version, result.rules[0].rule_id]).toEqual([1, rule.json().id])
    expect(result.services).toMatchObject([{ before: 6 }, { payment_service_id: second, after: 6 }])
    expect(listed.json().items[0]).toMatchObject({ type: 'flow-back-test', version: 1, status: 'succeeded' })
    expect(listed.json().items[0]).not.toHaveProperty('result')
  })

  test('decides as a dry run of each payment does, whatever the rules ask for', async () => {
    const account = 'compared'
    const [one, other] = await openShop(account)
    const ids = await payDifferently(account)
    for (const [condition, another] of CONDITIONS) {
      const rules = [
        routing(weighted(one, other), [condition]),
        { flow: 'card-transaction', action: 'skip-3ds', conditions: [another], outcome: FORCE },
      ]
      const { result } = await resultOf({ rules }, account)
      const tried: Tried[] = []
      for (const transaction_id of ids) tried.push(await dryRun({ transaction_id, rules }, account))

      const decided = (at: string) => tried.filter(({ steps }) => stepOf(steps, at)?.rule).length
      const first = (id: string) =>
        tried.filter(
          ({ candidates }) => candidates[0]?.reason === null && candidates[0].payment_service_id === id,
        ).length
      const payments = (at: string) => result.rules.find(({ action }: Step) => action === at).payments
      const countAfter = (id: string) =>
        result.services.find(({ payment_service_id }: Candidate) => payment_service_id === id)?.after ?? 0
      expect([condition, payments('route-transaction'), countAfter(one), countAfter(other)]).toEqual([
        condition,
        decided('route-transaction'),
        first(one),
        first(other),
      ])
      expect([another, payments('skip-3ds')]).toEqual([another, decided('skip-3ds')])
    }
  })

  test('goes on where a worker stopped or died, and counts no payment twice', async () => {
    const account = 'long'
    const [only] = await openShop(account)
    await copy((await till.pay({}, { account })).id, 2_100)
    const created = (await create({ rules: [routing(to(only))], created_at_gte: SINCE() }, account)).json()
    const read = async () =>
      (await service.send(`GET /flows/back-tests/${created.id}`, undefined, { account })).json()
    await run(stopAfter(1))
    const halfway = await read()
    // As if the next worker had died at once.
    await sql`
      update flow_back_tests set leased_until = now() - interval '1 second', tries = 1 where id = ${created.id}
    `.execute(service.context.db)
    await run()
    const { status, progress, result } = await read()

    expect(halfway).toMatchObject({
      status: 'running',
      progress: { done: 2_000, total: 2_101 },
      result: null,
    })
    expect([status, progress.done, result.rules[0].payments]).toEqual(['succeeded', 2_101, 2_101])
  })

  test('fails with a reason after it was interrupted too often', async () => {
    const created = (await create({ rules: [routing(to(second))], created_at_gte: SINCE() })).json()
    await sql`update flow_back_tests set tries = 3 where id = ${created.id}`.execute(service.context.db)
    await run()
    const shown = await service.send(`GET /flows/back-tests/${created.id}`, undefined, { account: 'shop' })

    expect(shown.json()).toMatchObject({
      status: 'failed',
      failure_reason: 'it was interrupted too often: try a shorter time',
      result: null,
    })
  })

  test('belongs to its account', async () => {
    const { id } = await resultOf({ rules: [routing(to(second))] })
    const other = await service.send(`GET /flows/back-tests/${id}`, undefined, { account: 'estimated' })

    expect(other.statusCode).toBe(404)
  })
})

describe('is refused', () => {
  test.each([
    ['a time that is too long', { created_at_gte: '2026-01-01T00:00:00Z' }, '/created_at_gte'],
    [
      'an end before the start',
      { created_at_gte: '2026-11-02T00:00:00Z', created_at_lte: '2026-11-01T00:00:00Z' },
      '/created_at_lte',
    ],
    [
      'a year that cannot be written',
      { created_at_gte: '9999-12-31T23:58:59-23:59', created_at_lte: '9999-12-31T23:58:59-23:59' },
      '/created_at_gte',
    ],
    ['a version that is not there', { created_at_gte: SINCE(), version: 99 }, '/version'],
    ['rules and a version', { created_at_gte: SINCE(), version: 1, rules: [] }, '/rules'],
    ['a wrong rule', { created_at_gte: SINCE(), rules: [routing(to(), [])] }, '/rules/0/outcome/result'],
    ['no start', { version: 1 }, '/created_at_gte'],
  ])('%s', async (_name, body, pointer) => {
    const refused = await create(body)

    expect(refused.statusCode).toBe(400)
    expect(refused.json().details[0].pointer).toBe(pointer)
  })

  test('an account without rules', async () => {
    const refused = await create({ created_at_gte: SINCE() }, 'estimated')

    expect(refused.json().details[0].message).toBe('there are no rules yet: send rules, or create one first')
  })

  test('a fourth one while three are under way', async () => {
    const body = { rules: [routing(to(second))], created_at_gte: SINCE() }
    for (let index = 0; index < 3; index += 1) expect((await create(body)).statusCode).toBe(201)

    expect((await create(body)).json().message).toContain('3 back-tests are under way')
    await run()
    expect((await create(body)).statusCode).toBe(201)
  })
})

/** The worker is asked to stop once it has begun. */
function stopAfter(looks: number): AbortSignal {
  let seen = 0
  return {
    get aborted() {
      seen += 1
      return seen > looks
    },
  } as AbortSignal
}

type Step = { readonly action: string; readonly rule: object | null }
type Candidate = { readonly payment_service_id: string; readonly reason: string | null }

type Tried = { readonly steps: readonly Step[]; readonly candidates: readonly Candidate[] }

const stepOf = (steps: readonly Step[], at: string) => steps.find(({ action }) => action === at)

async function dryRun(body: object, account: string): Promise<Tried> {
  const tried = await service.send('POST /flows/dry-run', body, { account })
  expect(tried.statusCode, tried.body).toBe(200)
  return tried.json()
}

const FORCE = { type: 'three-d-secure', result: 'force' }
const weighted = (one: string, other: string) => ({
  type: 'card-routing',
  version: 2,
  strategy: 'weighted',
  result: [
    { payment_service_id: one, instrument: 'pan', weight: 50 },
    { payment_service_id: other, instrument: 'pan', weight: 50 },
  ],
})

/** Payments that differ in everything that a condition asks for. */
async function payDifferently(account: string): Promise<string[]> {
  const buyer = await service.send('POST /buyers', { display_name: 'Ada' }, { account })
  const stored = await service.send('POST /payment-methods', CARD, { account })
  const bodies = [
    {},
    { amount: 0 },
    { amount: 9_000, currency: 'EUR', country: 'NL', metadata: { channel: 'app', items: '3' } },
    { buyer_id: buyer.json().id, metadata: { channel: 'web' } },
    { payment_method: { ...CARD, number: '5555555555554444' }, payment_source: 'moto' },
    {
      cart_items: [
        {
          name: 'Lamp',
          quantity: 1,
          unit_amount: 100,
          sku: 'A-1',
          product_type: 'physical',
          categories: ['light'],
        },
      ],
      browser_info: BROWSER,
    },
    {
      payment_method: { method: 'id', id: stored.json().id },
      payment_source: 'card_on_file',
      merchant_initiated: true,
      is_subsequent_payment: true,
    },
  ]
  const ids = []
  for (const body of bodies) ids.push((await till.pay(body, { account })).id)
  return ids
}

const BROWSER = {
  language: 'nl-NL',
  user_agent: 'Test',
  user_device: 'desktop',
  javascript_enabled: true,
  java_enabled: false,
  color_depth: 24,
  screen_height: 900,
  screen_width: 1_440,
  time_zone_offset: 0,
}

/** Few for each back-test, so that facts that no condition asks for are not read. */
const ALL: readonly object[] = [
  { name: 'amount', operator: 'greater_than', value: { currency: 'USD', value: 1 } },
  { name: 'amount_zero', operator: 'equal_to', value: 0 },
  { name: 'currency', operator: 'is_one_of', value: ['EUR'] },
  { name: 'country', operator: 'is_not_one_of', value: ['NL'] },
  { name: 'payment_method', operator: 'equal_to', value: 'card' },
  { name: 'payment_source', operator: 'is_one_of', value: ['moto', 'card_on_file'] },
  { name: 'merchant_initiated', operator: 'equal_to', value: true },
  { name: 'is_subsequent_payment', operator: 'equal_to', value: false },
  { name: 'has_gift_cards', operator: 'equal_to', value: false },
  { name: 'metadata', operator: 'includes', value: { key: 'channel', value: 'app' } },
  { name: 'metadata', operator: 'excludes', value: { key: 'channel', value: 'app' } },
  { name: 'metadata_numeric', operator: 'less_than', value: { key: 'items', value: 4 } },
  { name: 'card_scheme', operator: 'is_one_of', value: ['mastercard'] },
  { name: 'card_bin', operator: 'is_one_of', value: ['55-56'] },
  { name: 'card_country', operator: 'is_one_of', value: ['US'] },
  { name: 'card_type', operator: 'is_one_of', value: ['credit'] },
  { name: 'card_issuer_name', operator: 'like_one_of', value: ['a'] },
  { name: 'card_source', operator: 'is_one_of', value: ['token'] },
  { name: 'skus', operator: 'includes_all', value: ['A-1'] },
  { name: 'product_categories', operator: 'includes_at_least_one', value: ['light'] },
  { name: 'product_types', operator: 'includes_none', value: ['physical'] },
  { name: 'browser_language', operator: 'is_one_of', value: ['nl'] },
  { name: 'split_routing', operator: 'less_than_or_equal_to', value: 40 },
  { name: 'weekday', operator: 'is_one_of', value: { time_zone: 'UTC', days: ['monday', 'tuesday'] } },
  {
    name: 'any_of',
    operator: 'is_true',
    value: [
      { name: 'skus', operator: 'includes_all', value: ['A-1'] },
      { name: 'currency', operator: 'is_one_of', value: ['EUR'] },
    ],
  },
]
const CONDITIONS = ALL.flatMap((one, at): [object, object][] =>
  at % 2 === 0 ? [[one, ALL[at + 1] ?? one]] : [],
)

type Move = {
  readonly from: { readonly payment_service_id: string } | null
  readonly to: { readonly payment_service_id: string }
}

/** The same payment again, so many times: only what a back-test reads. */
async function copy(id: string, times: number): Promise<void> {
  for (const table of ['transactions', 'transaction_documents'] as const) {
    const copies = sql`
      insert into ${sql.table(table)}
      select (jsonb_populate_record(row, jsonb_build_object('id',
        left(row.id::text, 24) || lpad(to_hex(copy), 12, '0')))).*
      from ${sql.table(table)} as row, generate_series(1, ${times}::int) as copy where row.id = ${id}`
    await byHand(service.context.db, copies)
  }
}
