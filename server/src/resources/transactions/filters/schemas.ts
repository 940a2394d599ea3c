import { WRITTEN } from '#domain/written-forms.ts'
import { DateTime, OneOf, Strict, Uuid } from '#platform/http/schemas.ts'
import { type Static, type TSchema, Type } from '#platform/http/type.ts'
import { pageParameters } from '#platform/listing/pagination.ts'
import { MINOR_UNITS, optional, PAYMENT_SOURCES } from '../wire/order.ts'
import { METHODS } from '../wire/payment-method.ts'
import { STATUSES } from '../wire/transaction.ts'

const Moment = (which: string) =>
  DateTime({ description: `Only those ${which}. With a time zone, URL encoded.` })
const Sum = (which: string) =>
  Type.Integer({
    minimum: 0,
    maximum: 2_147_483_647,
    expected: MINOR_UNITS,
    description: `Only those of ${which}.`,
  })
const Text = (description: string) => Type.String({ description })
const Flag = (description: string) => Type.Boolean({ description })
const AnyOf = <Item extends TSchema>(item: Item, description: string) => Type.Array(item, { description })

const WHEN = {
  created_at_lte: Moment('created at this time or before'),
  created_at_gte: Moment('created at this time or after'),
  updated_at_lte: Moment('last updated at this time or before'),
  updated_at_gte: Moment('last updated at this time or after'),
}

const WHO = {
  buyer_id: Uuid({ description: 'Only those of this buyer.' }),
  buyer_external_identifier: Text('Only those of the buyer with this external identifier.'),
  buyer_email_address: Text('Only those of a buyer with this e-mail address.'),
  buyer_search: AnyOf(
    Type.String(),
    'Only those of a stored buyer whose display name, e-mail address or external identifier contains one of these texts, in upper or lower case, or whose id is one of them. To find guests as well, use `buyer_email_address` or `buyer_external_identifier`.',
  ),
  ip_address: Text('Only those that a buyer made from this IP address.'),
}

const WHAT = {
  id: Uuid({ description: 'Only the one with this id.' }),
  search: Text(
    'Only those with exactly this id, external identifier, id at the payment service, or id or external identifier of the buyer. The other filters are faster.',
  ),
  external_identifier: Text('Only those with this external identifier.'),
  external_identifier_contains: Type.String({
    minLength: 3,
    maxLength: 200,
    description:
      'Only those whose external identifier contains this text, in upper or lower case. No index has it: give `created_at_gte` as well, so that the search stays short.',
  }),
  reconciliation_id: Text('Only the one with this reconciliation id.'),
  metadata: AnyOf(
    Type.String(),
    'Only those whose metadata has all of these pairs. Each value is a JSON object of text to text, URL encoded. If a key is given twice, the last value counts.',
  ),
  checkout_session_id: Uuid({ description: 'Only those of this checkout session.' }),
  payment_link_id: Uuid({ description: 'Only those of this payment link.' }),
  reauthorized_from_transaction_id: Uuid({ description: 'Only those that reauthorize this one.' }),
}

const HOW_MUCH = {
  amount_eq: Sum('this amount'),
  amount_lte: Sum('this amount or less'),
  amount_gte: Sum('this amount or more'),
  currency: AnyOf(Type.String({ ...WRITTEN.currency }), 'Only those in one of these currencies. ISO 4217.'),
  country: AnyOf(Type.String({ ...WRITTEN.countryFilter }), 'Only those of one of these countries.'),
}

const HOW = {
  method: AnyOf(OneOf(METHODS), 'Only those with one of these methods.'),
  payment_method_id: Uuid({ description: 'Only those with this stored payment method.' }),
  payment_method_label: Text('Only those with exactly this label: the last four digits of a card.'),
  payment_method_scheme: AnyOf(Type.String(), 'Only those with a card of one of these schemes.'),
  payment_method_country: Type.String({
    ...WRITTEN.countryFilter,
    description: 'Only those with a payment method of this country. ISO 3166-1 alpha-2.',
  }),
  payment_method_fingerprint: Text('Only those with this card, stored or not.'),
  payment_method_bin: Text(
    'Only those with a card that begins with these 6 to 8 digits. If a card number has fewer than 16 digits, only 6 of them are known.',
  ),
  payment_service_id: AnyOf(Uuid(), 'Only those processed by one of these payment services.'),
  payment_service_transaction_id: Text('Only the one with this id at the payment service.'),
  payment_source: AnyOf(OneOf(PAYMENT_SOURCES), 'Only those from one of these sources.'),
  is_subsequent_payment: Flag('Only those that follow an earlier payment, or only those that do not.'),
  merchant_initiated: Flag('Only those that the merchant initiated, or only those that the buyer did.'),
  used_3ds: Flag('Only those with 3-D Secure, or only those without.'),
  has_gift_card_redemptions: Flag(
    'Only those that a gift card paid for, at least in part, or only those without gift cards.',
  ),
  gift_card_id: Uuid({ description: 'Only those that this stored gift card paid for.' }),
  gift_card_last4: Type.String({
    minLength: 4,
    maxLength: 4,
    description: 'Only those paid for by a gift card with these last four digits.',
  }),
}

const WHAT_BECAME_OF_IT = {
  status: AnyOf(OneOf(STATUSES), 'Only those in one of these states.'),
  error_code: AnyOf(Type.String(), 'Only those that ended with one of these codes.'),
  pending_review: Flag('Only those that wait for a review, or only those that do not.'),
  has_refunds: Flag('Only those with a completed refund, or only those without.'),
  has_settlements: Flag('Only those with a settlement, or only those without.'),
  disputed: Flag('Only those charged back, or only those not charged back.'),
}

/** A transaction must match all filters, and one of the values of each. */
export const TransactionFilters = Strict({
  ...pageParameters(500),
  ...optional(WHEN),
  ...optional(WHO),
  ...optional(WHAT),
  ...optional(HOW_MUCH),
  ...optional(HOW),
  ...optional(WHAT_BECAME_OF_IT),
})
export type TransactionFilters = Static<typeof TransactionFilters>
