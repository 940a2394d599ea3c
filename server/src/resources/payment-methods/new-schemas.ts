import { ACCOUNT_TYPES } from '#domain/bank-account.ts'
import { CARD_TYPES } from '#domain/card.ts'
import { REDIRECT_METHODS } from '#domain/payment-method.ts'
import { WRITTEN } from '#domain/written-forms.ts'
import { Kind, Nullable, OneOf, RedirectUrl, Strict, Uuid } from '#platform/http/schemas.ts'
import { type Static, type TSchema, Type } from '#platform/http/type.ts'
import { BankAccountHolder } from '#resources/transactions/wire/payment-method.ts'
import { Variants } from '#resources/transactions/wire/variants.ts'
import { ExpirationDate, ExternalIdentifier } from './schemas.ts'

/** What every new payment method may have. */
const OWNER = {
  external_identifier: Type.Optional(Nullable(ExternalIdentifier)),
  buyer_id: Type.Optional(Nullable(Uuid({ description: 'The buyer to store the payment method for.' }))),
  buyer_external_identifier: Type.Optional(
    Nullable(
      Type.String({ minLength: 1, maxLength: 200, description: 'The same buyer, by your own reference.' }),
    ),
  ),
}

const StoreCard = Strict(
  {
    method: Kind('card'),
    number: Type.String({
      ...WRITTEN.cardNumber,
      description: '13 to 19 digits. Sealed in the vault and never shown again.',
    }),
    expiration_date: ExpirationDate,
    security_code: Type.Optional(
      Nullable(
        Type.String({ ...WRITTEN.securityCode, description: '3 or 4 digits. Checked, but not stored.' }),
      ),
    ),
    card_type: Type.Optional(
      Nullable(OneOf(CARD_TYPES, { description: 'Overrides what the number tells.' })),
    ),
    redirect_url: Type.Optional(
      Nullable(RedirectUrl('Where the buyer returns after approving. Cards need no approval to be stored.')),
    ),
    ...OWNER,
  },
  { title: 'StoreCard', description: 'A card by its number.' },
)
export type StoreCard = Static<typeof StoreCard>

const StoreRedirect = Strict(
  {
    method: OneOf(REDIRECT_METHODS, { description: 'A payment service must be able to store it.' }),
    country: Type.String({ ...WRITTEN.country, description: 'ISO 3166-1 alpha-2.' }),
    currency: Type.String({ ...WRITTEN.currency, description: 'ISO 4217.' }),
    redirect_url: RedirectUrl('Where the buyer returns after approving.'),
    ...OWNER,
  },
  {
    title: 'StoreRedirect',
    description: 'A method that the buyer approves on a page of its provider.',
    examples: [
      { method: 'paypal', country: 'US', currency: 'USD', redirect_url: 'https://shop.example.com/stored' },
    ],
  },
)
export type StoreRedirect = Static<typeof StoreRedirect>

const StoreSessionCard = Strict(
  {
    method: Kind('checkout-session'),
    id: Uuid({ description: 'The checkout session in which the buyer has entered a card.' }),
    ...OWNER,
  },
  {
    title: 'StoreSessionCard',
    description: 'What the buyer entered into a checkout session.',
    examples: [{ method: 'checkout-session', id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0006' }],
  },
)
export type StoreSessionCard = Static<typeof StoreSessionCard>

const SEALED = 'Sealed in the vault; only its end is shown.'

const StoreAchAccount = Strict(
  {
    method: Kind('bank'),
    scheme: Type.Optional(Kind('ach')),
    account_holder: BankAccountHolder,
    account_number: Type.String({ description: `4 to 17 digits. ${SEALED}` }),
    routing_number: Type.String({ description: 'The nine digits of the bank.' }),
    account_type: OneOf(ACCOUNT_TYPES),
    is_tokenized: Type.Optional(
      Type.Boolean({ description: 'Only false: a token in place of the number cannot be stored.' }),
    ),
    ...OWNER,
  },
  {
    title: 'StoreAchAccount',
    description: 'A bank account in the United States.',
    examples: [
      {
        method: 'bank',
        scheme: 'ach',
        account_holder: { first_name: 'Jane', last_name: 'Doe' },
        account_number: '1234567890',
        routing_number: '021000021',
        account_type: 'checking',
      },
    ],
  },
)

const StoreBacsAccount = Strict(
  {
    method: Kind('bank'),
    scheme: Type.Optional(Kind('bacs')),
    account_holder: BankAccountHolder,
    account_number: Type.String({ description: `Eight digits. ${SEALED}` }),
    routing_number: Type.String({ description: 'The sort code: six digits, with or without dashes.' }),
    ...OWNER,
  },
  {
    title: 'StoreBacsAccount',
    description: 'A bank account in the United Kingdom.',
    examples: [
      {
        method: 'bank',
        scheme: 'bacs',
        account_holder: { company_name: 'Acme Ltd' },
        account_number: '31926819',
        routing_number: '60-16-13',
      },
    ],
  },
)

const StoreSepaAccount = Strict(
  {
    method: Kind('bank'),
    scheme: Type.Optional(Kind('sepa')),
    account_holder: BankAccountHolder,
    account_number: Type.String({ description: `The IBAN. ${SEALED}` }),
    routing_number: Type.Optional(Nullable(Type.String({ description: 'The BIC.' }))),
    ...OWNER,
  },
  {
    title: 'StoreSepaAccount',
    description: 'A bank account in the euro area.',
    examples: [
      {
        method: 'bank',
        scheme: 'sepa',
        account_holder: { first_name: 'Jane', last_name: 'Doe' },
        account_number: 'DE89370400440532013000',
      },
    ],
  },
)
export type StoreBankAccount =
  | Static<typeof StoreAchAccount>
  | Static<typeof StoreBacsAccount>
  | Static<typeof StoreSepaAccount>

const StorePlaid = Strict(
  {
    method: Kind('plaid'),
    token: Type.String({ minLength: 1, description: 'The token of Plaid. Sealed in the vault.' }),
    account_id: Type.Optional(Nullable(Type.String({ description: 'Which of the accounts at Plaid.' }))),
    payment_service_id: Type.Optional(
      Nullable(Uuid({ description: 'The only service that may use the token. Left out: any that can.' })),
    ),
    ...OWNER,
  },
  {
    title: 'StorePlaid',
    description: 'A bank account that the buyer chose at Plaid.',
    examples: [{ method: 'plaid', token: 'public-sandbox-1', account_id: 'checking-1' }],
  },
)
export type StorePlaid = Static<typeof StorePlaid>

/** Every shape of a new payment method, by the name our code knows it by. */
export const NEW_METHODS = {
  card: StoreCard,
  redirect: StoreRedirect,
  'checkout-session': StoreSessionCard,
  ach: StoreAchAccount,
  bacs: StoreBacsAccount,
  sepa: StoreSepaAccount,
  plaid: StorePlaid,
} as const satisfies Record<string, TSchema>
export type NewMethodKind = keyof typeof NEW_METHODS

export const CreatePaymentMethod = Variants(
  Object.values(NEW_METHODS),
  'The payment method to store. `method` tells which one.',
  {
    title: 'CreatePaymentMethod',
    examples: [
      { method: 'card', number: '4111111111111111', expiration_date: '12/30', security_code: '123' },
    ],
  },
)
export type CreatePaymentMethod = Static<typeof CreatePaymentMethod>
