import { firstIdOf, newId } from '#domain/ids.ts'
import { type Context, inTransaction, type Scope, type Tx } from '#platform/db.ts'
import type { FileStorage, StoredFile } from '#platform/file-storage/storage.ts'
import { digestOf, type Part, type PartTable, readPart, writePart } from '#platform/portable/part.ts'
import { readLines, removeLines, type Share, writePlainText } from '#platform/portable/rows.ts'
import type { Applied, Table } from '#platform/portable/tables.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import * as merchantAccounts from '#resources/merchant-accounts/store.ts'
import * as transactions from '#resources/transactions/store.ts'
import { sharesOf } from './belongings.ts'
import { idsOf, type Month, monthOfId } from './months.ts'
import { lookAt, type Reason } from './ready.ts'
import * as archives from './store.ts'

export type Archiving = {
  readonly context: Context
  readonly storage: FileStorage
  readonly tables: readonly Table[]
  readonly migrations: readonly Applied[]
  readonly programVersion: string
  /** Hears of each file. */
  readonly onFile: (month: Month, payments: number) => void
}

/** What became of the payments of a month. */
export type MonthTally = {
  readonly month: Month
  /** Archived, or with `isDryRun` to be archived. */
  payments: number
  files: number
  size: number
  readonly kept: Map<Reason | 'changed' | 'restored', number>
}

/** So many payments are one file, and one transaction. */
const AT_ONCE = 1_000
/** Months that were brought back are left alone for this long: they are needed. */
const RESTORED_MS = 30 * 86_400_000

type Wanted = { readonly before: Month; readonly isDryRun: boolean }

/** Moves the finished payments of all months before a month to files. What has to stay is counted. */
export function archiveMonths(needs: Archiving, wanted: Wanted): Promise<MonthTally[]> {
  return archives.alone(needs.context, async () => {
    if (!wanted.isDryRun) await abandonUnfinished(needs)
    const tallies = new Map<Month, MonthTally>()
    for (const id of await merchantAccounts.allIds(needs.context)) {
      const scope = { ...needs.context, merchantAccountId: id }
      await archiveAccount(scope, needs, { ...wanted, tallies })
    }
    return [...tallies.values()].toSorted((one, other) => (one.month < other.month ? -1 : 1))
  })
}

/** What a killed command has left: its payments are all in the database, so its file counts for nothing. */
async function abandonUnfinished({ context, storage }: Archiving): Promise<void> {
  const place = await storage.place()
  for (const { merchant_account_id, id, file, stored_in } of await archives.inState(context, 'writing')) {
    const scope = { ...context, merchantAccountId: merchant_account_id }
    if (!(await archives.change(scope, id, { from: 'writing', to: 'abandoned' }))) continue
    if (stored_in !== place) continue
    await storage.discard(file)
    await storage.remove(file)
  }
}

type Walk = Wanted & { readonly tallies: Map<Month, MonthTally> }

async function archiveAccount(scope: Scope, needs: Archiving, walk: Walk): Promise<void> {
  const end = idsOf(walk.before).first
  const since = new Date(scope.clock().getTime() - RESTORED_MS)
  const restored = await archives.restoredSince(scope, since)
  let from = firstIdOf(new Date(0))
  for (;;) {
    const [next] = await lookAt(scope, { from, end, limit: 1 })
    if (!next) return
    const month = monthOfId(next.id)
    const tally = tallyOf(walk.tallies, month)
    await archiveMonth(scope, needs, { tally, isDryRun: walk.isDryRun, isLeft: restored.has(month) })
    from = idsOf(month).end
  }
}

function tallyOf(tallies: Map<Month, MonthTally>, month: Month): MonthTally {
  const tally = tallies.get(month) ?? { month, payments: 0, files: 0, size: 0, kept: new Map() }
  tallies.set(month, tally)
  return tally
}

function keep({ kept }: MonthTally, reason: Reason | 'changed' | 'restored', count: number): void {
  kept.set(reason, (kept.get(reason) ?? 0) + count)
}

type Turn = { readonly tally: MonthTally; readonly isDryRun: boolean; readonly isLeft: boolean }

async function archiveMonth(scope: Scope, needs: Archiving, turn: Turn): Promise<void> {
  const { tally, isDryRun, isLeft } = turn
  const { first, end } = idsOf(tally.month)
  let from = first
  let ready: string[] = []
  for (;;) {
    const looked = await lookAt(scope, { from, end, limit: AT_ONCE })
    for (const { id, reason } of looked) {
      if (reason !== null) keep(tally, reason, 1)
      else if (isLeft) keep(tally, 'restored', 1)
      else ready.push(id)
    }
    const isLast = looked.length < AT_ONCE
    while (ready.length >= AT_ONCE || (isLast && ready.length > 0)) {
      const ids = ready.slice(0, AT_ONCE)
      ready = ready.slice(AT_ONCE)
      if (isDryRun) tally.payments += ids.length
      else await moveSome(scope, needs, { tally, ids })
    }
    if (isLast) return
    from = nextAfter(looked.at(-1)?.id ?? end)
  }
}

