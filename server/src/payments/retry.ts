import { ERROR_CODES, type ErrorCode } from '#connectors/contract/codes.ts'
import type { ThreeDSecureResult } from '#connectors/contract/orders.ts'
import type { Scope } from '#platform/database/db.ts'
import { isTimeOver } from '#processing/attempts/ask-between-commits.ts'
import { codeOfRefusal, type Refusal } from '#processing/attempts/conclude.ts'
import type { PaymentAttempt } from '#processing/attempts/store.ts'
import type { Engine } from '#processing/engine.ts'
import { type Advice, adviceIn } from '#processing/scheme-rules.ts'
import type { ServiceEntry } from '#resources/flows/schemas.ts'
import { replaceIfDue } from '#resources/payment-methods/replace.ts'
import type { InstrumentType } from '#resources/transactions/wire/transaction.ts'
import { authenticateCard, isBuyerThere, isDoneByProvider } from './plan/authenticate.ts'
import {
  chooseInstrument,
  findPresentable,
  isTokenRefused,
  type OpenableSource,
  type Presentable,
  type Presented,
  TOKEN_TYPES,
} from './plan/instruments.ts'
import type { Plan } from './plan/plan.ts'
import type { Authenticated } from './plan/three-ds-verdict.ts'
import { type ChosenService, notTried, type Why, withoutToken } from './routing/candidates.ts'
import {
  findRetryAdvice,
  type Objection,
  objectionEvent,
  objectionTo,
  type RetryAdvice,
} from './routing/retry-advice.ts'
import type { NewEvent } from './store/events.ts'
import type { StoredTransaction } from './store/payments.ts'
import type { RetryRule } from './tell.ts'

type Answer = { readonly plan: Plan; readonly current: CurrentAttempt; readonly answer: Refusal }
export type Refused = Answer & { readonly advice: Advice | undefined }

/** One attempt of a payment, and what is left to try after it. */
export type CurrentAttempt = {
  readonly transaction: StoredTransaction
  readonly attempt: PaymentAttempt
  readonly presented: Presented
  readonly chosen: ChosenService
  /** The services to try next. */
  readonly waiting: readonly ChosenService[]
  readonly threeDSecure: ThreeDSecureResult | 'provider' | null
  /** Instruments that the service has refused. */
  readonly besides: readonly InstrumentType[]
  /** Whether the issuer has replaced the card since the payment began. */
  readonly wasReplaced: boolean
  /** How often the service was asked. */
  readonly times: number
}

/** What follows a refusal. */
export type Step =
  | { readonly go: 'end'; readonly events: readonly NewEvent[] }
  | { readonly go: 'challenge'; readonly answer: Refusal; readonly authenticated: Challenge }
  | (Again & {
      readonly go: 'again'
      readonly answer: Refusal
      readonly found: Presentable
      readonly retryAdvice: RetryAdvice | undefined
      /** What schemes say against it, if the merchant only wants to be warned. */
      readonly events: readonly NewEvent[]
    })

/** The same service again, or the next one. */
type Again = {
  readonly isSame: boolean
  readonly retryRule: NonNullable<RetryRule>
  /** Instruments that are not to be presented. */
  readonly besides: readonly InstrumentType[]
  readonly isReplaced: boolean
  readonly steppedUp: Exclude<SteppedUp, { by: 'challenge' }> | null
}
type Challenge = Extract<SteppedUp, { by: 'challenge' }>['authenticated']

const END: Step = { go: 'end', events: [] }

/**
 * Decides what follows a refusal: another attempt at the same service, if something else can be presented there, or at the next one. The
 * rules of the card's scheme come before both.
 */
export async function decideStep(scope: Scope, engine: Engine, asked: Answer): Promise<Step> {
  const { current, answer } = asked
  const { waiting, transaction, chosen } = current
  const advice = adviceIn(transaction.payment_method_scheme, answer)
  const refused = { ...asked, advice }
  const retryAdvice = advice && (await findRetryAdvice(scope, engine, transaction))
  const isForbidden = advice !== undefined && retryAdvice?.isObeyed !== false
  if (isTimeOver(scope, engine)) return endBecause(refused, 'out_of_time')
  const again = await sameAgain(scope, engine, refused, isForbidden)
  if (again && 'authenticated' in again) return { go: 'challenge', answer, ...again }
  if (again) return goOn(scope, engine, refused, again)
  if (isForbidden) return endBecause(refused, 'scheme_advice')
  const reason = reasonToEnd(answer, chosen.entry)
  if (reason) return endBecause(refused, reason)
  return waiting.length === 0 ? END : goOn(scope, engine, refused, nextService(answer))
}

