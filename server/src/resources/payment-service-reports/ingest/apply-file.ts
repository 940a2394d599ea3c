import type { ReportEntry, ReportLine } from '#connectors/contract/reports.ts'
import { newId } from '#domain/ids.ts'
import { violatedUnique } from '#platform/database-errors.ts'
import { inTransaction, type Scope, type Tx } from '#platform/db.ts'
import * as files from '../files/store.ts'
import { EXPLAINED, type StoredLine } from '../lines/columns.ts'
import { isNameless, pairingOf } from '../lines/notice.ts'
import * as lines from '../lines/store.ts'
import { applyLines } from './apply-lines.ts'
import { type Looked, matchLines } from './match-lines.ts'

/** Lines of one commit: few statements for many lines, and locks for a moment only. */
const BATCH = 500

/**
 * Applies the lines of a file that was checked. Each batch is one commit, which also notes how far the file is. After a
 * crash, the next process goes on behind the last batch.
 */
export async function applyFile(
  scope: Scope,
  file: files.StoredFile,
  entries: AsyncIterable<ReportEntry>,
  stopping: AbortSignal,
): Promise<files.StoredFile> {
  let now = file
  let batch: ReportLine[] = []
  for await (const entry of behind(entries, file.lines_done)) {
    batch.push(entry)
    if (batch.length < BATCH) continue
    now = await applyBatch(scope, now, batch)
    batch = []
    if (stopping.aborted) return now
  }
  return batch.length === 0 ? now : applyBatch(scope, now, batch)
}

/** The lines that are not applied yet. */
async function* behind(entries: AsyncIterable<ReportEntry>, done: number): AsyncGenerator<ReportLine> {
  let place = 0
  for await (const entry of entries) {
    if (entry.type === 'line' && ++place > done) yield entry
  }
}

function applyBatch(
  scope: Scope,
  file: files.StoredFile,
  batch: readonly ReportLine[],
): Promise<files.StoredFile> {
  const work = () => inTransaction(scope, (tx) => apply(tx, file, batch))
  return work().catch((error: unknown) => {
    // A notification told of one of the movements at the same moment. Now its record can be seen.
    if (violatedUnique(error) === 'payment_service_report_lines_once') return work()
    throw error
  })
}

async function apply(
  tx: Scope<Tx>,
  file: files.StoredFile,
  batch: readonly ReportLine[],
): Promise<files.StoredFile> {
  const paymentServiceId = file.payment_service_id
  const read = batch.map((line) => toStored(tx, file, line))
  const named = movementsOf(read)
  const corrected = await lines.giveWay(tx, paymentServiceId, named)
  const known = await lines.findTold(tx, paymentServiceId, named)
  const { fresh, repeated, told } = sortOut(read, known)
  const looked = await matchLines({ ...tx, paymentServiceId }, fresh)
  const paired = await pairNotices(tx, paymentServiceId, looked)
  const all = [...looked.lines.filter(({ id }) => !paired.has(id)), ...repeated]
  const matched = looked.matched.filter(({ line }) => !paired.has(line.id))
  const after = await files.advance(tx, file, {
    linesDone: file.lines_done + batch.length,
    unmatched: all.filter(isMissing).length,
    flagged: all.filter(({ flag }) => flag !== null).length,
  })
  await lines.insertAll(tx, all)
  for (const { id, line } of [...told, ...paired.values()]) await lines.moveToFile(tx, id, line)
  await applyLines(tx, matched)
  await files.addCounts(
    tx,
    corrected.map(({ file_id, lines }) => ({ id: file_id, unmatched: -lines, flagged: 0 })),
  )
  return after
}

/**
 * Chargebacks without an id that a notification told of before, by the ids of their lines. Each notification stands for one
 * line: two chargebacks of the same amount are two. Under the locks of the payments, so that no notification comes between.
 */
