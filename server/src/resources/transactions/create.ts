import { inBriefTransaction } from '#platform/database/brief-transaction.ts'
import { inTransaction, type Scope } from '#platform/database/db.ts'
import { errors, inBody } from '#platform/http/errors.ts'
import { answerUnkeyed, type Finished, inFinalTransaction, type Once } from '#platform/idempotency/once.ts'
import type { Engine } from '#processing/engine.ts'
import { NO_SCORES } from '#processing/scores/board.ts'
import * as antiFraudServices from '#resources/anti-fraud-services/store.ts'
import type { CompiledVersion } from '#resources/flows/compile-rules.ts'
import { rulesOf } from '#resources/flows/current.ts'
import * as flows from '#resources/flows/store.ts'
import * as paymentServices from '#resources/payment-services/store.ts'
import { type JudgedPayment, judge } from './anti-fraud/judge.ts'
import { holdForApproval } from './approval/request-approval.ts'
import { doWhatIsQueued } from './attempts/resolve.ts'
import { resume } from './attempts/resume.ts'
import { type Authenticated, authenticate } from './authorization/authenticate.ts'
import { authorize } from './authorization/authorize.ts'
import { begin } from './authorization/begin.ts'
import { beginAttempt } from './authorization/begin-attempt.ts'
import { shownAs } from './authorization/choose-instrument.ts'
import { explainSkips, withoutToken } from './authorization/explain-skips.ts'
import { findPresentable } from './authorization/find-presentable.ts'
import { finishAuthorization } from './authorization/finish-authorization.ts'
import type { Presented } from './authorization/presented.ts'
import { finishSession } from './conclusions/finish-card.ts'
import * as transactionEvents from './events/store.ts'
import { tellStatus } from './events/tell.ts'
import { findTransaction } from './find.ts'
import { findCandidates } from './flow/candidates.ts'
import { awaitsAntiFraud, type Decided, decideRoute, declineEarly, paymentOf } from './flow/decide.ts'
import { queueFirst } from './gift-card-redemptions/queue.ts'
import { needOf } from './need-of.ts'
import { methodsOf } from './preparation/payer.ts'
import { type Asked, type Prepared, type PreparedWithMethod, prepare } from './preparation/prepare.ts'
import type { Judged } from './review.ts'
import { findStanding } from './scheme-advices/find-standing.ts'
import { holdLimit } from './scheme-advices/hold-limit.ts'
import { type Objection, objectionEvent, objectionTo, type Standing } from './scheme-advices/objection.ts'
import { showTransaction, toTransaction } from './show.ts'
import { DECLINED, FAILED, PROCESSING } from './state.ts'
import type { Transaction } from './wire/transaction.ts'

/**
 * Pays. The steps, in order: prepare, judge, choose a service, authenticate, first commit, ask, second
 * commit.
 */
export async function createTransaction(
  scope: Scope,
  engine: Engine,
  asked: Asked,
): Promise<Finished<Transaction>> {
  const { once } = asked
  if (once.begun) return resume(scope, once, engine, once.begun)
  const prepared = await prepare(scope, engine, asked)
  const { payer } = prepared
  return payer
    ? payWithMethod(scope, engine, { ...prepared, payer })
    : payWithGiftCards(scope, engine, prepared)
}

