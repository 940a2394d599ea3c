import { inBriefTransaction } from '#platform/brief-transaction.ts'
import { inTransaction, type Scope } from '#platform/db.ts'
import { errors, inBody } from '#platform/errors.ts'
import { answerUnkeyed, type Finished, inFinalTransaction, type Once } from '#platform/once.ts'
import { chooseServices, type Need } from '#processing/choose-services.ts'
import type { Engine } from '#processing/engine.ts'
import * as antiFraudServices from '#resources/anti-fraud-services/store.ts'
import * as paymentServices from '#resources/payment-services/store.ts'
import { type JudgedPayment, judge } from './anti-fraud/judge.ts'
import { holdForApproval } from './approval/request-approval.ts'
import { doWhatIsQueued } from './attempts/resolve.ts'
import { resume } from './attempts/resume.ts'
import { type Authenticated, authenticate } from './authorization/authenticate.ts'
import { authorize, beginAttempt } from './authorization/authorize.ts'
import { begin } from './authorization/begin.ts'
import { chooseInstrument, shownAs } from './authorization/choose-instrument.ts'
import { explainSkips } from './authorization/explain-skips.ts'
import { finishAuthorization } from './authorization/finish-authorization.ts'
import { finishSession } from './conclusions/finish-card.ts'
import { instrumentKindOf } from './document.ts'
import * as transactionEvents from './events/store.ts'
import { tellStatus } from './events/tell.ts'
import { findTransaction } from './find.ts'
import { queueFirst } from './gift-card-redemptions/queue.ts'
import { methodsOf } from './preparation/payer.ts'
import { type Asked, type Prepared, type PreparedWithMethod, prepare } from './preparation/prepare.ts'
import { findStop } from './scheme-advices/obey.ts'
import { showTransaction, toTransaction } from './show.ts'
import { amountForMethod, DECLINED, FAILED, PROCESSING } from './state.ts'
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
  const judged = await judge(scope, engine, given, services[0]?.anti_fraud_service_id ?? null)
  const prepared = { ...given, judged }
  if (judged?.antiFraud.decision === 'reject') return refuse(scope, engine, prepared, SUSPECTED)
  const stop = await findStop(scope, prepared.row)
  if (stop) return refuse(scope, engine, prepared, { ...STOPPED, events: [stop] })
  const need = needOf(prepared)
  const [first, ...others] = chooseServices(services, engine.providers.connectors, need)
  if (!first) {
    const events = await explainSkips(scope, engine, methodsOf(prepared.payer), need)
    return refuse(scope, engine, prepared, { ...SKIPPED, events })
  }

  const authenticated = await authenticate(scope, engine, prepared, first)
  if (authenticated.next === 'refuse') {
    return refuse(scope, engine, prepared, { ...FAILED, code: authenticated.code, authenticated })
  }
  if (authenticated.next === 'challenge') {
    return holdForApproval(scope, engine, prepared, { service: first.service, authenticated })
  }

  const { source } = prepared.payer
  const isMerchantInitiated = prepared.row.merchant_initiated
  const presented = await chooseInstrument(scope, engine, { source, chosen: first, isMerchantInitiated })
  // Rows of gift cards refer to the payment's row, so it has to be written before them, not together with them.
  const inFirstCommit = prepared.giftCards ? inTransaction : inBriefTransaction
  const begun = await inFirstCommit(scope, async (tx) => {
    const start = {
      ...PROCESSING,
      payment_service_id: first.service.id,
      outcome: { three_d_secure: authenticated.summary, ...(presented.token && shownAs(presented)) },
    } as const
    const transaction = await begin(tx, engine, prepared, { start, authenticated })
    const { isAsyncCapture } = prepared
    return {
      transaction,
      attempt: await beginAttempt(tx, engine, { transaction, chosen: first, presented, isAsyncCapture }),
    }
  })
  const answered = await authorize(scope, engine, {
    ...prepared,
    ...begun,
    chosen: [first, ...others],
    source,
    presented,
    threeDSecure: authenticated.result,
  })
  return finishAuthorization(scope, prepared.once, engine, answered)
}

/** Gift cards pay for everything. We ask for them one after the other. */
async function payWithGiftCards(
  scope: Scope,
  engine: Engine,
  given: Prepared,
): Promise<Finished<Transaction>> {
  const watchful = await antiFraudServices.findActive(scope)
  const judged = await judge(scope, engine, given, watchful?.id ?? null)
  const prepared = { ...given, judged }
  if (judged?.antiFraud.decision === 'reject') return refuse(scope, engine, prepared, SUSPECTED)
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
  { payer, paymentServiceId }: PreparedWithMethod,
): Promise<paymentServices.ActiveService[]> {
  if (paymentServiceId !== null && !(await paymentServices.find(scope, paymentServiceId))) {
    const message = 'there is no such payment service'
    throw errors.invalid(inBody('/payment_service_id', 'value_error.not_found', message))
  }
  const services = await paymentServices.listActive(scope, ...methodsOf(payer))
  const { serviceIds } = payer
  return serviceIds ? services.filter(({ id }) => serviceIds.includes(id)) : services
}

/** What a service must be able to do to take the payment. */
function needOf(prepared: PreparedWithMethod & JudgedPayment): Need {
  const { row, document, payer, judged, paymentServiceId, isPartialAllowed } = prepared
  return {
    amount: amountForMethod(row),
    currency: row.currency,
    country: row.country,
    instrument: instrumentKindOf(payer.instrumentType),
    intent: row.intent,
    needsThreeDSecure: document.three_d_secure_data !== null,
    isSplit: row.has_gift_card_redemptions || judged?.antiFraud.review === 'awaited',
    isPartialAllowed,
    paymentServiceId,
  }
}

type Refusal = {
  readonly status: (typeof FAILED | typeof DECLINED)['status']
  readonly code: string
  readonly authenticated: Authenticated | null
  /** Events that explain it in the payment's history. */
  readonly events?: readonly transactionEvents.NewEvent[]
}

const SKIPPED: Refusal = { ...FAILED, code: 'all_attempts_skipped', authenticated: null }
const STOPPED: Refusal = {
  ...DECLINED,
  code: 'retry_not_allowed_by_scheme',
  authenticated: null,
}
const SUSPECTED: Refusal = { ...DECLINED, code: 'suspected_fraud', authenticated: null }

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