function endBecause(
  { current, answer }: Pick<Refused, 'current' | 'answer'>,
  reason: Why['reason'],
  events: readonly NewEvent[] = [],
): Extract<Step, { go: 'end' }> {
  return {
    go: 'end',
    events: [...events, ...notTried(current.waiting, { reason, code: codeOfRefusal(answer) })],
  }
}

/** Why the services that wait are not asked after all. */
export function stoppedBy(
  objection: Objection,
  refused: Pick<Refused, 'current' | 'answer'>,
): readonly NewEvent[] {
  const events = [objectionEvent(objection, 'next_payment_service')]
  return endBecause(refused, objection.reason, events).events
}

const NOTHING_ELSE = { isReplaced: false, steppedUp: null } as const

function nextService({ outcome }: Refusal): Again {
  const retryRule = outcome === 'declined' ? 'retriable_decline' : 'failure'
  return { ...NOTHING_ELSE, isSame: false, retryRule, besides: [] }
}

/** What else can be presented to the service that refused. A replaced card is another card, whatever its scheme said of the old one. */
async function sameAgain(
  scope: Scope,
  engine: Engine,
  { plan, current, answer, advice }: Refused,
  isForbidden: boolean,
): Promise<Again | { readonly authenticated: Challenge } | undefined> {
  const { presented, chosen, besides, times, wasReplaced } = current
  if (times >= (chosen.entry?.max_attempts ?? Number.POSITIVE_INFINITY)) return undefined
  const same = { ...NOTHING_ELSE, isSame: true, besides }
  const isForOtherData = advice?.action === 'other_data' && presented.token?.type !== 'redirect_token'
  const { token } = presented
  if (token && (isForOtherData || (!isForbidden && isTokenRefused(presented, answer))))
    return { ...same, retryRule: 'instrument_fallback', besides: [...besides, token.type] }
  if (!wasReplaced && (await replaceCard(scope, engine, plan.source, answer)))
    return { ...same, retryRule: 'payment_method_replacement', isReplaced: true }
  if (isForbidden) return undefined
  const steppedUp = await stepUp(scope, engine, { ...current, source: plan.source, answer })
  if (!steppedUp) return undefined
  if (steppedUp.by === 'challenge') return { authenticated: steppedUp.authenticated }
  // A network token brings a proof of its own. 3-D Secure is for the number.
  return { ...same, retryRule: 'step_up', steppedUp, besides: [...besides, 'network_token'] }
}

/** The issuer may have replaced a card that was declined for good. Then the new one is tried once. */
async function replaceCard(
  scope: Scope,
  { vault }: Engine,
  source: Plan['source'],
  answer: Refusal,
): Promise<boolean> {
  if (source.kind !== 'stored' || answer.outcome === 'not_found') return false
  return replaceIfDue(scope, vault, source.method.id, { kind: 'declined', code: answer.code })
}

/** Finds what the next attempt presents, and what the card's scheme says against it. */
async function goOn(scope: Scope, engine: Engine, refused: Refused, again: Again): Promise<Step> {
  const { current, answer } = refused
  const { transaction, waiting } = current
  const isReplaced = current.wasReplaced || again.isReplaced
  // Tokens were made for the card as it was: the new details are tried themselves.
  const besides = isReplaced ? TOKEN_TYPES : again.besides
  const found = await findNext(scope, engine, refused, { ...again, besides })
  if (!found) return { go: 'end', events: withoutToken(waiting) }
  const retryAdvice = isReplaced ? undefined : await findRetryAdvice(scope, engine, transaction)
  const step = {
    ...again,
    go: 'again',
    answer,
    found,
    retryAdvice,
    events: withoutToken(found.passed),
  } as const
  const objection =
    retryAdvice &&
    objectionTo(retryAdvice, {
      payment: transaction,
      instrumentType: found.presented.token?.type ?? transaction.document.instrument_type,
      now: scope.clock(),
      isAfterDecline: answer.outcome === 'declined',
    })
  if (!retryAdvice || !objection) return step
  if (retryAdvice.isObeyed) return { go: 'end', events: stoppedBy(objection, refused) }
  return { ...step, events: [...step.events, objectionEvent(objection, 'nothing')] }
}

