import { CURRENCIES } from '../../../server/src/domain/currency.ts'
import type { Option } from '../parts/fields.tsx'
import { type Filter, filterBy } from '../parts/list/filters.ts'
import type { QuickView } from '../parts/list/views.tsx'
import { optionsOf } from '../parts/values.tsx'
import { methodName, STATUSES, schemeName, sourceName } from './words.ts'

const CARD_SCHEMES =
  'accel amex bancontact carte-bancaire cirrus culiance dankort diners-club discover eftpos-australia elo hipercard jcb maestro mastercard mir nyce other pulse qcard rupay star uatp unionpay visa'

const METHODS =
  'card applepay googlepay paypal click-to-pay network-token gift-card bank id ach affirm afterpay alipay bacs bancontact becs blik boleto cashapp clearpay eps giropay gocardless ideal klarna mercadopago multibanco oxxo p24 paze pix plaid sepa sofort swish trustly upi venmo vipps wechat zippay'

/** Everything that `GET /transactions` can be narrowed by. */
export function filtersOf(services: readonly Option[]): readonly Filter[] {
  return [
    filterBy('search', 'search', 'Search', { hint: 'Id, reference, buyer id…' }),
    filterBy('choice', 'status', 'Status', { isUsual: true, options: statusOptions() }),
    filterBy('period', 'created_at', 'Created', { isUsual: true }),
    filterBy('amount', 'amount', 'Amount', { isUsual: true }),
    filterBy('choice', 'currency', 'Currency', { isUsual: true, options: CURRENCIES.map(same) }),
    filterBy('choice', 'method', 'Paid with', { isUsual: true, options: methodOptions() }),
    filterBy('text', 'buyer_search', 'Buyer', {
      isUsual: true,
      isMany: true,
      hint: 'Name, e-mail address, id',
    }),
    filterBy('choice', 'payment_service_id', 'Service', { options: services }),
    filterBy('text', 'error_code', 'Reason', { isMany: true, hint: 'For example insufficient_funds' }),
    filterBy('flag', 'pending_review', 'In review'),
    filterBy('flag', 'has_refunds', 'Has refunds'),
    filterBy('flag', 'disputed', 'Disputed'),
    filterBy('flag', 'has_settlements', 'Settled'),
    filterBy('flag', 'used_3ds', '3-D Secure used'),
    filterBy('flag', 'has_gift_card_redemptions', 'Gift card used'),
    filterBy('choice', 'payment_source', 'Source', { options: sourceOptions() }),
    filterBy('flag', 'merchant_initiated', 'Merchant-initiated'),
    filterBy('flag', 'is_subsequent_payment', 'Subsequent payment'),
    filterBy('period', 'updated_at', 'Updated'),
    filterBy('text', 'country', 'Country', { isMany: true, hint: 'US, DE' }),
    filterBy('text', 'metadata', 'Metadata', { isMany: true, hint: '{"channel": "app"}' }),
    ...PAYMENT_METHOD,
    ...IDENTIFIERS,
  ]
}

const PAYMENT_METHOD: readonly Filter[] = [
  filterBy('choice', 'payment_method_scheme', 'Card scheme', { options: schemeOptions() }),
  filterBy('text', 'payment_method_label', 'Last four digits', { hint: '1111' }),
  filterBy('text', 'payment_method_bin', 'Card BIN', { hint: '411111' }),
  filterBy('text', 'payment_method_country', 'Card country', { hint: 'US' }),
  filterBy('text', 'payment_method_fingerprint', 'Card fingerprint'),
  filterBy('text', 'payment_method_id', 'Stored payment method', { hint: 'Its id' }),
  filterBy('text', 'gift_card_id', 'Gift card', { hint: 'Its id' }),
  filterBy('text', 'gift_card_last4', 'Gift card last four digits', { hint: '0001' }),
]

const IDENTIFIERS: readonly Filter[] = [
  filterBy('text', 'id', 'Transaction id'),
  filterBy('text', 'external_identifier', 'Reference', { hint: 'order-1234' }),
  filterBy('text', 'external_identifier_contains', 'Part of the reference', { hint: '1234' }),
  filterBy('text', 'reconciliation_id', 'Reconciliation id'),
  filterBy('text', 'payment_service_transaction_id', 'Id at the service'),
  filterBy('text', 'buyer_id', 'Buyer id'),
  filterBy('text', 'buyer_external_identifier', 'Buyer’s reference'),
  filterBy('text', 'buyer_email_address', 'E-mail address', { hint: 'ada@example.com' }),
  filterBy('text', 'ip_address', 'IP address'),
  filterBy('text', 'checkout_session_id', 'Checkout session'),
  filterBy('text', 'payment_link_id', 'Payment link'),
  filterBy('text', 'reauthorized_from_transaction_id', 'Reauthorized from'),
]

/** What people open the list for. */
export const VIEWS: readonly QuickView[] = [
  { label: 'All', search: {} },
  { label: 'Captured', search: { status: 'capture_succeeded' } },
  { label: 'Authorized', search: { status: 'authorization_succeeded' } },
  { label: 'Declined', search: { status: ['authorization_declined', 'authorization_failed'] } },
  { label: 'Waiting', search: { status: ['processing', 'capture_pending', 'authorization_void_pending'] } },
  { label: 'In review', search: { pending_review: 'true' } },
  { label: 'Refunded', search: { has_refunds: 'true' } },
  { label: 'Disputed', search: { disputed: 'true' } },
]

const SOURCES = 'ecommerce moto recurring installment card_on_file'

export function methodOptions(): Option[] {
  return named(METHODS, methodName)
}

export function schemeOptions(): Option[] {
  return named(CARD_SCHEMES, schemeName)
}

export function sourceOptions(): Option[] {
  return named(SOURCES, sourceName)
}

export function statusOptions(): Option[] {
  return optionsOf(STATUSES)
}

function named(words: string, name: (word: string) => string): Option[] {
  return words.split(' ').map((value) => ({ value, label: name(value) }))
}

function same(value: string): Option {
  return { value, label: value }
}
