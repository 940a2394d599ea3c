import type { ThreeDSecureResult } from '#connectors/contract/orders.ts'
import type { Browser } from '#connectors/contract/three-d-secure.ts'
import { type Context, inTransaction, type Scope, type Tx } from '#platform/database/db.ts'
import { UNKEYED } from '#platform/idempotency/once.ts'
import * as attempts from '#processing/attempts/store.ts'
import type { Engine } from '#processing/engine.ts'
import * as paymentMethods from '#resources/payment-methods/store.ts'
import * as paymentServices from '#resources/payment-services/store.ts'
import { hasExpired } from '../approval.ts'
import { charge } from '../charge.ts'
import { failApproval } from '../conclude/fail-approval.ts'
import type { Challenge } from '../document.ts'
import { authenticateNow, findServer, findSimulator } from '../plan/authenticate.ts'
import { shownAs, withInstrument } from '../plan/instruments.ts'
import { type Plan, planAttempts, stoppedBy } from '../plan/plan.ts'
import { amountIn, orderFor } from '../plan/three-ds-order.ts'
import { askServer, openState, type Server, sealState } from '../plan/three-ds-server.ts'
import {
  type Authenticated,
  after,
  authenticationEvents,
  errorData,
  WITHOUT,
} from '../plan/three-ds-verdict.ts'
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

/** What the buyer's browser has sent us: from our own page, or back from the issuer's. */
export type FromBrowser = {
  readonly sent: Readonly<Record<string, string>>
  readonly browser: Browser
}

/** Goes on with the payment by what the buyer's browser has sent. What comes twice or late changes nothing. */
export async function approve(
  context: Context,
  engine: Engine,
  place: Place,
  from: FromBrowser,
): Promise<void> {
  const scope: Scope = { ...context, merchantAccountId: place.merchantAccountId }
  const waiting = await transactions.find(scope, place.id)
  const challenge = waiting?.document.challenge
  if (!challenge || !state.isBuyerAsked(waiting)) return
  const now = scope.clock()
  if (hasExpired(waiting, now)) {
    return fail(scope, engine, place.id, { code: 'incomplete_buyer_approval', timedOutAt: now })
  }
  if (isRejected(waiting)) return fail(scope, engine, place.id, { code: 'suspected_fraud' })
  const { three_ds_service_id: serviceId } = challenge
  // The simulator says the same however often it is asked.
  const claimed = serviceId ? await claim(scope, engine, waiting, challenge) : waiting
  if (!claimed) return
  const server = serviceId ? await findServer(scope, engine, serviceId) : findSimulator(engine)
  const asked = { waiting: claimed, challenge, server: server ?? GONE, from }
  const authenticated =
    challenge.stage === 'device'
      ? await authenticateDevice(scope, engine, asked)
      : await concludeChallenge(scope, engine, asked)
  switch (authenticated.next) {
    case 'authorize':
      return chargeApproved(scope, engine, claimed, authenticated)
    case 'challenge':
      return keepChallenge(scope, claimed, authenticated)
    case 'refuse':
      return fail(scope, engine, place.id, authenticated)
  }
}

/**
 * Of several answers of the browser at the same time, one is passed on to the server. To the others it could answer with an error, as to
 * a question that it has heard already, and before a challenge an error lets the card be charged without a proof. If the process
 * dies now, the payment expires unpaid. Undefined: another one has claimed it.
 */
function claim(
  scope: Scope,
  engine: Engine,
  waiting: transactions.StoredTransaction,
  challenge: Challenge,
): Promise<transactions.StoredTransaction | undefined> {
  if (challenge.stage === 'asked') return Promise.resolve(undefined)
  return inTransaction(scope, async (tx) => {
    const locked = await transactions.lock(tx, waiting.id)
    if (!locked || !isSameStage(locked, waiting)) return undefined
    const sealed = sealState(engine, waiting.id, openState(engine, waiting.id, challenge))
    return transactions.changeDocument(tx, locked, {
      ...locked.document,
      challenge: { ...challenge, stage: 'asked', sealed },
    })
  })
}

/** The service was deleted, and its secrets with it. */
const GONE: Server = { service: null, connector: undefined }

type Asked = {
  readonly waiting: transactions.StoredTransaction
  readonly challenge: Challenge
  readonly server: Server
  readonly from: FromBrowser
}

type Refused = { readonly next: 'refuse' } & Failure

/** The issuer is asked, now that the browser has told about itself. */
async function authenticateDevice(
  scope: Scope,
  engine: Engine,
  { waiting, challenge, server, from: { sent, browser } }: Asked,
): Promise<Exclude<Authenticated, { next: 'refuse' }> | Refused> {
  const source = await sourceOf(scope, waiting, await cards.find(scope, waiting.id))
  // Its charge finds that the stored card was deleted.
  if (!source) return WITHOUT
  const { state } = openState(engine, waiting.id, challenge)
  const told = sent['told'] || null
  const { payment_service_id: chosen } = waiting
  const service = chosen === null ? undefined : await paymentServices.find(scope, chosen)
  const profiles = service?.merchant_profile ?? null
  return withInstrument(scope, engine.vault, { ...source, securityCode: null }, async (card) => {
    if (card.kind !== 'card') return WITHOUT
    const { document } = waiting
    const prepared = { state, told }
    const asked = { row: waiting, document, card, scenario: null, browser, prepared, profiles }
    return authenticateNow(scope, engine, server, await orderFor(scope, engine, server, asked))
  })
}