async function pairNotices(
  tx: Scope<Tx>,
  paymentServiceId: string,
  { matched }: Looked,
): Promise<ReadonlyMap<string, Pair>> {
  const nameless = matched.map(({ line }) => line).filter(isNameless)
  const references = nameless.map((line) => line.provider_reference)
  const free = Map.groupBy(await lines.listNotices(tx, paymentServiceId, references), pairingOf)
  return new Map(
    nameless.flatMap((line) => {
      const notice = free.get(pairingOf(line))?.shift()
      return notice ? [[line.id, { id: notice.id, line }]] : []
    }),
  )
}

/** A line of a file, and the id of the record that stands for it. */
type Pair = { readonly id: string; readonly line: StoredLine }

function isMissing({ unmatched_because }: StoredLine): boolean {
  return unmatched_because !== null && !EXPLAINED.includes(unmatched_because)
}

function movementsOf(read: readonly StoredLine[]) {
  return read.flatMap(({ kind, external_identifier }) =>
    external_identifier === null ? [] : [{ kind, external_identifier }],
  )
}

type Sorted = {
  readonly fresh: StoredLine[]
  /** Movements that an earlier line of a file tells of. */
  readonly repeated: StoredLine[]
  /** Movements that a notification told of, with the id of their record. */
  readonly told: Pair[]
}

/**
 * A provider may tell of a movement twice: in one file, in a corrected file, by a notification. It counts once. A line with
 * other figures than the one that counts is kept for the operator.
 */
function sortOut(read: readonly StoredLine[], known: readonly lines.Told[]): Sorted {
  const byMovement = new Map(known.map((line) => [keyOf(line), line]))
  const sorted: Sorted = { fresh: [], repeated: [], told: [] }
  for (const line of read) {
    const before = line.external_identifier === null ? undefined : byMovement.get(keyOf(line))
    if (!before) sorted.fresh.push(line)
    else if (before.file_id === null) sorted.told.push({ id: before.id, line })
    else sorted.repeated.push({ ...line, unmatched_because: isSame(line, before) ? 'duplicate' : 'differs' })
    byMovement.set(keyOf(line), line)
  }
  return sorted
}

function isSame(line: Figures, other: Figures): boolean {
  return (
    line.currency === other.currency && line.amount === other.amount && line.commission === other.commission
  )
}

type Figures = Pick<StoredLine, 'currency' | 'amount' | 'commission'>

function keyOf({ kind, external_identifier }: Pick<StoredLine, 'kind' | 'external_identifier'>): string {
  return `${kind} ${external_identifier}`
}

function toStored(tx: Scope<Tx>, file: files.StoredFile, line: ReportLine): StoredLine {
  const now = tx.clock()
  // Without an exchange, the amount says it all.
  const original = line.original?.currency === line.currency ? null : line.original
  const numberOrNull = (value: number | null) => (value === null ? null : String(value))
  return {
    merchant_account_id: tx.merchantAccountId,
    id: newId(now.getTime()),
    payment_service_id: file.payment_service_id,
    report_id: file.report_id,
    file_id: file.id,
    line_number: line.number,
    kind: line.kind,
    external_identifier: line.id,
    provider_reference: line.reference,
    own_reference: line.ourReference,
    currency: line.currency,
    amount: String(line.amount),
    original_amount: numberOrNull(original?.amount ?? null),
    original_currency: original?.currency ?? null,
    exchange_rate: line.exchangeRate,
    commission: String(line.commission),
    interchange: numberOrNull(line.interchange),
    markup: numberOrNull(line.markup),
    scheme_fee: numberOrNull(line.schemeFee),
    reason_code: line.code,
    reason_description: line.reason,
    posted_at: line.postedAt,
    ingested_at: now,
    transaction_id: null,
    refund_id: null,
    unmatched_because: null,
    flag: null,
    checks: 0,
    due_at: null,
    notice: null,
    updated_at: now,
  }
}
