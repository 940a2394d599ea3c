import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#domain/ids.ts'
import { secretsFrom } from '#platform/access/secrets.ts'
import { type Context, inTransaction } from '#platform/database/db.ts'
import { diskStorage } from '#platform/file-storage/disk.ts'
import type { FileStorage } from '#platform/file-storage/storage.ts'
import { listApplied, listTables } from '#platform/portable/tables.ts'
import { Sealer } from '#resources/audit-logs/seal.ts'
import { eraseDue } from '#resources/buyers/erasure/erase.ts'
import { fillFacts } from '#resources/metrics-explorer/facts/fill.ts'
import { giftCardWith, openGiftCardCounter } from '#testing/gift-cards.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { keepRows } from '#testing/keep-rows.ts'
import { ReportDesk } from '#testing/report-desk.ts'
import { searchTables } from '#testing/search-tables.ts'
import { openTill, type Till } from '#testing/till.ts'
import { archiveMonths, type MonthTally } from './archive.ts'
import { readArchive } from './read-file.ts'
import { restoreArchive } from './restore.ts'
import * as archives from './store.ts'

const DAY_MS = 86_400_000
const folder = join(tmpdir(), `switchyard-test-archive-${randomBytes(8).toString('hex')}`)
const storage = diskStorage({ folder, linkTo: () => '' })

let service: TestService
let till: Till
let rewind: () => Promise<void>
beforeAll(async () => {
  service = await startTestService()
  till = openTill(service)
  rewind = await keepRows(service)
})
afterAll(() => service.close())
afterEach(async () => {
  await rewind()
  rmSync(folder, { recursive: true, force: true })
})

const captured = (body: object = {}) => till.pay({ intent: 'capture', ...body })

/** What it will be like if nothing happens for so many days. */
function afterDays(days: number): Context {
  const { context } = service
  return { ...context, clock: () => new Date(context.clock().getTime() + days * DAY_MS) }
}

const LATER = 250

type Options = { readonly days?: number; readonly isDryRun?: boolean; readonly storage?: FileStorage }

/** Archives everything that is old enough by then. */
async function archive(options: Options = {}): Promise<MonthTally[]> {
  await countFacts(options.days)
  return archiveUncounted(options)
}

function countFacts(days = LATER): Promise<void> {
  return fillFacts(afterDays(days), new AbortController().signal)
}

async function archiveUncounted(options: Options): Promise<MonthTally[]> {
  const { database } = service
  const context = afterDays(options.days ?? LATER)
  const needs = {
    context,
    storage: options.storage ?? storage,
    tables: await listTables(database.pool),
    migrations: await listApplied(database.pool),
    programVersion: 'test',
    onFile: () => {},
  }
  const before = context.clock().toISOString().slice(0, 7)
  return archiveMonths(needs, { before, isDryRun: options.isDryRun ?? false })
}

const totalOf = (tallies: readonly MonthTally[]) => tallies.reduce((sum, { payments }) => sum + payments, 0)
const keptIn = (tallies: readonly MonthTally[]) => {
  const reasons = tallies.flatMap(({ kept }) => [...kept])
  return Object.fromEntries(
    [...Map.groupBy(reasons, ([reason]) => reason)].map(([reason, all]) => [
      reason,
      all.reduce((sum, [, count]) => sum + count, 0),
    ]),
  )
}

async function restoreAll(): Promise<number> {
  const tables = await listTables(service.database.pool)
  let payments = 0
  for (const stored of await archives.inState(service.context, 'archived')) {
    payments += await restoreArchive({ context: service.context, storage, tables }, stored)
  }
  return payments
}

/** Every row of every table, as text. */
async function everyRow(): Promise<Map<string, string[]>> {
  const { exchanges, scores } = service.engine
  await Promise.all([service.apiLog.flush(), exchanges.flush(), scores.flush()])
  const found = new Map<string, string[]>()
  for (const { name } of await listTables(service.database.pool)) {
    const { rows } = await service.database.pool.query(`select t::text as row from ${name} as t order by 1`)
    found.set(
      name,
      rows.map(({ row }) => row),
    )
  }
  return found
}

/** Tables that tell of the move itself. */
const isOfMove = (name: string) => /^public[.](archives|api_logs|audit_)/.test(name)

