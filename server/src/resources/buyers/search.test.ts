import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#domain/ids.ts'
import { signToken, startTestService, type TestService } from '#testing/harness.ts'
import { normalize, searchTerms, searchText } from './search-terms.ts'

const ROWS = 9_000
const ACCOUNTS = ['default', 'small-shop', 'tiny-shop']
const FIRST = ['John', 'Zoë', 'Алексей', '李小龙', "O'Neil", 'Renée', 'Ştefan', 'Ana']

type Stored = { readonly id: string; readonly account: string; readonly text: string; readonly at: number }

let service: TestService
let stored: Stored[]
let token: string
beforeAll(async () => {
  service = await startTestService()
  for (const id of ACCOUNTS.slice(1)) {
    await service.send('POST /merchant-accounts', { id, display_name: id })
  }
  token = await signToken(await service.addKey({ merchantAccountIds: ['default', 'tiny-shop'] }))
  stored = await fill()
})
afterAll(() => service.close())

/**
 * Old rows come in a crowd, new ones slowly, so that the time of a walk says little about the rows beyond it.
 */
async function fill(): Promise<Stored[]> {
  let at = Date.parse('2026-01-01T00:00:00Z')
  const all: Stored[] = []
  for (let start = 0; start < ROWS; start += 500) {
    const rows = Array.from({ length: 500 }, (_none, offset) => {
      const n = start + offset
      at += n < ROWS / 2 ? (n % 3) * 7 : 60_000 + (n % 11) * 997
      const created_at = new Date(at)
      const display_name = `${FIRST[n % FIRST.length]} ${nameOf(n)}`
      const email = `user${n}@${n % 2 === 0 ? 'Mail.example.com' : 'post.example.org'}`
      const external_identifier = `ext-${n}`
      const merchant_account_id = ACCOUNTS[n % 10 === 3 ? 1 : n % 100 === 7 ? 2 : 0] ?? ''
      const search_text = searchText([display_name, email, external_identifier])
      const row = { merchant_account_id, created_at, search_text }
      return {
        ...row,
        id: newId(at),
        updated_at: created_at,
        display_name,
        external_identifier,
        account_number: null,
        billing_details: JSON.stringify({ email_address: email }) as never,
        search_terms: sql<string>`array_to_tsvector(${searchTerms(row)}::text[])`,
      }
    })
    await service.context.db.insertInto('buyers').values(rows).execute()
    all.push(
      ...rows.map((row) => ({
        id: row.id,
        account: row.merchant_account_id,
        text: row.search_text,
        at: row.created_at.getTime(),
      })),
    )
  }
  return all.toSorted((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1))
}

function nameOf(n: number): string {
  if (n % 200 === 5) return 'Midword'
  if (n % 3_000 === 9) return 'Verylongandrare name'
  if (n < 40) return 'Ancient'
  if (n % 1_000 === 11) return `100% \\ back_slash 'quoted' 🂡`
  return 'Smith'
}

/** Walks all pages forward, then back to the first. Returns the ids in that order. */
async function walk(query: string, options: object) {
  const forward: string[][] = []
  let cursor = ''
  let page = await read(query, cursor, options)
  for (;;) {
    forward.push(page.items.map(({ id }: { id: string }) => id))
    if (page.next_cursor === null) break
    cursor = page.next_cursor
    page = await read(query, cursor, options)
  }
  const backward = [forward.at(-1) ?? []]
  while (page.previous_cursor !== null) {
    page = await read(query, page.previous_cursor, options)
    backward.unshift(page.items.map(({ id }: { id: string }) => id))
  }
  return { forward, backward }
}

async function read(query: string, cursor: string, options: object) {
  const suffix = cursor === '' ? '' : `&cursor=${cursor}`
  const response = await service.send(`GET /buyers?${query}${suffix}`, undefined, options)
  expect(response.statusCode, response.body).toBe(200)
  return response.json()
}

const TERMS = [
  ['rare', 'verylong'],
  ['rare and long', 'Verylongandrare NAME'],
  ['between', 'midword'],
  ['only old', 'ancient'],
  ['absent', 'nobodyhasthis'],
  ['absent, of common parts', 'smith mail'],
  ['across two fields', 'smith\nuser1'],
  ['with a quote', "o'neil mid"],
  ['with wildcards', '0% \\ back_'],
  ['a wildcard', '%'],
  ['a backslash', '\\'],
  ['of punctuation', "'quoted'"],
  ['outside the basic plane', '🂡'],
  ['in Cyrillic', 'алексей very'],
  ['in Chinese', '李小龙 mid'],
  ['with an accent taken apart', 'Rene\u0301e very'],
  ['of one rare character', '\\'],
  ['of two rare characters', ' n'],
  ['an exact external identifier', 'ext-4711'],
  ['a whole e-mail address', 'USER77@post.example.org'],
] as const

