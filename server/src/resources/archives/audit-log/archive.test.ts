import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { diskStorage } from '#platform/file-storage/disk.ts'
import type { FileStorage } from '#platform/file-storage/storage.ts'
import { listTables } from '#platform/portable/tables.ts'
import type { WrittenLinks } from '#resources/audit-logs/archived/store.ts'
import { redactNames } from '#resources/audit-logs/redact.ts'
import { Sealer } from '#resources/audit-logs/seal.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import { verifyChain } from '#resources/audit-logs/verify.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { keepRows } from '#testing/keep-rows.ts'
import { addChain, addLink as addOwnLink, afterDays, archiveAfter, KEPT } from '#testing/log-archive.ts'
import type { ArchivedLog } from './archive.ts'
import { readLinks } from './links-in-file.ts'
import { restoreLog } from './restore.ts'

const OLD = 5
const folder = join(tmpdir(), `switchyard-test-archived-log-${randomBytes(8).toString('hex')}`)
const storage = diskStorage({ folder, linkTo: () => '' })

let service: TestService
let rewind: () => Promise<void>
beforeAll(async () => {
  service = await startTestService()
  await addChain(service, OLD)
  rewind = await keepRows(service)
})
afterAll(() => service.close())
afterEach(async () => {
  await rewind()
  rmSync(folder, { recursive: true, force: true })
})

const lastLink = () => auditLogs.lastPosition(service.context)

const addLink = (number: number, type?: string) => addOwnLink(service, number, type)

type Options = { readonly days?: number; readonly isDryRun?: boolean; readonly storage?: FileStorage }

const archive = ({ days = 200, isDryRun = false, storage: own = storage }: Options = {}) =>
  archiveAfter(service, { days, isDryRun, storage: own })

async function restore(days = 200): Promise<number> {
  const tables = await listTables(service.database.pool)
  return (await restoreLog({ context: afterDays(service, days), storage, tables }, () => {})).length
}

const linksIn = ({ tallies }: ArchivedLog) => tallies.reduce((sum, { links }) => sum + links, 0)
const files = () => readdirSync(folder).filter((file) => file.endsWith('.gz'))
const verify = (own: FileStorage | null = storage) =>
  verifyChain(
    service.context,
    service.secrets,
    own ? { readFile: (links) => readLinks({ ...service, storage: own }, links) } : {},
  )

async function allRows(): Promise<string[]> {
  const { rows } = await sql<{ row: string }>`
    select row from (
      select 'seal ' || s::text as row from audit_seals as s union all
      select 'entry ' || e::text from audit_logs as e where resource_type <> 'archive') as every order by row
  `.execute(service.context.db)
  return rows.map(({ row }) => row)
}

async function firstLink(): Promise<number> {
  const { rows } = await sql<{ first: string }>`select min(position) as first from audit_seals`.execute(
    service.context.db,
  )
  return Number(rows[0]?.first)
}

test('the oldest links leave with their entries, and the chain goes on from them', async () => {
  const before = await verify()

  const moved = await archive()

  expect(moved).toMatchObject({ stopped: null, tallies: [{ links: OLD, files: 1 }] })
  expect(await firstLink()).toBe(OLD + 1)
  expect(await verify()).toMatchObject({
    isConsistent: true,
    seals: before.seals,
    head: before.head,
    archived: 1,
    unread: [],
  })
  await addLink(1)
  expect(await verify()).toMatchObject({ isConsistent: true, seals: KEPT + OLD + 1 })
  // The entry about the file is a link more, so one more of the old ones can go.
  expect(linksIn(await archive())).toBe(1)
  expect(await verify()).toMatchObject({ isConsistent: true, archived: 2, unread: [] })
})

test('they come back as they were, and are left alone for a while', async () => {
  const before = await allRows()
  await archive()
  await archive({ days: 300 })

  expect(await restore()).toBeGreaterThan(0)

  expect(await allRows()).toEqual(before)
  expect(await verify()).toMatchObject({ isConsistent: true, archived: 0 })
  expect(await archive()).toEqual({ tallies: [], stopped: 'restored' })
  expect(linksIn(await archive({ days: 231 }))).toBeGreaterThan(0)
})

test('a dry run counts, and moves nothing', async () => {
  const before = await allRows()

  expect(linksIn(await archive({ isDryRun: true }))).toBe(OLD)

  expect(await allRows()).toEqual(before)
})

test('entries of the last 90 days stay', async () => {
  expect(linksIn(await archive({ days: 80 }))).toBe(0)
})

