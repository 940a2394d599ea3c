import type { Scope, Tx } from '#platform/database/db.ts'
import * as events from '#resources/events/store.ts'
import { toTarget } from './show.ts'
import { afterBegin, type Obstacle, obstacleTo } from './state.ts'
import * as links from './store.ts'

/** The link and the form that a payment comes from. `attempt` is the hash of the browser's secret. */
export type LinkForm = { readonly id: string; readonly tries: number; readonly attempt: string }

/** The link cannot be paid now. Nothing was recorded, and no provider was asked for money. */
export class LinkObstacle extends Error {
  readonly obstacle: Obstacle

  constructor(obstacle: Obstacle) {
    super(`the payment link cannot be paid: ${obstacle}`)
    this.name = 'LinkObstacle'
    this.obstacle = obstacle
  }
}

/**
 * Part of a payment's first commit: takes the link for this payment. So a process that dies either took the link and
 * recorded the payment, which a job then resolves, or did neither.
 */
export async function claimLink(
  tx: Scope<Tx>,
  { id, tries, attempt }: LinkForm,
  payment: { readonly id: string; readonly isOver: boolean },
): Promise<void> {
  const link = await links.lock(tx, id)
  const now = tx.clock()
  const obstacle = link ? obstacleTo(link, { tries, now }) : 'expired'
  if (!link || obstacle) throw new LinkObstacle(obstacle ?? 'expired')
  const after = await links.change(tx, link, {
    ...afterBegin(link, payment),
    last_transaction_id: payment.id,
    last_attempt: attempt,
  })
  if (after.status !== link.status) await events.publish(tx, ['payment-link.updated'], toTarget(after, now))
}
