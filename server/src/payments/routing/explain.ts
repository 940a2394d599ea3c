import type { Scope } from '#platform/database/db.ts'
import { describeCondition } from '#resources/flows/conditions/describe.ts'
import type { StoredRule } from '#resources/flows/schemas.ts'
import { rulesAt } from '#resources/flows/show.ts'
import * as flows from '#resources/flows/store.ts'
import type {
  DecisionCandidate,
  DecisionStep,
  PassedRule,
  TransactionDecision,
} from '#resources/transactions/wire/decision.ts'
import type { StoredTransaction } from '../store/payments.ts'
import { explainCandidates } from './explain-candidates.ts'
import { type FoundDecision, findDecision } from './find-decision.ts'

/** Why a payment went where it went: the event of the payment, read with the version of the rules that it names. */
export async function explainDecision(
  scope: Scope,
  payment: Pick<StoredTransaction, 'id' | 'document'>,
): Promise<TransactionDecision> {
  const { id } = payment
  const decision = await findDecision(scope, payment)
  const version = decision && (await flows.find(scope, decision.version))
  const { candidates, stop } = await explainCandidates(scope, id, decision)
  const steps = (decision?.steps ?? []).map((step) => explainStep(step, version?.rules ?? []))
  return {
    type: 'decision',
    transaction_id: id,
    version: decision?.version ?? null,
    summary: stop ?? summarize(decision, steps, candidates),
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

function summarize(
  decision: FoundDecision | undefined,
  steps: readonly DecisionStep[],
  candidates: readonly DecisionCandidate[],
): string {
  const declining = steps.find(({ action, rule }) => action === 'decline-early' && rule !== null)
  if (declining) return declining.text
  const asked = candidates
    .filter(({ was_asked }) => was_asked)
    .map(({ display_name }) => display_name ?? 'a payment service')
  const where = asked.length === 0 ? 'to no payment service' : `to ${asked.join(', then to ')}`
  const routing = steps.find(({ action }) => action === 'route-transaction')
  if (routing?.rule) {
    const name = routing.rule.description ?? `at position ${routing.rule.position}`
    return `The rule “${name}” sent the payment ${where}.`
  }
  if (routing) return `No rule routed the payment: it went ${where}, by the position of the services.`
  if (decision && asked.length > 0) return `The request named the payment service: the payment went ${where}.`
  if (decision || asked.length === 0) return 'No payment service was asked.'
  return `There were no rules, so the payment went to the first service in the list that takes it: ${asked.join(', then ')}.`
}
