/**
 * What Stripe's published test numbers do. Numbers that are not listed and pass the Luhn check are approved.
 * Sources: https://docs.stripe.com/testing for cards, /payments/sepa-debit/accept-a-payment#test-integration for
 * IBANs, /payments/ach-direct-debit/accept-a-payment#test-account-numbers for accounts.
 */

export type Decline = {
  readonly code: string
  readonly decline_code?: string
  readonly network_decline_code?: string
  readonly advice_code?: 'confirm_card_data' | 'do_not_try_again' | 'try_again_later'
  readonly message: string
}

export type CardBehaviour = {
  readonly brand?: string
  readonly decline?: Decline
  /** `required`: always. `unless_set_up`: also off session, unless the card was set up before. `supported`: on request. */
  readonly authentication?: 'required' | 'unless_set_up' | 'supported' | 'not_supported'
  readonly checks?: Partial<Record<'address_line1_check' | 'address_postal_code_check' | 'cvc_check', string>>
  /** Blocked by Stripe's own fraud rules, before the bank is asked. */
  readonly isBlocked?: true
  readonly dispute?: 'fraudulent' | 'product_not_received' | 'inquiry'
  readonly refund?: 'pending' | 'fails_later'
}

const DECLINED = 'Your card was declined.'
const decline = (code: string, over: Partial<Decline> = {}): Decline => ({
  code,
  message: DECLINED,
  ...over,
})
const declined = (decline_code: string, network: string, over: Partial<Decline> = {}): Decline =>
  decline('card_declined', { decline_code, network_decline_code: network, ...over })

export const TEST_CARDS: Readonly<Record<string, CardBehaviour>> = {
  '4242424242424242': { authentication: 'supported' },
  '4000056655665556': {},
  '5555555555554444': { authentication: 'supported' },
  '378282246310005': { authentication: 'not_supported' },
  '6011111111111117': {},
  '3056930009020004': {},
  '3566002020360505': {},
  '6200000000000005': {},
  '4000000000000002': { decline: declined('generic_decline', '05') },
  '4000000000009995': {
    decline: declined('insufficient_funds', '51', { advice_code: 'try_again_later' }),
  },
  '4000000000009987': { decline: declined('lost_card', '41', { advice_code: 'do_not_try_again' }) },
  '4000000000009979': { decline: declined('stolen_card', '43', { advice_code: 'do_not_try_again' }) },
  '4000000000006975': { decline: declined('card_velocity_exceeded', '65') },
  '4000000000000069': {
    decline: decline('expired_card', { message: 'Your card has expired.', network_decline_code: '54' }),
  },
  '4000000000000127': {
    decline: decline('incorrect_cvc', { message: "Your card's security code is incorrect." }),
    checks: { cvc_check: 'fail' },
  },
  '4000000000000119': {
    decline: decline('processing_error', { message: 'An error occurred while processing your card.' }),
  },
  '4000000000000341': { decline: declined('generic_decline', '05') },
  '4100000000000019': { isBlocked: true },
  '4000000000004954': { isBlocked: true },
  '4000000000000101': { checks: { cvc_check: 'fail' } },
  '4000000000000036': { checks: { address_postal_code_check: 'fail' } },
  '4000000000000028': { checks: { address_line1_check: 'fail' } },
  '4000000000000010': { checks: { address_line1_check: 'fail', address_postal_code_check: 'fail' } },
  '4000000000000044': {
    checks: { address_line1_check: 'unavailable', address_postal_code_check: 'unavailable' },
  },
  '4000000000000259': { dispute: 'fraudulent' },
  '4000000000002685': { dispute: 'product_not_received' },
  '4000000000001976': { dispute: 'inquiry' },
  '4000000000007726': { refund: 'pending' },
  '4000000000005126': { refund: 'fails_later' },
  '4000002500003155': { authentication: 'unless_set_up' },
  '4000002760003184': { authentication: 'required' },
  '4000000000003220': { authentication: 'required' },
  '4000000000003055': { authentication: 'supported' },
  '4000008260003178': { authentication: 'required', decline: declined('insufficient_funds', '51') },
  '4000008400001629': { authentication: 'required', decline: declined('generic_decline', '05') },
}

