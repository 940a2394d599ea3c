import { type Advice, findAdvice, type Limit } from '#processing/scheme-rules.ts'
import type { NewEvent } from '../events/store.ts'
import type { StoredTransaction } from '../store.ts'
import type { CardDecline } from './store.ts'

export const ADVICE_EVENT = 'scheme-advice-do-not-retry'
const HOUR_MS = 3_600_000
/** Schemes charge for retries within this time. */
export const MONTH_MS = 720 * HOUR_MS

/** What card schemes say about a card at a merchant account, and how the merchant treats it. */
export type Standing = {
  readonly isObeyed: boolean
  readonly limits: readonly Limit[]
  readonly declines: readonly CardDecline[]
}

/** An attempt that is to be made. */
export type Planned = {
  readonly payment: Pick<
    StoredTransaction,
    'amount' | 'currency' | 'merchant_initiated' | 'payment_method_scheme'
  > & { readonly document: Pick<StoredTransaction['document'], 'payment_method'> }
  /** What is to be presented. Undefined: it is not chosen yet. */
  readonly instrumentType?: string | null | undefined
  readonly now: Date
  /** A decline of the same payment that is not recorded yet. */
  readonly isAfterDecline?: boolean
  /** Other payments with the card that wait for an answer: each may be declined. */
  readonly underWay?: readonly { readonly merchant_initiated: boolean }[]
}

/** Why an attempt must not be made, or would go against the scheme. */
export type Objection = {
  /** The error code of a payment that has no other attempt. */
  readonly code: 'retry_not_allowed_by_scheme' | 'retry_too_early_for_scheme' | 'retry_limit_reached'
  /** Why other services are not asked, as a word of their events. */
  readonly reason: 'scheme_advice' | 'scheme_limit'
  readonly context: Readonly<Record<string, unknown>>
}

/** What the scheme of the card says against an attempt. Undefined: nothing. */
export function objectionTo(standing: Standing, planned: Planned): Objection | undefined {
  return adviceAgainst(standing, planned) ?? limitAgainst(standing, planned)
}

/** How the history of the payment tells it. */
export function objectionEvent(
  { context, reason }: Objection,
  stops: 'payment' | 'next_payment_service' | 'nothing',
): NewEvent {
  return { name: ADVICE_EVENT, context: { stops, reason, ...context } }
}

function adviceAgainst({ declines }: Standing, planned: Planned): Objection | undefined {
  for (const decline of declines) {
    const advice = findAdvice(decline)
    if (!advice || !isMeant(advice, decline, planned)) continue
    const until = endOf(advice, decline, planned)
    if (until !== null && until <= planned.now) continue
    const { kind, code, scheme, transaction_id: advised_transaction_id } = decline
    return {
      code: advice.action === 'later' ? 'retry_too_early_for_scheme' : 'retry_not_allowed_by_scheme',
      reason: 'scheme_advice',
      context: {
        scheme,
        kind,
        code,
        action: advice.action,
        advised_transaction_id,
        until: until?.toISOString() ?? null,
      },
    }
  }
  return undefined
}

function isMeant({ stops, action }: Advice, decline: CardDecline, planned: Planned): boolean {
  const { payment, instrumentType } = planned
  const date = payment.document.payment_method?.expiration_date ?? null
  const isRenewed = decline.expiration_date !== null && date !== null && decline.expiration_date !== date
  if (isRenewed) return false
  if (action === 'other_data' && instrumentType !== decline.instrument_type) return false
  if (stops === 'merchant') return payment.merchant_initiated && decline.merchant_initiated
  const isSame = decline.amount === payment.amount && decline.currency === payment.currency
  return payment.merchant_initiated || isSame
}

/** Null: until the card changes. A buyer who is there may try the same amount again after a month. */
function endOf({ action, hours }: Advice, { created_at }: CardDecline, { payment }: Planned): Date | null {
  if (action === 'later') return new Date(created_at.getTime() + (hours ?? 0) * HOUR_MS)
  const isForever = action === 'never' && payment.merchant_initiated
  return isForever ? null : new Date(created_at.getTime() + MONTH_MS)
}

export function limitAgainst({ limits, declines }: Standing, planned: Planned): Objection | undefined {
  const { underWay = [], payment } = planned
  for (const limit of limitsOf(limits, planned)) {
    const declined = countFor(limit, declines, planned)
    const waiting = underWay.filter((one) => isCounted(limit, one, payment)).length
    if (declined + waiting < limit.declines_max) continue
    const context = { declines: declined, ...(waiting > 0 && { under_way: waiting }), ...limit }
    return { code: 'retry_limit_reached', reason: 'scheme_limit', context }
  }
  return undefined
}

/** Whether a card has been declined lately, so that a limit may come near. */
export function isNearLimit({ limits, declines }: Standing, planned: Planned): boolean {
  return limitsOf(limits, planned).some((limit) => countFor(limit, declines, planned) > 0)
}

function limitsOf(limits: readonly Limit[], { payment }: Planned): readonly Limit[] {
  return limits.filter(({ scheme }) => scheme === payment.payment_method_scheme)
}

function countFor(limit: Limit, declines: readonly CardDecline[], planned: Planned): number {
  const { payment, now, isAfterDecline } = planned
  const since = now.getTime() - limit.within_hours * HOUR_MS
  const counted = declines.filter(
    (decline) =>
      decline.is_decline && decline.created_at.getTime() > since && isCounted(limit, decline, payment),
  )
  return counted.length + (isAfterDecline ? 1 : 0)
}

function isCounted(limit: Limit, one: Initiated, payment: Initiated): boolean {
  return limit.counted === 'together' || one.merchant_initiated === payment.merchant_initiated
}

type Initiated = { readonly merchant_initiated: boolean }
