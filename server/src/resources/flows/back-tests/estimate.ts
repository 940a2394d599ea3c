import { intervalOf } from '#processing/scores/score.ts'
import type { FlowBackTestResult } from './schemas.ts'
import { NOWHERE, observedAt, partsOf, type Tally } from './tally.ts'

/** Fewer payments than this say too little about a service. */
const ENOUGH = 100

export type Move = {
  readonly from: string | null
  readonly to: string
  readonly payments: number
  readonly approved: number
  /** Null: too few payments of the kind went to the new service. */
  readonly expected: { readonly approved: number; readonly low: number; readonly high: number } | null
  readonly unknown: number
  /** How many of those were approved where they went. */
  readonly unknownApproved: number
}

type Part = { readonly payments: number; readonly approved: number }

/** Payments between the same two services, with what the new one has approved of payments of the same kind. */
export function movesOf(tally: Tally): Move[] {
  const byPair = new Map<string, Move>()
  for (const [key, counts] of Object.entries(tally.moves)) {
    const [segment = '', from = NOWHERE, to = ''] = partsOf(key)
    const pair = `${from} ${to}`
    byPair.set(pair, joined(byPair.get(pair), moveOf({ segment, from, to, counts }, tally)))
  }
  return [...byPair.values()].toSorted((a, b) => b.payments - a.payments)
}

type Moved = { readonly segment: string; readonly from: string; readonly to: string; readonly counts: Part }

function moveOf({ segment, from, to, counts }: Moved, tally: Tally): Move {
  const { payments, approved } = counts
  const known = { from: from === NOWHERE ? null : from, to, payments, approved }
  // They stay where they were, so what happened to them is known.
  if (from === to) return { ...known, expected: { approved, low: approved, high: approved }, ...KNOWN }
  const seen = observedAt(tally, segment, to)
  if (!seen || seen.payments < ENOUGH)
    return { ...known, expected: null, unknown: payments, unknownApproved: approved }
  const { low, high } = intervalOf({ successes: seen.approved, failures: seen.payments - seen.approved })
  const rate = seen.approved / seen.payments
  return {
    ...known,
    expected: { approved: payments * rate, low: payments * low, high: payments * high },
    ...KNOWN,
  }
}

const KNOWN = { unknown: 0, unknownApproved: 0 }

function joined(one: Move | undefined, other: Move): Move {
  if (!one) return other
  const [a, b] = [one.expected, other.expected]
  const sum = a && b && { approved: a.approved + b.approved, low: a.low + b.low, high: a.high + b.high }
  return {
    ...one,
    payments: one.payments + other.payments,
    approved: one.approved + other.approved,
    expected: sum ?? a ?? b,
    unknown: one.unknown + other.unknown,
    unknownApproved: one.unknownApproved + other.unknownApproved,
  }
}

/** Payments of which the new service says too little are left out on both sides. */
export function estimateOf(
  moves: readonly Move[],
  { declined, unroutable }: Tally,
): FlowBackTestResult['estimate'] {
  const known = moves.filter(({ expected }) => expected !== null)
  const sum = (pick: (move: Move) => number) => known.reduce((total, move) => total + pick(move), 0)
  const stopped = declined.payments + unroutable.payments
  return {
    payments: sum(({ payments, unknown }) => payments - unknown) + stopped,
    approved_before:
      sum(({ approved, unknownApproved }) => approved - unknownApproved) +
      declined.approved +
      unroutable.approved,
    approved_after: rounded(sum(({ expected }) => expected?.approved ?? 0)),
    low: rounded(sum(({ expected }) => expected?.low ?? 0)),
    high: rounded(sum(({ expected }) => expected?.high ?? 0)),
    unknown: moves.reduce((total, { unknown }) => total + unknown, 0),
  }
}

export function rounded(value: number): number {
  return Math.round(value * 10) / 10
}