async function payWithMethod(
  scope: Scope,
  engine: Engine,
  given: PreparedWithMethod,
): Promise<Finished<Transaction>> {
  const services = await findServices(scope, given)
  const judges = await judgesBeside(scope, services[0])
  const { watchful } = judges
  const decided = await judgeByRules(scope, engine, given, judges)
  if (decided.refusal) return refuse(scope, engine, decided.prepared, decided.refusal)
  const { prepared } = decided
  // An anti-fraud service takes its time, and the card may be declined elsewhere meanwhile.
  const known = watchful === null ? services[0] : undefined
  const standing = await findStanding(scope, engine, prepared.row, known)
  const objection = against(scope, standing, prepared)
  if (objection && standing?.isObeyed) return refuse(scope, engine, prepared, stoppedBy(objection))
  const isForReview = prepared.judged?.antiFraud.review === 'awaited'
  const need = needOf({ ...prepared, isForReview })
  const route = prepared.decided?.route ?? null
  const candidates = await findCandidates(scope, engine, { services, need, route, card: prepared.row })
  const [wanted] = candidates
  if (!wanted) {
    const events = await explainSkips(scope, engine, { methods: methodsOf(prepared.payer), need, route })
    return refuse(scope, engine, prepared, { ...SKIPPED, events })
  }

  const authenticated = await authenticate(scope, engine, prepared, {
    chosen: wanted,
    hasScenarios: services.some((service) => service.has_scenarios),
  })
  if (authenticated.next === 'refuse') {
    return refuse(scope, engine, prepared, { ...FAILED, code: authenticated.code, authenticated })
  }
  if (authenticated.next === 'challenge') {
    return holdForApproval(scope, engine, prepared, { service: wanted.service, authenticated })
  }

  const { source } = prepared.payer
  const found = await findPresentable(scope, engine, {
    source,
    candidates,
    isMerchantInitiated: prepared.row.merchant_initiated,
    beforeAsking: prepared.once.claim,
  })
  if (!found)
    return refuse(scope, engine, prepared, { ...SKIPPED, events: withoutToken(candidates), authenticated })
  const { chosen: first, presented, others, passed } = found
  const later = against(scope, standing, prepared, presented)
  if (later && standing?.isObeyed)
    return refuse(scope, engine, prepared, { ...stoppedBy(later), authenticated })
  // Rows of gift cards refer to the payment's row, so it has to be written before them, not together with them.
  const inFirstCommit = prepared.giftCards ? inTransaction : inBriefTransaction
  const begun = await inFirstCommit(scope, async (tx) => {
    const planned = { payment: { ...prepared.row, document: prepared.document }, now: tx.clock() }
    const over = await holdLimit(tx, { standing, planned })
    if (over) return { over }
    const start = {
      ...PROCESSING,
      payment_service_id: first.service.id,
      outcome: { three_d_secure: authenticated.summary, ...(presented.token && shownAs(presented)) },
    } as const
    const transaction = await begin(tx, engine, prepared, { start, authenticated })
    const warned = later ? [objectionEvent(later, 'nothing')] : []
    await transactionEvents.record(tx, transaction.id, [...warned, ...withoutToken(passed)])
    const { isAsyncCapture } = prepared
    return {
      transaction,
      attempt: await beginAttempt(tx, engine, { transaction, chosen: first, presented, isAsyncCapture }),
    }
  })
  if ('over' in begun) return refuse(scope, engine, prepared, { ...stoppedBy(begun.over), authenticated })
  const { once } = prepared
  return authorize(scope, engine, {
    ...prepared,
    ...begun,
    chosen: [first, ...others],
    source,
    presented,
    threeDSecure: authenticated.result,
  })
    .then((answered) => finishAuthorization(scope, once, engine, answered))
    .catch((error: unknown) => answerUnkeyed(once, error, toTransaction(begun.transaction, undefined)))
}

/** Gift cards pay for everything. We ask for them one after the other. */
async function payWithGiftCards(
  scope: Scope,
  engine: Engine,
  given: Prepared,
): Promise<Finished<Transaction>> {
  const judges = await judgesBeside(scope, undefined)
  const { prepared, refusal } = await judgeByRules(scope, engine, given, judges)
  if (refusal) return refuse(scope, engine, prepared, refusal)
  const begun = await inTransaction(scope, async (tx) => {
    const transaction = await begin(tx, engine, prepared, { start: PROCESSING, authenticated: null })
    await queueFirst(tx, engine, transaction)
    return transaction
  })
  const { once } = prepared
  return redeem(scope, once, engine, begun.id).catch((error: unknown) =>
    answerUnkeyed(once, error, toTransaction(begun, undefined)),
  )
}

async function redeem(scope: Scope, once: Once, engine: Engine, id: string): Promise<Finished<Transaction>> {
  await doWhatIsQueued(scope, engine, id)
  return inFinalTransaction(scope, once, async (tx) => showTransaction(tx, await findTransaction(tx, id)))
}

async function findServices(
  scope: Scope,
  { payer, row, paymentServiceId }: PreparedWithMethod,
): Promise<paymentServices.ServiceForPayment[]> {
  if (paymentServiceId !== null && !(await paymentServices.find(scope, paymentServiceId))) {
    const message = 'there is no such payment service'
    throw errors.invalid(inBody('/payment_service_id', 'value_error.not_found', message))
  }
  const services = await paymentServices.listForPayment(scope, {
    methods: methodsOf(payer),
    fingerprint: row.payment_method_fingerprint,
  })
  const { serviceIds } = payer
  return serviceIds ? services.filter(({ id }) => serviceIds.includes(id)) : services
}

