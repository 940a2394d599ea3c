import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestService, type TestService } from '#testing/harness.ts'
import { CARD, openTill, type Till } from '#testing/till.ts'
import { SHAPES_OF } from './conditions/schemas.ts'
import { FLOWS } from './vocabulary.ts'

let service: TestService
let till: Till
let cards: string
beforeAll(async () => {
  service = await startTestService()
  till = openTill(service)
  for (const id of ['moved', 'raced', 'restored', 'full', 'warned', 'named'])
    await service.send('POST /merchant-accounts', { id, display_name: id })
  cards = (await till.addService({})).id
})
afterAll(() => service.close())

const ROUTES = '/flows/card-transaction/actions/route-transaction/rules'
const DECLINES = '/flows/card-transaction/actions/decline-early/rules'
const EUROS = { name: 'currency', operator: 'is_one_of', value: ['EUR'] }
const DECLINE = { conditions: [EUROS], outcome: { type: 'boolean', result: true } }
const to = (...ids: string[]) => ({
  type: 'card-routing',
  version: 2,
  result: ids.map((payment_service_id) => ({ payment_service_id, instrument: 'pan', transformations: [] })),
})

async function add(account: string, body: object, path = DECLINES) {
  const response = await service.send(`POST ${path}`, body, { account })
  expect(response.statusCode, response.body).toBe(201)
  return response.json()
}

async function rulesOf(account: string, flow = 'card-transaction') {
  return (await service.send(`GET /flows/${flow}`, undefined, { account })).json()
}
type Rule = { readonly id: string; readonly description: string; readonly position: number }
const inOrder = async (account: string) =>
  (await rulesOf(account)).items.map(({ description }: Rule) => description)

test('a rule is added below the others, read, changed, moved and deleted', async () => {
  const account = 'moved'
  const [first, second, third] = [
    await add(account, { ...DECLINE, description: 'first' }),
    await add(account, { ...DECLINE, description: 'second', error_code: 'flow_no_euros' }),
    await add(account, { ...DECLINE, description: 'third' }),
  ]
  const path = `${DECLINES}/${third.id}`

  const moved = await service.send(`PUT ${path}`, { position: 0 }, { account })
  const changed = await service.send(`PUT ${path}`, { position: 1, description: 'changed' }, { account })
  const read = await service.send(`GET ${path}`, undefined, { account })
  const gone = await service.send(`DELETE ${DECLINES}/${first.id}`, undefined, { account })

  expect(second).toMatchObject({
    type: 'rule',
    merchant_account_id: account,
    flow: 'card-transaction',
    action: 'decline-early',
    position: 1,
    error_code: 'flow_no_euros',
    ...DECLINE,
  })
  expect(moved.json()).toMatchObject({ position: 0, description: 'third' })
  expect(read.json()).toEqual(changed.json())
  expect(gone.statusCode).toBe(204)
  expect(await inOrder(account)).toEqual(['changed', 'second'])
  expect(await till.audited(third.id)).toEqual(
    ['created by owner', 'updated by owner', 'updated by owner'].map((entry) =>
      expect.stringContaining(entry.slice(0, 10)),
    ),
  )
})

test('every change is a version, and going back is a new one', async () => {
  const account = 'restored'
  const rule = await add(account, { ...DECLINE, description: 'kept' })
  await service.send(`DELETE ${DECLINES}/${rule.id}`, undefined, { account })

  const restored = await service.send('POST /flows/versions', { restore: 1 }, { account })
  const versions = (await service.send('GET /flows/versions', undefined, { account })).json()
  const first = (
    await service.send(`GET /flows/versions/${versions.items[2].id}`, undefined, { account })
  ).json()

  expect(restored.statusCode, restored.body).toBe(201)
  expect(restored.json()).toMatchObject({ number: 3, note: 'went back to version 1', rule_count: 1 })
  expect(versions.items.map(({ number, note }: { number: number; note: string }) => [number, note])).toEqual([
    [3, 'went back to version 1'],
    [2, 'deleted kept'],
    [1, 'added kept'],
  ])
  const second = (await service.send('GET /flows/versions?number=2', undefined, { account })).json()
  expect(second.items.map(({ number }: { number: number }) => number)).toEqual([2])
  expect(first.rules.map(({ id }: Rule) => id)).toEqual([rule.id])
  expect(await rulesOf(account)).toMatchObject({ version: 3, items: [{ id: rule.id }] })
  const missing = await service.send('POST /flows/versions', { restore: 9 }, { account })
  expect([missing.statusCode, missing.json().details[0].pointer]).toEqual([400, '/restore'])
  expect((await service.send(`GET /flows/versions/${first.id}`)).statusCode).toBe(404)
})