test('a payment leaves every table with all that belongs to it, and comes back as it was', async () => {
  const desk = await ReportDesk.open(service)
  const counter = openGiftCardCounter(service)
  const paid = await counter.pay([{ ...giftCardWith(300), amount: 300 }], {
    amount: 1299,
    intent: 'capture',
    metadata: { order: 'one' },
  })
  await till.act(paid.id, 'refunds', { amount: 100 })
  const { reference } = (
    await sql<{ reference: string }>`
      select reference from attempts where transaction_id = ${paid.id} and kind in ('authorize', 'capture') and reference is not null
      order by created_at desc limit 1
    `.execute(service.context.db)
  ).rows[0] ?? { reference: '' }
  desk.publish({
    lines: [
      { reference, amount: 999 },
      { reference, amount: -100, kind: 'chargeback' },
    ],
  })
  await desk.ingest()
  await countFacts()
  const before = await everyRow()
  const shown = await till.get(paid.id)

  const tallies = await archive()

  expect(keptIn(tallies)).toEqual({})
  expect(totalOf(tallies)).toBe(1)
  const { found } = await searchTables(service.context.db, [paid.id])
  expect(found.map((text) => text.split(' in ')[1]).toSorted()).toEqual([
    // Where it is, what it counted for, who did what, and what the providers know.
    'public.api_logs',
    'public.archived_payments',
    'public.audit_logs',
    'public.events',
    'public.exchanges',
    'public.payment_facts',
    'simulator.entries',
    'simulator.gift_card_entries',
  ])
  const gone = await everyRow()
  for (const name of MOVED) {
    expect(before.get(name)?.length, name).toBeGreaterThan(0)
    expect(gone.get(name), name).toEqual([])
  }

  await restoreAll()

  const after = await everyRow()
  for (const name of [...before.keys()].filter(isOfMove))
    for (const rows of [before, after]) rows.delete(name)
  expect(after).toEqual(before)
  expect(await till.get(paid.id)).toEqual(shown)
})

const MOVED = [
  'transactions',
  'transaction_documents',
  'transaction_updates',
  'transaction_marks',
  'transaction_statuses',
  'transaction_events',
  'attempts',
  'transaction_captures',
  'gift_card_redemptions',
  'refunds',
  'disputes',
  'payment_service_report_lines',
].map((name) => `public.${name}`)

test('the file is plain: it can be read without this program', async () => {
  await captured({ external_identifier: 'in-the-file' })

  await archive()

  const [name = ''] = readdirSync(folder).filter((file) => file.endsWith('.gz'))
  const { gunzipSync } = await import('node:zlib')
  const lines = gunzipSync(readFileSync(join(folder, name)))
    .toString()
    .trimEnd()
    .split('\n')
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    format: 'switchyard-archive',
    merchant_account_id: 'default',
  })
  expect(lines.some((line) => line.includes('in-the-file'))).toBe(true)
  expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ end: 'file' })
})

describe('what stays', () => {
  test('payments that are authorized, or that have changed not long ago', async () => {
    const authorized = await till.pay()
    const paid = await captured()

    const soon = keptIn(await archive({ days: 100 }))
    const later = keptIn(await archive())

    expect(soon).toEqual({ open: 1, recent: 1 })
    expect(later).toEqual({ open: 1 })
    expect((await till.get(authorized.id)).status).toBe('authorization_succeeded')
    expect((await service.send(`GET /transactions/${paid.id}`)).statusCode).toBe(404)
  })

  test('payments whose settlement is awaited', async () => {
    const desk = await ReportDesk.open(service)
    await desk.ingest()
    await captured()

    expect(keptIn(await archive())).toEqual({ unsettled: 1 })
  })

  test('payments that the metrics explorer has not counted', async () => {
    await captured()

    expect(keptIn(await archiveUncounted({ isDryRun: true }))).toEqual({ uncounted: 1 })
    expect(keptIn(await archive({ isDryRun: true }))).toEqual({})
  })

  test('everything in a dry run', async () => {
    const paid = await captured()

    const tallies = await archive({ isDryRun: true })

    expect(totalOf(tallies)).toBe(1)
    expect((await till.get(paid.id)).id).toBe(paid.id)
    expect(existsSync(folder)).toBe(false)
  })

  test('a month that was brought back, for a while', async () => {
    const paid = await captured()
    await archive()
    const [stored] = await archives.holding(service.context, paid.id)
    const tables = await listTables(service.database.pool)
    await restoreArchive({ context: afterDays(LATER), storage, tables }, stored as archives.StoredArchive)

    expect(keptIn(await archive())).toEqual({ restored: 1 })

    await archive({ days: LATER + 31 })
    expect((await service.send(`GET /transactions/${paid.id}`)).statusCode).toBe(404)
  })
})

