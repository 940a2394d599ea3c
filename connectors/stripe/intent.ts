import type { Approval, AuthorizeAnswer, AvsResponseCode, Facts } from '#connectors/contract/connector.ts'
import { refused } from '#connectors/contract/refuse.ts'
import { MAPPING } from './mapping.ts'
import { type Body, isObject, meaningOf, refusedFor, text, unknown } from './wire.ts'

/** The part of a payment intent or of a setup intent that decides. */
export type Intent = {
  readonly id: string
  readonly kind: 'payment_intent' | 'setup_intent'
  readonly status: string
  /** In Stripe's units. 0 for a setup intent. */
  readonly amount: number
  readonly amountCapturable: number
  readonly amountReceived: number
  readonly metadata: Body
  readonly error: Body | null
  readonly nextAction: Body | null
  readonly isCardOnly: boolean
  readonly charge: Body | null
  readonly chargeId: string | null
}

type Expected = {
  readonly id?: string
  readonly attemptId?: string
  readonly amount?: number
  readonly currency?: string
}

/** Null unless it is an intent, and the one that is expected: an answer may be meant for another client. */
export function readIntent(body: unknown, expected: Expected): Intent | null {
  if (!isObject(body)) return null
  const { object: kind, id, status, metadata, latest_charge: charge } = body
  if (kind !== 'payment_intent' && kind !== 'setup_intent') return null
  if (text(id) === null || text(status) === null || !isObject(metadata)) return null
  const amount = kind === 'setup_intent' ? 0 : body['amount']
  const amountCapturable = kind === 'setup_intent' ? 0 : body['amount_capturable']
  const amountReceived = kind === 'setup_intent' ? 0 : body['amount_received']
  if (!isWhole(amount) || !isWhole(amountCapturable) || !isWhole(amountReceived)) return null
  const error = body['last_payment_error'] ?? body['last_setup_error']
  const isExpected =
    (expected.id === undefined || expected.id === id) &&
    (expected.attemptId === undefined || metadata['attempt'] === expected.attemptId) &&
    (expected.amount === undefined || expected.amount === amount) &&
    (expected.currency === undefined ||
      kind === 'setup_intent' ||
      body['currency'] === expected.currency.toLowerCase())
  if (!isExpected) return null
  return {
    id: String(id),
    kind,
    status: String(status),
    amount,
    amountCapturable,
    amountReceived,
    metadata,
    error: isObject(error) ? error : null,
    nextAction: isObject(body['next_action']) ? body['next_action'] : null,
    isCardOnly: [body['payment_method_types']].flat().every((type) => type === 'card'),
    charge: isObject(charge) ? charge : null,
    chargeId: isObject(charge) ? text(charge['id']) : text(charge),
  }
}

export const NOT_OURS = unknown('Stripe answered with something else than this payment')

/** The outcome of an authorization, by the intent that it made. */
export function toAuthorizeAnswer(intent: Intent | null, now: Date): AuthorizeAnswer {
  if (!intent) return NOT_OURS
  const { id, status } = intent
  const statuses: Readonly<Record<string, string>> = MAPPING.intentStatuses
  switch (statuses[status]) {
    case 'approved':
      return { outcome: 'approved', reference: id, facts: factsOf(intent) }
    case 'pending':
      return { outcome: 'pending', reference: id, facts: factsOf(intent) }
    case 'approval_required':
      return toApproval(intent, now)
    case 'refused':
      return toRefused(intent)
    default:
      return unknown('Stripe answered with a status that says nothing about the money')
  }
}

function toApproval({ id, kind, nextAction, isCardOnly }: Intent, now: Date): AuthorizeAnswer {
  const approval = approvalIn(nextAction)
  // A setup moves no money, and only the buyer could go on with it.
  if (approval === null && kind === 'setup_intent') {
    return refused('requires_buyer_authentication', { rawCode: 'requires_action' }, id)
  }
  if (approval === null) return unknown('Stripe asks the buyer for something that no page can do')
  const expiresAt = endOf(nextAction, now)
  return {
    outcome: 'approval_required',
    reference: id,
    // Stripe's page for 3-D Secure can be shown in a frame. Pages of other methods need the whole window.
    approval:
      isCardOnly && approval.kind === 'redirect' ? { ...approval, isForFrames: true as const } : approval,
    ...(expiresAt && { expiresAt }),
    facts: {},
  }
}

/** Where Stripe has a page for the action. Some stores of `konbini` have numbers of their own, which only the page shows. */
const PAGES: Readonly<Record<string, string>> = {
  redirect_to_url: 'url',
  verify_with_microdeposits: 'hosted_verification_url',
  alipay_handle_redirect: 'url',
  cashapp_handle_redirect_or_display_qr_code: 'hosted_instructions_url',
  konbini_display_details: 'hosted_voucher_url',
  swish_handle_redirect_or_display_qr_code: 'hosted_instructions_url',
}

