import { newId } from '#domain/ids.ts'
import type { Scope } from '#platform/database/db.ts'
import { areEnough, costSegmentsOf, feeFor } from '#processing/costs/cost.ts'
import { NO_SCORES, type Scores } from '#processing/scores/board.ts'
import {
  countOf,
  drawRate,
  isAside,
  isEnough,
  paidOf,
  type Random,
  randomFrom,
  rateOf,
  type Score,
  segmentsOf,
} from '#processing/scores/score.ts'
import { type CompiledVersion, evaluate, type Step } from '#resources/flows/compile-rules.ts'
import type { Facts } from '#resources/flows/conditions/facts.ts'
import type { Outcome, ServiceEntry, StoredRule } from '#resources/flows/schemas.ts'
import { entriesOf } from '#resources/flows/services-of.ts'
import { type KeptDecision, type KeptEvent, type RankedService, writeRuns } from '../kept-decision.ts'
import { factsOf, flowsOf, type Payment } from './facts.ts'

/** What rules have decided about a payment so far. */
export type Decided = {
  readonly version: number
  readonly steps: readonly Step[]
  /** The entries of the rule that routes the payment, in the order to try. Null: no rule routes it. */
  readonly route: readonly ServiceEntry[] | null
  /** What was known of the services, if the rule chose by it. */
  readonly standings: readonly RankedService[] | null
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

type CardRouting = Extract<Outcome, { type: 'card-routing' }>

type Ranked = { readonly order: readonly ServiceEntry[]; readonly standings: readonly RankedService[] }

/** A service that is set aside is tried again when it has not been asked for so long. */
const PROBE_AFTER_MS = 30_000

/** The entries of a rule in the order that its strategy gives them. Services that are set aside come last. */
export function rank(
  outcome: CardRouting,
  payment: Payment,
  given: { ruleId: string; scores: Scores },
): Ranked {
  const { ruleId, scores } = given
  const random = randomFrom(`${payment.row.id} ${ruleId}`)
  const byService = Map.groupBy(outcome.result, ({ payment_service_id }) => payment_service_id)
  const standings = [...byService].map(([id, entries]) =>
    outcome.strategy === 'least_cost'
      ? { ...standingOf(id, payment, scores), ...costOf(id, entries, payment, scores) }
      : withDraw(standingOf(id, payment, scores), random),
  )
  const ranked = standings.toSorted(
    (a, b) =>
      Number(isLast(a)) - Number(isLast(b)) || Number(b.is_probe) - Number(a.is_probe) || compare(a, b),
  )
  const order = ranked.flatMap(({ payment_service_id: id }) => byService.get(id) ?? [])
  return { order, standings: ranked.map(({ score: _, ...standing }) => standing) }
}

type Known = RankedService & { readonly score: Score | null }

function standingOf(id: string, { row, at }: Payment, scores: Scores): Known {
  const [coarse, middle, fine] = segmentsOf(paidOf(row))
  const whole = scores.find(id, coarse)
  const segment = [fine, middle].find((name) => isKnownWell(scores.find(id, name))) ?? coarse
  const score = scores.find(id, segment) ?? null
  const is_aside = whole !== undefined && isAside(whole)
  const isWaiting = is_aside && at.getTime() - whole.last_outcome_at.getTime() >= PROBE_AFTER_MS
  return {
    payment_service_id: id,
    segment: score && segment,
    success_rate: score && rounded(rateOf(score)),
    payments: score ? Math.round(countOf(score)) : 0,
    drawn: null,
    cost: null,
    cost_payments: null,
    is_aside,
    is_probe: isWaiting && scores.mayProbe(id),
    score,
  }
}

function isKnownWell(score: Score | undefined): boolean {
  return score !== undefined && isEnough(score)
}

const UNKNOWN = { successes: 0, failures: 0 }

function withDraw(standing: Known, random: Random): Known {
  return { ...standing, drawn: rounded(drawRate(standing.score ?? UNKNOWN, random)) }
}

function isLast({ is_aside, is_probe }: RankedService): boolean {
  return is_aside && !is_probe
}

/** The highest rate, or the lowest cost. A cost that is not known comes after those that are. */
function compare(a: RankedService, b: RankedService): number {
  if (a.drawn !== null && b.drawn !== null) return b.drawn - a.drawn
  return (a.cost ?? Number.POSITIVE_INFINITY) - (b.cost ?? Number.POSITIVE_INFINITY) || 0
}

type Cost = Pick<RankedService, 'cost' | 'cost_payments'>

/** What settled payments have cost, in the finest segment with enough of them; else what stands in the rule. */
function costOf(id: string, entries: readonly ServiceEntry[], { row }: Payment, scores: Scores): Cost {
  const fees = costSegmentsOf(paidOf(row))
    .flatMap((segment) => scores.findFees(id, segment) ?? [])
    .findLast(areEnough)
  if (!fees) return { cost: costInRule(entries, row), cost_payments: null }
  return { cost: rounded(feeFor(fees, row.amount)), cost_payments: Math.round(fees.payments) }
}

const BASIS = 10_000

function costInRule(entries: readonly ServiceEntry[], { amount }: Payment['row']): number | null {
  const costs = entries.flatMap(({ cost }) =>
    cost ? [(amount * cost.basis_points) / BASIS + (cost.fixed ?? 0)] : [],
  )
  return costs.length === 0 ? null : rounded(Math.min(...costs))
}

function rounded(value: number): number {
  return Math.round(value * 10_000) / 10_000
}

/** The decision, as the document of the payment keeps it. */
export function keptOf({ version, steps, route, threeDSecure }: Decided): KeptDecision {
  const ruleOf = (wanted: Step['action']) => steps.find(({ action }) => action === wanted)?.rule ?? null
  const [declining, routing, authenticating] = [
    ruleOf('decline-early'),
    ruleOf('route-transaction'),
    ruleOf('skip-3ds'),
  ]
  const isDrawn = routing?.outcome.type === 'card-routing' && routing.outcome.strategy === 'weighted'
  const [first] = route ?? []
  return {
    version,
    ...(route && { route }),
    ...(threeDSecure && { three_d_secure: threeDSecure }),
    rule_ids: {
      ...(declining && { decline: declining.id }),
      ...(routing && { route: routing.id }),
      ...(authenticating && { three_d_secure: authenticating.id }),
    },
    ...(isDrawn && first && { variant_id: first.payment_service_id }),
  }
}

/** What the history of the payment tells of it, in its place among the events that are made before and after. */
export function keptEventOf({ clock }: Pick<Scope, 'clock'>, { steps, standings }: Decided): KeptEvent {
  const at = clock().getTime()
  const passed = steps.map((step) => [step.action, writeRuns(step.passed)])
  return { id: newId(at), at, passed: Object.fromEntries(passed), ...(standings && { standings }) }
}
