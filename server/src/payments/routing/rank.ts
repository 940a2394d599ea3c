import { areEnough, costSegmentsOf, feeFor } from '#processing/costs/cost.ts'
import type { Scores } from '#processing/scores/board.ts'
import { drawRate, type Random, randomFrom } from '#processing/scores/draw-rate.ts'
import { countOf, isAside, isEnough, rateOf, type Score } from '#processing/scores/score.ts'
import { segmentsOf } from '#processing/scores/segments.ts'
import type { Outcome, ServiceEntry } from '#resources/flows/schemas.ts'
import type { Payment } from './facts.ts'
import type { Standing } from './kept-decision.ts'
import { paidOf } from './paid-of.ts'

type Routing = Extract<Outcome, { type: 'card-routing' }>

export type Ranked = { readonly order: readonly ServiceEntry[]; readonly standings: readonly Standing[] }

/** A service that is set aside is tried again when it has not been asked for so long. */
const PROBE_AFTER_MS = 30_000

/** The entries of a rule in the order that its strategy gives them. Services that are set aside come last. */
export function rank(outcome: Routing, payment: Payment, given: { ruleId: string; scores: Scores }): Ranked {
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

type Known = Standing & { readonly score: Score | null }

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

function isLast({ is_aside, is_probe }: Standing): boolean {
  return is_aside && !is_probe
}

/** The highest rate, or the lowest cost. A cost that is not known comes after those that are. */
function compare(a: Standing, b: Standing): number {
  if (a.drawn !== null && b.drawn !== null) return b.drawn - a.drawn
  return (a.cost ?? Number.POSITIVE_INFINITY) - (b.cost ?? Number.POSITIVE_INFINITY) || 0
}

type Cost = Pick<Standing, 'cost' | 'cost_payments'>

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
