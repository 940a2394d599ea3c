import type { ThreeDSecureResult } from '#connectors/contract/orders.ts'
import { type Context, inTransaction, type Scope, type Tx } from '#platform/database/db.ts'
import { UNKEYED } from '#platform/idempotency/once.ts'
import * as attempts from '#processing/attempts/store.ts'
import type { Engine } from '#processing/engine.ts'
import * as paymentMethods from '#resources/payment-methods/store.ts'
import * as paymentServices from '#resources/payment-services/store.ts'
import { hasExpired } from '../approval.ts'
import { charge } from '../charge.ts'
import { failApproval } from '../conclude/fail-approval.ts'
import { authenticationEvents, errorData, proven, shown } from '../plan/authenticate.ts'
import { shownAs } from '../plan/instruments.ts'
import { type Plan, planAttempts, stoppedBy } from '../plan/plan.ts'
import {
  type ChosenService,
  explainSkips,
  findCandidates,
  type Need,
  needOf,
  skippedBecause,
} from '../routing/candidates.ts'
import { findRetryAdvice } from '../routing/retry-advice.ts'
import * as state from '../state.ts'
import { isForReview, isRejected } from '../state.ts'
import * as cards from '../store/cards.ts'
import { copyItem } from '../store/cards.ts'
import * as transactionEvents from '../store/events.ts'
import * as transactions from '../store/payments.ts'
import { audit, tellStatus } from '../tell.ts'

export type Place = { readonly merchantAccountId: string; readonly id: string }

/** Takes the cardholder's decision from the challenge page. A second or late decision changes nothing. */
export async function approve(
  context: Context,
  engine: Engine,
  place: Place,
  isApproved: boolean,
): Promise<void> {
  const scope: Scope = { ...context, merchantAccountId: place.merchantAccountId }
  const waiting = await transactions.find(scope, place.id)
  if (!waiting?.document.challenge || !state.isBuyerAsked(waiting) || !engine.threeDSecure) return
  const now = scope.clock()
  if (hasExpired(waiting, now)) {
    return fail(scope, engine, place.id, { code: 'incomplete_buyer_approval', timedOutAt: now })
  }
  if (isRejected(waiting)) return fail(scope, engine, place.id, { code: 'suspected_fraud' })
  const {
    directory_transaction_id: directoryTransactionId,
    version,
    result = 'Y',
  } = waiting.document.challenge
  const scheme = waiting.payment_method_scheme ?? 'other'
  const challenge = { directoryTransactionId, version, result, scheme, isApproved }
  const concluded = await engine.threeDSecure.conclude(challenge)
  switch (concluded.outcome) {
    case 'done':
      return chargeApproved(scope, engine, waiting, proven(concluded, concluded.transactionStatus))
    case 'refused':
      return fail(scope, engine, place.id, { code: 'failed_buyer_approval' })
    case 'error': {
      // The issuer wanted to hear from the buyer, and we do not know what it heard. So the card is not charged.
      const error = errorData(concluded)
      const events = [{ name: 'three-d-secure-request-error', context: error } as const]
      return fail(scope, engine, place.id, { code: 'incomplete_buyer_approval', error, events })
    }
  }
}

function fail(
  scope: Scope,
  engine: Engine,
  id: string,
  failure: Parameters<typeof failApproval>[3],
): Promise<void> {
  return inTransaction(scope, async (tx) => {
    const failed = await failApproval(tx, engine, id, failure)
    if (failed) await audit(tx, 'updated', failed)
  })
}

/** The stored card was deleted while the cardholder approved. */
function cardGone({ service }: ChosenService): transactionEvents.NewEvent {
  return skippedBecause(service, 'payment_method_deleted')
}

/** Plans and charges the payment like one that needed no approval. */
async function chargeApproved(
  scope: Scope,
  engine: Engine,
  waiting: transactions.StoredTransaction,
  threeDSecure: ThreeDSecureResult,
): Promise<void> {
  const { id } = waiting
  const held = await cards.find(scope, id)
  const plan = await planApproved(scope, engine, { waiting, held, threeDSecure })
  if ('code' in plan) return fail(scope, engine, id, plan)
  const charged = await charge(scope, engine, {
    once: UNKEYED,
    plan,
    begin: (tx) =>
      begin(tx, engine, { waiting, plan, threeDSecure, token: held?.security_code_token ?? null }),
  })
  if ('stopped' in charged && charged.stopped) await fail(scope, engine, id, stoppedBy(charged.stopped))
}

type Waiting = {
  readonly waiting: transactions.StoredTransaction
  readonly held: cards.HeldCard | undefined
  readonly threeDSecure: ThreeDSecureResult
}