test('a stored version cannot be changed', async () => {
  const { db } = service.context
  await add('default', { ...DECLINE, description: 'stays' })

  await expect(db.updateTable('flow_versions').set({ note: 'changed' }).execute()).rejects.toThrow(
    'never changed',
  )
  await expect(db.deleteFrom('flow_versions').execute()).rejects.toThrow('never changed')
})

test('rules that people add and move at the same time are all kept, each at a position of its own', async () => {
  const account = 'raced'
  const made = await Promise.all(
    Array.from({ length: 6 }, (_, index) => add(account, { ...DECLINE, description: `rule ${index}` })),
  )
  await Promise.all(made.map(({ id }) => service.send(`PUT ${DECLINES}/${id}`, { position: 0 }, { account })))

  const { items, version } = await rulesOf(account)

  expect(version).toBe(12)
  expect(items.map(({ position }: Rule) => position)).toEqual([0, 1, 2, 3, 4, 5])
  expect(new Set(items.map(({ id }: Rule) => id)).size).toBe(6)
  const late = await service.send(`POST ${DECLINES}`, { ...DECLINE, based_on_version: 11 }, { account })
  expect([late.statusCode, late.json().details[0].pointer]).toEqual([400, '/based_on_version'])
  expect((await rulesOf(account)).version).toBe(12)
})

test('there are at most 500 rules', async () => {
  const account = 'full'
  const { id } = await add(account, DECLINE)
  const { items } = await rulesOf(account)
  const { type, merchant_account_id, position, warnings, ...rule } = items[0]
  const many = Array.from({ length: 500 }, (_, index) => ({
    ...rule,
    id: id.replace(/.{3}$/, String(100 + index)),
  }))
  await service.context.db
    .insertInto('flow_versions')
    .values({
      id: crypto.randomUUID(),
      merchant_account_id: account,
      number: 2,
      rules: JSON.stringify(many) as never,
      note: 'many',
      author_id: null,
      author_name: 'test',
      created_at: new Date(),
    })
    .execute()

  const refused = await service.send(`POST ${DECLINES}`, DECLINE, { account })

  expect(refused.statusCode).toBe(400)
  expect(refused.json().message).toContain('500 rules')
  const transaction = { amount: 100, currency: 'USD', country: 'US', payment_method: CARD }
  const tried = await service.send('POST /flows/dry-run', { transaction }, { account })
  expect(tried.json().steps[0].passed_over).toHaveLength(500)
})

test.each([...SHAPES_OF])(
  'the condition %s refuses a wrong operator, type, empty list and too many values',
  async (name, shapes) => {
    const wrong = shapes.flatMap(({ operators, schema }) => {
      const [operator = ''] = operators
      const { maxItems } = (schema as unknown as { properties: { value: { maxItems?: number } } }).properties
        .value
      const lists =
        maxItems === undefined ? [] : [[], Array.from({ length: maxItems + 1 }, (_, at) => `${at}`)]
      return [
        { operator: 'resembles', value: 1 },
        ...[null, -0.5, {}, ...lists].map((value) => ({ operator, value })),
      ]
    })
    const rules = wrong.map((one) => ({
      flow: 'card-transaction',
      action: 'route-transaction',
      conditions: [{ name, ...one }],
      outcome: to(cards),
    }))
    const transaction = { amount: 100, currency: 'EUR', payment_method: CARD }

    const refused = await service.send('POST /flows/dry-run', { transaction, rules })

    expect(refused.statusCode, refused.body).toBe(400)
    const pointers: string[] = refused.json().details.map(({ pointer }: { pointer: string }) => pointer)
    const complained = rules.map((_rule, at) =>
      pointers.some((pointer) => pointer.startsWith(`/rules/${at}/`)),
    )
    expect(complained).toEqual(rules.map(() => true))
  },
)