function approvalIn(action: Body | null): Approval | null {
  const type = String(action?.['type'])
  const details = action?.[type]
  if (!isObject(details)) return null
  const page = PAGES[type]
  if (page !== undefined) {
    const url = text(details[page])
    return url === null ? null : { kind: 'redirect', url }
  }
  switch (type) {
    case 'pix_display_qr_code':
    case 'promptpay_display_qr_code':
    case 'wechat_pay_display_qr_code':
      return codeIn(details)
    case 'boleto_display_details':
    case 'multibanco_display_details':
    case 'oxxo_display_details':
      return voucherIn(details)
    case 'blik_authorize':
    case 'payto_await_authorization':
      return { kind: 'wait', url: null }
    default:
      return null
  }
}

function codeIn(details: Body): Approval | null {
  const code = text(details['data'])
  return code === null ? null : { kind: 'qr', text: code, url: text(details['hosted_instructions_url']) }
}

/** Multibanco has two numbers, and the buyer enters both. */
function voucherIn(details: Body): Approval | null {
  const own = text(details['number']) ?? text(details['reference'])
  if (own === null) return null
  const entity = text(details['entity'])
  const number = entity === null ? own : `${entity} ${own}`
  return { kind: 'voucher', number, url: text(details['hosted_voucher_url']) }
}

const DAY_MS = 24 * 3_600_000
/** A deposit of Stripe is in the buyer's account after one or two business days. */
const ARRIVAL_MS = 2 * DAY_MS

/** Until when the buyer can approve, if Stripe says it. */
function endOf(action: Body | null, now: Date): Date | null {
  const details = action?.[String(action['type'])]
  if (!isObject(details)) return null
  if (action?.['type'] === 'verify_with_microdeposits') return endOfVerification(details, now)
  const code = isObject(details['qr_code']) ? details['qr_code'] : {}
  const end = [details['expires_at'], details['expires_after'], code['expires_at']].find(isWhole)
  return end === undefined ? null : new Date(end * 1_000)
}

/** Stripe takes the code of the deposit for ten days. Source: https://docs.stripe.com/payments/ach-direct-debit/accept-a-payment */
function endOfVerification({ arrival_date: arrival }: Body, now: Date): Date {
  const arrivalMs = isWhole(arrival) ? arrival * 1_000 : now.getTime() + ARRIVAL_MS
  return new Date(arrivalMs + 10 * DAY_MS)
}

function toRefused(intent: Intent): AuthorizeAnswer {
  const { id, status, error, chargeId } = intent
  if (status === 'canceled') {
    const code = chargeId === null ? 'cancelled_buyer_approval' : 'expired_authorization'
    return refused(code, { rawCode: 'canceled' }, id)
  }
  // An intent begins with this status. Without an error, it was never tried.
  if (!error) return unknown('Stripe has not tried this payment yet')
  const meaning = meaningOf(402, error)
  return meaning === 'unknown' ? NOT_OURS : refusedFor(meaning, error, id)
}

function factsOf({ charge, status }: Intent): Facts {
  const outcome = isObject(charge?.['outcome']) ? charge['outcome'] : {}
  const details = isObject(charge?.['payment_method_details']) ? charge['payment_method_details'] : {}
  const card = isObject(details['card']) ? details['card'] : null
  const debit = details[String(details['type'])]
  const mandate = isObject(debit) ? text(debit['mandate']) : null
  const network = text(outcome['network_status'])
  return {
    rawCode: status,
    rawDescription: network,
    isoResponseCode: text(outcome['network_decline_code']),
    merchantAdviceCode: text(outcome['network_advice_code']),
    ...(card && cardFacts(card)),
    ...(mandate !== null && { mandate: { reference: mandate } }),
    ...(charge && { additionalIdentifiers: { stripe_charge_id: text(charge['id']) } }),
  }
}

function cardFacts(card: Body): Facts {
  const checks = isObject(card['checks']) ? card['checks'] : {}
  const cvc = text(checks['cvc_check'])
  const cvv: Readonly<Record<string, 'match' | 'no_match' | 'unavailable'>> = MAPPING.cvv
  return {
    authResponseCode: text(card['authorization_code']),
    avsResponseCode: avsOf(text(checks['address_line1_check']), text(checks['address_postal_code_check'])),
    cvvResponseCode: cvc === null ? 'not_provided' : (cvv[cvc] ?? 'unavailable'),
    schemeTransactionId: text(card['network_transaction_id']),
    transactionLinkId: text(card['transaction_link_id']),
  }
}

/** Null if no address was sent. */
function avsOf(line1: string | null, postalCode: string | null): AvsResponseCode | null {
  if (line1 === null && postalCode === null) return null
  const [one, other] = [line1, postalCode].map((check) =>
    check === 'pass' || check === 'fail' ? check : 'other',
  )
  return MAPPING.avs[`${one} ${other}`] ?? 'unavailable'
}

function isWhole(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}
