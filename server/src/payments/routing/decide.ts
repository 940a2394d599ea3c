import type { Scope } from '#platform/database/db.ts'
import { NO_SCORES, type Scores } from '#processing/scores/board.ts'
import { type CompiledVersion, evaluate, type Step } from '#resources/flows/compile-rules.ts'
import type { Facts } from '#resources/flows/conditions/facts.ts'
import type { Outcome, ServiceEntry, StoredRule } from '#resources/flows/schemas.ts'
import { entriesOf } from '#resources/flows/services-of.ts'
import { factsOf, flowsOf, type Payment } from './facts.ts'
import type { Standing } from './kept-decision.ts'
import { type Ranked, rank } from './rank.ts'

/** What rules have decided about a payment so far. */
export type Decided = {
  readonly version: number
  readonly steps: readonly Step[]
  /** The entries of the rule that routes the payment, in the order to try. Null: no rule routes it. */
  readonly route: readonly ServiceEntry[] | null
  /** What was known of the services, if the rule chose by it. */
  readonly standings: readonly Standing[] | null
  readonly threeDSecure: 'attempt' | 'force' | 'skip' | null
}

/** With the error code of a rule that declines the payment. */
type Declined = Decided & { readonly code: string | null }

const FLOW_DECLINE = 'flow_decline'
const NO_RULE = { rule: null, passed: [] }

/** Whether a rule declines the payment, before anything else is asked. */
export function declineEarly(version: CompiledVersion, payment: Payment): Declined {
  const { declining } = flowsOf(payment.document.instrument_type)
  const place = { flow: declining, action: 'decline-early' } as const
  // Most accounts decline by no rule, and their payments need not be described for it.
  const step = version.hasRules(place) ? evaluate(version, place, factsOf(payment)) : { ...place, ...NO_RULE }
  const code = step.rule && (step.rule.error_code ?? FLOW_DECLINE)
  return { version: version.number, steps: [step], route: null, standings: null, threeDSecure: null, code }
}

/** Whether rules that decline depend on what the anti-fraud service says. Then they are asked again after it. */
export function awaitsAntiFraud(version: CompiledVersion, { document }: Payment): boolean {
  const { declining } = flowsOf(document.instrument_type)
  return version.needsAntiFraud({ flow: declining, action: 'decline-early' })
}

type Asked = {
  /** What rules that decline have said. Absent: they are asked. */
  readonly declined?: Declined
  /** Whether the merchant has chosen the service. */
  readonly isNamed: boolean
  readonly findScores: () => Promise<Scores>
}

/** Whether a rule declines the payment; if none does, how to authenticate the buyer, and which services to ask. */
export async function decide(
  version: CompiledVersion,
  payment: Payment,
  { declined = declineEarly(version, payment), isNamed, findScores }: Asked,
): Promise<Declined> {
  if (declined.code !== null) return declined
  const scores = version.needsScores ? await findScores() : NO_SCORES
  return { ...decideRoute(version, payment, { declined, isNamed, scores }), code: null }
}

type Routing = { readonly declined: Decided; readonly isNamed: boolean; readonly scores: Scores }

export function decideRoute(
  version: CompiledVersion,
  payment: Payment,
  { declined, isNamed, scores }: Routing,
): Decided {
  const { routing } = flowsOf(payment.document.instrument_type)
  const facts = factsOf(payment)
  const authenticated =
    routing === 'card-transaction' ? [evaluate(version, { flow: routing, action: 'skip-3ds' }, facts)] : []
  const routed =
    isNamed || routing === null
      ? []
      : [evaluate(version, { flow: routing, action: 'route-transaction' }, facts)]
  const [{ rule } = { rule: null }] = routed
  return {
    version: version.number,
    steps: [...declined.steps, ...authenticated, ...routed],
    ...(rule ? orderOf(rule, payment, { facts, scores }) : NO_ROUTE),
    threeDSecure: authenticated[0]?.rule ? wishOf(authenticated[0].rule.outcome) : null,
  }
}

function wishOf(outcome: Outcome): Decided['threeDSecure'] {
  return outcome.type === 'three-d-secure' ? outcome.result : 'skip'
}

const NO_ROUTE = { route: null, standings: null }

type Route = Pick<Decided, 'route' | 'standings'>

/** With weights, one entry comes first, and the others follow in their order. */
function orderOf(
  { id, outcome }: StoredRule,
  payment: Payment,
  { facts, scores }: { readonly facts: Facts; readonly scores: Scores },
): Route {
  const entries = entriesOf(outcome)
  const { strategy = 'ordered' } = outcome.type === 'card-routing' ? outcome : {}
  if (outcome.type !== 'card-routing' || strategy === 'ordered') return { route: entries, standings: null }
  if (strategy === 'weighted') {
    const drawn = draw(entries, (facts.shareOf(`${id} weights`) ?? 0) * 100)
    return { route: [drawn, ...entries.filter((entry) => entry !== drawn)], standings: null }
  }
  const { order, standings }: Ranked = rank(outcome, payment, { ruleId: id, scores })
  return { route: order, standings }
}

function draw(entries: readonly ServiceEntry[], share: number): ServiceEntry {
  let end = 0
  for (const entry of entries) {
    end += entry.weight ?? 0
    if (share < end) return entry
  }
  return entries.at(-1) as ServiceEntry
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