describe.each([
  ['one account', { account: 'default' }, ['default']],
  ['a small account', { account: 'tiny-shop' }, ['tiny-shop']],
  ['several accounts', { account: '*' }, ['default', 'tiny-shop']],
  ['all accounts', { account: '*' }, ACCOUNTS],
] as const)('in %s', (name, selection, accounts) => {
  const options = () => (name === 'several accounts' ? { ...selection, token } : selection)
  const matching = (term: string) =>
    stored
      .filter(
        ({ account, text }) =>
          (accounts as readonly string[]).includes(account) && text.includes(normalize(term)),
      )
      .map(({ id }) => id)

  test.each(TERMS)(
    'a term that is %s finds its matches, page by page, there and back',
    async (_kind, term) => {
      const expected = term.includes('\n') ? [] : matching(term)

      const { forward, backward } = await walk(`limit=7&search=${encodeURIComponent(term)}`, options())

      expect(forward.flat()).toEqual(expected)
      expect(backward.flat()).toEqual(expected)
    },
  )

  test.each(['a', 'JO', 'smith', 'example.', 'ext-', '李'])(
    'the common term %s finds its first pages',
    async (term) => {
      const search = `limit=50&search=${encodeURIComponent(term)}`

      const first = await read(search, '', options())
      const second = first.next_cursor ? await read(search, first.next_cursor, options()) : { items: [] }

      const ids = [...first.items, ...second.items].map(({ id }: { id: string }) => id)
      expect(ids).toEqual(matching(term).slice(0, 100))
    },
  )
})

test('an id finds its buyer, in upper or lower case, within the key’s reach', async () => {
  const [newest] = stored.filter(({ account }) => account === 'small-shop')
  const search = `search=${newest?.id.toUpperCase()}`

  const found = await read(search, '', { account: 'small-shop' })
  const everywhere = await read(search, '', { account: '*' })
  const elsewhere = await read(search, '', { account: 'default' })
  const outOfReach = await read(search, '', { account: '*', token })

  expect(found.items).toMatchObject([{ id: newest?.id }])
  expect(everywhere.items).toMatchObject([{ id: newest?.id }])
  expect(elsewhere.items).toEqual([])
  expect(outOfReach.items).toEqual([])
})

test('an id that is another buyer’s external identifier finds both', async () => {
  const [newest] = stored
  const made = await service.send('POST /buyers', { external_identifier: newest?.id })

  const found = await read(`search=${newest?.id}`, '', { account: 'default' })

  expect(found.items.map(({ id }: { id: string }) => id)).toEqual([made.json().id, newest?.id])
  await service.send(`DELETE /buyers/${made.json().id}`)
})

test('an empty search does not filter', async () => {
  const found = await read('limit=3&search=', '', { account: 'default' })

  const newest = stored.filter(({ account }) => account === 'default').slice(0, 3)
  expect(found.items.map(({ id }: { id: string }) => id)).toEqual(newest.map(({ id }) => id))
})

test('a search finds the current name of a buyer', async () => {
  const { id } = (
    await service.send('POST /buyers', {
      display_name: 'Former Xylograph',
      billing_details: { email_address: 'a@b.example' },
    })
  ).json()
  const ids = async (term: string) =>
    (await read(`search=${term}`, '', {})).items.map((buyer: { id: string }) => buyer.id)

  expect(await ids('xylograph')).toEqual([id])
  expect(await ids('a@b.ex')).toEqual([id])
  await service.send(`PUT /buyers/${id}`, { display_name: 'Later Yellowtail' })
  expect(await ids('xylograph')).toEqual([])
  expect(await ids('YELLOWTAIL')).toEqual([id])
  expect(await ids('a@b.ex')).toEqual([id])
  await service.send(`PUT /buyers/${id}`, { billing_details: null })
  expect(await ids('a@b.ex')).toEqual([])
  await service.send(`DELETE /buyers/${id}`)
  expect(await ids('yellowtail')).toEqual([])
})
