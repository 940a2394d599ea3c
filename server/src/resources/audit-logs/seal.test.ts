import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { inTransaction } from '#platform/db.ts'
import { ofLink, ofLinksAfter } from '#testing/audit-links.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { HeadFile } from './head-file.ts'
import { digestOf, Sealer } from './seal.ts'
import * as auditLogs from './store.ts'
import { verifyChain } from './verify.ts'

const folder = mkdtempSync(join(tmpdir(), 'switchyard-seal-'))
const path = join(folder, 'audit-head')
afterAll(() => rmSync(folder, { recursive: true }))

let service: TestService
beforeEach(async () => {
  service = await startTestService()
  rmSync(path, { force: true })
  return () => service.close()
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

/** A process of the version before writes entries that name no link, and no list of those that wait. */
async function recordAsBefore(): Promise<void> {
  await record()
  await sql`update audit_logs set seal_position = null where id in (select id from audit_waiting)`.execute(
    db(),
  )
  await db().deleteFrom('audit_waiting').execute()
}

/** It covers the entries that name no link, and lets them name it. */
async function sealAsBefore(position: number): Promise<void> {
  const entries = await auditLogs.unsealed(service.context, 1_000)
  const before = await auditLogs.findSeal(service.context, position - 1)
  const link = [
    position,
    before?.hash.toString('hex') ?? '',
    entries.length,
    digestOf(entries).toString('hex'),
  ]
  const hash = service.secrets.mac('audit-chain', link.join('\n'))
  await sql`insert into audit_seals values (${position}, ${entries.length}, ${hash}, now())`.execute(db())
  await sql`update audit_logs set seal_position = ${position} where seal_position is null`.execute(db())
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

test('links of the version before stay valid, and are continued', async () => {
  await start().seal(service.context)
  await recordAsBefore()
  await sealAsBefore(2)
  await change(start())

  expect(await verify()).toMatchObject({ isConsistent: true, seals: 3, entries: 5 })
  await sql`update audit_logs set actor_name = 'Forger' where seal_position = 2`.execute(db())
  expect((await verify()).problem).toMatch(/^link 2 does not fit its entries/)
})

test('entries that a process of the version before writes meanwhile are sealed once', async () => {
  await recordAsBefore()
  await record()
  await start().seal(service.context)
  await start().seal(service.context)

  expect(await verify()).toMatchObject({ isConsistent: true, seals: 1, entries: 5 })
})

test('a process of the version before takes a link that lists its entries for whole', async () => {
  await change(start())

  // It finds no entry that names the link, so it counts none.
  const seal = await auditLogs.findSeal(service.context, 1)
  const { rows } = await sql`select entry_count from audit_seals`.execute(db())
  const none = createHash('sha256').digest('hex')
  const sealed = seal?.redacted?.entriesDigest.toString('hex') ?? ''
  expect(rows).toEqual([{ entry_count: 0 }])
  expect(service.secrets.mac('audit-chain', [1, '', 0, sealed].join('\n'))).toEqual(seal?.hash)
  expect(service.secrets.mac('audit-redaction', [1, sealed, none].join('\n'))).toEqual(seal?.redacted?.proof)
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
