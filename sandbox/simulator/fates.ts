const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS

/** Why buyers dispute payments. The first one has the code 610001. */
export const DISPUTE_REASONS = [
  'fraudulent',
  'not_received',
  'not_as_described',
  'duplicate',
  'credit_not_processed',
  'subscription_canceled',
] as const
export type DisputeReason = (typeof DISPUTE_REASONS)[number]

export function disputeCodeOf(reason: DisputeReason): string {
  return String(610001 + DISPUTE_REASONS.indexOf(reason))
}

/** Why a chargeback was made, as its entry says it. */
export function reasonOf({ description }: { readonly description: string | null }): DisputeReason {
  return DISPUTE_REASONS.find((known) => known === description) ?? 'fraudulent'
}

/** What becomes of a payment after its capture. */
export type Fate =
  | { readonly kind: 'chargeback'; readonly reason: DisputeReason; readonly isReversed: boolean }
  | { readonly kind: 'failure'; readonly afterMs: number }

const CAPTURES: ReadonlyMap<number, Fate> = new Map<number, Fate>([
  ...DISPUTE_REASONS.flatMap((reason, index) => [
    [610001 + index, chargeback(reason, false)] as const,
    [611001 + index, chargeback(reason, true)] as const,
  ]),
  [620001, { kind: 'failure', afterMs: HOUR_MS }],
  [620002, { kind: 'failure', afterMs: 3 * DAY_MS }],
])

const REFUNDS: ReadonlyMap<number, Fate> = new Map<number, Fate>([
  [630001, { kind: 'failure', afterMs: HOUR_MS }],
  [630002, { kind: 'failure', afterMs: 3 * DAY_MS }],
])

const FAILING: Fate = { kind: 'failure', afterMs: 3 * DAY_MS }

type Scenario = { readonly capture?: Fate; readonly refund?: Fate }

const SCENARIOS: Readonly<Record<string, Scenario>> = {
  disputed: { capture: chargeback('fraudulent', false) },
  reversed: { capture: chargeback('fraudulent', true) },
  failing: { capture: FAILING },
  'failing-refunds': { refund: FAILING },
}

/** Test cards: one of each scheme is disputed. */
const CARDS: ReadonlyMap<string, string> = new Map([
  ['4000000000610008', 'disputed'],
  ['5555000000610004', 'disputed'],
  ['378200000610006', 'disputed'],
  ['6011000000610000', 'disputed'],
  ['3528000000610003', 'disputed'],
  ['36000000610004', 'disputed'],
  ['6200000000610001', 'disputed'],
  ['6759000000610006', 'disputed'],
  ['4000000000611006', 'reversed'],
  ['4000000000620007', 'failing'],
  ['4000000000630006', 'failing-refunds'],
])

/** The number is compared here, and not kept. */
export function scenarioOf(number: string): string | null {
  return CARDS.get(number) ?? null
}

/** Null for most: an ordinary capture or refund stays as it is. */
export function fateOf(
  { operation, isFinal, amount }: { operation: string; isFinal: boolean; amount: number },
  scenario: string | null,
): Fate | null {
  const { capture = null, refund = null } = SCENARIOS[scenario ?? ''] ?? {}
  if (operation === 'refund') return REFUNDS.get(amount) ?? refund
  const isSale = operation === 'authorize' && isFinal
  return operation === 'capture' || isSale ? (CAPTURES.get(amount) ?? capture) : null
}

function chargeback(reason: DisputeReason, isReversed: boolean): Fate {
  return { kind: 'chargeback', reason, isReversed }
}
