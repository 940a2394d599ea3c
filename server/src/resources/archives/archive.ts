import { firstIdOf, newId } from '#domain/ids.ts'
import * as transactions from '#payments/store/payments.ts'
import type { Scope } from '#platform/database/db.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import * as merchantAccounts from '#resources/merchant-accounts/store.ts'
import { sharesOf } from './belongings.ts'
import { idsOf, type Month, monthOfId } from './months.ts'
import { type Archiving, moveToFile } from './move.ts'
import { areReady, lookAt, type Reason } from './ready.ts'
import * as archives from './store.ts'

export type ArchivingPayments = Archiving & {
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
export function archiveMonths(needs: ArchivingPayments, wanted: Wanted): Promise<MonthTally[]> {
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
async function abandonUnfinished({ context, storage }: ArchivingPayments): Promise<void> {
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

async function archiveAccount(scope: Scope, needs: ArchivingPayments, walk: Walk): Promise<void> {
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

type ArchivedMonth = { readonly tally: MonthTally; readonly isDryRun: boolean; readonly isLeft: boolean }

async function archiveMonth(scope: Scope, needs: ArchivingPayments, turn: ArchivedMonth): Promise<void> {
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

async function moveSome(scope: Scope, needs: ArchivingPayments, { tally, ids }: Batch): Promise<void> {
  const { storage } = needs
  const { month } = tally
  const { merchantAccountId } = scope
  const id = newId(scope.clock().getTime())
  const file = `${month}.${merchantAccountId}.${id}.gz`
  await storage.checkRoom()
  await archives.begin(scope, { id, month, file, stored_in: await storage.place() })
  const shares = await sharesOf(scope, needs.tables, ids)
  let locked: readonly archives.ArchivedPayment[] = []
  const stored = await moveToFile(needs, {
    id,
    file,
    month,
    merchantAccountId,
    shares,
    lock: async (tx) => {
      const own = { ...tx, merchantAccountId }
      locked = await transactions.lockMany(own, ids)
      // A refund that began before the file was written is in it as it is in the database: pending.
      return locked.length === ids.length && (await areReady(own, ids))
    },
    record: async (tx, { sha256, size }) => {
      const own = { ...tx, merchantAccountId }
      const written = { sha256, size, payments: ids.length }
      if (!(await archives.change(own, id, { from: 'writing', to: 'archived', written }))) return false
      await archives.insertPayments(own, id, locked)
      await auditLogs.record(own, 'created', { type: 'archive', id, name: file })
      return true
    },
    abandon: () => archives.change(scope, id, { from: 'writing', to: 'abandoned' }),
  })
  // The next command looks at payments that have changed again.
  if (!stored) return keep(tally, 'changed', ids.length)
  tally.payments += ids.length
  tally.files += 1
  tally.size += stored.size
  needs.onFile(month, ids.length)
}