test('names of buyers are taken out first; ids, and all other names, stay', async () => {
  const types = Object.values(auditLogs.OF_BUYERS)
  for (const type of types) await addLink(777, type)
  await addLink(778, 'payment-service')
  for (let link = 0; link < KEPT; link += 1) await addLink(link)

  await archive()

  const text = files()
    .map((file) => gunzipSync(readFileSync(join(folder, file))).toString())
    .join('')
  for (const type of types) expect(text).toContain(`${type}-777`)
  expect(text).not.toContain('Jane 777')
  expect(text).toContain('Jane 778')
  expect(await verify()).toMatchObject({ isConsistent: true, unread: [] })
})

test('the index of entries that name a buyer has all their types', async () => {
  const { rows } = await sql<{ indexdef: string }>`
    select indexdef from pg_indexes where indexname = 'audit_logs_of_buyers'
  `.execute(service.context.db)
  const types = [...(rows[0]?.indexdef ?? '').matchAll(/'([a-z-]+)'/g)].map(([, type]) => type)
  expect(new Set(types)).toEqual(new Set(Object.values(auditLogs.OF_BUYERS)))
})

test('an entry that changes while the file is written keeps its links in the database', async () => {
  const meddling: FileStorage = {
    ...storage,
    put: async (key, chunks) => {
      const stored = await storage.put(key, chunks)
      await sql`update audit_logs set actor_name = 'Other' where resource_id = 'thing-1'`.execute(
        service.context.db,
      )
      return stored
    },
  }
  await addOldThing()

  expect(await archive({ storage: meddling })).toMatchObject({ stopped: 'changed' })

  expect(await firstLink()).toBe(1)
  expect(files()).toEqual([])
})

/** So that thing-1 is among the links that go. */
async function addOldThing(): Promise<void> {
  for (let link = 0; link < OLD; link += 1) await addLink(link)
}

test('a buyer can be erased when entries about them are in files', async () => {
  await addLink(1, 'buyer')
  for (let link = 0; link < KEPT; link += 1) await addLink(link)
  await archive()
  const scope = { ...service.context, merchantAccountId: 'default' }

  expect(await redactNames(scope, service.secrets, ['buyer-1'])).toBe(true)

  expect(await verify()).toMatchObject({ isConsistent: true })
})

test('the first link behind the files can lose a name', async () => {
  const first = await linkBehind('buyer')
  await archive()
  expect(await firstLink()).toBe(first)
  const scope = { ...service.context, merchantAccountId: 'default' }

  expect(await redactNames(scope, service.secrets, ['buyer-1'])).toBe(true)

  expect(await verify()).toMatchObject({ isConsistent: true })
})

/** Adds a link that will be the oldest one in the database. */
async function linkBehind(type: string): Promise<number> {
  await addLink(1, type)
  const position = await lastLink()
  for (let link = 0; link < KEPT - 1; link += 1) await addLink(link)
  return position
}

