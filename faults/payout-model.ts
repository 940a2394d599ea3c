/** A payout as a caller knows it. */
export type Payout = {
  readonly status: 'pending' | 'succeeded' | 'declined' | 'failed'
  readonly amount: number
}

export type PayoutOrder = {
  readonly amount: number
  /** At a processor that answers later. */
  readonly isSlow: boolean
}

const DECLINED = 530_001
const FAILED = 530_002

/** Amounts that the simulated processor treats specially. docs/guide/simulator.md lists all. */
export const SPECIAL_PAYOUTS = [0, DECLINED, FAILED]

/** The payout, or undefined when the request is refused. */
export function afterPayingOut({ amount, isSlow }: PayoutOrder): Payout | undefined {
  if (amount === 0) return undefined
  if (amount === DECLINED) return { amount, status: 'declined' }
  if (amount === FAILED) return { amount, status: 'failed' }
  return { amount, status: isSlow ? 'pending' : 'succeeded' }
}

/** A notification ends a pending payout. Later ones are taken if they agree, and refused if they do not. */
export function afterNotice(
  payout: Payout,
  isGood: boolean,
): { readonly code: number; readonly after: Payout } {
  if (payout.status === 'pending') {
    return { code: 204, after: { ...payout, status: isGood ? 'succeeded' : 'declined' } }
  }
  return { code: isGood === (payout.status === 'succeeded') ? 204 : 400, after: payout }
}
