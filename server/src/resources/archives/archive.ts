import { sql } from 'kysely'
import { firstIdOf, newId } from '#domain/ids.ts'
import { COLUMNS } from '#payments/store/columns.ts'
import * as marks from '#payments/store/marks.ts'
import * as transactions from '#payments/store/payments.ts'
import * as redemptions from '#payments/store/redemptions.ts'
import type { Scope } from '#platform/database/db.ts'
import type { Share } from '#platform/portable/rows.ts'
import type { Table } from '#platform/portable/tables.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import * as merchantAccounts from '#resources/merchant-accounts/store.ts'
import { idsOf, type Month, monthOfId } from './months.ts'
import { type Archiving, moveToFile, tableNamed } from './move.ts'
import { areReady, lookAt, type Reason } from './ready.ts'
import * as archives from './store.ts'

const byId: Find = ({ account, ids }) =>
  sql`own.merchant_account_id = ${account} and own.id = any(${ids}::uuid[])`
const byTransaction: Find = ({ account, ids }) =>
  sql`own.merchant_account_id = ${account} and own.transaction_id = any(${ids}::uuid[])`
const byMark: Find = ({ account, marks: names, markedIds }) => sql`own.merchant_account_id = ${account}
  and (own.mark, own.id) in (select mark, id from unnest(${names}::text[], ${markedIds}::uuid[]) as known (mark, id))`

/**
 * The tables with rows that belong to one payment, in an order in which they can be written: what a row refers to comes first.
 * They are removed in the opposite order.
 */
const TABLES: Readonly<Record<string, Find>> = {
  transactions: byId,
  transaction_documents: byId,
  transaction_updates: byId,
  transaction_marks: byMark,
  transaction_statuses: byMark,
  transaction_events: byTransaction,
  attempts: byTransaction,
  transaction_captures: byTransaction,
  gift_card_redemptions: byTransaction,
  refunds: byTransaction,
  disputes: byTransaction,
  payment_service_report_lines: (found) => sql`${byTransaction(found)} and own.transaction_id is not null`,
  exchanged_settlements: ({ account, settledIds }) =>
    sql`own.merchant_account_id = ${account} and own.id = any(${settledIds}::uuid[])`,
}

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

/** What is needed to find every row of some payments. */
type Found = {
  readonly account: string
  readonly ids: readonly string[]
  /** Payments and refunds. */
  readonly settledIds: readonly string[]
  /** Marks have no index by payment. They follow from the payment: `marks` and `markedIds` belong together. */
  readonly marks: readonly string[]
  readonly markedIds: readonly string[]
}

type Find = (found: Found) => Share['where']

/** Every row of some payments, table by table. */
async function sharesOf(scope: Scope, tables: readonly Table[], ids: readonly string[]): Promise<Share[]> {
  const { merchantAccountId: account } = scope
  const known = await marksOf(scope, ids)
  const { rows: refunds } = await sql<{ id: string }>`
    select id from refunds where merchant_account_id = ${account} and transaction_id = any(${ids}::uuid[])
  `.execute(scope.db)
  const found: Found = {
    account,
    ids,
    settledIds: [...ids, ...refunds.map(({ id }) => id)],
    marks: known.map(({ mark }) => mark),
    markedIds: known.map(({ id }) => id),
  }
  return Object.entries(TABLES).map(([name, find]) => ({
    table: tableNamed(tables, name),
    where: find(found),
  }))
}

type Marked = transactions.Row & { readonly metadata: Readonly<Record<string, string>> | null }

/** As `payments/store/payments.ts` and `payments/begin.ts` write them. */
async function marksOf({ db, merchantAccountId, ...context }: Scope, ids: readonly string[]) {
  const { rows } = await sql<Marked>`
    select ${sql.raw(COLUMNS.join(', '))}, document -> 'metadata' as metadata from transactions
    join transaction_documents using (merchant_account_id, id)
    where merchant_account_id = ${merchantAccountId} and id = any(${ids}::uuid[])
  `.execute(db)
  const cards = await redemptions.listOfMany({ ...context, db }, ids)
  return [
    ...rows.flatMap((payment) =>
      marks.of(payment, payment.metadata).map((mark) => ({ id: payment.id, mark })),
    ),
    ...[...cards.values()]
      .flat()
      .flatMap(({ transaction_id: id, gift_card_id, last4 }) => [
        { id, mark: marks.markOf('gift-card-last4', last4) },
        ...(gift_card_id === null ? [] : [{ id, mark: marks.markOf('gift-card', gift_card_id) }]),
      ]),
  ]
}
