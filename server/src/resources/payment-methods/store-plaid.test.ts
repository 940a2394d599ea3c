import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { MISSING, pointers } from '#testing/answers.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { debited } from '#testing/test-connectors.ts'
import { openTill, order, type Till } from '#testing/till.ts'

let service: TestService
let till: Till
let first: string
let second: string
beforeAll(async () => {
  service = await startTestService()
  till = openTill(service)
  first = await addService('First')
  second = await addService('Second')
})
beforeEach(() => {
  debited.length = 0
})
afterAll(() => service.close())

const PLAID = { method: 'plaid', token: 'public-sandbox-1', account_id: 'checking-1' }

async function addService(display_name: string): Promise<string> {
  const response = await service.send('POST /payment-services', {
    display_name,
    payment_service_definition_id: 'test-plaid',
    fields: [{ key: 'account', value: 'shop' }],
    accepted_currencies: ['USD'],
    accepted_countries: ['US'],
  })
  expect(response.statusCode, response.body).toBe(201)
  return response.json().id
}

const create = (body: object) => service.send('POST /payment-methods', body)
const pay = (id: string) => order(service, { country: 'US', payment_method: { method: 'id', id } })

test('a token of Plaid is stored, pays at the first service, and is shown nowhere', async () => {
  const response = await create({ ...PLAID, external_identifier: 'plaid-1' })

  expect(response.statusCode, response.body).toBe(201)
  const method = response.json()
  expect(method).toMatchObject({
    method: 'plaid',
    mode: 'bank',
    status: 'succeeded',
    label: null,
    currency: null,
    scheme: null,
    external_identifier: 'plaid-1',
  })
  expect(response.body).not.toContain(PLAID.token)
  const paid = await pay(method.id)
  expect(paid.json()).toMatchObject({
    status: 'authorization_succeeded',
    instrument_type: 'plaid',
    payment_service: { id: first },
    payment_method: { id: method.id, method: 'plaid', mode: 'bank' },
  })
  expect(debited).toEqual([{ kind: 'plaid', ...PLAID }])
  expect(await till.audited(method.id)).toEqual(['created by Test key'])
  const opened = await sql`
    select from audit_logs where resource_id = ${method.id} and action = 'revealed'
  `.execute(service.context.db)
  expect(opened.rows).toHaveLength(1)
})

test('a token for one service pays there only', async () => {
  const { id } = (
    await create({ method: 'plaid', token: 'public-sandbox-2', payment_service_id: second })
  ).json()

  expect((await pay(id)).json()).toMatchObject({ payment_service: { id: second } })

  await service.send(`PUT /payment-services/${second}`, { active: false })
  const failed = (await pay(id)).json()
  await service.send(`PUT /payment-services/${second}`, { active: true })
  expect(failed).toMatchObject({ status: 'authorization_failed', error_code: 'all_attempts_skipped' })
})

test('is deleted with its token', async () => {
  const { id } = (await create(PLAID)).json()

  expect((await service.send(`DELETE /payment-methods/${id}`)).statusCode).toBe(204)

  expect(pointers(await pay(id))).toEqual([['/payment_method/id', 'value_error.not_found']])
  expect(await till.told(id)).toEqual(['payment-method.deleted'])
})

test.each([
  ['no token', { token: undefined }, '/token', 'value_error.missing'],
  ['an empty token', { token: '' }, '/token', 'value_error.any_str.min_length'],
  ['a token that is no text', { token: { a: 1 } }, '/token', 'type_error.string'],
  ['a field of a bank account', { routing_number: '021000021' }, '/routing_number', 'value_error.extra'],
  [
    'a service that does not exist',
    { payment_service_id: MISSING },
    '/payment_service_id',
    'value_error.not_found',
  ],
  ['a service that is no id', { payment_service_id: 'x' }, '/payment_service_id', 'type_error.uuid'],
])('refuses %s, and stores nothing', async (_what, over, pointer, type) => {
  const count = () => sql`select count(*) from payment_methods`.execute(service.context.db)
  const before = (await count()).rows

  const response = await create({ ...PLAID, ...over })

  expect(response.statusCode, response.body).toBe(400)
  expect(pointers(response)).toEqual([[pointer, type]])
  expect((await count()).rows).toEqual(before)
})

test('refuses a service that takes cards', async () => {
  const { id } = await till.addService({})

  const response = await create({ ...PLAID, payment_service_id: id })

  expect(pointers(response)).toEqual([['/payment_service_id', 'value_error.conflict']])
})
