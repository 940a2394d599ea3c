import type { ReportLink, Reports } from '#connectors/contract/reports.ts'
import { inTransaction, type Scope } from '#platform/database/db.ts'
import { nextCheck } from '#processing/attempts/store.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import * as files from '../files/store.ts'
import * as offers from '../offers/store.ts'
import * as reports from '../store.ts'
import { applyFile, rereadFile } from './apply-file.ts'
import { type Checked, checkFile } from './check-file.ts'
import { type Spool, type Spooling, withSpool } from './spool-file.ts'

/** The provider's reports, and how to reach them. */
export type Source = {
  readonly paymentServiceId: string
  readonly reports: Reports
  readonly link: ReportLink
  /** The account at the provider, as headers should have it. Null: they are not compared. */
  readonly account: string | null
  /** Where files are collected before they are applied. */
  readonly storage: Spooling['storage']
}

/** How long a file that could not be read, or not all of it, is read again: in case the provider corrects it, or we learn to. */
const CORRECTED_WITHIN_MS = 30 * 86_400_000

/**
 * Reads a file to its end, records it once, and applies its lines. A file that was applied before is only noted under its
 * new name. A file that is not whole, or does not add up, is recorded as refused, and none of its lines is applied.
 */
export async function takeFile(
  scope: Scope,
  source: Source,
  offer: offers.Offer,
  stopping: AbortSignal,
): Promise<void> {
  const { link } = source
  const bytes = source.reports.read(offer.external_identifier, link)
  await withSpool(bytes, { storage: source.storage, stopping }, async (spool) => {
    const known = await files.findByHash(scope, source.paymentServiceId, spool.sha256)
    // A newer version of the connector may read what an older one refused.
    const isSettled = known !== undefined && known.status !== 'refused'
    const found = isSettled ? known : await record(scope, source, { offer, spool, stopping, refused: known })
    const file = found.status === 'abandoned' ? await files.takeUpAgain(scope, found) : found
    if (offer.file_id !== null && offer.file_id !== file.id) {
      await abandonFile(scope, offer, 'the provider has replaced the file before all of it was applied')
    }
    await offers.change(scope, offer, { file_id: file.id, due_at: offer.due_at, problem: null })
    const parse = () => source.reports.parse(spool.read())
    const after = file.status === 'applying' ? await applyFile(scope, file, parse(), stopping) : file
    // Stopped in the middle: the file stays due.
    if (after.status === 'applying') return
    const isUnread = after.status === 'refused' || (await rereadFile(scope, after, parse))
    const due_at = isUnread ? nextTry(scope.clock(), offer) : null
    await offers.change(scope, offer, { due_at, checks: offer.checks + 1 })
  })
}

/** If the file of an offer is applied in part, it stays so, and the operator has to know. */
export async function abandonFile(scope: Scope, offer: offers.Offer, why: string): Promise<void> {
  const { file_id: id, name } = offer
  if (id === null || (await offers.isDueElsewhere(scope, offer))) return
  await inTransaction(scope, async (tx) => {
    if (!(await files.abandon(tx, id, why))) return
    await auditLogs.record(tx, 'updated', { type: 'payment-service-report-file', id, name })
  })
}

/** A provider may correct a file under the same name. */
function nextTry(now: Date, { checks, published_at }: offers.Offer): Date | null {
  const isOver = now.getTime() - published_at.getTime() > CORRECTED_WITHIN_MS
  return isOver ? null : nextCheck(now, checks)
}

type Whole = {
  readonly offer: offers.Offer
  readonly spool: Spool
  readonly stopping: AbortSignal
  /** The same bytes, as they were refused before. */
  readonly refused: files.StoredFile | undefined
}

async function record(
  scope: Scope,
  source: Source,
  { offer, spool, stopping, refused }: Whole,
): Promise<files.StoredFile> {
  const checked = await checkFile(source.reports.parse(spool.read()), source.account, stopping)
  if (refused && checked.problem !== null) return refused
  return inTransaction(scope, async (tx) => {
    // A file whose header cannot be read goes by its own name.
    const reportId = await reports.touch(
      tx,
      source.paymentServiceId,
      checked.header?.reportId ?? offer.external_identifier,
    )
    const found = {
      report_id: reportId,
      status: statusOf(checked),
      problem: checked.problem,
      report_date: checked.header?.date ?? null,
      currency: checked.header?.currency ?? null,
      line_count: checked.lineCount,
      gross_amount: String(checked.gross),
      fee_amount: String(checked.fees),
    }
    if (refused) return files.accept(tx, refused, found)
    const file = await files.insert(tx, {
      ...found,
      payment_service_id: source.paymentServiceId,
      sha256: spool.sha256,
      size: String(spool.size),
      published_at: offer.published_at,
    })
    await auditLogs.record(tx, 'created', {
      type: 'payment-service-report-file',
      id: file.id,
      name: offer.name,
    })
    return file
  })
}

function statusOf({ problem, lineCount }: Checked): files.StoredFile['status'] {
  if (problem !== null) return 'refused'
  return lineCount === 0 ? 'applied' : 'applying'
}
