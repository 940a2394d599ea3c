import { CURRENCIES } from '../../../server/src/domain/currency.ts'
import type { Option } from '../parts/fields.tsx'
import type { Filter } from '../parts/list/filters.ts'
import type { QuickView } from '../parts/list/views.tsx'
import { methodName, STATUSES, schemeName, sourceName } from './words.ts'

const CARD_SCHEMES =
  'accel amex bancontact carte-bancaire cirrus culiance dankort diners-club discover eftpos-australia elo hipercard jcb maestro mastercard mir nyce other pulse qcard rupay star uatp unionpay visa'

const METHODS =
  'card applepay googlepay paypal click-to-pay network-token gift-card bank id ach affirm afterpay alipay bacs bancontact becs blik boleto cashapp clearpay eps giropay gocardless ideal klarna mercadopago multibanco oxxo p24 paze pix plaid sepa sofort swish trustly upi venmo vipps wechat zippay'

/** Everything that `GET /transactions` can be narrowed by. */
export function filtersOf(services: readonly Option[]): readonly Filter[] {
  return [
    { id: 'search', label: 'Search', kind: 'search', hint: 'Id, reference, buyer id…' },
    { id: 'status', label: 'Status', kind: 'choice', isUsual: true, options: statusOptions() },
    { id: 'created_at', label: 'Created', kind: 'period', isUsual: true },
    { id: 'amount', label: 'Amount', kind: 'amount', isUsual: true },
    { id: 'currency', label: 'Currency', kind: 'choice', isUsual: true, options: CURRENCIES.map(same) },
    { id: 'method', label: 'Paid with', kind: 'choice', isUsual: true, options: methodOptions() },
    {
      id: 'buyer_search',
      label: 'Buyer',
      kind: 'text',
      isUsual: true,
      isMany: true,
      hint: 'Name, e-mail address, id',
    },
    { id: 'payment_service_id', label: 'Service', kind: 'choice', options: services },
    { id: 'error_code', label: 'Reason', kind: 'text', isMany: true, hint: 'For example insufficient_funds' },
    { id: 'pending_review', label: 'In review', kind: 'flag' },
    { id: 'has_refunds', label: 'Has refunds', kind: 'flag' },
    { id: 'disputed', label: 'Disputed', kind: 'flag' },
    { id: 'has_settlements', label: 'Settled', kind: 'flag' },
    { id: 'used_3ds', label: '3-D Secure used', kind: 'flag' },
    { id: 'has_gift_card_redemptions', label: 'Gift card used', kind: 'flag' },
    { id: 'payment_source', label: 'Source', kind: 'choice', options: sourceOptions() },
    { id: 'merchant_initiated', label: 'Merchant-initiated', kind: 'flag' },
    { id: 'is_subsequent_payment', label: 'Subsequent payment', kind: 'flag' },
    { id: 'updated_at', label: 'Updated', kind: 'period' },
    { id: 'country', label: 'Country', kind: 'text', isMany: true, hint: 'US, DE' },
    { id: 'metadata', label: 'Metadata', kind: 'text', isMany: true, hint: '{"channel": "app"}' },
    ...PAYMENT_METHOD,
    ...IDENTIFIERS,
  ]
}

const PAYMENT_METHOD: readonly Filter[] = [
  {
    id: 'payment_method_scheme',
    label: 'Card scheme',
    kind: 'choice',
    options: schemeOptions(),
  },
  { id: 'payment_method_label', label: 'Last four digits', kind: 'text', hint: '1111' },
  { id: 'payment_method_bin', label: 'Card BIN', kind: 'text', hint: '411111' },
  { id: 'payment_method_country', label: 'Card country', kind: 'text', hint: 'US' },
  { id: 'payment_method_fingerprint', label: 'Card fingerprint', kind: 'text' },
  { id: 'payment_method_id', label: 'Stored payment method', kind: 'text', hint: 'Its id' },
  { id: 'gift_card_id', label: 'Gift card', kind: 'text', hint: 'Its id' },
  { id: 'gift_card_last4', label: 'Gift card last four digits', kind: 'text', hint: '0001' },
]

const IDENTIFIERS: readonly Filter[] = [
  { id: 'id', label: 'Transaction id', kind: 'text' },
  { id: 'external_identifier', label: 'Reference', kind: 'text', hint: 'order-1234' },
  { id: 'external_identifier_contains', label: 'Part of the reference', kind: 'text', hint: '1234' },
  { id: 'reconciliation_id', label: 'Reconciliation id', kind: 'text' },
  { id: 'payment_service_transaction_id', label: 'Id at the service', kind: 'text' },
  { id: 'buyer_id', label: 'Buyer id', kind: 'text' },
  { id: 'buyer_external_identifier', label: 'Buyer’s reference', kind: 'text' },
  { id: 'buyer_email_address', label: 'E-mail address', kind: 'text', hint: 'ada@example.com' },
  { id: 'ip_address', label: 'IP address', kind: 'text' },
  { id: 'checkout_session_id', label: 'Checkout session', kind: 'text' },
  { id: 'payment_link_id', label: 'Payment link', kind: 'text' },
  { id: 'reauthorized_from_transaction_id', label: 'Reauthorized from', kind: 'text' },
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
  return Object.entries(STATUSES).map(([value, { label }]) => ({ value, label }))
}

function named(words: string, name: (word: string) => string): Option[] {
  return words.split(' ').map((value) => ({ value, label: name(value) }))
}

function same(value: string): Option {
  return { value, label: value }
}
