import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestService, type TestService } from '#testing/harness.ts'

let service: TestService
let made = 0
beforeAll(async () => {
  service = await startTestService()
  for (let count = 0; count < 11; count += 1) await addAccount()
})
afterAll(() => service.close())

const list = (query: string) => service.send(`GET /merchant-accounts?${query}`)
const ids = (page: { items: { id: string }[] }) => page.items.map(({ id }) => id)

async function addAccount(): Promise<string> {
  made += 1
  const id = `shop-${made}`
  await service.send('POST /merchant-accounts', { id, display_name: `Shop ${made}` })
  return id
}

describe('a limit', () => {
  test.each([
    ['0', 'value_error.number.not_ge'],
    ['-1', 'value_error.number.not_ge'],
    ['101', 'value_error.number.not_le'],
    ['abc', 'type_error.integer'],
    ['', 'type_error.integer'],
    ['1.5', 'type_error.integer'],
    ['1e1', 'type_error.integer'],
    ['0x10', 'type_error.integer'],
    ['1&limit=2', 'type_error.integer'],
  ])('of %s is refused', async (limit, type) => {
    const response = await list(`limit=${limit}`)

    expect(response.statusCode).toBe(400)
    expect(response.json().details).toMatchObject([{ location: 'query', pointer: '/limit', type }])
  })

  test('is 20 when it is left out, and is repeated in the answer', async () => {
    expect((await list('')).json().limit).toBe(20)
    expect((await list('limit=100')).json().limit).toBe(100)
  })
})

describe('a cursor', () => {
  test.each([
    ['broken', 'nonsense'],
    ['empty of meaning', 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'],
    ['not base64url', '%00%ff'],
  ])('that is %s is refused', async (_name, cursor) => {
    const response = await list(`cursor=${cursor}`)

    expect(response.statusCode).toBe(400)
    expect(response.json().details).toMatchObject([{ location: 'query', pointer: '/cursor' }])
  })

  test('that is changed in one place is refused', async () => {
    const { next_cursor: cursor } = (await list('limit=3')).json()
    for (let place = 0; place < cursor.length - 1; place += 3) {
      const changed = `${cursor.slice(0, place)}${cursor[place] === 'x' ? 'y' : 'x'}${cursor.slice(place + 1)}`
      expect((await list(`cursor=${changed}`)).statusCode).toBe(400)
    }
  })

  test('of another list is refused', async () => {
    const { next_cursor: cursor } = (await list('limit=3')).json()

    const response = await service.send(`GET /audit-logs?cursor=${cursor}`)

    expect(response.statusCode).toBe(400)
    expect(response.json().details).toMatchObject([{ location: 'query', pointer: '/cursor' }])
  })

  test.each([
    ['of 1001 characters', 'x'.repeat(1001), 'value_error.any_str.max_length'],
    ['that is empty', '', 'value_error.any_str.min_length'],
  ])('%s is refused', async (_name, cursor, type) => {
    const response = await list(`cursor=${cursor}`)

    expect(response.statusCode).toBe(400)
    expect(response.json().details).toMatchObject([{ pointer: '/cursor', type }])
  })
})

test('walks forward and back over everything, newest first, each once', async () => {
  const all = ids((await list('limit=100')).json())
  const forward = await walk('limit=5', 'next_cursor')
  const lastPage = forward.at(-1)

  expect(forward.flatMap(ids)).toEqual(all)
  expect(forward[0]?.previous_cursor).toBeNull()
  expect(lastPage?.next_cursor).toBeNull()
  const back = await walk(`limit=5&cursor=${lastPage?.previous_cursor}`, 'previous_cursor')
  expect([...back.reverse().flatMap(ids), ...ids(lastPage ?? { items: [] })]).toEqual(all)
})

test('neither skips nor repeats while the list grows', async () => {
  const before = ids((await list('limit=100')).json())
  const seen: string[] = []
  let page = (await list('limit=4')).json()
  seen.push(...ids(page))
  while (page.next_cursor) {
    await addAccount()
    page = (await list(`limit=4&cursor=${page.next_cursor}`)).json()
    seen.push(...ids(page))
  }
  expect(seen).toEqual(before)

  const back: string[] = [...ids(page)]
  while (page.previous_cursor) {
    await addAccount()
    page = (await list(`limit=4&cursor=${page.previous_cursor}`)).json()
    back.unshift(...ids(page))
  }
  const after = ids((await list('limit=100')).json())
  expect(new Set(back).size).toBe(back.length)
  expect(before.every((id) => back.includes(id))).toBe(true)
  expect(back).toEqual(after.slice(after.length - back.length))
})

test('rows of the same moment are told apart by their id', async () => {
  const moment = new Date()
  const rows = ['tie-a', 'tie-b', 'tie-c'].map((id) => ({
    id,
    display_name: id,
    account_updater_enabled: false,
    async_network_tokens_enabled: false,
    created_at: moment,
    updated_at: moment,
  }))
  await service.context.db
    .insertInto('merchant_accounts')
    .values(rows as never)
    .execute()

  const pages = await walk('limit=1&search=tie-', 'next_cursor')

  expect(pages.flatMap(ids)).toEqual(['tie-c', 'tie-b', 'tie-a'])
})

test('previous_cursor of an empty page leads to the rows before it', async () => {
  for (const id of ['empty-a', 'empty-b'])
    await service.send('POST /merchant-accounts', { id, display_name: id })
  const first = (await list('limit=1&search=empty-')).json()
  await service.context.db.deleteFrom('merchant_accounts').where('id', '=', 'empty-a').execute()

  const beyond = (await list(`limit=1&search=empty-&cursor=${first.next_cursor}`)).json()
  const back = (await list(`limit=1&search=empty-&cursor=${beyond.previous_cursor}`)).json()

  expect(ids(first)).toEqual(['empty-b'])
  expect(beyond).toMatchObject({ items: [], next_cursor: null })
  expect(ids(back)).toEqual(['empty-b'])
})

type PageOfIds = { items: { id: string }[]; next_cursor: string | null; previous_cursor: string | null }

async function walk(query: string, follow: 'next_cursor' | 'previous_cursor'): Promise<PageOfIds[]> {
  const filters = query.replace(/&?cursor=[^&]*/, '')
  const pages: PageOfIds[] = [(await list(query)).json()]
  for (let cursor = pages[0]?.[follow]; cursor; cursor = pages.at(-1)?.[follow]) {
    pages.push((await list(`${filters}&cursor=${cursor}`)).json())
  }
  return pages
}
