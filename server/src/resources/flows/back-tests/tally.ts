type Counts = { payments: number; approved: number }

/** What a back-test has counted. It is stored after every page, so it must stay small however many payments there are. */
export type Tally = {
  readonly rules: Record<string, number>
  /** Payments that the rules would decline before any service is asked. */
  readonly declined: Counts
  readonly threeDSecure: Record<string, number>
  /** Payments that were approved, declined or failed, by segment and service: what rates can be read from. */
  readonly observed: Record<string, Counts>
  /** The same payments by segment, the service that took them, and the one that the rules would ask first. */
  readonly moves: Record<string, Counts>
  /** No service could take them under the rules. */
  readonly unroutable: Counts
  undecided: number
}

export function emptyTally(): Tally {
  return {
    rules: {},
    declined: { payments: 0, approved: 0 },
    threeDSecure: {},
    observed: {},
    moves: {},
    unroutable: { payments: 0, approved: 0 },
    undecided: 0,
  }
}

/** What payments of one kind have in common. */
type CountedKind = {
  readonly fate: 'approved' | 'refused' | 'undecided'
  readonly segment: string
  readonly from: string | null
  readonly payments: number
}

/** Payments of one kind are about to be counted. */
type Counting = {
  readonly tally: Tally
  readonly kind: CountedKind
  /** By the service that the rules would ask first. */
  readonly moves: Map<string, Counts>
}

export function countKind(tally: Tally, kind: CountedKind): Counting {
  const { fate, segment, from, payments } = kind
  if (fate === 'undecided') tally.undecided += payments
  else if (from !== null) add(at(tally.observed, keyOf(segment, from)), fate, payments)
  return { tally, kind, moves: new Map() }
}

export type Counted = {
  readonly steps: readonly { readonly rule: { readonly id: string } | null }[]
  readonly threeDSecure: string | null
  readonly isDeclined: boolean
  /** Null: a rule declines the payment, or no service can take it. */
  readonly to: string | null
}

export function countPayment({ tally, kind, moves }: Counting, one: Counted): void {
  for (const { rule } of one.steps) if (rule) tally.rules[rule.id] = (tally.rules[rule.id] ?? 0) + 1
  if (one.threeDSecure) tally.threeDSecure[one.threeDSecure] = (tally.threeDSecure[one.threeDSecure] ?? 0) + 1
  if (kind.fate === 'undecided') return
  add(countsOf({ tally, kind, moves }, one), kind.fate)
}

function countsOf({ tally, kind, moves }: Counting, one: Counted): Counts {
  if (one.isDeclined) return tally.declined
  if (one.to === null) return tally.unroutable
  const known = moves.get(one.to)
  const counts = known ?? at(tally.moves, keyOf(kind.segment, kind.from ?? NOWHERE, one.to))
  if (!known) moves.set(one.to, counts)
  return counts
}

/** A payment that asked no service: it was refused before. */
export const NOWHERE = '-'
const SEPARATOR = '|'

function keyOf(...parts: readonly string[]): string {
  return parts.join(SEPARATOR)
}

export function partsOf(key: string): readonly string[] {
  return key.split(SEPARATOR)
}

export function observedAt({ observed }: Tally, segment: string, serviceId: string): Counts | undefined {
  return observed[keyOf(segment, serviceId)]
}

function at(counts: Record<string, Counts>, key: string): Counts {
  const found = counts[key] ?? { payments: 0, approved: 0 }
  counts[key] = found
  return found
}

function add(counts: Counts, fate: CountedKind['fate'], payments = 1): void {
  counts.payments += payments
  if (fate === 'approved') counts.approved += payments
}