describe('a rule is refused', () => {
  const NOTHING = '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0011'
  const condition = (name: string, operator: string, value: unknown) => ({
    ...DECLINE,
    conditions: [{ name, operator, value }],
  })
  test.each<[string, () => object, string]>([
    [
      'with a condition that does not exist',
      () => condition('colour', 'is_one_of', ['red']),
      '/conditions/0/name',
    ],
    [
      'without a name',
      () => ({ ...DECLINE, conditions: [{ operator: 'is_one_of', value: [] }] }),
      '/conditions/0/name',
    ],
    [
      'with an operator of another condition',
      () => condition('currency', 'less_than', ['EUR']),
      '/conditions/0/operator',
    ],
    ['with an empty list', () => condition('currency', 'is_one_of', []), '/conditions/0/value'],
    [
      'with too many values',
      () =>
        condition(
          'skus',
          'includes_all',
          Array.from({ length: 501 }, (_, i) => `${i}`),
        ),
      '/conditions/0/value',
    ],
    ['with text instead of a list', () => condition('currency', 'is_one_of', 'EUR'), '/conditions/0/value'],
    [
      'with a number instead of a flag',
      () => condition('merchant_initiated', 'equal_to', 1),
      '/conditions/0/value',
    ],
    [
      'with a currency that does not exist',
      () => condition('currency', 'is_one_of', ['EUR', 'ZZZ']),
      '/conditions/0/value/1',
    ],
    [
      'with a range that ends before it starts',
      () => condition('card_bin', 'is_one_of', ['42-41']),
      '/conditions/0/value/0',
    ],
    [
      'with a BIN that is too long',
      () => condition('card_bin', 'is_one_of', ['411111111']),
      '/conditions/0/value/0',
    ],
    [
      'with amounts that cross',
      () => condition('amount', 'is_between', { currency: 'EUR', min: 2, max: 1 }),
      '/conditions/0/value/max',
    ],
    [
      'with a split of everything',
      () => condition('split_routing', 'less_than_or_equal_to', 100),
      '/conditions/0/value',
    ],
    [
      'with a zone that does not exist',
      () => condition('weekday', 'is_one_of', { time_zone: 'Mars/Base', days: ['sunday'] }),
      '/conditions/0/value/time_zone',
    ],
    [
      'with a time that does not exist',
      () => condition('time_of_day', 'is_between', { time_zone: 'UTC', from: '24:00', to: '25:00' }),
      '/conditions/0/value/from',
    ],
    [
      'with one any_of in another',
      () =>
        condition('any_of', 'is_true', [
          EUROS,
          { name: 'any_of', operator: 'is_true', value: [EUROS, EUROS] },
        ]),
      '/conditions/0/value/1/name',
    ],
    [
      'with a wrong condition in any_of',
      () => condition('any_of', 'is_true', [EUROS, { ...EUROS, value: [] }]),
      '/conditions/0/value/1/value',
    ],
    [
      'with a field that does not exist',
      () => ({ ...DECLINE, conditions: [{ ...EUROS, colour: 'red' }] }),
      '/conditions/0/colour',
    ],
    ['without an outcome', () => ({ conditions: [EUROS] }), '/outcome'],
    [
      'that does not decline',
      () => ({ ...DECLINE, outcome: { type: 'boolean', result: false } }),
      '/outcome/result',
    ],
    ['with the outcome of another action', () => ({ ...DECLINE, outcome: to(cards) }), '/outcome/type'],
    ['with a wrong error code', () => ({ ...DECLINE, error_code: 'no_euros' }), '/error_code'],
  ])('%s', async (_name, body, pointer) => {
    const response = await service.send(`POST ${DECLINES}`, body())

    expect(response.statusCode, response.body).toBe(400)
    expect(response.json().details.map((detail: { pointer: string }) => detail.pointer)).toContain(pointer)
  })

  const weighted = (...weights: (number | undefined)[]) => ({
    ...to(),
    strategy: 'weighted',
    result: weights.map((weight, index) => ({
      payment_service_id: cards,
      instrument: index === 0 ? 'pan' : 'network_token',
      ...(weight !== undefined && { weight }),
    })),
  })
  const withEntry = (more: object) => ({
    ...to(),
    result: [{ payment_service_id: cards, instrument: 'pan', ...more }],
  })
  test.each<[string, () => object, string]>([
    ['to a service that does not exist', () => to(NOTHING), '/outcome/result/0/payment_service_id'],
    ['to no service', () => to(), '/outcome/result'],
    ['with weights that do not add up', () => weighted(50, 40), '/outcome/result'],
    ['with a weight that is missing', () => weighted(100, undefined), '/outcome/result/1/weight'],
    [
      'with weights and no strategy',
      () => ({ ...weighted(50, 50), strategy: 'ordered' }),
      '/outcome/result/0/weight',
    ],
    [
      'with a second scheme for a network token',
      () => ({
        ...to(),
        result: [
          {
            payment_service_id: cards,
            instrument: 'network_token',
            transformations: [{ name: 'use_additional_scheme' }],
          },
        ],
      }),
      '/outcome/result/0/transformations',
    ],
    ['with an empty retry list', () => withEntry({ retry: {} }), '/outcome/result/0/retry'],
    [
      'with an error code that does not exist in a retry list',
      () => withEntry({ retry: { on: ['issuer_decline', 'bad_luck'] } }),
      '/outcome/result/0/retry/on/1',
    ],
    [
      'with no error code in a retry list',
      () => withEntry({ retry: { not_on: [] } }),
      '/outcome/result/0/retry/not_on',
    ],
    [
      'with an error code that is retried and not retried',
      () => withEntry({ retry: { on: ['issuer_decline'], not_on: ['incorrect_cvv', 'issuer_decline'] } }),
      '/outcome/result/0/retry/not_on/1',
    ],
    ['with no attempt at a service', () => withEntry({ max_attempts: 0 }), '/outcome/result/0/max_attempts'],
    [
      'with too many attempts at a service',
      () => withEntry({ max_attempts: 6 }),
      '/outcome/result/0/max_attempts',
    ],
  ])('that routes %s', async (_name, outcome, pointer) => {
    const response = await service.send(`POST ${ROUTES}`, { conditions: [], outcome: outcome() })

    expect(response.statusCode, response.body).toBe(400)
    expect(response.json().details.map((detail: { pointer: string }) => detail.pointer)).toContain(pointer)
  })

  test('that names a service of another account, or of another method', async () => {
    const foreign = await service.send(
      `POST ${ROUTES}`,
      { conditions: [], outcome: to(cards) },
      { account: 'named' },
    )
    const redirect = await service.send('POST /flows/redirect-transaction/actions/route-transaction/rules', {
      conditions: [],
      outcome: { type: 'list', result: [cards] },
    })

    expect([foreign.statusCode, foreign.json().details[0].pointer]).toEqual([
      400,
      '/outcome/result/0/payment_service_id',
    ])
    expect(redirect.json().details[0]).toMatchObject({
      pointer: '/outcome/result/0',
      message: expect.stringContaining('takes cards'),
    })
  })

  test('in a flow that does not have the action', async () => {
    const response = await service.send('POST /flows/checkout/actions/decline-early/rules', DECLINE)

    expect(response.json().details[0]).toMatchObject({
      location: 'path',
      message: expect.stringContaining('select-payment-options'),
    })
  })

  test('that asks for a card before there is one', async () => {
    const body = {
      conditions: [{ name: 'card_scheme', operator: 'is_one_of', value: ['visa'] }],
      outcome: { type: 'list', result: ['card'] },
    }
    const response = await service.send('POST /flows/checkout/actions/select-payment-options/rules', body)

    expect(response.json().details[0].pointer).toBe('/conditions/0/name')
  })

  test('at a position that is not there', async () => {
    const { id } = await add('named', DECLINE)
    const response = await service.send(`PUT ${DECLINES}/${id}`, { position: 1 }, { account: 'named' })

    expect(response.json().details[0].pointer).toBe('/position')
  })
})