/** By the list of EMV 3-D Secure: a system has failed for the moment. */
const UNPROVEN = {
  code: '403',
  description: 'After the challenge, the issuer could not say whether the buyer is the cardholder',
  component: 'A',
} as const

/** What the issuer says after the challenge. */
async function concludeChallenge(
  scope: Scope,
  engine: Engine,
  { waiting, challenge, server, from }: Asked,
): Promise<Exclude<Authenticated, { next: 'refuse' }> | Refused> {
  const amount = amountIn({ row: waiting, document: waiting.document })
  const { state } = openState(engine, waiting.id, challenge)
  const order = {
    transactionId: waiting.id,
    scheme: waiting.payment_method_scheme ?? 'other',
    version: challenge.version ?? '',
    directoryTransactionId: challenge.directory_transaction_id,
    state,
    returned: from.sent,
  }
  const concluded = await askServer(scope, engine, server, { act: 'conclude', order })
  const isUnproven = concluded.outcome === 'done' && concluded.transactionStatus === 'U'
  if (concluded.outcome !== 'error' && !isUnproven) return after(concluded, { amount, method: 'challenge' })
  // The issuer asked the buyer, and we do not know the answer. So the card is not charged.
  const error = errorData(concluded.outcome === 'error' ? concluded : UNPROVEN)
  const events = [{ name: 'three-d-secure-request-error', context: error } as const]
  return { next: 'refuse', code: 'incomplete_buyer_approval', error, events }
}

/** Of several answers of the browser at the same time, the first one counts. */
function keepChallenge(
  scope: Scope,
  waiting: transactions.StoredTransaction,
  authenticated: Extract<Authenticated, { next: 'challenge' }>,
): Promise<void> {
  return inTransaction(scope, async (tx) => {
    const locked = await transactions.lock(tx, waiting.id)
    if (!locked || !isSameStage(locked, waiting)) return
    const { stage: _stage, ...challenge } = { ...waiting.document.challenge, ...authenticated.challenge }
    const documented = await transactions.changeDocument(tx, locked, {
      ...locked.document,
      challenge: challenge as Challenge,
    })
    const { summary: three_d_secure } = authenticated
    const changed = await transactions.change(tx, documented, { outcome: { three_d_secure } })
    await transactionEvents.record(tx, waiting.id, authenticationEvents(authenticated))
    await audit(tx, 'updated', changed)
  })
}

/** Whether nothing has been decided since, neither by the buyer nor by the issuer. */
function isSameStage(
  locked: transactions.StoredTransaction,
  { document: { challenge } }: transactions.StoredTransaction,
): boolean {
  return state.isBuyerAsked(locked) && locked.document.challenge?.sealed === challenge?.sealed
}

type Failure = Parameters<typeof failApproval>[3]

function fail(scope: Scope, engine: Engine, id: string, failure: Failure): Promise<void> {
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
  authenticated: Approval,
): Promise<void> {
  const { id } = waiting
  const held = await cards.find(scope, id)
  const plan = await planApproved(scope, engine, { waiting, held, threeDSecure: authenticated.result })
  if ('code' in plan) return fail(scope, engine, id, plan)
  const charged = await charge(scope, engine, {
    once: UNKEYED,
    plan,
    begin: (tx) =>
      begin(tx, engine, { waiting, plan, authenticated, token: held?.security_code_token ?? null }),
  })
  if ('stopped' in charged && charged.stopped) await fail(scope, engine, id, stoppedBy(charged.stopped))
}

type Approval = Extract<Authenticated, { next: 'authorize' }>

type Waiting = {
  readonly waiting: transactions.StoredTransaction
  readonly held: cards.HeldCard | undefined
  readonly threeDSecure: ThreeDSecureResult | null
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

type Approved = Pick<Waiting, 'waiting'> & {
  readonly authenticated: Approval
  readonly plan: Plan
  /** The vault's token of the security code that came with the payment. */
  readonly token: string | null
}

/** Of several approvals at the same time, one goes on. Returns undefined for the others. */
async function begin(
  tx: Scope<Tx>,
  engine: Engine,
  { waiting, plan, authenticated, token }: Approved,
): Promise<transactions.StoredTransaction | undefined> {
  const { id } = waiting
  const locked = await transactions.lock(tx, id)
  if (!locked || !isSameStage(locked, waiting)) return undefined
  // Our approval was given before, and now the provider asks for its own.
  if ((await attempts.openOf(tx, id)).length > 0) return undefined
  const transaction = await transactions.change(tx, locked, {
    ...state.PROCESSING,
    payment_service_id: plan.services[0].service.id,
    outcome: { approval_url: null, three_d_secure: authenticated.summary, ...shownAs(plan.presented) },
  })
  await transactionEvents.record(tx, id, authenticationEvents(authenticated))
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
