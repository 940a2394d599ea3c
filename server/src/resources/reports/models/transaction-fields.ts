/** How one field of a payment is read. */
export type Field = {
  /** What is selected, as SQL. It becomes text, or null. */
  readonly sql: string
  /** How the text is shown, if not as it is. */
  readonly show?: 'time' | 'time-of-id'
  /** How values are compared when rows are sorted, if not as text. */
  readonly isNumber?: true
  /** The tables it is read from, besides the payment's own row. */
  readonly from?: 'document' | 'service'
}

const OWN = (name: string): Field => ({ sql: `transactions.${name}` })
const AMOUNT = (name: string): Field => ({ ...OWN(name), isNumber: true })
const FLAG = (name: string): Field => ({ sql: `transactions.${name}::text` })
const SERVICE = (name: string): Field => ({ sql: `service.${name}`, from: 'service' })
const SAID = (name: string): Field => ({ sql: `transactions.outcome->>'${name}'` })
const AUTHENTICATION = "transactions.outcome->'three_d_secure'"
const BUYER = "documents.document->'buyer'->'billing_details'"
const BILLING = (name: string): Field => ({ sql: `${BUYER}->>'${name}'`, from: 'document' })
const ADDRESS = (name: string): Field => ({ sql: `${BUYER}->'address'->>'${name}'`, from: 'document' })
const TAX = (name: string): Field => ({ sql: `${BUYER}->'tax_id'->>'${name}'`, from: 'document' })

/** What gift cards paid, or got back. Few payments have any, so others are not looked up. */
const GIFT_CARDS = (column: string): Field => ({
  sql: `case when transactions.has_gift_card_redemptions then (
      select coalesce(sum(redemption.${column}), 0) from gift_card_redemptions as redemption
      where redemption.merchant_account_id = transactions.merchant_account_id
        and redemption.transaction_id = transactions.id
        and redemption.status = 'succeeded' and not redemption.is_reversed
    ) else 0 end`,
  isNumber: true,
})

/** As the API shows it. */
const INTENT_OUTCOME = `case
    when transactions.captured_amount > 0 then 'succeeded'
    when transactions.status in ('processing', 'buyer_approval_pending') then 'pending'
    when transactions.status in ('authorization_declined', 'authorization_failed') then 'failed'
    else 'succeeded' end`

/** Every field that a report on payments can have, in the order in which all of them are written. */
export const TRANSACTION_FIELDS = {
  id: OWN('id'),
  external_identifier: OWN('external_identifier'),
  status: OWN('status'),
  created_at: { ...OWN('id'), show: 'time-of-id' },
  updated_at: { ...OWN('updated_at'), show: 'time' },
  authorized_at: SAID('authorized_at'),
  captured_at: SAID('captured_at'),
  voided_at: SAID('voided_at'),
  amount: AMOUNT('amount'),
  currency: OWN('currency'),
  authorized_amount: AMOUNT('authorized_amount'),
  captured_amount: AMOUNT('captured_amount'),
  refunded_amount: AMOUNT('refunded_amount'),
  method: OWN('method'),
  scheme: OWN('payment_method_scheme'),
  payment_service_transaction_id: OWN('payment_service_transaction_id'),
  payment_service_id: OWN('payment_service_id'),
  payment_service_definition_id: SERVICE('payment_service_definition_id'),
  payment_service_display_name: SERVICE('display_name'),
  auth_response_code: SAID('auth_response_code'),
  raw_response_code: SAID('raw_response_code'),
  raw_response_description: SAID('raw_response_description'),
  error_code: OWN('error_code'),
  intent_outcome: { sql: INTENT_OUTCOME },
  metadata: { sql: "documents.document->>'metadata'", from: 'document' },
  payment_source: OWN('payment_source'),
  is_subsequent_payment: FLAG('is_subsequent_payment'),
  merchant_initiated: FLAG('merchant_initiated'),
  three_d_secure_status: { sql: `${AUTHENTICATION}->>'status'` },
  three_d_secure_eci: { sql: `${AUTHENTICATION}->'response_data'->>'eci'` },
  three_d_secure_auth_resp: { sql: `${AUTHENTICATION}->'response_data'->>'authentication_response'` },
  three_d_secure_method: { sql: `${AUTHENTICATION}->>'method'` },
  buyer_external_identifier: OWN('buyer_external_identifier'),
  billing_details_first_name: BILLING('first_name'),
  billing_details_last_name: BILLING('last_name'),
  billing_details_email_address: BILLING('email_address'),
  billing_details_phone_number: BILLING('phone_number'),
  billing_details_address_organization: ADDRESS('organization'),
  billing_details_address_house_number_or_name: ADDRESS('house_number_or_name'),
  billing_details_address_line1: ADDRESS('line1'),
  billing_details_address_line2: ADDRESS('line2'),
  billing_details_address_postal_code: ADDRESS('postal_code'),
  billing_details_address_city: ADDRESS('city'),
  billing_details_address_state: ADDRESS('state'),
  billing_details_address_state_code: ADDRESS('state_code'),
  billing_details_address_country: ADDRESS('country'),
  billing_details_tax_id_value: TAX('value'),
  billing_details_tax_id_kind: TAX('kind'),
  gift_card_redemptions_amount: GIFT_CARDS('amount'),
  gift_card_redemption_refunds_amount: GIFT_CARDS('refunded_amount'),
  settled: { sql: '(transactions.settled_currency is not null)::text' },
  settled_currency: OWN('settled_currency'),
  settled_amount: AMOUNT('settled_amount'),
} as const satisfies Record<string, Field>

export type TransactionField = keyof typeof TRANSACTION_FIELDS

export const TRANSACTION_FIELD_NAMES = Object.keys(TRANSACTION_FIELDS) as TransactionField[]
