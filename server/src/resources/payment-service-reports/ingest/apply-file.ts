import { type ReportEntry, type ReportLine, UNREADABLE } from '#connectors/contract/reports.ts'
import { newId } from '#domain/ids.ts'
import { applyReported } from '#payments/reported/apply.ts'
import { Overtaken, violatedUnique } from '#platform/database/database-errors.ts'
import { inTransaction, type Scope, type Tx } from '#platform/database/db.ts'
import * as files from '../files/store.ts'
import { EXPLAINED, type StoredLine, UNANSWERED } from '../lines/columns.ts'
import * as lines from '../lines/store.ts'
import { isNameless, pairingOf } from '../lines/store.ts'
import { concludeLines } from './apply-lines.ts'
import { type Looked, matchLines } from './match-lines.ts'

/** Lines of one commit: few statements for many lines, and locks for a moment only. */
const BATCH = 500

/** An archived payment takes its lines along. None is archived until it has not changed for 180 days. */
const ON_RECORD_MS = 90 * 86_400_000

/**
 * Applies the lines of a file that was checked. Each batch is one commit, which also notes how far the file is. After a
 * crash, the next process goes on behind the last batch. It fails if it finds fewer lines than were counted when the file was
 * checked, as a newer version of the connector may. While one batch is written, the next one is looked up and locked on
 * a second connection (docs/decisions/settlements.md).
 */
export async function applyFile(
  scope: Scope,
  file: files.StoredFile,
  entries: AsyncIterable<ReportEntry>,
  stopping: AbortSignal,
): Promise<files.StoredFile> {
  let [former, last] = [firstBatch(file), firstBatch(file)]
  try {
    for await (const batch of inBatches(entries, await whatIsApplied(scope, file))) {
      await former.done
      await canFollow(last)
      former = last
      last = takeTurn(former, (taking) => applyBatch(scope, file, batch, taking))
      if (stopping.aborted) break
    }
    const after = await last.done
    if (after.status === 'applying' && !stopping.aborted) throw new Error(tooFewLines(after))
    return after
  } finally {
    await Promise.allSettled([former.done, last.done])
  }
}

function tooFewLines({ lines_done, line_count }: files.StoredFile): string {
  return `the file ends after ${lines_done} of ${line_count} lines: its connector finds fewer than before`
}

type IsApplied = (number: number, place: number) => boolean

/**
 * Which lines are applied. A newer version of the connector may pass over some of them, so it is told by their numbers. For an old
 * file it is told by how many there were.
 */
async function whatIsApplied(scope: Scope, file: files.StoredFile): Promise<IsApplied> {
  if (file.lines_done === 0) return () => false
  const isOld = scope.clock().getTime() - file.created_at.getTime() > ON_RECORD_MS
  if (isOld) return (_number, place) => place <= file.lines_done
  const last = await lines.lastNumber(scope, file)
  return (number) => number <= last
}

