import type { LockedCard } from './cards.ts'

/** The codes of gift cards that this issuer gives. */
export type Code =
  | 'invalid_gift_card'
  | 'expired_card'
  | 'inactive_card'
  | 'invalid_service_credentials'
  | 'invalid_amount'
  | 'incorrect_currency'
  | 'insufficient_funds'
  | 'suspected_fraud'
  | 'unexpected_state'

export type Refusal = {
  readonly status: 'refused'
  readonly code: Code
  readonly rawCode: string
  readonly rawMessage: string
}
export type Verdict = { readonly status: 'approved' } | Refusal

export type Money = { readonly amount: number; readonly currency: string }
type State = Pick<LockedCard, 'status' | 'expiresAt' | 'currency' | 'balance'>

export const APPROVED: Verdict = { status: 'approved' }

/** Whether a card can be used at all. */
export function judgeUse({ status, expiresAt }: State, now: Date): Verdict {
  if (status === 'inactive') return refused('inactive_card', 'inactive', 'the card was not activated yet')
  if (status === 'expired' || expiresAt === null || expiresAt <= now) {
    return refused('expired_card', 'expired', 'the card has expired')
  }
  return APPROVED
}

/** For redemptions and holds: both take from the balance. */
export function judgeTaking(card: State, money: Money, now: Date): Verdict {
  const verdict = firstRefusal(judgeUse(card, now), judgeMoney(card.currency, money))
  if (verdict.status === 'refused' || money.amount <= card.balance) return verdict
  return refused('insufficient_funds', 'over_balance', 'more than is on the card')
}

/** For redemptions from a hold. The card may have expired since. */
export function judgeTakingHeld(held: number, currency: string, money: Money): Verdict {
  const verdict = judgeMoney(currency, money)
  if (verdict.status === 'refused' || money.amount <= held) return verdict
  return refused('insufficient_funds', 'over_hold', 'more than is held')
}

/** Null when a card is activated without an amount. */
export function judgeActivation(card: State, money: Money | null): Verdict {
  if (card.status !== 'inactive') {
    return refused('unexpected_state', 'already_active', 'the card was activated before')
  }
  return money === null ? APPROVED : judgeMoney(card.currency, money)
}

export function judgeLoad(card: State, money: Money, now: Date): Verdict {
  return firstRefusal(judgeUse(card, now), judgeMoney(card.currency, money))
}

/** `left` is what was not given back yet. An expired card takes it, too. */
export function judgeGivingBack(currency: string, left: number, money: Money): Verdict {
  const verdict = judgeMoney(currency, money)
  if (verdict.status === 'refused' || money.amount <= left) return verdict
  return refused('invalid_amount', 'over_redeemed', 'more than is left of the redemption')
}

export function refused(code: Code, rawCode: string, rawMessage: string): Refusal {
  return { status: 'refused', code, rawCode, rawMessage }
}

function judgeMoney(cardCurrency: string, { amount, currency }: Money): Verdict {
  if (currency !== cardCurrency) {
    return refused('incorrect_currency', 'other_currency', `the card is in ${cardCurrency}`)
  }
  return amount > 0 ? APPROVED : refused('invalid_amount', 'zero_amount', 'an amount of nothing')
}

function firstRefusal(...verdicts: readonly Verdict[]): Verdict {
  return verdicts.find(({ status }) => status === 'refused') ?? APPROVED
}
