import { sql } from 'kysely'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { secretsFrom } from '#platform/access/secrets.ts'
import { inTransaction } from '#platform/database/db.ts'
import { ofLink } from '#testing/audit-links.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { keepRows } from '#testing/keep-rows.ts'
import { readHead } from './head.ts'
import { Sealer } from './seal.ts'
import * as auditLogs from './store.ts'
import { verifyChain } from './verify.ts'

let service: TestService
let rewind: () => Promise<void>
beforeAll(async () => {
  // The service has written three entries: about its first key and its first two services.
  service = await startTestService()
  await addEntries(1)
  await seal()
  await addEntries(2)
  await seal()
  rewind = await keepRows(service)
  return () => service.close()
})
afterEach(() => rewind())

const seal = () => new Sealer(service.secrets, null).seal(service.context)
const verify = (head?: string) => {
  const noted = head === undefined ? undefined : readHead(head)
  if (noted === 'unreadable') throw new Error(`no head: ${head}`)
  return verifyChain(service.context, service.secrets, { heads: noted ? [noted] : [] })
}
const db = () => service.context.db

async function addEntries(count: number): Promise<void> {
  await inTransaction(service.context, async (tx) => {
    for (let entry = 0; entry < count; entry += 1) {
      await auditLogs.record({ ...tx, merchantAccountId: 'default' }, 'created', {
        type: 'thing',
        id: String(entry),
        name: `Thing ${entry}`,
      })
    }
  })
}

test('an untouched chain is consistent', async () => {
  expect(await verify()).toMatchObject({ isConsistent: true, seals: 2, entries: 6, problem: null })
})

test('sealing twice, or in two processes at once, seals each entry once', async () => {
  await addEntries(50)

  await Promise.all([seal(), seal(), seal(), seal()])
  await seal()

  expect(await verify()).toMatchObject({ isConsistent: true, entries: 56 })
})

test('more entries than fit one link get several', async () => {
  await addEntries(2_100)

  await seal()

  expect(await verify()).toMatchObject({ isConsistent: true, seals: 5, entries: 2_106 })
})

test('names the link when an entry was changed', async () => {
  await db()
    .updateTable('audit_logs')
    .set({ resource_name: 'Forged' })
    .where('resource_name', '=', 'Thing 1')
    .where(ofLink(2))
    .execute()

  expect(await verify()).toMatchObject({
    isConsistent: false,
    seals: 1,
    problem: expect.stringMatching(/^link 2 does not fit/),
  })
})

test('finds a removed entry', async () => {
  await db().deleteFrom('audit_logs').where(ofLink(1)).where('resource_name', '=', 'Thing 0').execute()

  expect((await verify()).problem).toBe('link 1 covered 4 entries and now has 3')
})

test.each([
  ['an empty list', sql<string[]>`'{}'::uuid[]`],
  ['no list', sql<string[]>`null`],
])('finds that all entries of a link were removed, and %s put in place of theirs', async (_what, list) => {
  await sql`alter table audit_seals drop constraint if exists audit_seals_entry_ids_check, alter entry_ids drop not null`.execute(
    db(),
  )
  await db().deleteFrom('audit_logs').where(ofLink(1)).execute()
  await db().updateTable('audit_seals').set({ entry_ids: list }).where('position', '=', '1').execute()

  expect((await verify()).problem).toBe('link 1 has lost all its entries')
})

test('finds an inserted entry', async () => {
  await db()
    .insertInto('audit_logs')
    .values(await copyOfEntry())
    .execute()

  expect((await verify()).problem).toMatch(/^entry 01900000-\S+ is part of no link$/)
})

test('finds an inserted entry that its link lists', async () => {
  const copy = await copyOfEntry()
  await db().insertInto('audit_logs').values(copy).execute()
  await db()
    .updateTable('audit_seals')
    .set({ entry_ids: sql`entry_ids || ${copy.id}::uuid` })
    .where('position', '=', '1')
    .execute()

  expect((await verify()).problem).toMatch(/^link 1 does not fit its entries/)
})

test('finds an entry that was removed before it was sealed', async () => {
  await addEntries(1)
  await sql`delete from audit_logs using audit_waiting where audit_logs.id = audit_waiting.id`.execute(db())

  await seal()

  expect((await verify()).problem).toMatch(/^entry \S+ is gone; no link covered it yet$/)
})

test('finds a missing link', async () => {
  await db().deleteFrom('audit_seals').where('position', '=', '1').execute()

  expect((await verify()).problem).toBe('link 1 is missing')
})

test('finds a cut chain with a noted head', async () => {
  const { head } = await verify()
  await db().deleteFrom('audit_logs').where(ofLink(2)).execute()
  await db().deleteFrom('audit_seals').where('position', '=', '2').execute()

  expect((await verify()).isConsistent).toBe(true)
  expect((await verify(head)).problem).toMatch(/^the chain does not contain the head 2:/)
})

test('finds entries whose link was deleted', async () => {
  await db().deleteFrom('audit_seals').where('position', '=', '2').execute()

  expect((await verify()).problem).toMatch(/^entry \S+ is part of no link$/)
})

test('an empty log of an installation that has been used is not consistent', async () => {
  await empty()

  expect(await verify()).toMatchObject({
    isConsistent: false,
    seals: 0,
    problem: 'it is empty, and this installation has been used',
  })
})

test('a log that was emptied, and then continued, lacks the existing keys', async () => {
  await empty()
  await addEntries(1)
  await seal()

  expect((await verify()).problem).toBe(
    `API key pair ${service.admin.id} exists, and no entry records its creation`,
  )
})

test('finds a merchant account whose creation was cut off', async () => {
  await service.send('POST /merchant-accounts', { id: 'shop', display_name: 'Shop' })
  await db().deleteFrom('audit_logs').where('resource_id', '=', 'shop').execute()
  await db().deleteFrom('audit_waiting').execute()

  expect((await verify()).problem).toBe('merchant account shop exists, and no entry records its creation')
})

test('a noted head stays part of a growing chain', async () => {
  const { head } = await verify()
  await addEntries(1)
  await seal()

  expect(await verify(head)).toMatchObject({ isConsistent: true, seals: 3 })
})

test('a chain cannot be made without the secret', async () => {
  const verdict = await verifyChain(service.context, secretsFrom(Buffer.alloc(32)))

  expect(verdict.isConsistent).toBe(false)
})

test('tells of entries that stay unsealed; nobody has changed them', async () => {
  await addEntries(1)
  expect((await verify()).isConsistent).toBe(true)

  service.moveClock(61_000)

  expect(await verify()).toMatchObject({
    isConsistent: true,
    stale: expect.stringMatching(/^1 entry is not sealed yet/),
  })
})

/** An entry of the first link, with an older id. */
async function copyOfEntry() {
  const entry = await db()
    .selectFrom('audit_logs')
    .selectAll()
    .where(ofLink(1))
    .orderBy('id')
    .executeTakeFirstOrThrow()
  return { ...entry, id: entry.id.replace(/^.{8}/, '01900000') }
}

async function empty(): Promise<void> {
  await db().deleteFrom('audit_logs').execute()
  await db().deleteFrom('audit_seals').execute()
}