/** The lines that are not applied yet. */
async function* inBatches(
  entries: AsyncIterable<ReportEntry>,
  isApplied: IsApplied,
): AsyncGenerator<ReportLine[]> {
  let place = 0
  let batch: ReportLine[] = []
  for await (const entry of entries) {
    if (entry.type !== 'line' || isApplied(entry.number, ++place)) continue
    batch.push(entry)
    if (batch.length < BATCH) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

type Taken = Taking<files.StoredFile>

function applyBatch(
  scope: Scope,
  file: files.StoredFile,
  batch: readonly ReportLine[],
  taking: Taken,
): Promise<files.StoredFile> {
  let tries = 0
  const work = () =>
    inTransaction(scope, (tx) => {
      tries += 1
      if (tries > 1 && !taking.isAlone) throw new Overtaken()
      return apply(tx, file, batch, taking)
    })
  return work().catch((error: unknown) => {
    const violated = violatedUnique(error)
    if (violated === 'payment_service_report_lines_file_id_line_number_key') throw new Overtaken()
    // A notification told of one of the movements at the same moment. Now its record can be seen.
    if (violated === 'payment_service_report_lines_once' && taking.isAlone) return work()
    throw error
  })
}

async function apply(
  tx: Scope<Tx>,
  file: files.StoredFile,
  batch: readonly ReportLine[],
  { hasLocks, before }: Taken,
): Promise<files.StoredFile> {
  const booked = await book(tx, file, batch)
  // The payments are locked, and no other batch can insert the same movements: the next one may begin.
  hasLocks()
  await applyReported(tx, booked.matched)
  const former = await before()
  // What all batches of a service share is locked last: how far the file is, what the service charges.
  const linesDone = former.lines_done + batch.length
  const after = await files.advance(tx, former, { linesDone, ...booked.counts })
  await conclude(tx, booked)
  return after
}

/** Records lines, with the locks of their payments. */
async function book(tx: Scope<Tx>, file: files.StoredFile, batch: readonly ReportLine[]) {
  const paymentServiceId = file.payment_service_id
  const now = tx.clock()
  const read = batch.map((line) => toStored(file, line, now))
  const { known, same, others, corrected } = await findKnown(tx, paymentServiceId, read)
  const { fresh, repeated, told } = sortOut(others, known)
  const looked = await matchLines({ ...tx, paymentServiceId }, fresh)
  const paired = await pairNotices(tx, paymentServiceId, looked)
  const all = [...looked.lines.filter(({ id }) => !paired.has(id)), ...repeated, ...same]
  const matched = looked.matched.filter(({ line }) => !paired.has(line.id))
  await lines.insertAll(tx, all)
  for (const { id, line } of [...told, ...paired.values()]) await lines.moveToFile(tx, id, line)
  const counts = {
    unmatched: all.filter(isMissing).length,
    flagged: all.filter(({ flag }) => flag !== null).length,
  }
  return { matched, corrected, counts }
}

type Booked = Awaited<ReturnType<typeof book>>

async function conclude(tx: Scope<Tx>, { matched, corrected }: Booked): Promise<void> {
  await concludeLines(tx, matched)
  await files.addCounts(
    tx,
    corrected.map(({ file_id, lines }) => ({ id: file_id, unmatched: -lines, flagged: 0 })),
  )
}

/** So many unreadable lines are looked for in one reading of the file. */
const REREAD_MAX = 10 * BATCH

/**
 * A newer version of the connector may read lines that an older one could not. They are applied as if they had been read then; the
 * others stay. Lines that it passes over now are about no payment. Returns whether some are left.
 */
export async function rereadFile(
  scope: Scope,
  file: files.StoredFile,
  parse: () => AsyncIterable<ReportEntry>,
): Promise<boolean> {
  while (true) {
    const unread = await lines.listUnreadable(scope, file, REREAD_MAX)
    if (unread.length === 0) return false
    const found = new Map<number, ReportLine>()
    const wanted = new Set(unread.map(({ line_number }) => line_number))
    for await (const entry of parse()) {
      if (entry.type === 'line' && wanted.has(entry.number)) found.set(entry.number, entry)
    }
    const passed = unread.filter(({ line_number: number }) => !found.has(number))
    const read = unread.filter(({ line_number: number }) => isReadable(found.get(number)))
    if (passed.length + read.length === 0) return true
    for (const some of inBatchesOf(BATCH, passed)) await passOver(scope, file, some)
    for (const some of inBatchesOf(BATCH, read)) {
      const batch = some.flatMap(({ line_number }) => found.get(line_number) ?? [])
      await inTransaction(scope, (tx) => applyAgain(tx, file, some, batch))
    }
  }
}

function isReadable(line: ReportLine | undefined): boolean {
  return line !== undefined && !(line.kind === 'other' && line.code === UNREADABLE)
}

function* inBatchesOf<One>(size: number, all: readonly One[]): Generator<readonly One[]> {
  for (let at = 0; at < all.length; at += size) yield all.slice(at, at + size)
}

function passOver(scope: Scope, file: files.StoredFile, some: readonly lines.Unreadable[]): Promise<void> {
  return inTransaction(scope, async (tx) => {
    const count = await lines.passOver(tx, some)
    await files.addCounts(tx, [{ id: file.id, unmatched: -count, flagged: 0 }])
  })
}

async function applyAgain(
  tx: Scope<Tx>,
  file: files.StoredFile,
  unread: readonly lines.Unreadable[],
  batch: readonly ReportLine[],
): Promise<void> {
  await lines.takeOut(tx, unread)
  const booked = await book(tx, file, batch)
  await applyReported(tx, booked.matched)
  const { unmatched, flagged } = booked.counts
  await files.correct(tx, file.id, {
    unmatched: unmatched - unread.length,
    flagged,
    gross: sum(batch.map(({ amount }) => amount)) - sum(unread.map(({ amount }) => Number(amount))),
    fees:
      sum(batch.map(({ commission }) => commission)) -
      sum(unread.map(({ commission }) => Number(commission))),
  })
  await conclude(tx, booked)
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0)
}

type Known = {
  readonly known: lines.ReportedLine[]
  /** Lines that only repeat one that fits no payment. It stays, and is looked for as long as before. */
  readonly same: StoredLine[]
  readonly others: StoredLine[]
  /** How many lines of other files have given way to their corrections. */
  readonly corrected: Awaited<ReturnType<typeof lines.giveWay>>
}

/** The lines that stand for these movements already. One that fits no payment gives way to its correction. */
async function findKnown(
  tx: Scope<Tx>,
  paymentServiceId: string,
  read: readonly StoredLine[],
): Promise<Known> {
  const named = movementsOf(read)
  const known = await lines.findReported(tx, paymentServiceId, named)
  const open = new Map(known.filter(isOpen).map((line) => [keyOf(line), line]))
  const same: StoredLine[] = []
  const others: StoredLine[] = []
  const wrong = new Set<string>()
  for (const line of read) {
    const before = line.external_identifier === null ? undefined : open.get(keyOf(line))
    if (before && saysTheSame(line, before)) {
      same.push({ ...line, unmatched_because: 'duplicate' })
      continue
    }
    others.push(line)
    if (before) wrong.add(before.id)
  }
  if (wrong.size === 0) return { known, same, others, corrected: [] }
  const corrected = await lines.giveWay(tx, [...wrong])
  // One of them may have found its payment at this moment: then it stays.
  return { known: await lines.findReported(tx, paymentServiceId, named), same, others, corrected }
}

function isOpen({ unmatched_because: because }: lines.ReportedLine): boolean {
  return because !== null && because !== 'late_sale'
}

/** Such a line would find a payment no sooner than the other one. */
function saysTheSame(line: StoredLine, other: lines.ReportedLine): boolean {
  return (
    isSame(line, other) &&
    line.original_amount === other.original_amount &&
    line.original_currency === other.original_currency &&
    line.provider_reference === other.provider_reference &&
    line.own_reference === other.own_reference
  )
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
function sortOut(read: readonly StoredLine[], known: readonly lines.ReportedLine[]): Sorted {
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

function toStored(file: files.StoredFile, line: ReportLine, now: Date): StoredLine {
  // Without an exchange, the amount says it all.
  const original = line.original?.currency === line.currency ? null : line.original
  const numberOrNull = (value: number | null) => (value === null ? null : String(value))
  return {
    merchant_account_id: file.merchant_account_id,
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
    respond_by: null,
    ...UNANSWERED,
    checks: 0,
    due_at: null,
    notice: null,
    updated_at: now,
  }
}

/**
 * Transactions that are committed one after the other, while the next one is prepared beside the last.
 *
 * A turn that is prepared waits for the commit of the turn before it, in this process, where the database does not see that
 * it waits. So the turn before must not wait for it: a turn begins when the turn before has all locks that it needs. If
 * the first try of a turn fails, the next one gives up what it holds, and both are repeated alone.
 */
type BatchInTurn<Result> = {
  /** Fulfilled once it has its locks. Rejected if its first try fails before. */
  readonly locked: Promise<void>
  /** Its first try, beside the turn before. */
  readonly first: Promise<Result>
  /** What became of it, after it was repeated if need be. */
  readonly done: Promise<Result>
}

/** What the work of a turn tells and asks. */
export type Taking<Result> = {
  /** All locks are held that another turn or transaction may want, too. */
  readonly hasLocks: () => void
  /** The result of the turn before, which is committed. */
  readonly before: () => Promise<Result>
  /** Whether no other turn is under way, so that the work may wait for locks again. */
  readonly isAlone: boolean
}

/** Where a row of turns begins. */
export function firstBatch<Result>(result: Result): BatchInTurn<Result> {
  return { locked: Promise.resolve(), first: Promise.resolve(result), done: Promise.resolve(result) }
}

/** The caller has waited for `canFollow`. */
export function takeTurn<Result>(
  last: BatchInTurn<Result>,
  work: (taking: Taking<Result>) => Promise<Result>,
): BatchInTurn<Result> {
  const { promise: locked, resolve: hasLocks, reject } = Promise.withResolvers<void>()
  const first = work({ hasLocks, before: () => last.first, isAlone: false })
  const done = first.catch(async () => {
    const before = await last.done
    return work({ hasLocks: () => {}, before: async () => before, isAlone: true })
  })
  first.catch(reject)
  // A failure is heard by what waits for these. The process must not end because nothing waits for them yet.
  for (const promise of [locked, done]) promise.catch(() => {})
  return { locked, first, done }
}

/** Another turn may begin behind this one. */
export async function canFollow(last: BatchInTurn<unknown>): Promise<void> {
  await last.locked.catch(() => last.done)
}