test('a payment that changes while its file is written stays, and the file goes', async () => {
  const paid = await captured()
  const meddling: FileStorage = {
    ...storage,
    put: async (key, chunks) => {
      const stored = await storage.put(key, chunks)
      expect((await till.act(paid.id, 'refunds', { amount: 7 })).statusCode).toBe(201)
      return stored
    },
  }

  const tallies = await archive({ storage: meddling })

  expect(keptIn(tallies)).toEqual({ changed: 1 })
  expect((await till.get(paid.id)).refunded_amount).toBe(7)
  expect(readdirSync(folder).filter((file) => file.endsWith('.gz'))).toEqual([])
})

test('a refund that begins before the file is written, and is not finished, keeps its payment', async () => {
  const paid = await captured()
  const meddling: FileStorage = {
    ...storage,
    checkRoom: async () => {
      await storage.checkRoom()
      await service.send(`PUT /payment-services/${paid.payment_service.id}`, {
        fields: [{ key: 'asynchronous', value: 'true' }],
      })
      expect((await till.act(paid.id, 'refunds', { amount: 7 })).json().status).toBe('processing')
    },
  }

  const tallies = await archive({ storage: meddling })

  expect(keptIn(tallies)).toEqual({ changed: 1 })
  expect((await till.get(paid.id)).status).toBe('capture_succeeded')
  expect(readdirSync(folder).filter((file) => file.endsWith('.gz'))).toEqual([])
})

test('an erasure that began while payments went to a file ends when they are back', async () => {
  const buyer = (await service.send('POST /buyers', { display_name: 'Jane' })).json()
  expect((await service.send(`POST /buyers/${buyer.id}/erasure`)).statusCode).toBe(202)
  const scope = { ...service.context, merchantAccountId: 'default' }
  const id = newId()
  await archives.begin(scope, { id, month: '2025-01', file: 'one.gz', stored_in: 'elsewhere' })
  await inTransaction(scope, (tx) => archives.insertPayments(tx, id, [{ id, buyer_id: buyer.id }]))
  const erase = async () => {
    await eraseDue({ ...service, sealer: new Sealer(service.secrets, null) }, new AbortController().signal)
    return (await service.send(`GET /buyers/${buyer.id}/erasure`)).json().status
  }

  expect(await erase()).toBe('pending')

  await inTransaction(scope, (tx) => archives.removePayments(tx, id, [id]))
  service.moveClock(60_000)
  expect(await erase()).toBe('succeeded')
})

