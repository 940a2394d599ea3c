import type { Scope } from '#platform/db.ts'
import * as attempts from '#processing/attempts/store.ts'
import { describeCondition } from '#resources/flows/conditions/describe.ts'
import type { StoredRule } from '#resources/flows/schemas.ts'
import { rulesAt } from '#resources/flows/show.ts'
import * as flows from '#resources/flows/store.ts'
import * as paymentServices from '#resources/payment-services/store.ts'
import type { DecisionCandidate, DecisionStep, PassedRule, TransactionDecision } from '../decision/schemas.ts'
import * as transactionEvents from '../events/store.ts'
import type { StoredTransaction } from '../store.ts'
import { type FoundDecision, findDecision } from './find-decision.ts'

/** Why a payment went where it went: the event of the payment, read with the version of the rules that it names. */
export async function explainDecision(
  scope: Scope,
  { id }: Pick<StoredTransaction, 'id'>,
): Promise<TransactionDecision> {
  const decision = await findDecision(scope, id)
  const version = decision && (await flows.find(scope, decision.version))
  const candidates = await findCandidates(scope, id, decision)
  const steps = (decision?.steps ?? []).map((step) => explainStep(step, version?.rules ?? []))
  return {
    type: 'decision',
    transaction_id: id,
    version: decision?.version ?? null,
    summary: summarize(steps, candidates),
    steps,
    candidates,
  }
}

/** A step as a payment keeps it, in words. */
export function explainStep(
  kept: Pick<FoundDecision['steps'][number], 'flow' | 'action' | 'rule_id' | 'passed'>,
  rules: readonly StoredRule[],
): DecisionStep {
  const own = rulesAt(rules, kept)
  const position = own.findIndex(({ id }) => id === kept.rule_id)
  const rule = own[position]
  return {
    flow: kept.flow,
    action: kept.action,
    rule: rule ? nameRule(rule, position) : null,
    passed_over: kept.passed.flatMap((index, place) => {
      const passed = own[place]
      return passed ? [explainPassed(passed, place, index)] : []
    }),
    text: rule ? `${titleOf(rule, position)} ${VERBS[kept.action]}.` : `No rule ${VERBS[kept.action]}.`,
  }
}

const VERBS: Readonly<Record<DecisionStep['action'], string>> = {
  'decline-early': 'declined the payment',
  'skip-3ds': 'decided about 3-D Secure',
  'route-transaction': 'chose the payment services',
  'select-payment-options': 'chose the payment options',
}

function nameRule({ id, description }: StoredRule, position: number) {
  return { id, position, description }
}

function titleOf({ description }: StoredRule, position: number): string {
  return description === null ? `The rule at position ${position}` : `The rule “${description}”`
}

/** The payment keeps a number for each rule: see `Step`. */
function explainPassed(rule: StoredRule, position: number, index: number): PassedRule {
  const isUnknown = index < 0
  const condition = rule.conditions[isUnknown ? -1 - index : index]
  const what = condition ? describeCondition(condition) : 'one of its conditions'
  const because = isUnknown ? 'not_known' : 'not_met'
  const text = isUnknown
    ? `${titleOf(rule, position)} was passed over: the payment does not tell whether ${what}.`
    : `${titleOf(rule, position)} was passed over: it wants that ${what}.`
  return { rule: nameRule(rule, position), ...(condition && { condition }), because, text }
}

const ATTEMPTS_MAX = 100

/** Those of the rule, and those that events or attempts of the payment name. */
async function findCandidates(
  scope: Scope,
  transactionId: string,
  decision: FoundDecision | undefined,
): Promise<DecisionCandidate[]> {
  const asked = (await attempts.newestOf(scope, transactionId, ATTEMPTS_MAX)).filter(
    ({ kind }) => kind === 'authorize',
  )
  const askedIds = new Set(asked.flatMap(({ service_id }) => service_id ?? []))
  const skipped = await transactionEvents.listNamed(scope, transactionId, 'payment-service-skipped')
  const reasons = new Map(
    skipped.map(({ context }) => [String(context['payment_service_id']), String(context['reason'])]),
  )
  const ids = new Set([
    ...(decision?.route ?? []).map(({ payment_service_id }) => payment_service_id),
    ...askedIds,
    ...reasons.keys(),
  ])
  const services = await paymentServices.findMany(scope, [...ids])
  return [...ids].map((id) => {
    const name = services.get(id)?.display_name ?? null
    const reason = askedIds.has(id) ? null : (reasons.get(id) ?? null)
    return {
      payment_service_id: id,
      display_name: name,
      was_asked: askedIds.has(id),
      reason,
      text: explainCandidate(name ?? 'A payment service', askedIds.has(id), reason),
    }
  })
}

function explainCandidate(name: string, wasAsked: boolean, reason: string | null): string {
  if (wasAsked) return `${name} was asked.`
  if (reason === null) return `${name} was not needed.`
  return `${name} was skipped: ${REASONS[reason] ?? reason.replaceAll('_', ' ')}.`
}

const REASONS: Readonly<Record<string, string>> = {
  inactive: 'it is switched off',
  other_method: 'it takes another payment method',
  currency_not_accepted: 'it does not accept the currency',
  country_not_accepted: 'it does not accept the country',
  not_in_rule: 'the rule does not name it',
  no_network_token: 'the card has no network token for it',
  no_second_scheme: 'the card has one scheme only',
  other_service_named: 'the request names another service',
  payment_method_deleted: 'the stored card was deleted',
}

function summarize(steps: readonly DecisionStep[], candidates: readonly DecisionCandidate[]): string {
  const declining = steps.find(({ action, rule }) => action === 'decline-early' && rule !== null)
  if (declining) return declining.text
  const asked = candidates
    .filter(({ was_asked }) => was_asked)
    .map(({ display_name }) => display_name ?? 'a service')
  const where = asked.length === 0 ? 'to no payment service' : `to ${asked.join(', then to ')}`
  const routing = steps.find(({ action }) => action === 'route-transaction')
  if (routing?.rule) {
    const name = routing.rule.description ?? `at position ${routing.rule.position}`
    return `The rule “${name}” sent the payment ${where}.`
  }
  return `No rule routed the payment: it went ${where}, by the position of the services.`
}
