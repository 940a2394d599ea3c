import type { Caller } from '#platform/auth.ts'
import type { Scope } from '#platform/db.ts'
import { errors, inBody } from '#platform/errors.ts'
import { type Finished, inFinalTransaction, type Once, UNKEYED } from '#platform/once.ts'
import { reasonToSkip } from '#processing/choose-services.ts'
import type { Engine } from '#processing/engine.ts'
import * as paymentServices from '#resources/payment-services/store.ts'
import { findTransaction } from '#resources/transactions/find.ts'
import { type Decided, decideRoute, declineEarly, paymentOf } from '#resources/transactions/flow/decide.ts'
import { explainStep } from '#resources/transactions/flow/explain.ts'
import type { Payment } from '#resources/transactions/flow/facts-of.ts'
import { paymentOfStored } from '#resources/transactions/flow/find-payment.ts'
import { needOf } from '#resources/transactions/need-of.ts'
import { prepare } from '#resources/transactions/preparation/prepare.ts'
import { isForReview } from '#resources/transactions/review.ts'
import type { TransactionCreate } from '#resources/transactions/wire/transaction.ts'
import { type CompiledVersion, compileVersion } from '../compile-rules.ts'
import type { Condition } from '../conditions/schemas.ts'
import type { StoredRule } from '../schemas.ts'
import * as flows from '../store.ts'
import type { DraftRule, FlowDryRun, FlowDryRunCreate } from './schemas.ts'

export type Tried = {
  readonly once: Once
  readonly request: FlowDryRunCreate
  readonly caller: Caller
  readonly address: string
}

/** Decides about a payment as the rules would. Nothing is written, opened or sent. */
export async function dryRun(scope: Scope, engine: Engine, tried: Tried): Promise<Finished<FlowDryRun>> {
  const rules = await findRules(scope, tried.request)
  const { payment, need } = await findSubject(scope, engine, tried)
  const declined = rules && declineEarly(rules, payment)
  const decided =
    rules && declined && declined.code === null
      ? decideRoute(rules, payment, { declined, isNamed: need.paymentServiceId !== null })
      : declined
  const candidates = declined?.code ? [] : await findCandidates(scope, engine, need, decided)
  return inFinalTransaction(scope, tried.once, async () => ({
    type: 'flow-dry-run',
    version: tried.request.rules ? null : (rules?.number ?? null),
    error_code: declined?.code ?? null,
    three_d_secure: decided?.threeDSecure ?? null,
    steps: (decided?.steps ?? []).map((step) =>
      explainStep({ ...step, rule_id: step.rule?.id ?? null }, rules?.rules ?? []),
    ),
    candidates,
  }))
}

async function findRules(
  scope: Scope,
  { version, rules }: FlowDryRunCreate,
): Promise<CompiledVersion | null> {
  if (rules) return compileVersion({ number: 0, rules: rules.map(draft) })
  const found = version === undefined ? await flows.newest(scope) : await flows.find(scope, version)
  if (version !== undefined && !found) {
    const message = 'there is no such version: GET /flows/versions lists them'
    throw errors.invalid(inBody('/version', 'value_error.not_found', message))
  }
  return found ? compileVersion(found) : null
}

/** A draft has no id yet, and a split needs one. Its place is its name until then. */
function draft(rule: DraftRule, index: number): StoredRule {
  return {
    id: `00000000-0000-0000-0000-${String(index).padStart(12, '0')}`,
    flow: rule.flow,
    action: rule.action,
    description: rule.description ?? null,
    conditions: rule.conditions as Condition[],
    outcome: rule.outcome,
    error_code: rule.error_code ?? null,
    created_at: '',
    updated_at: '',
  }
}

type Subject = { readonly payment: Payment; readonly need: ReturnType<typeof needOf> }

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
  return { payment: await paymentOfStored(scope, stored), need }
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
  return { payment: paymentOf(scope, prepared, decision), need }
}

/** Those of the rule in its order, or all by position; then those that would be skipped. */
async function findCandidates(
  scope: Scope,
  { providers }: Engine,
  need: Subject['need'],
  decided: Decided | null,
): Promise<FlowDryRun['candidates']> {
  const services = await paymentServices.listLive(scope)
  const ids = decided?.route?.map(({ payment_service_id }) => payment_service_id)
  const judged = services.map((service) => ({
    payment_service_id: service.id,
    display_name: service.display_name,
    reason: service.active
      ? (reasonToSkip(service, providers.connectors, need) ??
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
