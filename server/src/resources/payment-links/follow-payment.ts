import type { Scope, Tx } from '#platform/database/db.ts'
import * as events from '#resources/events/store.ts'
import { toTarget } from './show.ts'
import { afterPayment, type PaymentOutcome } from './state.ts'
import * as links from './store.ts'

/** Part of each commit that changes the status of a link's payment: the link changes with it. */
export async function followPayment(
  tx: Scope<Tx>,
  linkId: string,
  payment: { readonly id: string; readonly outcome: PaymentOutcome },
): Promise<void> {
  const link = await links.lock(tx, linkId)
  const now = tx.clock()
  const change = link ? afterPayment(link, { ...payment, now }) : null
  if (!link || !change) return
  const after = await links.change(tx, link, change)
  await events.publish(tx, ['payment-link.updated'], toTarget(after, now))
}
