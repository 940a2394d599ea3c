import type { Facts, SyncAnswer } from '#connectors/contract/connector.ts'

/*
 * What card schemes want after a decline. Schemes change these rules, and charge for retries against them: this is the only
 * place that names a code or a limit. docs/guide/retries.md shows both tables, and a test compares them.
 */

/** A code in an answer by which a scheme says what to do with the card. */
export type Advice = {
  readonly kind: 'merchant_advice_code' | 'response_code'
  readonly code: string
  /** The scheme whose code it is. Null: providers pass it on for every scheme. */
  readonly scheme: string | null
  /**
   * `never`: not with this card, until it changes. `later`: not before `hours` have passed. `other_data`: not with the same
   * details of the card.
   */
  readonly action: 'never' | 'later' | 'other_data'
  readonly hours: number | null
  /**
   * `same_amount`: stops payments that the merchant initiates, and the same amount by the buyer. `merchant`: stops payments that
   * the merchant initiates, after one of these.
   */
  readonly stops: 'same_amount' | 'merchant'
  readonly meaning: string
}

const mac = (
  code: string,
  action: Advice['action'],
  meaning: string,
  hours: number | null = null,
): Advice => ({
  kind: 'merchant_advice_code',
  code,
  scheme: action === 'never' ? null : 'mastercard',
  action,
  hours,
  stops: 'same_amount',
  meaning,
})

const category1 = (code: string, meaning: string): Advice => ({
  kind: 'response_code',
  code,
  scheme: 'visa',
  action: 'never',
  hours: null,
  stops: 'merchant',
  meaning,
})

/** Visa's 14 is of category 1 at some acquirers and of category 3 at others, so it is not here. */
export const ADVICE: readonly Advice[] = [
  mac('01', 'other_data', 'The issuer has newer details of the card.'),
  mac('02', 'later', 'The issuer cannot approve now.', 72),
  mac('03', 'never', 'Do not try again.'),
  mac('04', 'other_data', 'The token does not meet the requirements.'),
  mac('21', 'never', 'The cardholder has stopped these payments.'),
  mac('24', 'later', 'Try again after an hour.', 1),
  mac('25', 'later', 'Try again after a day.', 24),
  mac('26', 'later', 'Try again after 2 days.', 48),
  mac('27', 'later', 'Try again after 4 days.', 96),
  mac('28', 'later', 'Try again after 6 days.', 144),
  mac('29', 'later', 'Try again after 8 days.', 192),
  mac('30', 'later', 'Try again after 10 days.', 240),
  category1('03', 'The merchant is not valid.'),
  category1('04', 'Keep the card.'),
  category1('07', 'Keep the card: fraud.'),
  category1('12', 'The transaction is not valid.'),
  category1('15', 'There is no such issuer.'),
  category1('41', 'The card is lost.'),
  category1('43', 'The card is stolen.'),
  category1('46', 'The account is closed.'),
  category1('57', 'The cardholder may not do this.'),
  category1('62', 'The card is restricted.'),
  category1('78', 'The account was never used.'),
  category1('93', 'The law forbids it.'),
  category1('R0', 'The cardholder has stopped this payment.'),
  category1('R1', 'The cardholder has stopped all payments to the merchant.'),
  category1('R3', 'The cardholder has stopped all recurring payments.'),
]

/** How often a card may be declined within a time before it is not tried again. */
export type Limit = {
  readonly scheme: string
  readonly within_hours: number
  readonly declines_max: number
  /** `apart`: payments that the merchant initiates and those of the buyer each have the whole limit. */
  readonly counted: 'apart' | 'together'
}

const MONTH_HOURS = 720

/** For production. Sandboxes have a handful of test cards for everything, so they have no limits unless a merchant sets some. */
export const LIMITS: readonly Limit[] = [
  { scheme: 'visa', within_hours: MONTH_HOURS, declines_max: 20, counted: 'apart' },
  { scheme: 'mastercard', within_hours: 24, declines_max: 10, counted: 'together' },
  { scheme: 'mastercard', within_hours: MONTH_HOURS, declines_max: 35, counted: 'together' },
  { scheme: 'amex', within_hours: MONTH_HOURS, declines_max: 20, counted: 'together' },
  { scheme: 'discover', within_hours: MONTH_HOURS, declines_max: 20, counted: 'together' },
]

/** What the scheme advises in an answer. Undefined: nothing. */
export function adviceIn(scheme: string | null, answer: SyncAnswer): Advice | undefined {
  if (answer.outcome !== 'declined' && answer.outcome !== 'failed') return undefined
  const { merchantAdviceCode, isoResponseCode }: Facts = answer.facts
  return (
    findAdvice({ kind: 'merchant_advice_code', code: merchantAdviceCode ?? null, scheme }) ??
    findAdvice({ kind: 'response_code', code: isoResponseCode ?? null, scheme })
  )
}

export function findAdvice(said: {
  readonly kind: Advice['kind'] | null
  readonly code: string | null
  readonly scheme: string | null
}): Advice | undefined {
  return ADVICE.find(
    ({ kind, code, scheme }) =>
      kind === said.kind && code === said.code && (scheme === null || scheme === said.scheme),
  )
}
