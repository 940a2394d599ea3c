/** For people at support: what happened, and what to do next. */
export const REASONS: Readonly<Record<string, string>> = {
  // The bank, the card, the buyer.
  canceled_payment_method: 'The bank has canceled this card or account. Ask the buyer for another one.',
  expired_payment_method: 'The card has expired. Ask the buyer for another card, or for its new details.',
  incorrect_billing_address:
    'The billing address is not the one that the bank knows. Ask the buyer to check it and to pay again.',
  incorrect_country:
    'The bank or the payment service refused because of the country. Check the country with the buyer, or ask for another card.',
  incorrect_currency:
    'The card or the payment service does not take this currency. Ask for another card, or charge in another currency.',
  incorrect_cvv: 'The security code is wrong. Ask the buyer to type the card again.',
  incorrect_expiry_date: 'The expiry date is wrong. Ask the buyer to type the card again.',
  insufficient_funds:
    'There is not enough money on the card or account. The buyer can pay later or use another card.',
  issuer_decline:
    'The card’s bank refused and gave no reason. The buyer can call the bank or use another card.',
  other_decline:
    'The payment was refused for a reason that has no name here. The buyer can use another card; the answer below may say more.',
  refused_transaction:
    'The bank or the payment service refused this payment. The buyer can call the bank or use another card.',
  service_decline:
    'The payment service refused, not the bank. The buyer can use another card; ask the service if it happens often.',
  suspected_fraud:
    'The payment looks like fraud, so it was refused. Do not tell the buyer the reason; say that the payment was not possible.',
  requires_buyer_authentication:
    'The bank wants the buyer to confirm the payment. Ask the buyer to pay again and to confirm with the bank.',
  unavailable_payment_method:
    'The payment method cannot be used at the moment. The buyer can try again later or pay in another way.',
  unknown_payment_method:
    'The payment service does not know this card or account. Ask the buyer to type it again or to use another one.',
  invalid_payment_method:
    'The card or account is not valid. Ask the buyer to type it again or to use another one.',
  expired_authorization:
    'The bank no longer holds the money: the authorization ran out. Ask the buyer to pay again.',
  disputed_transaction:
    'The buyer has disputed this payment at the bank. Answer the dispute; the payment itself cannot be changed.',
  cancelled_buyer_approval:
    'The buyer canceled while approving. Nothing was charged; the buyer can pay again.',
  failed_buyer_approval:
    'The bank could not confirm that this is the card’s owner. Nothing was charged; the buyer can try again or use another card.',
  incomplete_buyer_approval:
    'The buyer did not finish approving in time. Nothing was charged; the buyer can pay again.',
  canceled: 'The payment was canceled before it was paid. Nothing was charged.',

  // Rules.
  flow_decline: 'A rule of yours declines such payments. No payment service was asked; see Routing.',
  all_attempts_skipped:
    'No payment service could take this payment, so none was asked. The timeline says why for each of them.',
  retry_limit_reached:
    'The card was declined too often, so it was not tried again. Wait, or ask for another card.',
  retry_not_allowed_by_scheme:
    'After an earlier decline the card scheme said not to try this card again. Ask for another card, or for its new details.',
  retry_too_early_for_scheme:
    'The card scheme said to wait before trying this card again. The timeline says until when; or ask for another card.',

  // What the request lacks.
  duplicate_transaction:
    'The payment service has seen the same payment before. Look for the first one before the buyer pays again.',
  missing_redirect_url:
    'The bank wants to ask the buyer, but the shop gave no address to return to. Tell your developers; nothing was charged.',
  missing_billing_address: 'The billing address is missing. Ask the buyer for it and pay again.',
  missing_shipping_address: 'The shipping address is missing. Ask the buyer for it and pay again.',
  missing_cvv: 'The security code is missing. Ask the buyer to type the card again.',
  missing_tax_identifier: 'The buyer’s tax number is missing. Ask the buyer for it and pay again.',
  invalid_billing_address: 'The billing address is not valid. Ask the buyer to check it and to pay again.',
  invalid_shipping_address: 'The shipping address is not valid. Ask the buyer to check it and to pay again.',
  invalid_tax_identifier: 'The buyer’s tax number is not valid. Ask the buyer to check it and to pay again.',
  invalid_amount:
    'The payment service does not take this amount. It may be too small or too large; check it and pay again.',

  // What the service does not take.
  unsupported_transaction:
    'The payment service cannot do this kind of payment. Use another payment service or another way to pay.',
  unsupported_payment_method:
    'The payment service does not take this way to pay. Ask the buyer to pay in another way.',
  unsupported_country:
    'The payment service does not take payments from this country. Use another payment service or another way to pay.',
  unsupported_currency: 'The payment service does not take this currency. Use another service or currency.',
  unsupported_scheme: 'The payment service does not take cards of this scheme. Ask for another card.',
  unrecognised_country: 'The payment service does not know this country. Tell your developers.',
  unrecognised_currency: 'The payment service does not know this currency. Tell your developers.',
  unrecognised_payment_method: 'The payment service does not know this way to pay. Tell your developers.',
  unrecognised_scheme: 'The payment service does not know the scheme of this card. Ask for another card.',

  // The connection to the service.
  insufficient_service_permissions:
    'Your account at the payment service may not do this. Ask the service to allow it.',
  invalid_service_configuration:
    'The payment service is not set up correctly. Check its settings under Connections.',
  invalid_service_credentials:
    'The payment service does not accept your credentials. Renew them in its settings under Connections.',
  invalid_service_request:
    'The payment service could not read the request. Tell your developers; the provider exchanges show it.',
  invalid_service_response:
    'The payment service gave an answer that cannot be read. Look there whether it took the money before the buyer pays again.',
  service_error: 'The payment service had a fault of its own. The buyer can try again later.',
  service_network_error: 'The payment service could not be reached. The buyer can try again later.',
  service_rate_limit:
    'The payment service got too many requests at once. The buyer can try again in a moment.',
  service_resource_conflict:
    'The payment service was busy with the same payment. Look at the timeline before trying again.',
  unknown_service_resource:
    'The payment service does not know what was asked about. Check its settings under Connections.',

  // Faults of the request or of this service.
  internal_error: 'Something went wrong on our side. Try again; tell your developers if it stays.',
  invalid_operation: 'This cannot be done with the payment as it stands. Look at the timeline.',
  invalid_request_parameters:
    'The payment service refused a detail of the request. Tell your developers; the answer below may say which.',
  unexpected_state:
    'The payment at the service does not stand as expected. Look there before you do anything else.',
  unknown_error: 'The payment service gave a reason that is not known. The answer below may say more.',

  // Refunds.
  refund_already_satisfied: 'The money was given back before. Nothing more is due to the buyer.',
  refund_period_expired:
    'It is too late to refund this payment at the service. Pay the buyer back in another way.',

  // Gift cards.
  invalid_gift_card: 'The gift card is not known. Ask the buyer to check its number and PIN.',
  expired_card: 'The gift card has expired. Ask the buyer to pay in another way.',
  inactive_card: 'The gift card is not active yet. The shop that sold it can activate it.',
  max_gift_cards_reached: 'There are too many gift cards in one payment. Ask the buyer to use fewer.',
  operation_canceled: 'The gift card service canceled this. The buyer can try again or pay in another way.',
}

