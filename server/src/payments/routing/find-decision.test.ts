import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { startTestService, type TestService } from '#testing/harness.ts'
import { openTill, type Till } from '#testing/till.ts'

let service: TestService
let till: Till
beforeAll(async () => {
  service = await startTestService()
  till = openTill(service)
})
afterAll(() => service.close())

const read = async (id: string, what: string, account: string) =>
  (await service.send(`GET /transactions/${id}/${what}`, undefined, { account })).json()

async function add(account: string, action: string, body: object) {
  const answer = await service.send(`POST /flows/card-transaction/actions/${action}/rules`, body, { account })
  expect(answer.statusCode, answer.body).toBe(201)
  return answer.json()
}

const inCurrency = (...value: string[]) => ({ name: 'currency', operator: 'is_one_of', value })
const LARGE = { name: 'amount', operator: 'is_between', value: { currency: 'USD', min: 900, max: 1_000_000 } }
const DECLINE = { type: 'boolean', result: true }

/** An account whose second rule routes what no rule declines, by what is known of its services. */
async function open(account: string, strategy: string) {
  await service.send('POST /merchant-accounts', { id: account, display_name: account })
  const { id: serviceId } = await till.addService({}, { account })
  const outcome = {
    type: 'card-routing',
    version: 2,
    strategy,
    result: [{ payment_service_id: serviceId, instrument: 'pan' }],
  }
  await add(account, 'decline-early', {
    conditions: [LARGE, inCurrency('GBP')],
    outcome: DECLINE,
  })
  await add(account, 'route-transaction', { conditions: [inCurrency('EUR')], outcome })
  const routing = await add(account, 'route-transaction', { conditions: [inCurrency('USD')], outcome })
  return { serviceId, outcome, routing }
}

type Event = { readonly id: string; readonly name: string; readonly created_at: string }

test('the history tells the decision with outcomes, in its place, although it is no row there', async () => {
  const account = 'told'
  const { serviceId, outcome, routing } = await open(account, 'ordered')
  const paid = await till.pay({}, { account })

  const { items } = await read(paid.id, 'events', account)
  const event = items.find(({ name }: Event) => name === 'flow-decision')

  expect(event).toEqual({
    type: 'transaction-event',
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    name: 'flow-decision',
    created_at: expect.stringMatching(/Z$/),
    context: {
      version: 3,
      steps: [
        { flow: 'card-transaction', action: 'decline-early', rule_id: null, passed: [1], outcome: null },
        { flow: 'card-transaction', action: 'skip-3ds', rule_id: null, passed: [], outcome: null },
        { flow: 'card-transaction', action: 'route-transaction', rule_id: routing.id, passed: [0], outcome },
      ],
      route: [{ payment_service_id: serviceId, instrument: 'pan' }],
    },
  })
  expect(items.at(-1)).toEqual(event)
  const rows = await service.database.db
    .selectFrom('transaction_events')
    .select('name')
    .where('transaction_id', '=', paid.id)
    .execute()
  expect(rows.length).toBe(items.length - 1)

  const pages: Event[] = []
  let page = await read(paid.id, 'events?limit=1', account)
  for (
    ;
    page.next_cursor !== null;
    page = await read(paid.id, `events?limit=1&cursor=${page.next_cursor}`, account)
  )
    pages.push(...page.items)
  expect([...pages, ...page.items]).toEqual(items)
  const back = await read(paid.id, `events?limit=100&cursor=${page.previous_cursor}`, account)
  expect(back.items).toEqual(items.slice(0, -1))
})

test('the decision comes after what the anti-fraud service said, also when the clock moves between the two', async () => {
  const account = 'watched'
  await open(account, 'ordered')
  const made = await service.send(
    'POST /anti-fraud-services',
    { display_name: 'Watchful', anti_fraud_service_definition_id: 'mock-anti-fraud', fields: [] },
    { account },
  )
  expect(made.statusCode, made.body).toBe(201)
  const begun = Date.now()
  let reading = 0
  const ticking = vi.spyOn(Date, 'now').mockImplementation(() => begun + reading++)
  onTestFinished(() => ticking.mockRestore())
  const paid = await till.pay({}, { account })

  const { items } = await read(paid.id, 'events', account)

  const names = items.map(({ name }: Event) => name)
  expect(names.slice(-2)).toEqual(['flow-decision', 'anti-fraud-decision-skipped'])
})

test('a payment that a rule declined names that rule, also after the rule has gone', async () => {
  const account = 'declined'
  await open(account, 'ordered')
  const rule = await add(account, 'decline-early', { conditions: [inCurrency('USD')], outcome: DECLINE })
  const paid = await till.pay({}, { account })
  const before = await read(paid.id, 'actions', account)
  const path = `/flows/card-transaction/actions/decline-early/rules/${rule.id}`
  expect((await service.send(`DELETE ${path}`, undefined, { account })).statusCode).toBe(204)

  expect(paid.status).toBe('authorization_declined')
  expect(before.items).toMatchObject([{ id: 'decline-early', rule_id: rule.id, outcome: DECLINE }])
  expect(await read(paid.id, 'actions', account)).toEqual(before)
})