/** The smallest id above this one. */
function nextAfter(id: string): string {
  const next = (BigInt(`0x${id.replaceAll('-', '')}`) + 1n).toString(16).padStart(32, '0')
  return next.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

type Batch = { readonly tally: MonthTally; readonly ids: readonly string[] }

/**
 * A file is written, flushed and read back before its payments are removed. They are removed in one transaction, and only if every
 * row that goes is, letter by letter, the one in the file. A process that dies at any moment leaves them in the database, or in the
 * file with the record of it.
 */
async function moveSome(scope: Scope, needs: Archiving, { tally, ids }: Batch): Promise<void> {
  const { storage } = needs
  const id = newId(scope.clock().getTime())
  const file = `${tally.month}.${scope.merchantAccountId}.${id}.gz`
  await storage.checkRoom()
  await archives.begin(scope, { id, month: tally.month, file, stored_in: await storage.place() })
  const shares = await sharesOf(scope, needs.tables, ids)
  const part: Part = {
    header: headerOf(scope, needs, { id, month: tally.month }),
    tables: await read(scope, shares),
  }
  const stored = await storage.put(file, writePart(part))
  await checkFile(storage, file, part)
  const isMoved = await inTransaction(scope, (tx) =>
    remove(tx, { id, file, ids, shares, part, stored }),
  ).catch((error: unknown) => {
    if (error instanceof Changed) return false
    throw error
  })
  if (isMoved) {
    tally.payments += ids.length
    tally.files += 1
    tally.size += stored.size
    needs.onFile(tally.month, ids.length)
    return
  }
  // The payments are as they were, and the next command looks at them again.
  await archives.change(scope, id, { from: 'writing', to: 'abandoned' })
  await storage.remove(file)
  keep(tally, 'changed', ids.length)
}

function headerOf(
  { clock, merchantAccountId }: Scope,
  { programVersion, migrations }: Archiving,
  archive: { readonly id: string; readonly month: Month },
): Part['header'] {
  return {
    ...archive,
    merchant_account_id: merchantAccountId,
    made_at: clock().toISOString(),
    program_version: programVersion,
    migrations,
  }
}

/** All rows as they are at one moment. */
function read(scope: Scope, shares: readonly Share[]): Promise<PartTable[]> {
  return scope.db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (db) => {
      const tx = { ...scope, db }
      await writePlainText(tx)
      const tables: PartTable[] = []
      for (const share of shares) {
        const columns = share.table.columns.map(({ name }) => name)
        tables.push({ table: share.table.name, columns, lines: await readLines(tx, share) })
      }
      return tables
    })
}

async function checkFile(storage: FileStorage, file: string, part: Part): Promise<void> {
  const opened = await storage.open?.(file)
  if (!opened) throw new Error(`The file ${file} is not there after it was written.`)
  const { tables } = await readPart(opened.content()).finally(opened.close)
  const differs = part.tables.some(
    ({ lines }, place) => digestOf(lines) !== digestOf(tables[place]?.lines ?? []),
  )
  if (differs) throw new Error(`The file ${file} is not what was written. Check the disk.`)
}

/** A payment is not what it was when the file was written. */
class Changed extends Error {
  constructor() {
    super('a payment has changed meanwhile')
    this.name = 'Changed'
  }
}

type Removal = {
  readonly id: string
  readonly file: string
  readonly ids: readonly string[]
  readonly shares: readonly Share[]
  readonly part: Part
  readonly stored: StoredFile
}

async function remove(tx: Scope<Tx>, { id, file, ids, shares, part, stored }: Removal): Promise<true> {
  await writePlainText(tx)
  const locked = await transactions.lockMany(tx, ids)
  if (locked.length !== ids.length) throw new Changed()
  for (const [place, share] of [...shares.entries()].toReversed()) {
    const lines = await removeLines(tx, share)
    if (digestOf(lines) !== digestOf(part.tables[place]?.lines ?? [])) throw new Changed()
  }
  const written = { sha256: stored.sha256, size: stored.size, payments: ids.length }
  if (!(await archives.change(tx, id, { from: 'writing', to: 'archived', written }))) throw new Changed()
  await archives.insertPayments(
    tx,
    id,
    locked.map((payment) => ({ id: payment.id, buyer_id: payment.buyer_id })),
  )
  await auditLogs.record(tx, 'created', { type: 'archive', id, name: file })
  return true
}