/** The sentence for a code. Rules may have codes of their own, which begin with `flow_`. */
export function reasonFor(code: string): string | undefined {
  if (Object.hasOwn(REASONS, code)) return REASONS[code]
  return code.startsWith('flow_') ? REASONS['flow_decline'] : undefined
}

const NOT_RECEIVING =
  'The card or account cannot receive money any more. Pay the buyer back another way, such as a bank transfer.'
const REFUSED_BY_BANK =
  'The buyer’s bank refused the refund and gave no reason. Try again later. If it is refused again, pay the buyer back another way, such as a bank transfer.'
const TRY_LATER = 'The payment service could not do the refund. Try again later.'

/** What a reason means for a refund: the buyer waits for money, and cannot use another card. */
export const REFUND_REASONS: Readonly<Record<string, string>> = {
  canceled_payment_method: NOT_RECEIVING,
  expired_payment_method: NOT_RECEIVING,
  unavailable_payment_method: NOT_RECEIVING,
  unknown_payment_method: NOT_RECEIVING,
  invalid_payment_method: NOT_RECEIVING,
  issuer_decline: REFUSED_BY_BANK,
  refused_transaction: REFUSED_BY_BANK,
  other_decline: REFUSED_BY_BANK,
  service_decline:
    'The payment service refused the refund, not the bank. Look at the payment in the dashboard of the service, then refund again.',
  insufficient_funds:
    'Your balance at the payment service is too low. Add funds there or wait for new payments, then refund again.',
  suspected_fraud:
    'The payment service stopped the refund because it looks like fraud. Ask the service before you refund again.',
  disputed_transaction:
    'The buyer has disputed this payment, and the bank may return the money itself. Look at the chargeback before you refund again.',
  duplicate_transaction:
    'The payment service has seen the same refund before. Look there before you refund again.',
  invalid_amount: 'The payment service does not refund this amount. Check it, then refund again.',
  unsupported_transaction:
    'The payment service cannot refund this kind of payment. Pay the buyer back another way.',
  invalid_service_response:
    'The payment service gave an answer that cannot be read. Look there before you refund again.',
  service_error: TRY_LATER,
  service_network_error: TRY_LATER,
  service_rate_limit: TRY_LATER,
  unknown_error: TRY_LATER,
  service_resource_conflict:
    'The payment service was busy with the same payment. Look at the timeline before you refund again.',
}

/** The sentence for a refund. Reasons about the connection to the service, and the two of refunds alone, are the same. */
export function refundReasonFor(code: string): string | undefined {
  if (Object.hasOwn(REFUND_REASONS, code)) return REFUND_REASONS[code]
  return SAME.test(code) ? reasonFor(code) : undefined
}

const SAME =
  /^(refund_|expired_card|inactive_card|invalid_gift_card|insufficient_service|invalid_service|unknown_service|internal_error|invalid_operation|invalid_request|unexpected_state)/