describe('the check', () => {
  test('names files that are not at hand, and checks the rest', async () => {
    await archive()

    const { isConsistent, unread } = await verify(null)

    expect(isConsistent).toBe(true)
    expect(unread.map(({ file }) => file)).toEqual(files())
  })

  test('looks again if links move while it reads', async () => {
    await archive()
    await addLink(1)
    let moved = 0
    const readFile = async (links: WrittenLinks) => {
      if (moved === 0) moved = linksIn(await archive())
      return readLinks({ ...service, storage }, links)
    }

    const found = await verifyChain(service.context, service.secrets, { readFile })

    expect(moved).toBeGreaterThan(0)
    expect(found).toMatchObject({ isConsistent: true, archived: 2, unread: [], problem: null })
  })

  test('finds a file that was changed', async () => {
    await archive()
    const path = join(folder, files()[0] ?? '')
    const bytes = readFileSync(path)
    writeFileSync(path, bytes.with(bytes.length >> 1, (bytes[bytes.length >> 1] ?? 0) ^ 1))

    expect(await verify()).toMatchObject({ isConsistent: false, problem: expect.stringContaining('.gz') })
  })

  test.each([
    ['a beginning that was cut, and a record that says it is in a file', forgeRecord, /was changed$/],
    ['a record that says another link', () => setRecord('last_position = last_position - 1'), /was changed$/],
    ['a record that hides a key', () => setRecord("told = told || 'api-key-pair x'::text"), /was changed$/],
    ['a record that is gone', () => run('delete from audit_archives'), /^link 1 is missing$/],
    ['links behind the files that are gone', removeFirst, /is missing$/],
  ])('finds %s', async (name, harm, problem) => {
    if (harm !== forgeRecord) await archive()
    await harm()

    const verdict = await verify(null)

    expect([name, verdict.isConsistent]).toEqual([name, false])
    expect(verdict.problem).toMatch(problem)
    await expect(archive()).rejects.toThrow('The audit log is not intact')
  })

  test('finds a link that was put before those in the database', async () => {
    await archive()
    await run(`insert into audit_seals (position, hash, sealed_at, entries_digest, redaction, entry_ids)
      select 1, hash, sealed_at, entries_digest, redaction, array[gen_random_uuid()] from audit_seals limit 1`)

    expect((await verify()).problem).toMatch(/^link 1 stands in the database/)
  })

  test('finds a record of a file that was brought back, and is used again', async () => {
    await archive()
    await restore()
    await new Sealer(service.secrets, null).seal(service.context)
    await run(
      `delete from audit_logs where id in (select unnest(entry_ids) from audit_seals where position <= ${OLD})`,
    )
    await run(`delete from audit_seals where position <= ${OLD}`)
    await run("update audit_archives set state = 'archived'")

    expect((await verify(null)).problem).toMatch(/was brought back, and its record denies it$/)
  })

  test('finds that all links behind the files are gone, and nothing is sealed then', async () => {
    await archive()
    await run('delete from audit_seals; delete from audit_logs; delete from audit_waiting')
    const sealer = new Sealer(service.secrets, null)

    expect((await verify()).problem).toBe('the links behind its archived files are gone')
    await expect(sealer.seal(service.context)).rejects.toThrow('the links behind its archived files are gone')
  })

  test('knows the keys of which entries in files tell, and misses others', async () => {
    await archive()
    expect((await verify()).problem).toBe(null)
    await run(`insert into merchant_accounts
      (id, display_name, account_updater_enabled, async_network_tokens_enabled, created_at, updated_at)
      values ('hidden', 'Hidden', false, false, 'epoch', 'epoch')`)

    expect((await verify()).problem).toBe('merchant account hidden exists, and no entry records its creation')
  })

  test('finds a head in a file, and says where to look if it is not at hand', async () => {
    const head = { position: 2, hash: await hashOf(2) }
    await archive()
    const { context, secrets } = service

    const found = await verifyChain(context, secrets, {
      heads: [head],
      readFile: (links) => readLinks({ ...service, storage }, links),
    })
    const missed = await verifyChain(context, secrets, { heads: [head] })
    const wrong = await verifyChain(context, secrets, {
      heads: [{ ...head, hash: Buffer.alloc(32) }],
      readFile: (links) => readLinks({ ...service, storage }, links),
    })

    expect(found.problem).toBe(null)
    expect(missed.problem).toMatch(/^the head 2:.* is in .*[.]gz, which is not at hand/)
    expect(wrong.problem).toMatch(/^the chain does not contain the head 2:/)
  })

  test('by the API begins behind the files', async () => {
    const old = `2:${(await hashOf(2)).toString('hex')}`
    const last = `${OLD}:${(await hashOf(OLD)).toString('hex')}`
    await archive()
    await new Sealer(service.secrets, null).seal(service.context)

    const whole = await service.send('GET /audit-logs/verification')
    const behind = await service.send(`GET /audit-logs/verification?after=${last}`)
    const inside = await service.send(`GET /audit-logs/verification?after=${old}`)

    expect(whole.json()).toMatchObject({ status: 'intact', checked_links: KEPT + 1 })
    expect(behind.json()).toMatchObject({ status: 'intact', checked_links: KEPT + 1 })
    expect(inside.statusCode).toBe(400)
    expect(inside.body).toContain(`links up to ${OLD} are archived`)
  })
})

test('a process that knows a link that is in a file goes on sealing', async () => {
  const known = { position: 2, hash: await hashOf(2) }
  await archive()
  const file = { path: 'none', read: () => known, write: async () => {} }
  const sealer = new Sealer(service.secrets, file as never)

  await sealer.seal(service.context)

  expect(sealer.refusal).toBe(null)
  expect((await verify()).isConsistent).toBe(true)
})

async function hashOf(position: number): Promise<Buffer> {
  const seal = await auditLogs.findSeal(service.context, position)
  return seal?.hash ?? Buffer.alloc(0)
}

async function run(statement: string): Promise<void> {
  await service.database.pool.query(statement)
}

const setRecord = (change: string) => run(`update audit_archives set ${change}`)

async function removeFirst(): Promise<void> {
  await run('delete from audit_seals where position = (select min(position) from audit_seals)')
}

/** What an attacker with the password of the database could do and not the key of the service. */
async function forgeRecord(): Promise<void> {
  await run(`insert into audit_archives
    select '${crypto.randomUUID()}', '2026-01', 'archived', '2026-01.audit-log.forged.gz', 'elsewhere', 1, position, hash, 3, '{}',
      repeat('0', 64), 1, decode(repeat('00', 32), 'hex'), now(), now()
    from audit_seals where position = 3`)
  await run(
    `delete from audit_logs where id in (select unnest(entry_ids) from audit_seals where position <= 3)`,
  )
  await run('delete from audit_seals where position <= 3')
}
