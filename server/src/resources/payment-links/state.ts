import type { PaymentLinkStatus } from './schemas.ts'

/** What decides whether a link can be paid. */
type LinkState = {
  readonly status: PaymentLinkStatus
  readonly transaction_id: string | null
  readonly tries: number
  readonly expires_at: Date
}

/** The part of a link that changes. */
type Change = {
  readonly status: PaymentLinkStatus
  readonly transaction_id?: string | null
  readonly tries?: number
  readonly expires_at?: Date
}

/** How a payment of the link stands. */
export type PaymentOutcome = 'pending' | 'succeeded' | 'failed'

/** The status at a moment: a link is expired from its time on, also before the job has written it. */
export function statusAt({ status, expires_at }: LinkState, now: Date): PaymentLinkStatus {
  return status === 'active' && expires_at <= now ? 'expired' : status
}

/** Why a payment cannot begin. `outdated`: another payment was tried since the buyer's form was made. */
export type Obstacle = Exclude<PaymentLinkStatus, 'active'> | 'outdated'

export function obstacleTo(link: LinkState, { tries, now }: { tries: number; now: Date }): Obstacle | null {
  const status = statusAt(link, now)
  if (status !== 'active') return status
  return link.tries === tries ? null : 'outdated'
}

/** A payment begins. One that was refused before any provider was asked does not take the link. */
export function afterBegin(link: LinkState, payment: { id: string; isOver: boolean }): Change {
  const tries = link.tries + 1
  if (payment.isOver) return { status: link.status, tries }
  return { status: 'processing', transaction_id: payment.id, tries }
}

/**
 * What becomes of a link when one of its payments has changed. Null: nothing. A payment that failed frees the link. A
 * payment that failed and succeeds later, because the merchant corrected it, takes the link if it is free.
 */
export function afterPayment(
  link: LinkState,
  { id, outcome, now }: { id: string; outcome: PaymentOutcome; now: Date },
): Change | null {
  const isHolder = link.transaction_id === id
  const mayTake = link.transaction_id === null && outcome === 'succeeded'
  if (!isHolder && !mayTake) return null
  if (outcome === 'failed') {
    return { status: link.expires_at <= now ? 'expired' : 'active', transaction_id: null }
  }
  const status = outcome === 'pending' ? 'processing' : 'completed'
  return status === link.status && isHolder ? null : { status, transaction_id: id }
}

/** Why a merchant cannot expire the link; undefined when it can be expired, or is already. */
export function objectionToExpire({ status }: LinkState): string | undefined {
  if (status === 'completed') return 'The payment link cannot be expired: it is paid.'
  if (status !== 'processing') return undefined
  return 'The payment link cannot be expired: a payment is under way. Wait for its outcome.'
}