/** Payment methods that exist in every test account. */
export const TEST_METHODS: Readonly<Record<string, string>> = {
  pm_card_visa: '4242424242424242',
  pm_card_mastercard: '5555555555554444',
  pm_card_amex: '378282246310005',
  pm_card_chargeDeclined: '4000000000000002',
  pm_card_visa_chargeDeclined: '4000000000000002',
  pm_card_visa_chargeDeclinedInsufficientFunds: '4000000000009995',
  pm_card_visa_chargeDeclinedLostCard: '4000000000009987',
  pm_card_visa_chargeDeclinedStolenCard: '4000000000009979',
  pm_card_chargeDeclinedExpiredCard: '4000000000000069',
  pm_card_chargeDeclinedIncorrectCvc: '4000000000000127',
  pm_card_chargeDeclinedProcessingError: '4000000000000119',
  pm_card_radarBlock: '4100000000000019',
  pm_card_cvcCheckFail: '4000000000000101',
  pm_card_avsZipFail: '4000000000000036',
  pm_card_avsLine1Fail: '4000000000000028',
  pm_card_avsFail: '4000000000000010',
  pm_card_avsUnchecked: '4000000000000044',
  pm_card_createDispute: '4000000000000259',
  pm_card_createDisputeProductNotReceived: '4000000000002685',
  pm_card_createDisputeInquiry: '4000000000001976',
  pm_card_pendingRefund: '4000000000007726',
  pm_card_refundFail: '4000000000005126',
  pm_card_authenticationRequired: '4000002760003184',
  pm_card_threeDSecure2Required: '4000000000003220',
}

export type DebitBehaviour = {
  readonly failure?: Decline
  /** The bank takes the money back at once. */
  readonly isDisputed?: true
}

const returned = (code: string, message: string): DebitBehaviour => ({ failure: { code, message } })

export const TEST_IBANS: Readonly<Record<string, DebitBehaviour>> = {
  AT611904300234573201: {},
  DE89370400440532013000: {},
  AT861904300235473202: returned('payment_intent_payment_attempt_failed', 'The payment failed.'),
  DE62370400440532013001: returned('payment_intent_payment_attempt_failed', 'The payment failed.'),
  AT591904300235473203: { isDisputed: true },
  DE35370400440532013002: { isDisputed: true },
}

export const TEST_ACCOUNTS: Readonly<Record<string, DebitBehaviour>> = {
  '000123456789': {},
  '000111111113': returned('account_closed', 'The bank account has been closed.'),
  '000111111116': returned('no_account', 'The bank account could not be located.'),
  '000222222227': returned('insufficient_funds', 'The bank account has insufficient funds.'),
  '000333333335': returned('debit_not_authorized', 'The customer has not authorized this debit.'),
  '000555555559': { isDisputed: true },
}

export function isLuhn(number: string): boolean {
  const digits = [...number].reverse().map(Number)
  const sum = digits.reduce((total, digit, place) => {
    const doubled = place % 2 === 1 ? digit * 2 : digit
    return total + (doubled > 9 ? doubled - 9 : doubled)
  }, 0)
  return /^\d{12,19}$/.test(number) && sum % 10 === 0
}

export function brandOf(number: string): string {
  if (/^3[47]/.test(number)) return 'amex'
  if (/^(30|36|38|39)/.test(number)) return 'diners'
  if (/^35/.test(number)) return 'jcb'
  if (/^(5[1-5]|2[2-7])/.test(number)) return 'mastercard'
  if (/^62/.test(number)) return 'unionpay'
  return /^6/.test(number) ? 'discover' : 'visa'
}
