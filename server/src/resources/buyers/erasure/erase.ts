import { forgetBuyer } from '#payments/acts/forget-buyer.ts'
import * as transactions from '#payments/store/payments.ts'
import type { Secrets } from '#platform/access/secrets.ts'
import { type Context, inTransaction, type Scope } from '#platform/database/db.ts'
import type { FileStorage } from '#platform/file-storage/storage.ts'
import { failTogether } from '#platform/process/jobs.ts'
import * as archives from '#resources/archives/store.ts'
import { redactNames } from '#resources/audit-logs/redact.ts'
import type { Sealer } from '#resources/audit-logs/seal.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import * as events from '#resources/events/store.ts'
import { forgetGiftCard } from '#resources/gift-cards/delete.ts'
import * as paymentLinks from '#resources/payment-links/store.ts'
import { forgetMethod } from '#resources/payment-methods/delete.ts'
import * as payouts from '#resources/payouts/store.ts'
import * as executions from '#resources/reports/executions/store.ts'
import type { Vault } from '#vault'
import { toErasure } from './create.ts'
import * as erasures from './store.ts'

export type Erasing = {
  readonly context: Context
  readonly vault: Vault
  readonly secrets: Secrets
  readonly sealer: Sealer
  readonly reportFiles: FileStorage
}

const AT_ONCE = 10
const PAYMENTS_AT_ONCE = 100
/** Something is still open: an attempt, a file that is being written, an entry of the audit log without a seal. */
const AGAIN_MS = 5_000
/** Longer than a request can take that had read the buyer before it was erased, and than its answer is kept for repeats. */
const LAST_LOOK_MS = 25 * 3_600_000

/** The job. Each step can be repeated, so another process goes on where one has died. */
export async function eraseDue(needs: Erasing, stopping: AbortSignal): Promise<void> {
  const failures: unknown[] = []
  for (const erasure of await erasures.due(needs.context, AT_ONCE)) {
    if (stopping.aborted) break
    try {
      await continueErasure(needs, erasure, stopping)
    } catch (error) {
      failures.push(error)
    }
  }
  failTogether(failures)
}

async function continueErasure(
  needs: Erasing,
  erasure: erasures.StoredErasure,
  stopping: AbortSignal,
): Promise<void> {
  const scope = { ...needs.context, merchantAccountId: erasure.merchant_account_id }
  const isDone =
    (await forgetPayments(scope, needs, erasure, stopping)) &&
    // Payments may have gone to a file while the erasure began. They have to be brought back first.
    !(await archives.nameBuyer(scope, erasure.buyer_id)) &&
    (await forgetBelongings(scope, needs, erasure)) &&
    (await forgetReports(scope, needs, erasure)) &&
    (await forgetNames(scope, needs, erasure))
  if (isDone) await finish(scope, erasure)
  else await erasures.update(scope, erasure, { due_at: new Date(scope.clock().getTime() + AGAIN_MS) })
}

/** Returns whether no payment and no payout names the buyer any more. */
async function forgetPayments(
  scope: Scope,
  { vault }: Erasing,
  erasure: erasures.StoredErasure,
  stopping: AbortSignal,
): Promise<boolean> {
  const { buyer_id: buyerId } = erasure
  let isDone = true
  let after: string | undefined
  for (;;) {
    const ids = await transactions.ofBuyer(scope, buyerId, { after, limit: PAYMENTS_AT_ONCE })
    for (const id of ids) {
      if (stopping.aborted) return false
      const isForgotten = await forgetBuyer(scope, vault, id)
      if (isForgotten) await erasures.countPayment(scope, erasure)
      else isDone = false
    }
    after = ids.at(-1)
    if (ids.length < PAYMENTS_AT_ONCE) break
  }
  await inTransaction(scope, async (tx) => {
    const told = [
      ...(await payouts.forgetBuyer(tx, buyerId)),
      ...(await paymentLinks.forgetBuyer(tx, { buyerId })),
    ]
    await events.keepFacts(tx, told)
  })
  return isDone && (await payouts.findOpen(scope, buyerId)) === undefined
}

async function forgetBelongings(
  scope: Scope,
  { vault }: Erasing,
  { buyer_id, payment_method_ids, gift_card_ids, shipping_details_ids }: erasures.StoredErasure,
): Promise<boolean> {
  for (const id of payment_method_ids) await forgetMethod(scope, vault, id)
  for (const id of gift_card_ids) await forgetGiftCard(scope, vault, id)
  await inTransaction(scope, (tx) => events.keepFacts(tx, [buyer_id, ...shipping_details_ids]))
  return true
}

/**
 * Removes the files of reports on payments from before the payments were changed: each may name the buyer. Files at another
 * place are left to processes that use that place.
 */
async function forgetReports(
  scope: Scope,
  { reportFiles }: Erasing,
  erasure: erasures.StoredErasure,
): Promise<boolean> {
  const before = erasure.payments_erased_at ?? scope.clock()
  if (!erasure.payments_erased_at) await erasures.update(scope, erasure, { payments_erased_at: before })
  const place = await reportFiles.place()
  let isDone = true
  for (const { id, stored_in, file_key } of await executions.showingPayments(scope, before)) {
    if (file_key !== null && stored_in === place) {
      await reportFiles.remove(file_key)
      await executions.forgetFile(scope, id)
    } else isDone = false
  }
  return isDone
}

async function forgetNames(
  scope: Scope,
  { secrets, sealer }: Erasing,
  erasure: erasures.StoredErasure,
): Promise<boolean> {
  const { buyer_id, payment_method_ids, gift_card_ids, shipping_details_ids } = erasure
  await sealer.seal(scope)
  const ids = [buyer_id, ...payment_method_ids, ...gift_card_ids, ...shipping_details_ids]
  return redactNames(scope, secrets, ids)
}

/** The first time, tells of it. A day later, looks once more for what was under way then. */
async function finish(scope: Scope, erasure: erasures.StoredErasure): Promise<void> {
  await inTransaction(scope, async (tx) => {
    const current = await erasures.lock(tx, erasure.buyer_id)
    if (!current) return
    if (current.completed_at) {
      const nothing = { payment_method_ids: [], gift_card_ids: [], shipping_details_ids: [] }
      await erasures.update(tx, current, { ...nothing, due_at: null })
      return
    }
    const completed_at = tx.clock()
    const due_at = new Date(current.created_at.getTime() + LAST_LOOK_MS)
    const done = await erasures.update(tx, current, { status: 'succeeded', completed_at, due_at })
    const name = auditLogs.ERASED_NAME
    await auditLogs.record(tx, 'deleted', { type: auditLogs.OF_BUYERS.buyer, id: current.buyer_id, name })
    await events.publish(tx, ['buyer.erased'], toErasure(done))
  })
}
