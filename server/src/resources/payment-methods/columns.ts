import type { BankScheme } from '#domain/bank-account.ts'
import type { CardType } from '#domain/card.ts'
import type { CardScheme } from '#domain/card-scheme.ts'
import type { PaymentMethodSummary, Status } from './schemas.ts'

export type CardFields = {
  readonly label: string
  readonly scheme: CardScheme
  readonly additionalSchemes: readonly CardScheme[]
  readonly expirationDate: string
  readonly expiresOn: string
  readonly fingerprint: string
  readonly bin: string
  readonly cardType: CardType | null
  readonly issuer: string | null
  readonly country: string | null
  readonly vaultToken: string
}

/** New details of a card. Without a new number, only the date has changed. */
export type Replacement = {
  readonly expirationDate: string
  readonly expiresOn: string
  readonly card: CardFields | null
}

declare module '#platform/database/db.ts' {
  interface Tables {
    payment_methods: {
      id: string
      merchant_account_id: string
      method: string
      mode: PaymentMethodSummary['mode']
      status: Status
      buyer_id: string | null
      external_identifier: string | null
      label: string | null
      country: string | null
      currency: string | null
      approval_url: string | null
      approval_target: PaymentMethodSummary['approval_target']
      scheme: CardScheme | null
      additional_schemes: CardScheme[] | null
      expiration_date: string | null
      expires_on: string | null
      /** Of the number in the vault, if a network token's service has told of a newer card. See `numberDate`. */
      number_label: string | null
      number_expiration_date: string | null
      fingerprint: string | null
      bin: string | null
      card_type: CardType | null
      card_issuer_name: string | null
      card_country: string | null
      bank_scheme: BankScheme | null
      payment_service_id: string | null
      vault_token: string | null
      replacement: Replacement | null
      last_replaced_at: Date | null
      scheme_transaction_id: string | null
      scheme_transaction_id_scheme: CardScheme | null
      transaction_link_id: string | null
      payment_account_reference: string | null
      usage_count: number
      last_used_at: Date | null
      cit_usage_count: number
      cit_last_used_at: Date | null
      created_at: Date
      updated_at: Date
      deleted_at: Date | null
    }
  }
}

export const COLUMNS = [
  'payment_methods.id',
  'payment_methods.merchant_account_id',
  'method',
  'mode',
  'status',
  'buyer_id',
  'payment_methods.external_identifier',
  'label',
  'country',
  'currency',
  'approval_url',
  'approval_target',
  'scheme',
  'additional_schemes',
  'expiration_date',
  'fingerprint',
  'bin',
  'card_type',
  'card_issuer_name',
  'card_country',
  'bank_scheme',
  'payment_methods.payment_service_id',
  'vault_token',
  'replacement',
  'last_replaced_at',
  'scheme_transaction_id',
  'scheme_transaction_id_scheme',
  'transaction_link_id',
  'payment_account_reference',
  'number_label',
  'number_expiration_date',
  'usage_count',
  'last_used_at',
  'cit_usage_count',
  'cit_last_used_at',
  'payment_methods.created_at',
  'payment_methods.updated_at',
] as const
