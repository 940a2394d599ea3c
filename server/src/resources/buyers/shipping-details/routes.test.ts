import { afterAll, beforeAll, expect, test } from 'vitest'
import { MISSING } from '#testing/answers.ts'
import { startTestService, type TestService } from '#testing/harness.ts'

const DETAILS = {
  first_name: 'John',
  last_name: 'Doe',
  email_address: 'john.doe@example.com',
  phone_number: '+14155550123',
  address: {
    city: 'Amsterdam',
    country: 'NL',
    postal_code: '1012 AB',
    state: null,
    state_code: 'NL-NH',
    house_number_or_name: '1',
    line1: 'Damrak',
    line2: null,
    organization: null,
  },
}

let service: TestService
let path = ''
let buyerId = ''
beforeAll(async () => {
  service = await startTestService()
  await service.send('POST /merchant-accounts', { id: 'other-shop', display_name: 'Other shop' })
  buyerId = (await service.send('POST /buyers', {})).json().id
  path = `/buyers/${buyerId}/shipping-details`
})
afterAll(() => service.close())

const create = async (body: object = DETAILS) => (await service.send(`POST ${path}`, body)).json()

test('creates, lists, updates and deletes', async () => {
  const first = await create()
  const second = await create({})

  expect(first).toEqual({ type: 'shipping-details', id: first.id, buyer_id: buyerId, ...DETAILS })
  expect(second).toEqual({
    type: 'shipping-details',
    id: second.id,
    buyer_id: buyerId,
    first_name: null,
    last_name: null,
    email_address: null,
    phone_number: null,
    address: null,
  })
  expect((await service.send(`GET ${path}`)).json()).toEqual({ items: [second, first] })
  expect((await service.send(`GET ${path}`, undefined, { account: '*' })).json().items).toHaveLength(2)
  expect((await service.send(`GET ${path}/${first.id}`)).json()).toEqual(first)

  const changes = { first_name: 'Jane', phone_number: null, address: { country: 'BE' } }
  const updated = (await service.send(`PUT ${path}/${first.id}`, changes)).json()
  expect(updated).toMatchObject({ first_name: 'Jane', last_name: 'Doe', phone_number: null })
  expect(updated.address).toMatchObject({ country: 'BE', city: null })
  expect((await service.send(`GET ${path}/${first.id}`)).json()).toEqual(updated)

  expect((await service.send(`DELETE ${path}/${first.id}`)).statusCode).toBe(204)
  expect((await service.send(`GET ${path}/${first.id}`)).statusCode).toBe(404)
  expect((await service.send(`GET ${path}`)).json()).toEqual({ items: [second] })
})

test('has no pages', async () => {
  const response = await service.send(`GET ${path}?limit=5`)

  expect(response.statusCode).toBe(400)
  expect(response.json().details).toMatchObject([{ location: 'query', pointer: '/limit' }])
})

test.each([
  ['an unknown country', { address: { country: 'QQ' } }, '/address/country', 'type_error.enum'],
  ['an empty e-mail address', { email_address: '' }, '/email_address', 'value_error.any_str.min_length'],
  ['a bad phone number', { phone_number: '020 123' }, '/phone_number', 'value_error.str.regex'],
  ['an empty name', { first_name: '' }, '/first_name', 'value_error.any_str.min_length'],
  ['a long name', { last_name: 'x'.repeat(256) }, '/last_name', 'value_error.any_str.max_length'],
  ['a tax id', { tax_id: { value: '1', kind: 'us.ein' } }, '/tax_id', 'value_error.extra'],
  ['another buyer', { buyer_id: MISSING }, '/buyer_id', 'value_error.extra'],
])('%s is refused, on create and on update', async (_name, body, pointer, type) => {
  const { id } = await create()

  const created = await service.send(`POST ${path}`, body)
  const updated = await service.send(`PUT ${path}/${id}`, body)

  for (const response of [created, updated]) {
    expect(response.statusCode).toBe(400)
    expect(response.json().details).toMatchObject([{ location: 'body', pointer, type }])
  }
  expect((await service.send(`GET ${path}/${id}`)).json()).toMatchObject(DETAILS)
})

test.each([{ email_address: 'john@localhost' }, { address: { country: 'NL', state_code: 'US-CA' } }])(
  '%o is carried, not judged',
  async (body) => {
    const response = await service.send(`POST ${path}`, body)

    expect(response.statusCode, response.body).toBe(201)
    expect(response.json()).toMatchObject(body)
  },
)

test('are not found below another buyer, or in another merchant account', async () => {
  const { id } = await create()
  const other = (await service.send('POST /buyers', {})).json()
  const account = 'other-shop'

  const answers = [
    await service.send(`GET /buyers/${other.id}/shipping-details/${id}`),
    await service.send(`PUT /buyers/${other.id}/shipping-details/${id}`, {}),
    await service.send(`DELETE /buyers/${other.id}/shipping-details/${id}`),
    await service.send(`GET ${path}/${id}`, undefined, { account }),
    await service.send(`PUT ${path}/${id}`, {}, { account }),
    await service.send(`DELETE ${path}/${id}`, undefined, { account }),
    await service.send(`GET ${path}`, undefined, { account }),
    await service.send(`POST ${path}`, {}, { account }),
    await service.send(`GET /buyers/${MISSING}/shipping-details`),
    await service.send(`POST /buyers/${MISSING}/shipping-details`, {}),
  ]

  expect(answers.map(({ statusCode }) => statusCode)).toEqual(answers.map(() => 404))
  expect((await service.send(`GET ${path}/${id}`)).statusCode).toBe(200)
})

test('each change has an audit entry', async () => {
  const { id } = await create()
  await service.send(`PUT ${path}/${id}`, { first_name: null, last_name: null })
  await service.send(`PUT ${path}/${id}`, { email_address: null })
  await service.send(`DELETE ${path}/${id}`)

  const entries = (await service.send('GET /audit-logs?resource_type=buyer-shipping-details&limit=4')).json()
  expect(
    entries.items.map(
      (entry: { action: string; resource: { name: string } }) => `${entry.action} ${entry.resource.name}`,
    ),
  ).toEqual([`deleted ${id}`, `updated ${id}`, 'updated john.doe@example.com', 'created John Doe'])
})

test('do not outlive a buyer that is deleted meanwhile', async () => {
  const { id } = (await service.send('POST /buyers', {})).json()

  const answers = await Promise.all([
    ...Array.from({ length: 5 }, () => service.send(`POST /buyers/${id}/shipping-details`, {})),
    service.send(`DELETE /buyers/${id}`),
    ...Array.from({ length: 5 }, () => service.send(`POST /buyers/${id}/shipping-details`, {})),
  ])

  for (const { statusCode } of answers) expect([201, 204, 404]).toContain(statusCode)
  const left = await service.context.db
    .selectFrom('buyer_shipping_details')
    .select('id')
    .where('buyer_id', '=', id)
    .execute()
  expect(left).toEqual([])
})
