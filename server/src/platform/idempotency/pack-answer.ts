import { deflateRawSync, inflateRawSync } from 'node:zlib'

/**
 * What most answers consist of, the most frequent at the end. Never change it: answers that were packed with it would not open
 * any more. It is a hint for the compression; answers of any other form are packed as well.
 */
const USUAL = [
  '{"type":"refund","id":"01a0-7000-8","transaction_id":"01a0-7000-8","status":"succeeded","reason":nul',
  'l,"target_type":"payment-method","capture_succeeded","authorization_declined","processing","buyer_ap',
  'proval_pending","intent":"capture","EUR","GBP","mastercard","amex","debit","credit","buyer":{"type":',
  '"buyer","id":"01a0-7000-8","external_identifier":"","display_name":"","account_number":null,"billing',
  '_details":{"first_name":"","last_name":"","email_address":"@example.com","phone_number":"+1","addres',
  's":{"city":"","country":"US","postal_code":"","state":null,"state_code":null,"house_number_or_name":',
  'null,"line1":"","line2":null,"organization":null},"tax_id":null},{"type":"transaction","id":"01a0-70',
  '00-8","reconciliation_id":"03","merchant_account_id":"default","external_identifier":null,"status":"',
  'authorization_succeeded","intent":"authorize","amount":,"currency":"USD","country":"US","authorized_',
  'amount":,"captured_amount":0,"refunded_amount":0,"settled":false,"settled_amount":0,"settled_currenc',
  'y":null,"method":"card","instrument_type":"pan","payment_method":{"type":"payment-method","id":null,',
  '"label":","scheme":"visa","expiration_date":"/","fingerprint":"","country":null,"currency":null,"ext',
  'ernal_identifier":null,"last_replaced_at":null,"details":{"bin":","card_type":"credit","card_issuer_',
  'name":"Test Bank"},"method":"card","mode":"card","payment_account_reference":null,"approval_url":nul',
  'l,"approval_target":null},"payment_service":{"type":"payment-service","id":"01a0-7000-8","payment_se',
  'rvice_definition_id":"mock-card","method":"card","display_name":"Simulator"},"buyer":null,"shipping_',
  'details":null,"checkout_session_id":null,"gift_card_redemptions":[],"gift_card_service":null,"error_',
  'code":null,"raw_response_code":"00","raw_response_description":"Approved","pending_review":false,"di',
  'sputed":false,"reauthorized_from_transaction_id":null,"created_at":"2026-","updated_at":"2026-","cap',
  'turable_amount":,"intent_outcome":"succeeded","multi_tender":false,"payment_source":"ecommerce","mer',
  'chant_initiated":false,"is_subsequent_payment":false,"account_funding_transaction":false,"metadata":',
  '{","cart_items":null,"airline":null,"statement_descriptor":null,"recipient":null,"installment_count"',
  ':null,"tax_amount":null,"amount_includes_tax":null,"merchant_tax_id":null,"purchase_order_number":nu',
  'll,"customer_reference_number":null,"supplier_order_number":null,"duty_amount":null,"shipping_amount',
  '":null,"payment_service_transaction_id":"01a0-7000-8","additional_identifiers":{},"scheme_transactio',
  'n_id":"","transaction_link_id":null,"auth_response_code":"00","iso_response_code":"00","avs_response',
  '_code":null,"cvv_response_code":"match","merchant_advice_code":null,"anti_fraud_decision":null,"thre',
  'e_d_secure":null,"session_token":null,"authorized_at":"2026-","captured_at":null,"voided_at":null,"c',
  'anceled_at":null,"approval_expires_at":null,"buyer_approval_timedout_at":null}',
].join('')

/** The buffer for a packed answer lives until the next collection of all garbage. Its usual size is too large by far for that. */
const chunkSize = 1024
const SETTINGS = { level: 3, windowBits: 13, memLevel: 6, dictionary: Buffer.from(USUAL), chunkSize }

/** A tenth of the bytes of a usual answer: its row is not spread over several tables then (docs/decisions/idempotency.md). */
export function packAnswer(text: string): Buffer {
  return deflateRawSync(text, SETTINGS)
}

export function unpackAnswer(packed: Buffer): string {
  return inflateRawSync(packed, SETTINGS).toString('utf8')
}
