import type { Instrument, OfferedToken, ThreeDSecureResult } from '#connectors/contract/orders.ts'
import type { Scope } from '#platform/database/db.ts'
import { errors, inBody } from '#platform/http/errors.ts'
import type { Engine } from '#processing/engine.ts'
import { rulesOf } from '#resources/flows/current.ts'
import * as paymentMethods from '#resources/payment-methods/store.ts'
import * as paymentServices from '#resources/payment-services/store.ts'
import type { Payer } from '../prepare/payer.ts'
import type { Prepared, PreparedWithMethod } from '../prepare/prepare.ts'
import {
  type ChosenService,
  explainSkips,
  findCandidates,
  needOf,
  unableToTake,
  withoutToken,
} from '../routing/candidates.ts'
import { awaitsAntiFraud, decide, declineEarly, paymentOf } from '../routing/decide.ts'
import {
  findRetryAdvice,
  type Objection,
  objectionEvent,
  objectionTo,
  type Planned as PlannedAttempt,
  type RetryAdvice,
} from '../routing/retry-advice.ts'
import { DECLINED, FAILED } from '../state.ts'
import type { NewEvent } from '../store/events.ts'
import type { StoredTransaction } from '../store/payments.ts'
import { authenticate } from './authenticate.ts'
import { findPresentable, type OpenableSource, type Presented } from './instruments.ts'
import { type Judgement, judge } from './judge.ts'
import type { Authenticated } from './three-ds-verdict.ts'

/** Who is asked to authorize a payment, and what they get. No provider was asked for money yet. */
export type Plan = {
  readonly payment: PlannedAttempt['payment'] & Pick<StoredTransaction, 'id' | 'payment_method_fingerprint'>
  /** The service that is asked first, then those to try next. */
  readonly services: readonly [ChosenService, ...ChosenService[]]
  readonly source: OpenableSource
  /** What the first service gets. */
  readonly presented: Presented
  readonly threeDSecure: ThreeDSecureResult | null
  readonly retryAdvice: RetryAdvice | undefined
  /** What the history of the payment tells about the plan. */
  readonly events: readonly NewEvent[]
  /** The service that the merchant named. */
  readonly paymentServiceId: string | null
  readonly isPartialAllowed: boolean
  readonly isAsyncCapture: boolean
  readonly connectionOptions: Readonly<Record<string, unknown>>
}

/** Why a payment ends before any provider is asked for money. */
export type Refusal = {
  readonly status: (typeof FAILED | typeof DECLINED)['status']
  readonly code: string
  /** Events that explain it in the payment's history. */
  readonly events: readonly NewEvent[]
}

const SKIPPED: Refusal = { ...FAILED, code: 'all_attempts_skipped', events: [] }
const SUSPECTED: Refusal = { ...DECLINED, code: 'suspected_fraud', events: [] }

/** What is decided about a new payment, with everything that was found out on the way. */
export type Planned = { readonly judgement: Judgement; readonly authenticated: Authenticated | null } & (
  | { readonly next: 'refuse'; readonly refusal: Refusal }
  | {
      readonly next: 'ask-buyer'
      readonly service: paymentServices.StoredService
      readonly authenticated: Extract<Authenticated, { next: 'challenge' }>
    }
  | { readonly next: 'charge'; readonly plan: Plan; readonly authenticated: Authenticated }
)

/** Rules, anti-fraud, the card's scheme, the services, 3-D Secure, the instrument: in this order. Writes nothing. */
export async function planPayment(
  scope: Scope,
  engine: Engine,
  prepared: PreparedWithMethod,
): Promise<Planned> {
  const { row, document, payer, once } = prepared
  const account = await findAccount(scope, prepared)
  const { judgement, refusal } = await judgeByRules(scope, engine, prepared, account)
  const { judged, decided } = judgement
  const refuse = (because: Refusal, authenticated: Authenticated | null = null): Planned => ({
    next: 'refuse',
    judgement,
    authenticated,
    refusal: because,
  })
  if (refusal) return refuse(refusal)
  const payment = { ...row, document }
  // An anti-fraud service takes its time, and the card may be declined elsewhere meanwhile.
  const known = account.antiFraudServiceId === null ? account : undefined
  // Schemes say nothing about a card without declines, unless the account has limits of its own.
  const isSaid = !known || known.hasDeclines || known.retryPolicy !== null
  const retryAdvice = isSaid ? await findRetryAdvice(scope, engine, payment, known) : undefined
  const objection = retryAdvice && objectionTo(retryAdvice, { payment, now: scope.clock() })
  if (objection && retryAdvice.isObeyed) return refuse(stoppedBy(objection))
  const isForReview = judged?.antiFraud.review === 'awaited'
  const { source } = payer
  const offered = source.kind === 'ready' ? offeredIn(source.instrument) : null
  const need = needOf({ ...prepared, isForReview, offered })
  const route = decided?.route ?? null
  const { services } = account
  const candidates = await findCandidates(scope, engine, { services, need, route, card: row })
  const [wanted] = candidates
  if (!wanted) {
    const events = await explainSkips(scope, engine, { methods: methodsOf(payer), need, route })
    return refuse({ ...SKIPPED, events })
  }

  const authenticated = await authenticate(scope, engine, prepared, { chosen: wanted, decided, account })
  if (authenticated.next === 'refuse')
    return refuse({ ...FAILED, code: authenticated.code, events: [] }, authenticated)
  if (authenticated.next === 'challenge')
    return { next: 'ask-buyer', judgement, service: wanted.service, authenticated }
  const found = await planAttempts(scope, engine, {
    ...prepared,
    payment,
    candidates,
    unable: unableToTake(services, engine.providers.connectors, need),
    source: payer.source,
    threeDSecure: authenticated.result,
    retryAdvice,
    beforeAsking: once.claim,
  })
  if ('code' in found) return refuse(found, authenticated)
  return { next: 'charge', judgement, authenticated, plan: found }
}

