import type { CardType } from '#domain/card.ts'
import type { CardScheme } from '#domain/card-scheme.ts'
import type {
  Intent,
  NewAirline,
  NewCartItem,
  NewGuestBuyer,
  PaymentSource,
} from '#resources/transactions/wire/order.ts'
import type { EnterClickToPay } from './schemas.ts'

declare module '#platform/database/db.ts' {
  interface Tables {
    checkout_sessions: {
      id: string
      merchant_account_id: string
      cart_items: NewCartItem[] | null
      metadata: Record<string, string> | null
      buyer: NewGuestBuyer | null
      airline: NewAirline | null
      amount: number | null
      currency: string | null
      country: string | null
      payment_service_id: string | null
      intent: Intent | null
      payment_source: PaymentSource | null
      merchant_initiated: boolean | null
      is_subsequent_payment: boolean | null
      expires_at: Date
      method: 'card' | 'id' | 'click-to-pay' | null
      payment_method_id: string | null
      number_token: string | null
      security_code_token: string | null
      security_code_expires_at: Date | null
      label: string | null
      scheme: CardScheme | null
      additional_schemes: CardScheme[] | null
      expiration_date: string | null
      fingerprint: string | null
      bin: string | null
      card_type: CardType | null
      card_issuer_name: string | null
      card_country: string | null
      click_to_pay: EnterClickToPay | null
      postal_code: string | null
      transaction_id: string | null
      created_at: Date
      updated_at: Date
    }
  }
}

export const COLUMNS = [
  'id',
  'merchant_account_id',
  'cart_items',
  'metadata',
  'buyer',
  'airline',
  'amount',
  'currency',
  'country',
  'payment_service_id',
  'intent',
  'payment_source',
  'merchant_initiated',
  'is_subsequent_payment',
  'expires_at',
  'method',
  'payment_method_id',
  'number_token',
  'security_code_token',
  'security_code_expires_at',
  'label',
  'scheme',
  'additional_schemes',
  'expiration_date',
  'fingerprint',
  'bin',
  'card_type',
  'card_issuer_name',
  'card_country',
  'click_to_pay',
  'postal_code',
  'transaction_id',
  'created_at',
  'updated_at',
] as const
