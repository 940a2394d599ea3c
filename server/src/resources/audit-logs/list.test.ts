import { afterAll, beforeAll, expect, test } from 'vitest'
import { inTransaction } from '#platform/database/db.ts'
import { signToken, startTestService, type TestKey, type TestService } from '#testing/harness.ts'
import { OF_PAYMENTS } from './list.ts'
import * as auditLogs from './store.ts'

const KEY_A = '019a0000-0000-7000-8000-00000000000a'
const KEY_B = '019a0000-0000-7000-8000-00000000000b'
const ACCOUNTS = ['shop', 'other', null, 'third'] as const

let service: TestService
let confined: TestKey
beforeAll(async () => {
  service = await startTestService()
  for (const id of ['shop', 'other', 'third']) {
    await service.send('POST /merchant-accounts', { id, display_name: id })
  }
  confined = await service.addKey({ merchantAccountIds: ['shop', 'other'] })
  for (let number = 0; number < 48; number += 1) await addEntry(number)
})
afterAll(() => service.close())

/** All combinations of values. Two of three entries are as old as the previous one. */
async function addEntry(number: number): Promise<void> {
  const at = new Date(Date.UTC(2030, 0, 1, 0, Math.floor(number / 3)))
  const kind = 'api-key-pair' as const
  const actor = { kind, id: Math.floor(number / 8) % 2 === 0 ? KEY_A : KEY_B, name: 'Key', thumbprint: '' }
  await inTransaction({ ...service.context, actor, clock: () => at }, (tx) =>
    auditLogs.record(
      { ...tx, merchantAccountId: ACCOUNTS[number % 4] ?? null },
      number === 30 ? 'revealed' : Math.floor(number / 4) % 2 === 0 ? 'created' : 'voided',
      {
        type: number % 5 === 0 ? 'rare-thing' : number % 7 === 0 ? 'refund' : 'thing',
        id: String(number),
        name: 'Thing',
      },
    ),
  )
}

type Item = {
  id: string
  action: string
  merchant_account_id: string | null
  resource: { type: string; id: string }
  user: { id: string }
  timestamp: string
}
type Page = { items: Item[]; next_cursor: string | null; previous_cursor: string | null }

async function ask(query: string, { account, key }: { account: string; key?: TestKey }): Promise<Page> {
  const token = key ? { token: await signToken(key) } : {}
  const response = await service.send(`GET /audit-logs?${query}`, undefined, { account, ...token })
  expect(response.statusCode).toBe(200)
  return response.json()
}

type Way = { name: string; account: string; seen: (string | null)[]; isConfined?: true }

const WAYS: Way[] = [
  { name: 'one account and the installation', account: 'shop', seen: ['shop', null] },
  { name: 'all accounts and the installation', account: '*', seen: ['shop', 'other', 'third', null] },
  { name: 'one account alone', account: 'shop', seen: ['shop'], isConfined: true },
  { name: 'two accounts alone', account: '*', seen: ['shop', 'other'], isConfined: true },
]
const FILTERS = [
  `user_id=${KEY_A}`,
  'action=voided',
  'resource_type=rare-thing',
  'action=created&resource_type=thing',
  `action=voided&user_id=${KEY_B}`,
  `action=created&resource_type=rare-thing&user_id=${KEY_A}`,
  'category=configuration',
  'category=payments&action=voided',
  'timestamp_gte=2030-01-01T00:04:00Z&timestamp_lte=2030-01-01T00:11:00.000Z',
  'timestamp_lte=2030-01-01T00:09:00Z&category=configuration&action=created',
]

test.each(WAYS.flatMap((way) => FILTERS.map((filter) => ({ ...way, filter }))))(
  '$name, by $filter: every entry once, newest first, the same pages there and back',
  async ({ account, seen, isConfined, filter }) => {
    const place = { account, ...(isConfined && { key: confined }) }
    const whole = (await ask('limit=100', place)).items
    const expected = whole.filter((item) => matches(item, filter)).map(({ id }) => id)

    const there = await pagesOf(filter, place)
    const back = await pagesBack(filter, place, there.at(-1)?.previous_cursor ?? null)

    expect(new Set(whole.filter(isOurs).map((item) => item.merchant_account_id))).toEqual(new Set(seen))
    expect(there.flatMap(({ items }) => items.map(({ id }) => id))).toEqual(expected)
    expect(back.map(({ items }) => items)).toEqual(there.slice(0, -1).map(({ items }) => items))
  },
)

test.each(WAYS)('$name, without a filter: newest first, without openings of the vault', async (way) => {
  const place = { account: way.account, ...(way.isConfined && { key: confined }) }

  const items = (await pagesOf('', place)).flatMap((page) => page.items)

  const order = items.map(({ timestamp, id }) => `${timestamp} ${id}`)
  const numbers = Array.from({ length: 48 }, (_none, at) => at).filter(
    (at) => at !== 30 && way.seen.includes(ACCOUNTS[at % 4] ?? null),
  )
  expect(order).toEqual([...new Set(order)].toSorted((one, other) => (one < other ? 1 : -1)))
  expect(items.filter(isOurs).map(({ resource }) => Number(resource.id))).toEqual(
    expect.arrayContaining(numbers),
  )
  expect(items.filter(isOurs)).toHaveLength(numbers.length)
})

test('a filter without matches gives an empty page', async () => {
  for (const account of ['shop', '*']) {
    expect(await ask('resource_type=absent', { account })).toMatchObject({ items: [], next_cursor: null })
  }
})

test('an index has all entries that are not about payments', async () => {
  const { rows } = await service.database.pool.query(
    "select indexdef from pg_indexes where indexname = 'audit_logs_of_configuration'",
  )
  const types = [...rows[0].indexdef.matchAll(/'([a-z-]+)'/g)].map(([, type]) => type)
  expect(new Set(types)).toEqual(new Set(['revealed', ...OF_PAYMENTS]))
})

test.each(['category=other', 'timestamp_gte=yesterday'])('refuses %s', async (query) => {
  const response = await service.send(`GET /audit-logs?${query}`)

  expect(response.statusCode).toBe(400)
  expect(response.json().details[0].pointer).toBe(`/${query.split('=')[0]}`)
})

function isOurs({ resource }: Item): boolean {
  return resource.type.endsWith('thing') || resource.type === 'refund'
}

function matches({ action, resource, user, timestamp }: Item, filter: string): boolean {
  const category = OF_PAYMENTS.includes(resource.type) ? 'payments' : 'configuration'
  const given = { action, resource_type: resource.type, user_id: user.id, category }
  return [...new URLSearchParams(filter)].every(([name, value]) => {
    if (name === 'timestamp_gte') return Date.parse(timestamp) >= Date.parse(value)
    if (name === 'timestamp_lte') return Date.parse(timestamp) <= Date.parse(value)
    return given[name as keyof typeof given] === value
  })
}

async function pagesOf(filter: string, place: { account: string; key?: TestKey }): Promise<Page[]> {
  const pages: Page[] = []
  for (let cursor: string | null = ''; cursor !== null; cursor = pages.at(-1)?.next_cursor ?? null) {
    pages.push(await ask(`limit=3&${filter}${cursor && `&cursor=${cursor}`}`, place))
  }
  return pages
}

async function pagesBack(
  filter: string,
  place: { account: string; key?: TestKey },
  last: string | null,
): Promise<Page[]> {
  const pages: Page[] = []
  for (let cursor = last; cursor !== null; cursor = pages[0]?.previous_cursor ?? null) {
    pages.unshift(await ask(`limit=3&${filter}&cursor=${cursor}`, place))
  }
  return pages
}
