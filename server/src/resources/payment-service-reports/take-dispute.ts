import type { Dispute } from '#connectors/contract/connector.ts'
import { newId } from '#domain/ids.ts'
import { inTransaction, type Scope, type Tx } from '#platform/db.ts'
import type { Engine } from '#processing/engine.ts'
import { recordOutcome } from '#resources/transactions/conclusions/record-outcome.ts'
import { applyLines } from './ingest/apply-lines.ts'
import { matchLines } from './ingest/match-lines.ts'
import type { StoredLine } from './lines/columns.ts'
import { identityOf } from './lines/identity.ts'
import * as lines from './lines/store.ts'
import * as reports from './store.ts'

/**
 * A provider tells of a chargeback, or of its reversal, before a file does. One record stands for both. Returns whether we
 * know the payment: if not, the provider sends it again.
 */
export function takeDispute(
  scope: Scope,
  _engine: Engine,
  paymentServiceId: string,
  read: Dispute,
): Promise<boolean> {
  const { reference } = read
  // Only the provider's own id is in its reports.
  if (reference === null) return Promise.resolve(false)
  return inTransaction(scope, async (tx) => {
    const reportId = await reports.touch(tx, paymentServiceId, null)
    const line = toLine(tx, { paymentServiceId, reportId, reference, read })
    const { matched } = await matchLines({ ...tx, paymentServiceId }, [line])
    const [found] = matched
    if (!found) return false
    if (!(await lines.insertOnce(tx, found.line))) {
      await lines.lookNow(tx, paymentServiceId, found.line)
      return true
    }
    await applyLines(tx, matched)
    await recordOutcome(tx, found.transaction)
    return true
  })
}

type Told = {
  readonly paymentServiceId: string
  readonly reportId: string
  readonly reference: string
  readonly read: Dispute
}

function toLine(tx: Scope<Tx>, { paymentServiceId, reportId, reference, read }: Told): StoredLine {
  const now = tx.clock()
  const { about: kind, currency, amount, code, reason, postedAt } = read
  return {
    merchant_account_id: tx.merchantAccountId,
    id: newId(now.getTime()),
    payment_service_id: paymentServiceId,
    report_id: reportId,
    file_id: null,
    line_number: null,
    kind,
    external_identifier: identityOf({ kind, id: read.id, reference, amount }),
    provider_reference: reference,
    own_reference: null,
    currency,
    // As in a file: what is taken from the merchant is below zero.
    amount: String(kind === 'chargeback' ? -amount : amount),
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
    updated_at: now,
  }
}
