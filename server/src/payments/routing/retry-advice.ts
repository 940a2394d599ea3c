import type { SyncAnswer } from '#connectors/contract/connector.ts'
import { endOfExpiration, parseExpiration } from '#domain/card.ts'
import type { Context, Scope, Tx } from '#platform/database/db.ts'
import type { PaymentAttempt } from '#processing/attempts/store.ts'
import type { Engine } from '#processing/engine.ts'
import { type Advice, adviceIn, findAdvice, type Limit } from '#processing/scheme-rules.ts'
import { limitsFor } from '#resources/flows/retry-policy/show.ts'
import * as retryPolicies from '#resources/flows/retry-policy/store.ts'
import type { CardDecline } from '../store/card-declines.ts'
import * as cardDeclines from '../store/card-declines.ts'
import type { NewEvent } from '../store/events.ts'
import * as transactionEvents from '../store/events.ts'
import type { StoredTransaction } from '../store/payments.ts'

/** What the scheme of a card says about it, by the declines that were committed before. `holdLimit` sees to payments at the same time. */
export async function findRetryAdvice(
  scope: Scope,
  { providers }: Pick<Engine, 'providers'>,
  { payment_method_fingerprint: fingerprint }: Pick<StoredTransaction, 'payment_method_fingerprint'>,
  known?: Known,
): Promise<RetryAdvice | undefined> {
  if (fingerprint === null) return undefined
  const { policy, declines } =
    known && !known.hasDeclines
      ? { policy: known.retryPolicy, declines: [] }
      : await cardDeclines.findOf(scope, fingerprint)
  const isAdvised = declines.some(({ kind }) => kind !== null)
  const approved = isAdvised ? await cardDeclines.lastApprovedOf(scope, fingerprint) : undefined
  return {
    isObeyed: policy?.mode !== 'warn',
    limits: limitsFor(policy, providers),
    declines: approved === undefined ? declines : declines.map((decline) => lifted(decline, approved)),
  }
}

/** What was read just before. Most cards have no declines, and need no other question. */
type Known = { readonly retryPolicy: cardDeclines.Found['policy']; readonly hasDeclines: boolean }

/** An approval shows that the issuer takes the card again. The decline still counts for limits. */
function lifted(decline: cardDeclines.CardDecline, approvedId: string): cardDeclines.CardDecline {
  return decline.transaction_id < approvedId ? { ...decline, kind: null, code: null } : decline
}

export function forgetDeclines(context: Context): Promise<void> {
  return cardDeclines.forget(context, context.clock())
}

export const ADVICE_EVENT = 'scheme-advice-do-not-retry'
const HOUR_MS = 3_600_000
/** Schemes charge for retries within this time. */
const MONTH_MS = 720 * HOUR_MS

/** What card schemes say about a card at a merchant account, and how the merchant treats it. */
export type RetryAdvice = {
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
export function objectionTo(advice: RetryAdvice, planned: Planned): Objection | undefined {
  return adviceAgainst(advice, planned) ?? limitAgainst(advice, planned)
}

/** How the history of the payment tells it. */
export function objectionEvent(
  { context, reason }: Objection,
  stops: 'payment' | 'next_payment_service' | 'nothing',
): NewEvent {
  return { name: ADVICE_EVENT, context: { stops, reason, ...context } }
}

function adviceAgainst({ declines }: RetryAdvice, planned: Planned): Objection | undefined {
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

function limitAgainst({ limits, declines }: RetryAdvice, planned: Planned): Objection | undefined {
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
function isNearLimit({ limits, declines }: RetryAdvice, planned: Planned): boolean {
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

type Begun = {
  readonly advice: RetryAdvice
  readonly planned: Planned & {
    readonly payment: { readonly id: string; readonly payment_method_fingerprint: string | null }
  }
}

/**
 * Two payments with one card at the same time must not both be the last that a limit allows. So the commit that begins an attempt with a
 * card that was declined lately locks the card until its end, and counts payments that wait for an answer as if they were declined. A
 * card without declines is not locked: most payments do nothing here.
 */
export async function holdLimit(tx: Scope<Tx>, { advice, planned }: Begun): Promise<Objection | undefined> {
  const { id, payment_method_fingerprint: fingerprint } = planned.payment
  if (!advice.isObeyed || fingerprint === null || !isNearLimit(advice, planned)) return undefined
  await cardDeclines.lockCard(tx, fingerprint)
  const since = new Date(planned.now.getTime() - MONTH_MS)
  const { declines, underWay } = await cardDeclines.findWithUnderWay(tx, {
    fingerprint,
    since,
    besidesId: id,
  })
  return limitAgainst({ ...advice, declines }, { ...planned, underWay })
}

type Noted = {
  readonly attempt: PaymentAttempt
  readonly answer: SyncAnswer
  /** Whether another attempt follows. */
  readonly isGoingOn: boolean
}

/** Records a decline for the rules of the card's scheme, and the scheme's advice in the history of the payment. */
export async function noteDecline(
  tx: Scope<Tx>,
  transaction: StoredTransaction,
  { attempt, answer, isGoingOn }: Noted,
): Promise<void> {
  const { payment_method_fingerprint: fingerprint, payment_method_scheme: scheme, document } = transaction
  const advice = adviceIn(scheme, answer)
  const isDecline = answer.outcome === 'declined'
  if (fingerprint === null || (!isDecline && !advice)) return
  const { id, amount, currency, merchant_initiated } = transaction
  const { kind = null, code = null } = advice ?? {}
  const expirationDate = document.payment_method?.expiration_date ?? null
  await cardDeclines.insert(tx, {
    fingerprint,
    attempt_id: attempt.id,
    transaction_id: id,
    expiration_date: expirationDate,
    instrument_type: attempt.instrument_type ?? document.instrument_type,
    scheme,
    merchant_initiated,
    amount,
    currency,
    is_decline: isDecline,
    kind,
    code,
    forget_at: forgetAt(tx.clock(), advice, expirationDate),
  })
  if (!advice) return
  const isFree = isGoingOn || (await retryPolicies.find(tx))?.mode === 'warn'
  const stops = isFree ? 'nothing' : 'next_payment_service'
  const context = { stops, scheme, kind, code, action: advice.action, advised_transaction_id: id }
  await transactionEvents.record(tx, id, [{ name: ADVICE_EVENT, context }])
}

/** Every limit looks back for a month at most. A card that must never be tried again is remembered until it has expired. */
function forgetAt(now: Date, advice: Advice | undefined, expirationDate: string | null): Date {
  const month = new Date(now.getTime() + MONTH_MS)
  const expiration = advice?.action === 'never' ? parseExpiration(expirationDate ?? '') : undefined
  const end = expiration && endOfExpiration(expiration)
  return end && end > month ? end : month
}

/** What an event of advice or of a limit says, as a part of a sentence. */
export function schemeSays(context: Readonly<Record<string, unknown>>): string {
  const { reason, scheme, kind, code, action, until, declines, under_way, within_hours } = context
  if (reason === 'scheme_limit') {
    const waiting = under_way === undefined ? '' : `, ${under_way} more payments with it wait for an answer`
    return `the card was declined ${declines} ${declines === 1 ? 'time' : 'times'} within ${within_hours} hours${waiting}, and ${scheme} allows no more`
  }
  const source = kind === 'merchant_advice_code' ? 'merchant advice code' : 'response code'
  const when =
    action === 'later'
      ? `to wait${until ? ` until ${until}` : ''}`
      : action === 'other_data'
        ? 'not to retry with the same card data'
        : 'never to retry the card'
  return `the card scheme says ${when} (${source} ${code})`
}