type Judges = { readonly rules: CompiledVersion | null; readonly watchful: string | null }

/** The rules and the anti-fraud service. A service for the payment is read together with both; without one they are asked for. */
async function judgesBeside(
  scope: Scope,
  service: paymentServices.ServiceForPayment | undefined,
): Promise<Judges> {
  if (service) {
    return { rules: await rulesOf(scope, service.flow_version), watchful: service.anti_fraud_service_id }
  }
  const watchful = await antiFraudServices.findActive(scope)
  return { rules: await rulesOf(scope, await flows.newestNumber(scope)), watchful: watchful?.id ?? null }
}

/**
 * Rules that decline come first: they cost nothing. Then the anti-fraud service is asked, then rules that need its decision, then
 * rules that choose the services.
 */
async function judgeByRules<Given extends Prepared>(
  scope: Scope,
  engine: Engine,
  given: Given,
  { rules, watchful }: Judges,
): Promise<{ readonly prepared: Given & JudgedPayment; readonly refusal: Refusal | null }> {
  const early = rules && declineEarly(rules, paymentOf(scope, given, null))
  if (early?.code) return refusedBy(given, null, early, early.code)
  const judged = await judge(scope, engine, given, watchful)
  const decision = judged?.antiFraud.decision ?? null
  if (decision === 'reject') return { prepared: { ...given, judged, decided: early }, refusal: SUSPECTED }
  if (!rules || !early) return { prepared: { ...given, judged, decided: null }, refusal: null }
  const payment = paymentOf(scope, given, decision)
  const late = awaitsAntiFraud(rules, payment) ? declineEarly(rules, payment) : null
  if (late?.code) return refusedBy(given, judged, late, late.code)
  const decided = decideRoute(rules, payment, {
    declined: late ?? early,
    isNamed: given.paymentServiceId !== null,
    scores: rules.needsScores ? await engine.scores.of(scope) : NO_SCORES,
  })
  return { prepared: { ...given, judged, decided }, refusal: null }
}

function refusedBy<Given extends Prepared>(
  given: Given,
  judged: Judged | null,
  decided: Decided,
  code: string,
) {
  return { prepared: { ...given, judged, decided }, refusal: { ...DECLINED, code, authenticated: null } }
}

type Refusal = {
  readonly status: (typeof FAILED | typeof DECLINED)['status']
  readonly code: string
  readonly authenticated: Authenticated | null
  /** Events that explain it in the payment's history. */
  readonly events?: readonly transactionEvents.NewEvent[]
}

const SKIPPED: Refusal = { ...FAILED, code: 'all_attempts_skipped', authenticated: null }
const SUSPECTED: Refusal = { ...DECLINED, code: 'suspected_fraud', authenticated: null }

/** What the scheme of the card says against the payment, before and after it is known what is presented. */
function against(
  { clock }: Scope,
  standing: Standing | undefined,
  { row, document }: Prepared,
  presented?: Presented,
): Objection | undefined {
  const instrumentType = presented && (presented.token?.type ?? document.instrument_type)
  return standing && objectionTo(standing, { payment: { ...row, document }, instrumentType, now: clock() })
}

function stoppedBy(objection: Objection): Refusal {
  const events = [objectionEvent(objection, 'payment')]
  return { ...DECLINED, code: objection.code, authenticated: null, events }
}

/** Stores the payment as failed or declined. No provider is asked. */
function refuse(scope: Scope, engine: Engine, prepared: JudgedPayment, refusal: Refusal) {
  const { status, code, authenticated, events = [] } = refusal
  return inFinalTransaction(scope, prepared.once, async (tx) => {
    const start = {
      status,
      error_code: code,
      outcome: { three_d_secure: authenticated?.summary ?? null },
    } as const
    const transaction = await begin(tx, engine, prepared, { start, authenticated })
    await finishSession(tx, engine.vault, transaction, false)
    await transactionEvents.record(tx, transaction.id, events)
    await tellStatus(tx, null, transaction)
    return showTransaction(tx, transaction)
  })
}
