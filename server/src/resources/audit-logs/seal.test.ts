import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { inTransaction } from '#platform/database/db.ts'
import { ofLink, ofLinksAfter } from '#testing/audit-links.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { keepRows } from '#testing/keep-rows.ts'
import { HeadFile } from './head-file.ts'
import { Sealer } from './seal.ts'
import * as auditLogs from './store.ts'
import { verifyChain } from './verify.ts'

const folder = mkdtempSync(join(tmpdir(), 'switchyard-seal-'))
const path = join(folder, 'audit-head')
afterAll(() => rmSync(folder, { recursive: true }))

let service: TestService
let rewind: () => Promise<void>
beforeAll(async () => {
  service = await startTestService()
  rewind = await keepRows(service)
  return () => service.close()
})
beforeEach(() => {
  rmSync(path, { force: true })
  return rewind
})

const db = () => service.context.db
/** Another process, with its own memory. */
const start = (file: HeadFile | null = null) => new Sealer(service.secrets, file)
const headFile = () => new HeadFile(path, service.secrets)

async function change(sealer: Sealer): Promise<void> {
  await record()
  await sealer.seal(service.context)
}

async function record(): Promise<void> {
  const thing = { type: 'thing', id: '1', name: 'Thing' }
  await inTransaction(service.context, (tx) =>
    auditLogs.record({ ...tx, merchantAccountId: null }, 'created', thing),
  )
}

const verify = () => verifyChain(service.context, service.secrets)

/** Removes the last links and their entries, as an attacker with write access to the database could. */
async function cutAfter(position: number): Promise<void> {
  await db().deleteFrom('audit_logs').where(ofLinksAfter(position)).execute()
  await db().deleteFrom('audit_seals').where('position', '>', String(position)).execute()
}

async function positions(): Promise<number[]> {
  const rows = await db().selectFrom('audit_seals').select('position').orderBy('position').execute()
  return rows.map((row) => Number(row.position))
}

test('processes that seal in turns continue each other’s links', async () => {
  const [one, two, three] = [start(), start(), start()]

  for (const sealer of [one, two, three, one, one, three, two]) await change(sealer)

  expect(await positions()).toEqual([1, 2, 3, 4, 5, 6, 7])
  expect(two.head?.position).toBe(7)
})

test('an entry stays as it was written when it is sealed', async () => {
  const versions = async () => (await sql`select id, xmin from audit_logs order by id`.execute(db())).rows
  await record()
  const before = await versions()

  await start().seal(service.context)

  expect(await versions()).toEqual(before)
  expect(await db().selectFrom('audit_waiting').selectAll().execute()).toEqual([])
})

const ID = '01900000-0000-7000-8000-00000000000a'
const OTHER = '01900000-0000-7000-8000-00000000000b'
/** As someone can insert who writes to the database, and has no key of the service. */
const insertEntry = (id: string) =>
  sql`insert into audit_logs
    select ${id}, merchant_account_id, action, resource_type, resource_id, resource_name, actor_id, 'Forger', request_id,
      created_at - interval '1 hour' from audit_logs limit 1`.execute(db())
const insertWaiting = (id: string, code: Buffer) =>
  db().insertInto('audit_waiting').values({ id, code }).execute()

test.each([
  ['with an empty code', () => insertWaiting(ID, Buffer.alloc(0))],
  ['with a made-up code', () => insertWaiting(ID, Buffer.alloc(16))],
  [
    'with the code of another entry',
    async () => {
      await record()
      const [other] = await auditLogs.unsealed(service.context, 1, ID)
      await insertWaiting(ID, other?.code ?? Buffer.alloc(0))
    },
  ],
])('an entry that was put into the log by hand, %s, is named and never sealed', async (_how, insert) => {
  await change(start())
  await insertEntry(ID)
  await insert()
  await record()
  const sealer = start()

  await sealer.seal(service.context)

  const waiting = await auditLogs.unsealed(service.context, 10)
  expect(waiting.map(({ id }) => id)).toEqual([ID])
  expect(sealer.refusal).toContain(`entry ${ID} of `)
  const { problem, seals } = await verify()
  expect({ problem, seals }).toEqual({ problem: sealer.refusal, seals: 2 })
  const answer = (await service.send('GET /audit-logs/verification')).json()
  expect(answer).toMatchObject({ status: 'broken', problem: sealer.refusal })
  await db().deleteFrom('audit_waiting').execute()
  await db().deleteFrom('audit_logs').where('id', '=', ID).execute()
  await sealer.seal(service.context)
  expect([sealer.refusal, (await verify()).problem]).toEqual([null, null])
})