describe('an archived payment', () => {
  test('is not found, and the answer says how to bring it back; other accounts learn nothing', async () => {
    const paid = await captured()
    await archive()
    const expected = expect.stringContaining(`switchyard archive restore ${paid.id}`)

    for (const route of [
      `GET /transactions/${paid.id}`,
      `GET /transactions/${paid.id}/events`,
      `POST /transactions/${paid.id}/refunds`,
      `POST /transactions/${paid.id}/sync`,
    ]) {
      const answer = await service.send(route, route.endsWith('refunds') ? { amount: 1 } : undefined)
      expect([route, answer.statusCode]).toEqual([route, 404])
      expect(answer.json().details).toEqual([expect.objectContaining({ message: expected })])
    }
    await service.send('POST /merchant-accounts', { id: 'other', display_name: 'Other' })
    const other = await service.send(`GET /transactions/${paid.id}`, undefined, { account: 'other' })
    const unknown = await service.send(`GET /transactions/${crypto.randomUUID()}`)
    expect(other.json().details).toEqual(unknown.json().details)
  })

  test('can be refunded once it is back', async () => {
    const paid = await captured()
    await archive()
    await restoreAll()

    const refunded = await till.act(paid.id, 'refunds', { amount: 1000 })

    expect(refunded.statusCode, refunded.body).toBe(201)
    expect(await till.books(paid.id)).toMatchObject({ refunded: 1000 })
  })

  test('comes back though a provider has told of its settlement again meanwhile', async () => {
    const desk = await ReportDesk.open(service)
    const paid = await captured({ amount: 1_000 })
    const own = { id: 'told again', reference: paid.payment_service_transaction_id, amount: 1_000 }
    const other = { id: 'of no payment', reference: 'unheard of', amount: 5 }
    desk.publish({ lines: [own] })
    await desk.ingest()
    const before = await till.get(paid.id)
    await archive()
    desk.publish({ lines: [own, other] })
    await desk.ingest()
    const unmatched = async () => {
      const { items } = (await service.send('GET /payment-service-reports?limit=1')).json()
      const lines = await service.send(`GET /payment-service-reports/${items[0].id}/lines`)
      const reasons = lines.json().items.map((line: Record<string, unknown>) => line['unmatched_because'])
      return [items[0].files[0].unmatched_line_count, ...reasons.toReversed()]
    }
    expect(await unmatched()).toEqual([2, 'unknown_reference', 'unknown_reference'])

    expect(await restoreAll()).toBe(1)

    expect(await unmatched()).toEqual([1, 'duplicate', 'unknown_reference'])
    await desk.matchAgain()
    expect(await till.get(paid.id)).toEqual(before)
  })

  test('keeps its buyer from being erased or exported without it', async () => {
    const buyer = (await service.send('POST /buyers', { display_name: 'Jane' })).json()
    await captured({ buyer_id: buyer.id })
    await archive()

    const erasure = await service.send(`POST /buyers/${buyer.id}/erasure`)
    const exported = await service.send(`GET /buyers/${buyer.id}/export`)

    for (const answer of [erasure, exported]) {
      expect(answer.statusCode).toBe(400)
      expect(answer.body).toContain(`switchyard archive restore ${buyer.id}`)
    }
    await restoreAll()
    expect((await service.send(`POST /buyers/${buyer.id}/erasure`)).statusCode).toBe(202)
  })
})

describe('a file', () => {
  test.each([
    [
      'has a byte that differs',
      (bytes: Buffer) => bytes.with(bytes.length >> 1, (bytes[bytes.length >> 1] ?? 0) ^ 1),
    ],
    ['was cut', (bytes: Buffer) => bytes.subarray(0, -20)],
    ['is another one', () => Buffer.from('something else')],
  ])('that %s is refused, and nothing is changed', async (_name, damage) => {
    const paid = await captured()
    await archive()
    const [stored] = (await archives.holding(service.context, paid.id)) as [archives.StoredArchive]
    const path = join(folder, stored.file)
    const bytes = readFileSync(path)
    writeFileSync(path, damage(bytes))

    await expect(readArchive({ ...service, storage }, stored)).rejects.toThrow(stored.file)
    await expect(restoreAll()).rejects.toThrow(stored.file)

    expect((await archives.holding(service.context, paid.id)).length).toBe(1)
    writeFileSync(path, bytes)
  })

  test('that was written with another secret is refused', async () => {
    const paid = await captured()
    await archive()
    const [stored] = (await archives.holding(service.context, paid.id)) as [archives.StoredArchive]
    const context = secretsFrom(Buffer.alloc(32))

    await expect(readArchive({ context, storage }, stored)).rejects.toThrow(
      'The code of the file does not fit',
    )
  })

  test('that is gone is named', async () => {
    const paid = await captured()
    await archive()
    const [stored] = (await archives.holding(service.context, paid.id)) as [archives.StoredArchive]
    const elsewhere = diskStorage({ folder: `${folder}-elsewhere`, linkTo: () => '' })

    await expect(readArchive({ ...service, storage: elsewhere }, stored)).rejects.toThrow(
      `The file ${stored.file} is not in this folder. It was written to another folder: name that one with --folder.`,
    )

    // Looking for a file makes no folder.
    expect(existsSync(`${folder}-elsewhere`)).toBe(false)
  })
})
