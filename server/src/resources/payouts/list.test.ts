import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestService } from '#testing/harness.ts'
import { openTill, type Till } from '#testing/till.ts'

type Listed = { readonly id: string; readonly status: string }

let service: TestService
let till: Till
let made: Listed[]
let pending: { readonly id: string; readonly payment_service_payout_id: string }
let other: Listed
beforeAll(async () => {
  service = await startTestService()
  till = openTill(service)
  made = []
  for (const body of [{}, { amount: 530_001 }, { amount: 530_002 }, { external_identifier: 'win' }, {}]) {
    made.unshift(await till.payOut(body))
    service.moveClock(1_000)
  }
  const later = await till.addService({ asynchronous: 'true' })
  pending = await till.payOut({ payment_service_id: later.id })
  await service.send('POST /merchant-accounts', { id: 'other', display_name: 'Other' })
  const theirs = await till.addService({}, { account: 'other' })
  other = await till.payOut({ payment_service_id: theirs.id }, { account: 'other' })
})
afterAll(() => service.close())

const list = async (query = '', options = {}) => {
  const response = await service.send(`GET /payouts${query}`, undefined, options)
  expect(response.statusCode, response.body).toBe(200)
  return response.json()
}
const ids = async (query: string, options = {}) =>
  (await list(query, options)).items.map(({ id }: Listed) => id)
const all = () => [pending.id, ...made.map(({ id }) => id)]

test('newest first, as each is shown alone', async () => {
  const page = await list()

  expect(page.items.map(({ id }: Listed) => id)).toEqual(all())
  expect(page.items[1]).toEqual(made[0])
  expect(page).toMatchObject({ limit: 20, next_cursor: null, previous_cursor: null })
})

test('page by page, forward and back', async () => {
  const one = await list('?limit=4')
  const two = await list(`?limit=4&cursor=${one.next_cursor}`)
  const back = await list(`?limit=4&cursor=${two.previous_cursor}`)

  expect([...one.items, ...two.items].map(({ id }: Listed) => id)).toEqual(all())
  expect(two.next_cursor).toBe(null)
  expect(back.items).toEqual(one.items)
})

test('by status, external identifier and id at the service', async () => {
  const of = (...statuses: string[]) =>
    made.filter(({ status }) => statuses.includes(status)).map(({ id }) => id)

  expect(await ids('?status=declined')).toEqual(of('declined'))
  expect(await ids('?status=declined&status=failed')).toEqual(of('declined', 'failed'))
  expect(await ids('?status=pending')).toEqual([pending.id])
  expect(await ids('?status=succeeded&external_identifier=win')).toHaveLength(1)
  expect(await ids('?status=declined&external_identifier=win')).toEqual([])
  expect(await ids(`?payment_service_payout_id=${pending.payment_service_payout_id}`)).toEqual([pending.id])
  expect(await ids('?payment_service_payout_id=none')).toEqual([])
})

test('by the times of creation and of the last change', async () => {
  const third = made[2]
  const { created_at } = (await service.send(`GET /payouts/${third?.id}`)).json()
  const at = encodeURIComponent(created_at)

  expect(await ids(`?created_at_lte=${at}`)).toEqual(made.slice(2).map(({ id }) => id))
  expect(await ids(`?created_at_gte=${at}`)).toEqual([pending.id, ...made.slice(0, 3).map(({ id }) => id)])
  expect(await ids(`?updated_at_gte=${at}`)).toEqual([pending.id, ...made.slice(0, 3).map(({ id }) => id)])
  expect(await ids(`?updated_at_lte=${at}&created_at_gte=${at}`)).toEqual([])
})

test('of one account, or of all that the key reaches', async () => {
  expect(await ids('', { account: 'other' })).toEqual([other.id])
  expect(await ids('', { account: '*' })).toEqual([other.id, ...all()])
  const hidden = await service.send(`GET /payouts/${other.id}`)
  expect(hidden.statusCode).toBe(404)
})

test.each([
  ['?status=paid', '/status/0', 'type_error.enum'],
  ['?limit=101', '/limit', 'value_error.number.not_le'],
  ['?created_at_gte=yesterday', '/created_at_gte', 'type_error.datetime'],
  ['?colour=red', '/colour', 'value_error.extra'],
])('refuses %s', async (query, pointer, type) => {
  const response = await service.send(`GET /payouts${query}`)

  expect(response.statusCode).toBe(400)
  expect(response.json().details).toMatchObject([{ pointer, type }])
})