test('what a rule says about retries is stored, and an outcome without it is returned as it came', async () => {
  const entry = { payment_service_id: cards, instrument: 'pan' }
  const said = {
    ...entry,
    retry: { on: ['insufficient_funds'], not_on: ['issuer_decline'] },
    max_attempts: 2,
  }
  for (const result of [[said], [entry]]) {
    const outcome = { type: 'card-routing', version: 2, result }

    const added = await service.send(`POST ${ROUTES}`, { conditions: [], outcome })

    expect(added.statusCode, added.body).toBe(201)
    expect(added.json().outcome).toEqual(outcome)
  }
})

test('a rule of another account, flow or action is not there', async () => {
  const { id } = await add('named', DECLINE)
  const missing = [`GET ${DECLINES}/${id}`, `DELETE ${DECLINES}/${id}`, `GET ${ROUTES}/${id}`]
  const statuses = await Promise.all(missing.map(async (route) => (await service.send(route)).statusCode))
  const put = await service.send(`PUT ${DECLINES}/${id}`, { position: 0 })

  expect([...statuses, put.statusCode]).toEqual([404, 404, 404, 404])
})

describe('a warning tells', () => {
  const warningsOf = async (rule: { id: string }, path = ROUTES) =>
    (await service.send(`GET ${path}/${rule.id}`, undefined, { account: 'warned' }))
      .json()
      .warnings.map(({ message }: { message: string }) => message)

  test('that an earlier rule matches all payments of this one', async () => {
    await add('warned', DECLINE)
    const narrower = {
      ...DECLINE,
      conditions: [EUROS, { name: 'country', operator: 'is_one_of', value: ['NL'] }],
    }
    const rule = await add('warned', narrower)

    expect(rule.warnings).toEqual([
      { pointer: '/position', message: expect.stringContaining('never decides') },
    ])
  })

  test('that a service is switched off, deleted, or does not take the currency', async () => {
    const account = 'warned'
    const mine = await till.addService({}, { account })
    const pounds = { name: 'currency', operator: 'is_one_of', value: ['GBP'] }
    const rule = await add(account, { conditions: [pounds], outcome: to(mine.id) }, ROUTES)
    const path = `/payment-services/${mine.id}`

    expect(await warningsOf(rule)).toEqual([expect.stringContaining('accepts none of the rule’s currencies')])
    await service.send(`PUT ${path}`, { active: false }, { account })
    expect(await warningsOf(rule)).toEqual([expect.stringContaining('is switched off')])
    await service.send(`DELETE ${path}`, undefined, { account })
    expect(await warningsOf(rule)).toEqual([expect.stringContaining('was deleted')])
  })

  test('that two conditions contradict each other', async () => {
    const dollars = { name: 'amount', operator: 'less_than', value: { currency: 'USD', value: 100 } }
    const rule = await add('warned', { ...DECLINE, conditions: [EUROS, dollars] })

    expect(rule.warnings[1] ?? rule.warnings[0]).toMatchObject({ pointer: '/conditions/1' })
  })
})

test('the possible outcomes are listed', async () => {
  const read = async (path: string) => (await service.send(`GET /flows/${path}/outcomes`)).json().items
  const routes = await read('card-transaction/actions/route-transaction')

  expect(routes).toContainEqual(
    expect.objectContaining({
      type: 'transaction-route',
      id: cards,
      label: 'Till',
      active: true,
      instruments: expect.arrayContaining(['pan']),
    }),
  )
  expect(
    (await read('checkout/actions/select-payment-options')).find(({ id }: Rule) => id === 'card'),
  ).toMatchObject({ type: 'action', label: 'Card', active: true })
  expect((await read('card-transaction/actions/skip-3ds')).map(({ id }: Rule) => id)).toEqual([
    'attempt',
    'force',
    'skip',
  ])
})

test('an account without rules has none in any flow', async () => {
  for (const flow of FLOWS)
    expect((await service.send(`GET /flows/${flow}`, undefined, { account: 'full' })).statusCode).toBe(200)
  expect((await service.send('GET /flows/refunds')).statusCode).toBe(400)
})
