import { afterEach, beforeAll, expect, test } from 'vitest'
import { inTransaction } from '#platform/database/db.ts'
import { ofLink } from '#testing/audit-links.ts'
import { signToken, startTestService, type TestService } from '#testing/harness.ts'
import { keepRows } from '#testing/keep-rows.ts'
import { Sealer } from './seal.ts'
import * as auditLogs from './store.ts'

let service: TestService
let rewind: () => Promise<void>
beforeAll(async () => {
  service = await startTestService()
  for (const count of [1, 2, 3]) await sealMore(count)
  rewind = await keepRows(service)
  return () => service.close()
})
afterEach(() => rewind())

async function sealMore(count: number): Promise<void> {
  await inTransaction(service.context, async (tx) => {
    for (let entry = 0; entry < count; entry += 1) {
      const thing = { type: 'thing', id: String(entry), name: `Thing ${entry}` }
      await auditLogs.record({ ...tx, merchantAccountId: 'default' }, 'created', thing)
    }
  })
  await new Sealer(service.secrets, null).seal(service.context)
}

async function verify(query = '') {
  const response = await service.send(`GET /audit-logs/verification?${query}`)
  expect(response.statusCode, response.body).toBe(200)
  return response.json()
}

test('an untouched chain is intact, and the answer says how much was checked', async () => {
  const verdict = await verify()

  expect(verdict).toMatchObject({
    status: 'intact',
    checked_links: 3,
    // The service has written three entries: about its first key and its first two services.
    checked_entries: 9,
    head: expect.stringMatching(/^3:[0-9a-f]{64}$/),
    next: null,
    problem: null,
    broken_link: null,
    stale: null,
  })
  expect(verdict.first_entry_at <= verdict.last_entry_at).toBe(true)
})

test('a long chain is checked in parts, each from the head of the one before', async () => {
  const first = await verify('links=2')
  const second = await verify(`links=2&after=${first.next}`)

  expect(first).toMatchObject({ status: 'incomplete', checked_links: 2, next: first.head })
  expect(second).toMatchObject({ status: 'intact', checked_links: 1, checked_entries: 3, next: null })
  expect((await verify('links=3')).status).toBe('intact')
})

test('a changed entry is found, with its link', async () => {
  await service.context.db
    .updateTable('audit_logs')
    .set({ resource_name: 'Changed' })
    .where(ofLink(2))
    .execute()

  const verdict = await verify()

  expect(verdict).toMatchObject({ status: 'broken', checked_links: 1, broken_link: 2, next: null })
  expect(verdict.problem).toContain('link 2 does not fit its entries')
})

test('a removed link is found, also if the check begins before it', async () => {
  const { head } = await verify('links=1')
  await service.context.db.deleteFrom('audit_seals').where('position', '=', '2').execute()

  expect(await verify(`after=${head}`)).toMatchObject({ status: 'broken', problem: 'link 2 is missing' })
})

test('a chain that was cut is found by a head from before', async () => {
  const { head } = await verify()
  await service.context.db.deleteFrom('audit_logs').where(ofLink(3)).execute()
  await service.context.db.deleteFrom('audit_seals').where('position', '=', '3').execute()

  expect(await verify()).toMatchObject({ status: 'intact', checked_links: 2 })
  expect(await verify(`after=${head}`)).toMatchObject({
    status: 'broken',
    checked_links: 0,
    problem: `the chain does not contain the head ${head}`,
  })
})

test('an entry that waits too long for its seal is named', async () => {
  await service.send('POST /buyers', { display_name: 'Ada' })
  service.moveClock(5 * 60_000)

  expect((await verify()).stale).toMatch(/^1 entry is not sealed yet/)
})

test.each(['after=7', 'after=1:zz', 'links=0', 'links=1001'])('refuses %s', async (query) => {
  const response = await service.send(`GET /audit-logs/verification?${query}`)

  expect(response.statusCode).toBe(400)
  expect(response.json().details[0].pointer).toBe(`/${query.split('=')[0]}`)
})

test('a key of some merchant accounts cannot check the chain of all', async () => {
  const token = await signToken(await service.addKey({ merchantAccountIds: ['default'] }))

  const response = await service.send('GET /audit-logs/verification', undefined, { token })

  expect(response.statusCode).toBe(403)
})
