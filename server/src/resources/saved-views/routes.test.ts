import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestService } from '#testing/harness.ts'
import { type SignedInUser, signIn } from '#testing/sign-in.ts'
import { openTill } from '#testing/till.ts'
import type { SavedView } from './schemas.ts'

let service: TestService
let mara: SignedInUser
let noor: SignedInUser
beforeAll(async () => {
  service = await startTestService()
  await service.send('POST /merchant-accounts', { id: 'other', display_name: 'Other' })
  mara = await signIn(service, { name: 'Mara Lind' })
  noor = await signIn(service, { name: 'Noor Haddad', roles: ['analyst'] })
})
afterAll(() => service.close())

const as = ({ headers }: SignedInUser, account = 'default') => ({ token: null, account, headers })
const VIEW = { resource: 'transactions', query: { status: ['authorization_declined'], currency: ['EUR'] } }

async function make(user: SignedInUser, over: object = {}): Promise<SavedView> {
  const response = await service.send(
    'POST /saved-views',
    { name: crypto.randomUUID(), ...VIEW, ...over },
    as(user),
  )
  expect(response.statusCode, response.body).toBe(201)
  return response.json()
}

async function list(user: SignedInUser, query = '', account?: string): Promise<SavedView[]> {
  const response = await service.send(`GET /saved-views?limit=100${query}`, undefined, as(user, account))
  expect(response.statusCode, response.body).toBe(200)
  return response.json().items
}

test('a user keeps a view, changes it and deletes it, and the audit log has the user’s name', async () => {
  const view = await make(mara, { name: 'Declined', columns: ['amount', 'status'] })
  const path = `/saved-views/${view.id}`

  const changed = await service.send(`PUT ${path}`, { name: 'Declined in euros', columns: [] }, as(mara))
  const read = await service.send(`GET ${path}`, undefined, as(mara))
  const gone = await service.send(`DELETE ${path}`, undefined, as(mara))

  expect(view).toMatchObject({
    type: 'saved-view',
    merchant_account_id: 'default',
    ...VIEW,
    columns: ['amount', 'status'],
    is_shared: false,
    is_own: true,
    owner: { id: mara.userId, name: 'Mara Lind' },
  })
  expect(changed.json()).toMatchObject({ name: 'Declined in euros', query: VIEW.query, columns: [] })
  expect(read.json()).toEqual(changed.json())
  expect(gone.statusCode).toBe(204)
  expect(await openTill(service).audited(view.id)).toEqual([
    'created by Mara Lind',
    'updated by Mara Lind',
    'deleted by Mara Lind',
  ])
})

test('others of the account see a view once it is shared, and cannot change it', async () => {
  const view = await make(mara)
  const hidden = await list(noor)
  await service.send(`PUT /saved-views/${view.id}`, { is_shared: true }, as(mara))

  const [seen] = (await list(noor, '&sharing=shared')).filter(({ id }) => id === view.id)
  const changed = await service.send(`PUT /saved-views/${view.id}`, { name: 'Mine' }, as(noor))
  const deleted = await service.send(`DELETE /saved-views/${view.id}`, undefined, as(noor))

  expect(hidden.map(({ id }) => id)).not.toContain(view.id)
  expect(seen).toMatchObject({ is_own: false, is_shared: true, owner: { name: 'Mara Lind' } })
  expect([changed.statusCode, deleted.statusCode]).toEqual([403, 403])
  expect((await list(noor, '&sharing=own')).map(({ id }) => id)).not.toContain(view.id)
})

test('a view that is not shared is as good as missing for others, and in another account for all', async () => {
  const view = await make(mara)
  const path = `/saved-views/${view.id}`
  const statuses = [
    await service.send(`GET ${path}`, undefined, as(noor)),
    await service.send(`PUT ${path}`, { name: 'Mine' }, as(noor)),
    await service.send(`DELETE ${path}`, undefined, as(noor)),
    await service.send(`GET ${path}`, undefined, as(mara, 'other')),
  ].map(({ statusCode }) => statusCode)

  expect(statuses).toEqual([404, 404, 404, 404])
  expect(await list(mara, '', 'other')).toEqual([])
})

test('the list can be limited to one resource', async () => {
  const view = await make(mara, { resource: 'buyers', query: { search: 'ada' } })

  const found = await list(mara, '&resource=buyers')

  expect(found).toEqual([view])
})