test('an entry that was changed before it was sealed is named and never sealed', async () => {
  await record()
  const { id } = (await auditLogs.unsealed(service.context, 10)).at(-1) ?? { id: '' }
  await db().updateTable('audit_logs').set({ actor_name: 'Someone else' }).where('id', '=', id).execute()
  const sealer = start()

  await sealer.seal(service.context)

  expect(sealer.refusal).toContain(`entry ${id} of `)
  expect((await verify()).problem).toBe(sealer.refusal)
})

test('more entries by hand than fit a batch do not keep others from being sealed', async () => {
  await sql`insert into audit_logs
    select gen.id, null, 'created', 'thing', '1', 'Thing', null, 'Forger', null, now()
    from (select ('01900000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid as id from generate_series(1, 1200) as n) as gen
  `.execute(db())
  await sql`insert into audit_waiting select id, '\\x00' from audit_logs where actor_name = 'Forger'`.execute(
    db(),
  )

  await change(start())

  expect(await positions()).toEqual([1])
  expect((await auditLogs.unsealed(service.context, 2_000)).length).toBe(1_200)
})

test('an entry that is in no list of those that wait is found by both checks, wherever its id puts it', async () => {
  await change(start())
  await change(start())
  for (const id of [ID, OTHER]) {
    await insertEntry(id)
    await start().seal(service.context)

    const problem = `entry ${id} is part of no link`
    expect((await verify()).problem).toBe(problem)
    for (const query of ['', '?links=1']) {
      const answer = (await service.send(`GET /audit-logs/verification${query}`)).json()
      expect(answer).toMatchObject({ status: 'broken', problem })
    }
    await db().deleteFrom('audit_logs').where('id', '=', id).execute()
  }
  expect((await verify()).problem).toBe(null)
})

test('half a pair of surrogates in a name is no forgery', async () => {
  const thing = { type: 'thing', id: '1', name: 'Thing \ud800' }
  await inTransaction(service.context, (tx) =>
    auditLogs.record({ ...tx, merchantAccountId: null }, 'created', thing),
  )
  const sealer = start()

  await sealer.seal(service.context)

  expect(sealer.refusal).toBe(null)
})

test('a process whose last link is missing stops sealing', async () => {
  const sealer = start()
  await change(sealer)
  await change(sealer)
  await cutAfter(1)

  await expect(change(sealer)).rejects.toThrow(/link 2:[0-9a-f]{64} is gone/)

  expect(await positions()).toEqual([1])
  expect(await auditLogs.unsealed(service.context, 10)).toHaveLength(1)
  expect(sealer.refusal).toMatch(/^The audit log is not sealed any more/)
})

test('a process that only saw the last link notices, too', async () => {
  const [maker, watcher] = [start(), start()]
  await change(maker)
  await change(maker)
  await watcher.seal(service.context)
  await cutAfter(0)

  await expect(watcher.seal(service.context)).rejects.toThrow('is gone')
})

test('a process whose last link was replaced stops sealing', async () => {
  const sealer = start()
  await change(sealer)
  await change(sealer)
  await cutAfter(1)
  await change(start())

  await expect(change(sealer)).rejects.toThrow(/link 2:\w+ was replaced by 2:\w+/)

  expect(await positions()).toEqual([1, 2])
})

test('a process does not continue a link that was made without the secret', async () => {
  await change(start())
  await db().updateTable('audit_logs').set({ actor_name: 'Forger' }).where(ofLink(1)).execute()

  await expect(change(start())).rejects.toThrow('its last link, 1, does not fit its entries')
})

test('a later process reads the head from the data folder, and notices a link that was cut off', async () => {
  await change(start(headFile()))
  await change(start(headFile()))
  await cutAfter(1)

  await expect(change(start(headFile()))).rejects.toThrow(/link 2:\w+ is gone/)
  await expect(start(headFile()).check(service.context)).rejects.toThrow('is gone')
  await expect(start(null).check(service.context)).resolves.toBeUndefined()
})

test('a file that cannot be written is reported, and sealing goes on', async () => {
  const troubles: unknown[] = []
  const unwritable = new HeadFile(join(folder, 'missing/audit-head'), service.secrets)
  const sealer = new Sealer(service.secrets, unwritable, (error) => troubles.push(error))

  await change(sealer)
  await change(sealer)

  expect(await positions()).toEqual([1, 2])
  expect(troubles).toHaveLength(2)
})

test('the file is refused with another secret', async () => {
  await change(start(headFile()))
  const [head = ''] = readFileSync(path, 'utf8').split('\n')
  writeFileSync(path, `${head.replace('1:', '2:')}\n${'0'.repeat(64)}\n`)

  await expect(change(start(headFile()))).rejects.toThrow(`${path} is not what this installation wrote there`)
})

test('after a restore the chain continues once it is accepted, on this machine, too', async () => {
  await change(start(headFile()))
  await change(start(headFile()))
  await cutAfter(1)
  const accepting = start(headFile())

  accepting.forget()
  await change(accepting)

  await change(start(headFile()))
  expect(await positions()).toEqual([1, 2, 3])
})
