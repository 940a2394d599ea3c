import type { Dispute } from '#connectors/contract/connector.ts'
import { newId } from '#domain/ids.ts'
import { audit } from '#payments/tell.ts'
import { inTransaction, type Scope, type Tx } from '#platform/database/db.ts'
import { errors } from '#platform/http/errors.ts'
import type { Engine } from '#processing/engine.ts'
import { applyLines } from './ingest/apply-lines.ts'
import { complaintAboutMovement } from './ingest/check-line.ts'
import { matchLines } from './ingest/match-lines.ts'
import { type StoredLine, UNANSWERED } from './lines/columns.ts'
import { noteDeadline } from './lines/disputes.ts'
import * as lines from './lines/store.ts'
import { isNameless, noticeOf } from './lines/store.ts'
import * as reports from './store.ts'

/**
 * A provider tells of a chargeback, or of its reversal, before a file does. One record stands for both. Returns whether we
 * know the payment.
 */
export async function takeDispute(
  scope: Scope,
  _engine: Engine,
  paymentServiceId: string,
  read: Dispute,
): Promise<boolean> {
  for (const named of namesOf(read)) {
    const { reference, ownReference: ourReference } = named
    const complaint = complaintAboutMovement({
      ...read,
      kind: read.about,
      reference,
      ourReference,
      amount: signed(read),
    })
    if (complaint !== undefined) throw errors.refused(`The notification cannot be kept: ${complaint}.`)
    const isTaken = await inTransaction(scope, (tx) => takeNamed(tx, { paymentServiceId, read, ...named }))
    if (isTaken) return true
  }
  return false
}

/** As in a file: what is taken from the merchant is below zero. */
function signed({ about, amount }: Dispute): number {
  return about === 'chargeback' ? 0 - amount : amount
}

type Named = { readonly reference: string; readonly ownReference: string | null }

/** The provider's own id is looked for first, each time. A dispute that names none is called by ours. */
function namesOf({ reference, attemptId, reconciliationId }: Dispute): Named[] {
  const own = [attemptId, reconciliationId].filter((id) => typeof id === 'string')
  if (own.length === 0) return reference === null ? [] : [{ reference, ownReference: null }]
  return own.map((id) => ({ reference: reference ?? id, ownReference: id }))
}

type NamedDispute = Named & { readonly paymentServiceId: string; readonly read: Dispute }

async function takeNamed(tx: Scope<Tx>, told: NamedDispute): Promise<boolean> {
  const { paymentServiceId } = told
  const { matched } = await matchLines({ ...tx, paymentServiceId }, [toLine(tx, told)])
  const [found] = matched
  if (!found) return false
  // The payment is locked: a file that tells of the same chargeback has done so, or waits.
  if (isNameless(found.line) && (await lines.joinNotice(tx, found.line))) {
    await noteDeadline(tx, found.line)
    return true
  }
  const line = { ...found.line, report_id: await reports.touch(tx, paymentServiceId, null) }
  if (!(await lines.insertOnce(tx, line))) {
    await lines.lookNow(tx, paymentServiceId, line)
    await noteDeadline(tx, line)
    return true
  }
  await applyLines(tx, [{ ...found, line }])
  await audit(tx, 'updated', found.transaction)
  return true
}

/** A line that belongs to no report yet. */
function toLine(tx: Scope<Tx>, told: NamedDispute): StoredLine {
  const { paymentServiceId, reference, ownReference, read } = told
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
