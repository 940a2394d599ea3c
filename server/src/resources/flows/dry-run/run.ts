import { findTransaction } from '#payments/find.ts'
import { prepare } from '#payments/prepare/prepare.ts'
import { needOf, reasonToSkip } from '#payments/routing/candidates.ts'
import { type Decided, decide, paymentOf } from '#payments/routing/decide.ts'
import { explainStanding, explainStep, standingIn } from '#payments/routing/explain.ts'
import { type Payment, paymentOfStored } from '#payments/routing/facts.ts'
import { isForReview } from '#payments/state.ts'
import type { Caller } from '#platform/access/auth.ts'
import type { Scope } from '#platform/database/db.ts'
import { errors, inBody } from '#platform/http/errors.ts'
import { type Finished, inFinalTransaction, type Once, UNKEYED } from '#platform/idempotency/once.ts'
import type { Engine } from '#processing/engine.ts'
import type { Scores } from '#processing/scores/board.ts'
import * as paymentServices from '#resources/payment-services/store.ts'
import type { TransactionCreate } from '#resources/transactions/wire/transaction.ts'
import { type CompiledVersion, compileVersion } from '../compile-rules.ts'
import { findTried } from '../tried-rules.ts'
import { type FoundObjection, findObjection, type PlannedPayment } from './find-objection.ts'
import type { FlowDryRun, FlowDryRunCreate } from './schemas.ts'

export type Tried = {
  readonly once: Once
  readonly request: FlowDryRunCreate
  readonly caller: Caller
  readonly address: string
}

/** Decides about a payment as the rules would. Nothing is written, opened or sent. */
export async function dryRun(scope: Scope, engine: Engine, tried: Tried): Promise<Finished<FlowDryRun>> {
  const rules = await findRules(scope, tried.request)
  const { payment, need, planned } = await findSubject(scope, engine, tried)
  const decided =
    rules &&
    (await decide(rules, payment, {
      isNamed: need.paymentServiceId !== null,
      findScores: () => watching(scope, engine),
    }))
  const isDeclined = decided !== null && decided.code !== null
  const objection = isDeclined ? null : await findObjection(scope, engine, planned)
  const found = isDeclined ? [] : await findCandidates(scope, engine, need, decided)
  const candidates = objection?.reason ? found.map((one) => withReason(one, objection)) : found
  return inFinalTransaction(scope, tried.once, async () => ({
    type: 'flow-dry-run',
    version: tried.request.rules ? null : (rules?.number ?? null),
    error_code: decided?.code ?? null,
    three_d_secure: decided?.threeDSecure ?? null,
    objection: objection?.shown ?? null,
    steps: (decided?.steps ?? []).map((step) =>
      explainStep({ ...step, rule_id: step.rule?.id ?? null }, rules?.rules ?? []),
    ),
    candidates,
  }))
}

/** A service that would have been asked is not. */
function withReason(candidate: Candidate, { reason }: FoundObjection): Candidate {
  return { ...candidate, reason: candidate.reason ?? reason }
}

/** The scores as they are now. A dry run asks no service, so it must not be the payment that probes one. */
async function watching(scope: Scope, { scores }: Engine): Promise<Scores> {
  return { ...(await scores.of(scope)), mayProbe: () => false }
}

async function findRules(scope: Scope, request: FlowDryRunCreate): Promise<CompiledVersion | null> {
  const found = await findTried(scope, request)
  return found ? compileVersion(found) : null
}

type Candidate = FlowDryRun['candidates'][number]

type Subject = {
  readonly payment: Payment
  readonly need: ReturnType<typeof needOf>
  readonly planned: PlannedPayment
}

async function findSubject(scope: Scope, engine: Engine, tried: Tried): Promise<Subject> {
  const { transaction_id, transaction } = tried.request
  if (transaction) return prepareSubject(scope, engine, tried, transaction)
  const stored = await findTransaction(scope, transaction_id ?? '').catch(() => {
    throw errors.invalid(inBody('/transaction_id', 'value_error.not_found', 'there is no such transaction'))
  })
  const need = needOf({
    row: stored,
    document: stored.document,
    isForReview: isForReview(stored),
    isPartialAllowed: false,
    paymentServiceId: null,
  })
  return { payment: await paymentOfStored(scope, stored), need, planned: stored }
}

async function prepareSubject(
  scope: Scope,
  engine: Engine,
  { request, caller, address }: Tried,
  transaction: TransactionCreate,
): Promise<Subject> {
  const prepared = await prepare(scope, engine, { once: UNKEYED, request: transaction, caller, address })
  const decision = request.anti_fraud_decision ?? null
  const { row, document, isPartialAllowed, paymentServiceId } = prepared
  const need = needOf({
    row,
    document,
    isForReview: decision === 'review',
    isPartialAllowed,
    paymentServiceId,
  })
  return { payment: paymentOf(scope, prepared, decision), need, planned: { ...row, document } }
}

/** Those of the rule in its order, or all by position; then those that would be skipped. */
async function findCandidates(
  scope: Scope,
  { providers }: Engine,
  need: Subject['need'],
  decided: Decided | null,
): Promise<Candidate[]> {
  const services = await paymentServices.listLive(scope)
  const ids = decided?.route?.map(({ payment_service_id }) => payment_service_id)
  const standings = new Map(services.map(({ id }) => [id, standingIn(decided?.standings ?? [], id)] as const))
  const textOf = (id: string) => {
    const standing = standings.get(id)
    return standing ? explainStanding(standing) : null
  }
  const judged = services.map((service) => ({
    payment_service_id: service.id,
    display_name: service.display_name,
    standing: standings.get(service.id) ?? null,
    text: textOf(service.id),
    reason: service.active
      ? (reasonToSkip(service, providers.connectors, need)?.reason ??
        (ids && !ids.includes(service.id) ? 'not_in_rule' : null))
      : 'inactive',
  }))
  const placeOf = (id: string) => ids?.indexOf(id) ?? 0
  const able = judged.filter(({ reason }) => reason === null)
  return [
    ...able.toSorted((a, b) => placeOf(a.payment_service_id) - placeOf(b.payment_service_id)),
    ...judged.filter(({ reason }) => reason !== null),
  ]
}