function offeredIn(instrument: Instrument): OfferedToken | null {
  return instrument.kind === 'wallet' || instrument.kind === 'network-token' ? instrument : null
}

type Authenticable = Omit<Plan, 'services' | 'presented' | 'events'> & {
  readonly payment: Pick<StoredTransaction, 'merchant_initiated' | 'document'>
  readonly candidates: readonly ChosenService[]
  /** What the payment's history says of services that cannot take the token of a wallet or a scheme. */
  readonly unable?: readonly NewEvent[]
  /** Called before a service is asked for a cryptogram. */
  readonly beforeAsking?: () => Promise<void>
}

/** What is presented to which service first, and what the scheme of the card says against it by now. */
export async function planAttempts(
  scope: Scope,
  engine: Engine,
  given: Authenticable,
): Promise<Plan | Refusal> {
  const { payment, candidates, source, retryAdvice, beforeAsking } = given
  const isMerchantInitiated = payment.merchant_initiated
  const asked = { source, candidates, isMerchantInitiated, ...(beforeAsking && { beforeAsking }) }
  const found = await findPresentable(scope, engine, asked)
  if (!found) return { ...SKIPPED, events: withoutToken(candidates) }
  const { chosen: first, presented, others, passed } = found
  const instrumentType = presented.token?.type ?? payment.document.instrument_type
  const planned = { payment, instrumentType, now: scope.clock() }
  const objection = retryAdvice && objectionTo(retryAdvice, planned)
  if (objection && retryAdvice.isObeyed) return stoppedBy(objection)
  const warned = objection ? [objectionEvent(objection, 'nothing')] : []
  return {
    payment,
    services: [first, ...others],
    source,
    presented,
    threeDSecure: given.threeDSecure,
    retryAdvice,
    events: [...warned, ...(given.unable ?? []), ...withoutToken(passed)],
    paymentServiceId: given.paymentServiceId,
    isPartialAllowed: given.isPartialAllowed,
    isAsyncCapture: given.isAsyncCapture,
    connectionOptions: given.connectionOptions,
  }
}

/**
 * The methods by which payment services are chosen. Providers have a service for each scheme of bank accounts, or one for
 * all of them.
 */
function methodsOf({ method, source }: Payer): readonly string[] {
  return source.kind === 'stored' ? paymentMethods.serviceMethodsOf(source.method) : [method]
}

export function stoppedBy(objection: Objection): Refusal {
  return { ...DECLINED, code: objection.code, events: [objectionEvent(objection, 'payment')] }
}

async function findAccount(
  scope: Scope,
  { payer, row, paymentServiceId }: PreparedWithMethod,
): Promise<paymentServices.AccountForPayment> {
  if (paymentServiceId !== null && !(await paymentServices.find(scope, paymentServiceId))) {
    const message = 'there is no such payment service'
    throw errors.invalid(inBody('/payment_service_id', 'value_error.not_found', message))
  }
  const account = await paymentServices.accountForPayment(scope, {
    methods: methodsOf(payer),
    fingerprint: row.payment_method_fingerprint,
  })
  const { serviceIds } = payer
  if (!serviceIds) return account
  return { ...account, services: account.services.filter(({ id }) => serviceIds.includes(id)) }
}

/** Gift cards pay for everything: no payment service is asked, but rules and the anti-fraud service are. */
export async function planGiftCards(scope: Scope, engine: Engine, given: Prepared) {
  const account = await paymentServices.accountForPayment(scope, { methods: [], fingerprint: null })
  return judgeByRules(scope, engine, given, account)
}

/**
 * Rules that decline come first: they cost nothing. Then the anti-fraud service is asked, then rules that need its decision, then
 * rules that choose the services.
 */
async function judgeByRules(
  scope: Scope,
  engine: Engine,
  given: Prepared,
  { flowVersion, antiFraudServiceId }: paymentServices.AccountForPayment,
): Promise<{ readonly judgement: Judgement; readonly refusal: Refusal | null }> {
  const isJudged = flowVersion !== null || antiFraudServiceId !== null
  if (!isJudged) return { judgement: { judged: null, decided: null }, refusal: null }
  const rules = await rulesOf(scope, flowVersion)
  const early = rules && declineEarly(rules, paymentOf(scope, given, null))
  if (early?.code) return { judgement: { judged: null, decided: early }, refusal: declined(early.code) }
  const judged = await judge(scope, engine, given, antiFraudServiceId)
  const decision = judged?.antiFraud.decision ?? null
  if (decision === 'reject') return { judgement: { judged, decided: early }, refusal: SUSPECTED }
  if (!rules || !early) return { judgement: { judged, decided: null }, refusal: null }
  const payment = paymentOf(scope, given, decision)
  const decided = await decide(rules, payment, {
    ...(!awaitsAntiFraud(rules, payment) && { declined: early }),
    isNamed: given.paymentServiceId !== null,
    findScores: () => engine.scores.of(scope),
  })
  const refusal = decided.code === null ? null : declined(decided.code)
  return { judgement: { judged, decided }, refusal }
}

function declined(code: string): Refusal {
  return { ...DECLINED, code, events: [] }
}
