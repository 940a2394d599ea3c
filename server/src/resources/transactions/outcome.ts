import type { Facts } from '#connectors/contract/connector.ts'
import type { Outcome } from './store.ts'

/** Renames a provider's facts to the names under which we store and show them. */
export function outcomeOf(facts: Facts): Outcome {
  return {
    raw_response_code: facts.rawCode ?? null,
    raw_response_description: facts.rawDescription ?? null,
    auth_response_code: facts.authResponseCode ?? null,
    iso_response_code: facts.isoResponseCode ?? null,
    avs_response_code: facts.avsResponseCode ?? null,
    cvv_response_code: facts.cvvResponseCode ?? null,
    merchant_advice_code: facts.merchantAdviceCode ?? null,
    scheme_transaction_id: facts.schemeTransactionId ?? null,
    transaction_link_id: facts.transactionLinkId ?? null,
    payment_account_reference: facts.paymentAccountReference ?? null,
    ...(facts.additionalIdentifiers && { additional_identifiers: facts.additionalIdentifiers }),
  }
}
