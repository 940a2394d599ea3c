import type { Code } from './pins.ts'

/** Every card of the simulated provider is in this currency. */
export const CURRENCY = 'USD'

export type Refusal = {
  readonly status: 'refused'
  readonly code: Code | 'unexpected_state'
  readonly rawCode: string
  readonly rawMessage: string
}
export type Verdict = { readonly status: 'approved' } | Refusal

type Money = { readonly amount: number; readonly currency: string }

export function judgeRedemption({ amount, currency }: Money, balance: number): Verdict {
  if (currency !== CURRENCY)
    return refused('incorrect_currency', 'other_currency', `the card is in ${CURRENCY}`)
  if (amount === 0) return refused('invalid_amount', 'zero_amount', 'nothing is to be taken')
  if (amount > balance) return refused('insufficient_funds', 'over_balance', 'more than is on the card')
  return { status: 'approved' }
}

/** The provider's own rules for giving back: never more than was taken. */
export function judgeGivingBack({ amount, currency }: Money, left: number): Verdict {
  if (currency !== CURRENCY)
    return refused('incorrect_currency', 'other_currency', `the card is in ${CURRENCY}`)
  if (amount === 0) return refused('invalid_amount', 'zero_amount', 'nothing is to be given back')
  if (amount > left) return refused('invalid_amount', 'over_redeemed', 'more than is left of the redemption')
  return { status: 'approved' }
}

/** The PIN decides the balance, so an amount has no effect. Its currency still has to be right. */
export function judgeActivation(currency: string | null): Verdict {
  if (currency === null || currency === CURRENCY) return { status: 'approved' }
  return refused('incorrect_currency', 'other_currency', `the card is in ${CURRENCY}`)
}

export function refused(code: Code | 'unexpected_state', rawCode: string, rawMessage: string): Refusal {
  return { status: 'refused', code, rawCode, rawMessage }
}
