import { CARD_SCHEMES, type CardScheme } from '#domain/card-scheme.ts'
import { WRITTEN } from '#domain/written-forms.ts'
import { DateTime, Kind, Nullable, OneOf, Strict, Uuid } from '#platform/http/schemas.ts'
import { type Static, Type } from '#platform/http/type.ts'
import { CollectionOf, pageParameters } from '#platform/listing/pagination.ts'
import { Address, NewAddress } from '#resources/buyers/schemas.ts'
import {
  payoutOptionsOf,
  payoutOptionsOfOthers,
} from '#resources/transactions/wire/connection-options/collected.ts'
import { Amount, NewGuestBuyer, optional, TransactionBuyer } from '#resources/transactions/wire/order.ts'
import { TransactionPaymentMethod } from '#resources/transactions/wire/payment-method.ts'
import { Variants } from '#resources/transactions/wire/variants.ts'

const PAYOUT_STATUSES = ['pending', 'succeeded', 'declined', 'failed'] as const
export type PayoutStatus = (typeof PAYOUT_STATUSES)[number]

const Category = OneOf(['online_gambling'], {
  description: 'What the money is for, if the card schemes have rules for it.',
})
const Currency = Type.String({ ...WRITTEN.currency, description: 'ISO 4217.' })
const ExternalIdentifier = Type.String({ minLength: 1, maxLength: 200, description: 'Your own reference.' })

export const PayOutToCard = Strict(
  {
    method: Type.Optional(Kind('card')),
    number: Type.String({
      ...WRITTEN.cardNumber,
      description: '13 to 19 digits. We pass it on and do not store it.',
    }),
    expiration_date: Type.String({
      ...WRITTEN.expirationDate,
      minLength: 5,
      maxLength: 5,
      description: 'MM/YY.',
    }),
    ...optional({
      card_scheme: Nullable(
        OneOf(Object.keys(CARD_SCHEMES) as CardScheme[], {
          description: 'The scheme to use, if the card carries several.',
        }),
      ),
      external_identifier: Nullable(ExternalIdentifier),
    }),
  },
  {
    title: 'PayOutToCard',
    description: 'A card by its number.',
    examples: [{ method: 'card', number: '4111111111111111', expiration_date: '12/30' }],
  },
)
export type PayOutToCard = Static<typeof PayOutToCard>