test('a view whose query is sent to its list is answered', async () => {
  const { query } = await make(mara, {
    query: { status: ['authorization_declined', 'authorization_failed'], pending_review: 'true' },
  })
  const sent = new URLSearchParams(
    Object.entries(query).flatMap(([name, values]) =>
      [values].flat().map((value) => [name, value] as [string, string]),
    ),
  )

  expect((await service.send(`GET /transactions?${sent}`)).statusCode).toBe(200)
})

test.each([
  [{ resource: 'nothing' }, '/resource'],
  [{ resource: 'checkout/sessions' }, '/resource'],
  [{ query: { colour: 'red' } }, '/query/colour'],
  [{ query: { status: ['lost'] } }, '/query/status/0'],
  [{ query: { pending_review: 'maybe' } }, '/query/pending_review'],
  [{ query: { cursor: 'x' } }, '/query/cursor'],
  [{ query: { limit: '7' } }, '/query/limit'],
  [{ query: { status: 7 } }, '/query/status'],
  [{ query: [] }, '/query'],
  [{ periods: { created_at: 'lately' } }, '/periods/created_at'],
  [{ periods: { amount: '7d' } }, '/periods/amount'],
  [{ periods: { colour: '7d' } }, '/periods/colour'],
  [
    { periods: { created_at: '7d' }, query: { created_at_gte: '2026-11-01T00:00:00Z' } },
    '/periods/created_at',
  ],
  [{ name: '' }, '/name'],
  [{ name: 'x'.repeat(101) }, '/name'],
  [{ columns: ['amount', 'amount'] }, '/columns'],
  [{ columns: [''] }, '/columns/0'],
  [{ owner: 'me' }, '/owner'],
])('refuses %o, and names the field', async (over, pointer) => {
  const response = await service.send('POST /saved-views', { name: 'Refused', ...VIEW, ...over }, as(mara))

  expect(response.statusCode, response.body).toBe(400)
  expect(response.json().details.map((detail: { pointer: string }) => detail.pointer)).toContain(pointer)
})

test('a period stays as it was said, until it is changed', async () => {
  const view = await make(mara, { periods: { created_at: '7d', updated_at: '2026-11-01T09:30:00.000Z..' } })
  const named = await service.send(`PUT /saved-views/${view.id}`, { name: 'This week' }, as(mara))
  const cleared = await service.send(`PUT /saved-views/${view.id}`, { periods: {} }, as(mara))

  expect(view.periods).toEqual({ created_at: '7d', updated_at: '2026-11-01T09:30:00.000Z..' })
  expect(named.json()).toMatchObject({ name: 'This week', periods: view.periods })
  expect(cleared.json().periods).toEqual({})
})

test('a list that the user may not read cannot be kept', async () => {
  const body = { name: 'Keys', resource: 'audit-logs', query: {} }

  const refused = await service.send('POST /saved-views', body, as(noor))
  const taken = await service.send('POST /saved-views', body, as(mara))

  expect(refused.statusCode).toBe(400)
  expect(taken.statusCode).toBe(201)
})

test('a name is used once for each list of a user, in any letters', async () => {
  const view = await make(mara, { name: 'Morning round' })
  const again = await service.send('POST /saved-views', { name: 'MORNING ROUND', ...VIEW }, as(mara))
  const another = await make(mara)
  const renamed = await service.send(`PUT /saved-views/${another.id}`, { name: 'Morning Round' }, as(mara))

  expect(again.statusCode).toBe(409)
  expect(again.json()).toMatchObject({ resource_id: view.id, details: [{ pointer: '/name' }] })
  expect(renamed.statusCode).toBe(409)
  expect((await make(noor, { name: 'Morning round' })).name).toBe('Morning round')
})

test('an API key has no views', async () => {
  const response = await service.send('GET /saved-views')

  expect(response.statusCode).toBe(403)
  expect(response.json().details[0].message).toContain('only a user who is signed in')
})

test('a user can have a hundred views in an account', async () => {
  const user = await signIn(service)
  for (let count = 0; count < 100; count += 1) await make(user)

  const beyond = await service.send('POST /saved-views', { name: 'One more', ...VIEW }, as(user))

  expect(beyond.statusCode).toBe(400)
  expect(beyond.json().details[0].message).toContain('delete a view first')
})
