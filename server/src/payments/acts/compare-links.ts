import { isDatabaseAway } from '#platform/database/database-errors.ts'
import { type Context, inTransaction, type Scope } from '#platform/database/db.ts'
import { failTogether } from '#platform/process/jobs.ts'
import * as merchantAccounts from '#resources/merchant-accounts/store.ts'
import { followPayment } from '#resources/payment-links/follow-payment.ts'
import * as links from '#resources/payment-links/store.ts'
import { intentOutcome } from '../state.ts'
import * as transactions from '../store/payments.ts'

const BATCH = 100

/**
 * Compares payment links that are being paid with their payments. A link follows its payment in the same commit, except
 * if a process of a version before payment links has decided the payment.
 */
export async function compareLinks(context: Context, stopping?: AbortSignal): Promise<void> {
  const failures: unknown[] = []
  for (const merchantAccountId of await merchantAccounts.allIds(context)) {
    const scope: Scope = { ...context, merchantAccountId }
    let beyond: string | null = null
    do {
      if (stopping?.aborted) return failTogether(failures)
      const found: links.InProgress[] = await links.inProgress(scope, { limit: BATCH, beyond })
      for (const link of found) {
        await compare(scope, link).catch((error: unknown) => {
          if (isDatabaseAway(error)) throw error
          failures.push(error)
        })
      }
      beyond = found.length < BATCH ? null : (found.at(-1)?.id ?? null)
    } while (beyond !== null)
  }
  failTogether(failures)
}

async function compare(scope: Scope, { id: linkId, transaction_id: id }: links.InProgress): Promise<void> {
  const read = await transactions.find(scope, id)
  if (!read || intentOutcome(read) === 'pending') return
  await inTransaction(scope, async (tx) => {
    // The payment first, then its link, as in every commit that changes both.
    const payment = await transactions.lock(tx, id)
    if (payment) await followPayment(tx, linkId, { id, outcome: intentOutcome(payment) })
  })
}