/** The same service with another instrument, or the next one that can be asked. */
async function findNext(
  scope: Scope,
  engine: Engine,
  { plan, current }: Refused,
  { isSame, besides }: Pick<Again, 'isSame' | 'besides'>,
): Promise<Presentable | undefined> {
  const { chosen, waiting, transaction } = current
  const asked = { source: plan.source, isMerchantInitiated: transaction.merchant_initiated }
  if (!isSame) return findPresentable(scope, engine, { ...asked, candidates: waiting }, besides)
  const presented = await chooseInstrument(scope, engine, { ...asked, chosen }, besides)
  return { chosen, presented, others: waiting, passed: [] }
}

/** What the buyer typed is wrong. It is as wrong at the next service, so only a rule can ask for that. */
const DATA_CODES: readonly ErrorCode[] = [
  'expired_payment_method',
  'incorrect_billing_address',
  'incorrect_cvv',
  'incorrect_expiry_date',
]

/**
 * Why the next service is not asked after a refusal. Undefined: it is asked. The lists of the rule come before what is usual for the
 * code, and what a provider says about this very payment before both.
 */
function reasonToEnd(
  answer: Refusal,
  { retry }: Pick<ServiceEntry, 'retry'> = {},
): Why['reason'] | undefined {
  const code = codeOfRefusal(answer)
  if (retry?.not_on?.includes(code)) return 'rule_does_not_retry'
  if (answer.outcome === 'not_found') return undefined
  if (ERROR_CODES[code].isRetriable && !answer.isRetriable) return 'provider_forbids_retry'
  if (retry?.on?.includes(code)) return undefined
  return answer.isRetriable && !DATA_CODES.includes(code) ? undefined : 'not_retriable'
}

type RefusedOrder = {
  readonly transaction: StoredTransaction
  readonly chosen: ChosenService
  readonly source: OpenableSource
  /** What the refused order said about 3-D Secure. */
  readonly threeDSecure: ThreeDSecureResult | 'provider' | null
  readonly answer: Refusal
}

/** How the buyer proves to be the cardholder after all. */
type SteppedUp =
  | { readonly by: 'provider' }
  | { readonly by: 'us'; readonly authenticated: Extract<Authenticated, { next: 'authorize' }> }
  | { readonly by: 'challenge'; readonly authenticated: Extract<Authenticated, { next: 'challenge' }> }

/**
 * The issuer wants the buyer to be authenticated, and the buyer can be: the same service is asked once more, with 3-D Secure.
 * Undefined: the buyer is not there, the card does not take part, or the authentication failed.
 */
async function stepUp(
  scope: Scope,
  engine: Engine,
  { transaction, chosen, source, threeDSecure, answer }: RefusedOrder,
): Promise<SteppedUp | undefined> {
  if (codeOfRefusal(answer) !== 'requires_buyer_authentication' || threeDSecure !== null) return undefined
  const { document } = transaction
  if (!isBuyerThere(transaction) || document.redirect_url === null || document.instrument_type !== 'pan')
    return undefined
  const { capabilities } = chosen.connector.manifest
  if (capabilities.threeDSecureByProvider)
    return isDoneByProvider(transaction, chosen) ? undefined : { by: 'provider' }
  // A server that had no proof after the buyer was on our page has none now. The buyer would be sent there without end.
  if (!capabilities.threeDSecurePassThrough || document.challenge?.three_ds_service_id) return undefined
  const authenticated = await authenticateCard(scope, engine, {
    row: transaction,
    document,
    source,
    profiles: chosen.service.merchant_profile,
  })
  if (authenticated.next === 'challenge') return { by: 'challenge', authenticated }
  return authenticated.next === 'authorize' && authenticated.result ? { by: 'us', authenticated } : undefined
}
