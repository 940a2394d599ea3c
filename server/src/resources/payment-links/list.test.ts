import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestService, type TestService } from '#testing/harness.ts'
import { expireDueLinks } from './routes.ts'

let service: TestService
const made: Record<string, { readonly id: string; readonly created_at: string }> = {}
beforeAll(async () => {
  service = await startTestService()
  await service.send('POST /merchant-accounts', { id: 'other', display_name: 'Other' })
  const buyer = (await service.send('POST /buyers', { display_name: 'Ada Lovelace' })).json()
  await make('plain', {})
  await make('euros', { currency: 'EUR', amount: 500 })
  await make('ada', { buyer_id: buyer.id, amount: 700 })
  await make('guest', { buyer: { display_name: 'Ada Guest' } })
  await make('ended', {})
  await make('over', { expires_at: inMs(60_000) })
  await make('overdue', { expires_at: inMs(120_000) })
  await make('foreign', {}, 'other')
  await service.send(`POST /payment-links/${idOf('ended')}/expire`)
  service.moveClock(61_000)
  await expireDueLinks(service.context)
  service.moveClock(61_000)
})
afterAll(() => service.close())

async function make(name: string, body: object, account?: string): Promise<void> {
  const order = { amount: 1000, currency: 'USD', country: 'US', external_identifier: name, ...body }
  const response = await service.send('POST /payment-links', order, account ? { account } : {})
  expect(response.statusCode, response.body).toBe(201)
  made[name] = response.json()
}
function idOf(name: string): string {
  return made[name]?.id ?? ''
}
function inMs(ms: number): string {
  return new Date(service.context.clock().getTime() + ms).toISOString()
}
const names = async (query: string, account?: string): Promise<string[]> => {
  const response = await service.send(`GET /payment-links?${query}`, undefined, account ? { account } : {})
  expect(response.statusCode, response.body).toBe(200)
  return response.json().items.map((link: { external_identifier: string }) => link.external_identifier)
}
const NEWEST_FIRST = ['overdue', 'over', 'ended', 'guest', 'ada', 'euros', 'plain']

describe('the list', () => {
  test('has the account’s links, newest first', async () => {
    expect(await names('')).toEqual(NEWEST_FIRST)
    expect(await names('', 'other')).toEqual(['foreign'])
    expect(await names('', '*')).toEqual(['foreign', ...NEWEST_FIRST])
  })

  test('has pages in both directions', async () => {
    const first = (await service.send('GET /payment-links?limit=3')).json()
    const second = (await service.send(`GET /payment-links?limit=3&cursor=${first.next_cursor}`)).json()
    const back = (await service.send(`GET /payment-links?limit=3&cursor=${second.previous_cursor}`)).json()

    expect(first.items).toHaveLength(3)
    expect(second.items.map((link: { id: string }) => link.id)).toEqual(['guest', 'ada', 'euros'].map(idOf))
    expect(back.items).toEqual(first.items)
  })

  test.each([
    ['currency', 'currency=EUR', ['euros']],
    ['several currencies', 'currency=EUR&currency=GBP', ['euros']],
    ['amount_eq', 'amount_eq=700', ['ada']],
    ['amount_gte and amount_lte', 'amount_gte=500&amount_lte=700', ['ada', 'euros']],
    ['buyer_search, which finds stored buyers', 'buyer_search=LOVE', ['ada']],
    [
      'status expired, also of links that the job has not reached',
      'status=expired',
      NEWEST_FIRST.slice(0, 3),
    ],
    ['status active, without those', 'status=active', NEWEST_FIRST.slice(3)],
    ['both statuses', 'status=active&status=expired', NEWEST_FIRST],
    ['status completed', 'status=completed', []],
    ['status and amount', 'status=active&amount_eq=700', ['ada']],
    ['status expired and a range', 'status=expired&amount_gte=1000', NEWEST_FIRST.slice(0, 3)],
  ])('filters by %s', async (_what, query, expected) => {
    expect(await names(query)).toEqual(expected)
  })

  test('filters by times of creation and of the last update', async () => {
    const at = (name: string) => encodeURIComponent(made[name]?.created_at ?? '')

    expect(await names(`created_at_gte=${at('guest')}`)).toEqual(NEWEST_FIRST.slice(0, 4))
    expect(await names(`created_at_lte=${at('euros')}`)).toEqual(['euros', 'plain'])
    expect(await names(`updated_at_gte=${encodeURIComponent(inMs(-90_000))}`)).toEqual(['over'])
    expect(await names(`updated_at_lte=${at('euros')}`)).toEqual(['euros', 'plain'])
  })

  test.each([
    'status=paid',
    'limit=101',
    'amount_eq=-1',
    'currency=usd',
    'created_at_gte=yesterday',
    'shop=1',
  ])('refuses %s', async (query) => {
    const response = await service.send(`GET /payment-links?${query}`)

    expect(response.statusCode).toBe(400)
    expect(response.json().details[0].location).toBe('query')
  })
})
