import type { Dispute, DisputeStage, DisputeStep } from '#connectors/contract/connector.ts'
import { newId } from '#domain/ids.ts'
import * as transactions from '#payments/store/payments.ts'
import { audit } from '#payments/tell.ts'
import { inTransaction, type Scope, type Tx } from '#platform/database/db.ts'
import { errors } from '#platform/http/errors.ts'
import type { Engine } from '#processing/engine.ts'
import { recordSteps, type TakenStep } from '#resources/disputes/record.ts'
import * as disputes from '#resources/disputes/store.ts'
import { applyLines, movementOf, STAGE_OF_MOVEMENT } from './ingest/apply-lines.ts'
import { complaintAboutMovement } from './ingest/check-line.ts'
import { findPayments } from './ingest/find-payments.ts'
import { matchLines } from './ingest/match-lines.ts'
import { type StoredLine, UNANSWERED } from './lines/columns.ts'
import { noteDeadline } from './lines/disputes.ts'
import * as lines from './lines/store.ts'
import { isNameless, noticeOf } from './lines/store.ts'
import * as reports from './store.ts'

/**
 * A provider tells of a chargeback, or of its reversal, before a file does. One record stands for both. Other steps of a dispute move
 * no money. Returns whether we know the payment.
 */
export async function takeDispute(
  scope: Scope,
  _engine: Engine,
  paymentServiceId: string,
  read: Dispute | DisputeStep,
): Promise<boolean> {
  for (const named of namesOf(read)) {
    const { reference, ownReference: ourReference } = named
    const complaint = complaintAboutMovement({ ...read, ...movedBy(read), reference, ourReference })
    if (complaint !== undefined) throw errors.refused(`The notification cannot be kept: ${complaint}.`)
    const isTaken = await inTransaction(scope, (tx) =>
      read.about === 'dispute'
        ? takeStep(tx, { paymentServiceId, read, ...named })
        : takeNamed(tx, { paymentServiceId, read, ...named }),
    )
    if (isTaken) return true
  }
  return false
}

/** For the check of a step whose currency was not told. */
const ANY_CURRENCY = 'USD'

function movedBy(read: Dispute | DisputeStep) {
  if (read.about !== 'dispute')
    return { kind: read.about, id: read.id, amount: signed(read), currency: read.currency }
  const { amount, currency } = read
  return { kind: 'other', id: read.dispute, amount: amount ?? 0, currency: currency ?? ANY_CURRENCY } as const
}

/** As in a file: what is taken from the merchant is below zero. */
function signed({ about, amount }: Dispute): number {
  return about === 'chargeback' ? 0 - amount : amount
}

type Named = { readonly reference: string | null; readonly ownReference: string | null }
type Told<Read> = Named & { readonly paymentServiceId: string; readonly read: Read }

/** The provider's own id is looked for first, each time. A movement that names none is called by ours. */
function namesOf({ about, reference, attemptId, reconciliationId }: Dispute | DisputeStep): Named[] {
  const own = [attemptId, reconciliationId].filter((id) => typeof id === 'string')
  const isNamed = reference !== null || about === 'dispute'
  if (own.length === 0) return isNamed ? [{ reference, ownReference: null }] : []
  return own.map((id) => ({ reference: isNamed ? reference : id, ownReference: id }))
}

async function takeNamed(tx: Scope<Tx>, told: Told<Dispute>): Promise<boolean> {
  const { paymentServiceId } = told
  const { matched } = await matchLines({ ...tx, paymentServiceId }, [toLine(tx, told)])
  const [found] = matched
  if (!found) return false
  // The payment is locked: a file that tells of the same chargeback has done so, or waits.
  if (isNameless(found.line) && (await lines.joinNotice(tx, found.line))) {
    await noteDeadline(tx, found.line)
    await recordSteps(tx, [toStep(told, found.line, { isOnRecord: true })])
    return true
  }
  const line = { ...found.line, report_id: await reports.touch(tx, paymentServiceId, null) }
  const isNew = await lines.insertOnce(tx, line)
  await recordSteps(tx, [toStep(told, line, { isOnRecord: !isNew })])
  if (!isNew) {
    await lines.lookNow(tx, paymentServiceId, line)
    await noteDeadline(tx, line)
    return true
  }
  await applyLines(tx, [{ ...found, line }])
  await audit(tx, 'updated', found.transaction)
  return true
}

/** A step of which no file tells. A step that leaves the stage as it was says nothing of a dispute that we do not know. */
async function takeStep(tx: Scope<Tx>, told: Told<DisputeStep>): Promise<boolean> {
  const { paymentServiceId, reference, ownReference, read } = told
  const known = await disputes.findPayment(tx, paymentServiceId, read.dispute)
  const named = { kind: 'chargeback' as const, provider_reference: reference, own_reference: ownReference }
  const [found] = known === undefined ? await findPayments({ ...tx, paymentServiceId }, [named]) : []
  const [payment] = await transactions.lockMany(tx, [known ?? found?.transactionId ?? []].flat())
  if (!payment || (known === undefined && !stageOf(read))) return false
  await recordSteps(tx, [
    {
      paymentServiceId,
      transactionId: payment.id,
      dispute: read.dispute,
      movement: null,
      isLater: false,
      step: stepOf(read),
    },
  ])
  return true
}

function toStep(
  { paymentServiceId, read }: Told<Dispute>,
  line: StoredLine,
  { isOnRecord }: { readonly isOnRecord: boolean },
): TakenStep {
  return {
    paymentServiceId,
    transactionId: line.transaction_id ?? '',
    dispute: read.dispute ?? null,
    movement: movementOf(line),
    isLater: isOnRecord || read.about === 'chargeback_reversal',
    step: stepOf(read),
  }
}

function stepOf(read: Dispute | DisputeStep): TakenStep['step'] {
  return {
    stage: stageOf(read),
    provider_stage: read.providerStage ?? null,
    amount: read.amount,
    currency: read.currency,
    reason_code: read.code,
    reason_description: read.reason,
    respond_by: read.respondBy?.toISOString() ?? null,
    posted_at: read.postedAt.toISOString(),
  }
}

function stageOf({ about, stage }: Dispute | DisputeStep): DisputeStage | null {
  return stage === undefined && about !== 'dispute' ? STAGE_OF_MOVEMENT[about] : (stage ?? null)
}

/** A line that belongs to no report yet. */
function toLine(tx: Scope<Tx>, told: Told<Dispute>): StoredLine {
  const { paymentServiceId, ownReference, read } = told
  const reference = told.reference ?? ''
  const now = tx.clock()
  const { about: kind, id, currency, amount, code, reason, postedAt, respondBy = null } = read
  return {
    merchant_account_id: tx.merchantAccountId,
    id: newId(now.getTime()),
    payment_service_id: paymentServiceId,
    report_id: '',
    file_id: null,
    line_number: null,
    kind,
    external_identifier: id,
    provider_reference: reference,
    own_reference: ownReference,
    currency,
    amount: String(signed(read)),
    original_amount: null,
    original_currency: null,
    exchange_rate: null,
    commission: '0',
    interchange: null,
    markup: null,
    scheme_fee: null,
    reason_code: code,
    reason_description: reason,
    posted_at: postedAt,
    ingested_at: now,
    transaction_id: null,
    refund_id: null,
    unmatched_because: null,
    flag: null,
    checks: 0,
    due_at: null,
    respond_by: kind === 'chargeback' ? respondBy : null,
    ...UNANSWERED,
    notice: id === null ? noticeOf({ reference, amount, postedAt }) : null,
    updated_at: now,
  }
}