/** Services, rules and cards may have changed since the payment was planned first. */
async function planApproved(
  scope: Scope,
  engine: Engine,
  { waiting, held, threeDSecure }: Waiting,
): Promise<Plan | { readonly code: string; readonly events: readonly transactionEvents.NewEvent[] }> {
  const { document } = waiting
  const need = needFor(waiting)
  const route = document.flow?.route ?? null
  const candidates = await candidatesFor(scope, engine, { waiting, need, route })
  const source = await sourceOf(scope, waiting, held)
  const [wanted] = candidates
  if (!wanted || !source) {
    const events = wanted
      ? [cardGone(wanted)]
      : await explainSkips(scope, engine, { methods: ['card'], need, route })
    return { code: 'all_attempts_skipped', events }
  }
  return planAttempts(scope, engine, {
    payment: waiting,
    candidates,
    source: { ...source, securityCode: await securityCodeOf(scope, engine, waiting, held) },
    threeDSecure,
    retryAdvice: await findRetryAdvice(scope, engine, waiting),
    paymentServiceId: need.paymentServiceId,
    isPartialAllowed: need.isPartialAllowed,
    isAsyncCapture: document.order.async_capture === true,
    connectionOptions: document.connection_options ?? {},
  })
}

function securityCodeOf(
  scope: Scope,
  { vault }: Engine,
  { id }: transactions.StoredTransaction,
  held: cards.HeldCard | undefined,
) {
  const token = held?.security_code_token ?? null
  return copyItem(scope, vault, { type: 'transaction', id, token }).catch(async (error: unknown) => {
    // A concurrent approval has already used the security code.
    const current = await transactions.find(scope, id)
    if (current && state.isBuyerAsked(current)) throw error
    return null
  })
}

type Approved = Pick<Waiting, 'waiting' | 'threeDSecure'> & {
  readonly plan: Plan
  /** The vault's token of the security code that came with the payment. */
  readonly token: string | null
}

/** Of several approvals at the same time, one goes on. Returns undefined for the others. */
async function begin(
  tx: Scope<Tx>,
  engine: Engine,
  { waiting, plan, threeDSecure, token }: Approved,
): Promise<transactions.StoredTransaction | undefined> {
  const { id } = waiting
  const locked = await transactions.lock(tx, id)
  if (!locked || !state.isBuyerAsked(locked)) return undefined
  // Our approval was given before, and now the provider asks for its own.
  if ((await attempts.openOf(tx, id)).length > 0) return undefined
  const summary = locked.outcome.three_d_secure && {
    ...locked.outcome.three_d_secure,
    status: 'complete' as const,
    response_data: shown(threeDSecure),
  }
  const transaction = await transactions.change(tx, locked, {
    ...state.PROCESSING,
    payment_service_id: plan.services[0].service.id,
    outcome: { approval_url: null, ...(summary && { three_d_secure: summary }), ...shownAs(plan.presented) },
  })
  const result = { next: 'authorize', summary: summary ?? null, result: threeDSecure } as const
  await transactionEvents.record(tx, id, authenticationEvents(result))
  // We have the code in memory now, so the vault need not keep it until the answer.
  if (token !== null) {
    await cards.dropCode(tx, id)
    await engine.vault.remove(tx.db, tx, token)
  }
  await audit(tx, 'updated', transaction)
  await tellStatus(tx, locked.status, transaction, ['transaction.authenticated'])
  return transaction
}

/** The methods whose cards are not typed. */
const VIAS: Readonly<Record<string, 'googlepay_pan_only' | 'click-to-pay'>> = {
  googlepay: 'googlepay_pan_only',
  googlepay_pan_only: 'googlepay_pan_only',
  'click-to-pay': 'click-to-pay',
}

/** Opens a stored card where it is stored. It may have been deleted since. */
async function sourceOf(
  scope: Scope,
  { payment_method_id, method: name }: transactions.StoredTransaction,
  held: cards.HeldCard | undefined,
) {
  if (held?.card) return { kind: 'held', held, via: VIAS[name ?? ''] ?? 'card' } as const
  const method = payment_method_id === null ? undefined : await paymentMethods.find(scope, payment_method_id)
  return method?.vault_token ? ({ kind: 'stored', method } as const) : undefined
}

/** The service that asked for the approval comes first, then the others. They may have changed since. */
async function candidatesFor(
  scope: Scope,
  engine: Engine,
  { waiting, need, route }: Pick<Waiting, 'waiting'> & { readonly need: Need; readonly route: Route },
): Promise<ChosenService[]> {
  const { payment_service_id } = waiting
  const services = await paymentServices.listActive(scope, 'card')
  const found = await findCandidates(scope, engine, { services, need, route, card: waiting })
  return found.toSorted(
    (a, b) => Number(b.service.id === payment_service_id) - Number(a.service.id === payment_service_id),
  )
}

type Route = Parameters<typeof findCandidates>[2]['route']

function needFor(transaction: transactions.StoredTransaction): Need {
  const { document } = transaction
  return needOf({
    row: transaction,
    document,
    isForReview: isForReview(transaction),
    isPartialAllowed: document.challenge?.is_partial_allowed === true,
    paymentServiceId: document.challenge?.payment_service_id ?? null,
  })
}
