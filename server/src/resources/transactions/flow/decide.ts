import type { Scope } from '#platform/db.ts'
import { type CompiledVersion, evaluate, type Step } from '#resources/flows/compile-rules.ts'
import type { Facts } from '#resources/flows/conditions/facts.ts'
import type { Outcome, ServiceEntry } from '#resources/flows/schemas.ts'
import { entriesOf } from '#resources/flows/services-of.ts'
import type { NewEvent } from '../events/store.ts'
import { factsOf, flowsOf, type Payment } from './facts-of.ts'
import type { KeptDecision } from './kept-decision.ts'

/** What rules have decided about a payment so far. */
export type Decided = {
  readonly version: number
  readonly steps: readonly Step[]
  /** The entries of the rule that routes the payment, in the order to try. Null: no rule routes it. */
  readonly route: readonly ServiceEntry[] | null
  readonly threeDSecure: 'attempt' | 'force' | 'skip' | null
}

const FLOW_DECLINE = 'flow_decline'

/** Whether a rule declines the payment, before anything else is asked. */
export function declineEarly(
  version: CompiledVersion,
  payment: Payment,
): Decided & { readonly code: string | null } {
  const { declining } = flowsOf(payment.document.instrument_type)
  const step = evaluate(version, { flow: declining, action: 'decline-early' }, factsOf(payment))
  const code = step.rule && (step.rule.error_code ?? FLOW_DECLINE)
  return { version: version.number, steps: [step], route: null, threeDSecure: null, code }
}

/** Whether rules that decline depend on what the anti-fraud service says. Then they are asked again after it. */
export function awaitsAntiFraud(version: CompiledVersion, { document }: Payment): boolean {
  const { declining } = flowsOf(document.instrument_type)
  return version.needsAntiFraud({ flow: declining, action: 'decline-early' })
}

/**
 * How to authenticate the buyer, and which services to ask, after no rule has declined the payment. `isNamed`: the merchant has chosen
 * the service.
 */
export function decideRoute(
  version: CompiledVersion,
  payment: Payment,
  { declined, isNamed }: { readonly declined: Decided; readonly isNamed: boolean },
): Decided {
  const { routing } = flowsOf(payment.document.instrument_type)
  const facts = factsOf(payment)
  const authenticated =
    routing === 'card-transaction' ? [evaluate(version, { flow: routing, action: 'skip-3ds' }, facts)] : []
  const routed = isNamed ? [] : [evaluate(version, { flow: routing, action: 'route-transaction' }, facts)]
  const [{ rule } = { rule: null }] = routed
  return {
    version: version.number,
    steps: [...declined.steps, ...authenticated, ...routed],
    route: rule && orderOf(rule.outcome, facts, rule.id),
    threeDSecure: authenticated[0]?.rule ? wishOf(authenticated[0].rule.outcome) : null,
  }
}

function wishOf(outcome: Outcome): Decided['threeDSecure'] {
  return outcome.type === 'three-d-secure' ? outcome.result : 'skip'
}

/** With weights, one entry comes first, and the others follow in their order. */
function orderOf(outcome: Outcome, facts: Facts, salt: string): readonly ServiceEntry[] {
  const entries = entriesOf(outcome)
  if (outcome.type !== 'card-routing' || outcome.strategy !== 'weighted') return entries
  const drawn = draw(entries, (facts.shareOf(`${salt} weights`) ?? 0) * 100)
  return [drawn, ...entries.filter((entry) => entry !== drawn)]
}

function draw(entries: readonly ServiceEntry[], share: number): ServiceEntry {
  let end = 0
  for (const entry of entries) {
    end += entry.weight ?? 0
    if (share < end) return entry
  }
  return entries.at(-1) as ServiceEntry
}

/** What the history of the payment tells: one event, written with the payment. */
export function decisionEvent({ version, steps, route }: Decided): NewEvent {
  return {
    name: 'flow-decision',
    context: {
      version,
      steps: steps.map(({ flow, action, rule, passed }) => ({
        flow,
        action,
        rule_id: rule?.id ?? null,
        passed,
        outcome: rule?.outcome ?? null,
      })),
      route: route?.map(({ payment_service_id, instrument }) => ({ payment_service_id, instrument })) ?? null,
    },
  }
}

export function keptOf({ version, steps, route, threeDSecure }: Decided): KeptDecision {
  const ruleOf = (wanted: Step['action']) => steps.find(({ action }) => action === wanted)?.rule ?? null
  const routing = ruleOf('route-transaction')
  const isDrawn = routing?.outcome.type === 'card-routing' && routing.outcome.strategy === 'weighted'
  return {
    version,
    route,
    three_d_secure: threeDSecure,
    rule_ids: { route: routing?.id ?? null, three_d_secure: ruleOf('skip-3ds')?.id ?? null },
    variant_id: isDrawn ? (route?.[0]?.payment_service_id ?? null) : null,
  }
}

/** The facts of a payment that is being made. */
export function paymentOf(
  { clock }: Scope,
  prepared: Pick<Payment, 'row' | 'document'> & {
    readonly giftCards: { readonly parts: readonly { readonly bin: string | null }[] } | null
  },
  decision: Payment['decision'],
): Payment {
  const { row, document, giftCards } = prepared
  const giftCardBins = (giftCards?.parts ?? []).flatMap(({ bin }) => bin ?? [])
  return { row, document, giftCardBins, decision, at: clock() }
}