export const PayOutToStoredCard = Strict(
  { method: Type.Optional(Kind('id')), id: Uuid({ description: 'The stored card.' }) },
  {
    title: 'PayOutToStoredCard',
    description: 'A stored card.',
    examples: [{ method: 'id', id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0005' }],
  },
)
export type PayOutToStoredCard = Static<typeof PayOutToStoredCard>

const MERCHANT = {
  name: Type.String({ minLength: 1, maxLength: 255 }),
  identification_number: Type.String({
    minLength: 1,
    maxLength: 200,
    description: 'The merchant’s number at the payment service or in a register.',
  }),
  phone_number: Type.String({
    ...WRITTEN.phoneNumber,
    description: 'E.164: a plus, then up to 15 digits.',
  }),
  url: Type.String({ description: 'The merchant’s web site.' }),
  merchant_category_code: Type.String({ minLength: 1, maxLength: 4, description: 'ISO 18245.' }),
}
const StatementDescriptor = Type.String({
  minLength: 5,
  maxLength: 22,
  description: 'What the statement of the card shows.',
})

const NewPayoutMerchant = Strict(
  { ...MERCHANT, statement_descriptor: StatementDescriptor, ...optional({ address: Nullable(NewAddress) }) },
  {
    title: 'NewPayoutMerchant',
    description: 'On whose behalf the money is sent, if the payment service asks for it.',
  },
)
export type NewPayoutMerchant = Static<typeof NewPayoutMerchant>

const PayoutMerchant = Strict(
  {
    type: Kind('merchant'),
    ...MERCHANT,
    statement_descriptor: Nullable(StatementDescriptor),
    address: Nullable(Address),
  },
  { title: 'PayoutMerchant', description: 'The merchant, as the request named it.' },
)
export type PayoutMerchant = Static<typeof PayoutMerchant>

const CheckoutPayoutOptions = Strict(
  {
    processing_channel_id: Type.String({ description: 'The channel to pay out through.' }),
    source_id: Type.String({ description: 'The balance to pay out from.' }),
  },
  { title: 'CheckoutPayoutOptions' },
)

const NAMED = {
  'checkout-card': Nullable(CheckoutPayoutOptions),
  'mock-card': payoutOptionsOf('mock-card'),
}

const PayoutConnectionOptions = Strict(optional({ ...NAMED, ...payoutOptionsOfOthers(NAMED) }), {
  title: 'PayoutConnectionOptions',
  description: 'Options for connectors, by their id.',
})

export const PayoutCreate = Strict(
  {
    amount: Amount({ description: 'At least 1, in the smallest unit of the currency.' }),
    currency: Currency,
    payment_service_id: Uuid({ description: 'The payment service that pays out.' }),
    payment_method: Variants([PayOutToCard, PayOutToStoredCard], 'The card that gets the money.'),
    ...optional({
      category: Nullable(Category),
      external_identifier: Nullable(ExternalIdentifier),
      buyer: Nullable(NewGuestBuyer),
      buyer_id: Nullable(Uuid({ description: 'The buyer who gets the money.' })),
      buyer_external_identifier: Nullable(
        Type.String({ minLength: 1, maxLength: 200, description: 'The same buyer, by your own reference.' }),
      ),
      merchant: Nullable(NewPayoutMerchant),
      connection_options: Nullable(PayoutConnectionOptions),
    }),
  },
  {
    title: 'PayoutCreate',
    examples: [
      {
        amount: 2500,
        currency: 'USD',
        payment_service_id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0007',
        payment_method: { method: 'card', number: '4111111111111111', expiration_date: '12/30' },
        external_identifier: 'winnings-4711',
      },
    ],
  },
)
export type PayoutCreate = Static<typeof PayoutCreate>

const PayoutPaymentService = Strict(
  {
    type: Kind('payment-service'),
    id: Uuid(),
    method: Kind('card'),
    payment_service_definition_id: Type.String({ minLength: 1, maxLength: 50 }),
    display_name: Type.String(),
  },
  { title: 'PayoutPaymentService' },
)

export const Payout = Strict(
  {
    type: Kind('payout'),
    id: Uuid(),
    merchant_account_id: Type.String(),
    status: OneOf(PAYOUT_STATUSES, {
      description:
        '`pending` while the outcome is not known. A payout that was refused becomes `succeeded` if the payment service says later that it paid.',
    }),
    amount: Amount(),
    currency: Currency,
    category: Nullable(Category),
    external_identifier: Nullable(ExternalIdentifier),
    payment_method: TransactionPaymentMethod,
    payment_service: PayoutPaymentService,
    payment_service_payout_id: Nullable(
      Type.String({ minLength: 1, description: 'The payment service’s own id of the payout.' }),
    ),
    buyer: Nullable(TransactionBuyer),
    merchant: Nullable(PayoutMerchant),
    created_at: DateTime(),
    updated_at: DateTime(),
  },
  {
    title: 'Payout',
    examples: [
      {
        type: 'payout',
        id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0050',
        merchant_account_id: 'default',
        status: 'succeeded',
        amount: 2500,
        currency: 'USD',
        category: null,
        external_identifier: 'winnings-4711',
        payment_method: {
          type: 'payment-method',
          id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0005',
          method: 'card',
          mode: 'card',
          label: '1111',
          scheme: 'visa',
          expiration_date: '12/30',
          details: { bin: '41111111', card_type: 'credit', card_issuer_name: null },
          fingerprint: 'a50b85c200ee0795d6fd33a5c66f37a4564f554355c5b46a756aac485dd168a4',
          payment_account_reference: null,
          approval_url: null,
          approval_target: null,
          country: null,
          currency: null,
          external_identifier: null,
          last_replaced_at: null,
        },
        payment_service: {
          type: 'payment-service',
          id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0007',
          method: 'card',
          payment_service_definition_id: 'mock-card',
          display_name: 'Simulator',
        },
        payment_service_payout_id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0051',
        buyer: null,
        merchant: null,
        created_at: '2026-11-15T09:30:00.000Z',
        updated_at: '2026-11-15T09:30:00.000Z',
      },
    ],
  },
)
export type Payout = Static<typeof Payout>

export const Payouts = CollectionOf(Payout, 'Payouts')

const Moment = (which: string) =>
  DateTime({ description: `Only those ${which}. With a time zone, URL encoded.` })

/** A payout must match all filters, and one of the values of each. */
export const PayoutFilters = Strict({
  ...pageParameters(),
  ...optional({
    created_at_lte: Moment('created at this time or before'),
    created_at_gte: Moment('created at this time or after'),
    updated_at_lte: Moment('last updated at this time or before'),
    updated_at_gte: Moment('last updated at this time or after'),
    external_identifier: Type.String({ description: 'Only those with this external identifier.' }),
    payment_service_payout_id: Type.String({
      description: 'Only the one with this id at the payment service.',
    }),
    status: Type.Array(OneOf(PAYOUT_STATUSES), { description: 'Only those in one of these states.' }),
  }),
})
export type PayoutFilters = Static<typeof PayoutFilters>
