import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { signToken, startTestService, type TestService } from '#testing/harness.ts'
import { CARD } from '#testing/till.ts'

const STATUSES = ['succeeded', 'failed', 'processing'] as const
const ACCOUNTS = ['default', 'other', 'third'] as const

type Stored = { readonly id: string; readonly status: string; readonly account: string }

let service: TestService
/** Newest first. Statuses and accounts alternate, so that a page has some of each. */
const stored: Stored[] = []
beforeAll(async () => {
  service = await startTestService()
  for (const id of ACCOUNTS.slice(1)) await service.send('POST /merchant-accounts', { id, display_name: id })
  for (let index = 0; index < 18; index += 1) {
    const account = ACCOUNTS[Math.floor(index / 3) % 3] ?? ''
    const status = STATUSES[index % 3] ?? ''
    const { id } = (await service.send('POST /payment-methods', CARD, { account })).json()
    await sql`update payment_methods set status = ${status} where id = ${id}`.execute(service.database.db)
    stored.unshift({ id, status, account })
  }
})
afterAll(() => service.close())

type Asked = { readonly account: string; readonly token?: string }

/** All pages from the first to the last, then back again. */
async function turnPages(query: string, asked: Asked): Promise<{ forward: string[]; backward: string[] }> {
  const pages = { forward: [] as string[], backward: [] as string[] }
  const ids = (page: { items: { id: string }[] }) => page.items.map(({ id }) => id)
  const read = async (cursor: string) =>
    (await service.send(`GET /payment-methods?limit=4&${query}${cursor}`, undefined, asked)).json()
  let page = await read('')
  pages.forward.push(...ids(page))
  while (page.next_cursor) {
    page = await read(`&cursor=${page.next_cursor}`)
    pages.forward.push(...ids(page))
  }
  pages.backward.push(...ids(page))
  while (page.previous_cursor) {
    page = await read(`&cursor=${page.previous_cursor}`)
    pages.backward.unshift(...ids(page))
  }
  return pages
}

test.each([
  ['one status of one account', 'status=failed', ['failed'], 'default'],
  ['two statuses of one account', 'status=failed&status=succeeded', ['failed', 'succeeded'], 'other'],
  ['a status that is named twice', 'status=failed&status=failed', ['failed'], 'other'],
  ['two statuses of all accounts', 'status=failed&status=processing', ['failed', 'processing'], '*'],
  ['no status, of all accounts', '', STATUSES, '*'],
  ['a status that none has', 'status=buyer_approval_required', [], '*'],
])('lists by age, forwards and backwards: %s', async (_name, query, statuses: readonly string[], account) => {
  const wanted = stored
    .filter((method) => statuses.includes(method.status) && (account === '*' || method.account === account))
    .map(({ id }) => id)

  const pages = await turnPages(query, { account })

  expect(pages).toEqual({ forward: wanted, backward: wanted })
})

test('lists by status only within the key’s accounts', async () => {
  const key = await service.addKey({ merchantAccountIds: ['default', 'third'] })
  const wanted = stored.filter(({ status, account }) => status !== 'processing' && account !== 'other')

  const pages = await turnPages('status=succeeded&status=failed', {
    account: '*',
    token: await signToken(key),
  })

  expect(pages.forward).toEqual(wanted.map(({ id }) => id))
})
