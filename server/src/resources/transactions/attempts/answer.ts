import type { Facts, SyncAnswer } from '#connectors/contract/connector.ts'
import { codeOf, type Decided } from '../state.ts'
import type { Outcome } from '../store.ts'

/** What a provider said, by the names under which it is stored and shown. */
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

export function factsOf(answer: SyncAnswer): Facts {
  return 'facts' in answer ? answer.facts : {}
}

/** The provider's own id of what it did. */
export function referenceOf(answer: SyncAnswer): string | null {
  return 'reference' in answer ? answer.reference : null
}

/** What an attempt keeps of the answer that decides it. By its reference, a provider may still speak of it later. */
export function closing(answer: Decided) {
  const reference = referenceOf(answer)
  const { rawCode = null, rawDescription = null } = factsOf(answer)
  return {
    state: answer.outcome === 'not_found' ? ('failed' as const) : answer.outcome,
    due_at: null,
    error_code: codeOf(answer),
    raw_response_code: rawCode,
    raw_response_description: rawDescription,
    ...(reference !== null && { reference }),
  }
}
