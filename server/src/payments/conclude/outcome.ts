import type { Facts, ThreeDSecureReport } from '#connectors/contract/connector.ts'
import { WRITTEN } from '#domain/written-forms.ts'
import type { Decided } from '#processing/attempts/conclude.ts'
import type { PaymentAttempt } from '#processing/attempts/store.ts'
import type { TransactionThreeDSecureSummary } from '#resources/transactions/wire/three-d-secure.ts'
import type { Outcome, StoredTransaction } from '../store/payments.ts'

/**
 * Renames a provider's facts to the names under which we store and show them. `authenticated` is the amount that the
 * provider may have authenticated the buyer for.
 */
export function outcomeOf(facts: Facts, authenticated: number | null = null): Outcome {
  const { threeDSecure } = facts
  return {
    ...(threeDSecure && { three_d_secure: summaryOf(threeDSecure, authenticated) }),
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
    ...identifiersOf(facts),
  }
}

/** A mandate is shown among the identifiers: the API has no other place for it. */
function identifiersOf({ additionalIdentifiers, mandate }: Facts) {
  if (!additionalIdentifiers && !mandate) return {}
  const ofMandate = mandate && {
    mandate_reference: mandate.reference,
    ...(mandate.signedOn && { mandate_signed_on: mandate.signedOn }),
  }
  return { additional_identifiers: { ...additionalIdentifiers, ...ofMandate } }
}

/** Values of another form than the API promises are left out. */
function summaryOf(report: ThreeDSecureReport, amount: number | null): TransactionThreeDSecureSummary {
  const { status, method } = report
  const version = fitting(WRITTEN.threeDSecureVersion, report.version)
  const response_data = version === null || status !== 'complete' ? null : responseOf(report, version)
  return { version, status, method, response_data, error_data: null, amount }
}

function responseOf(report: ThreeDSecureReport, version: string) {
  return {
    version,
    authentication_response: report.authenticationResponse ?? null,
    directory_response: report.directoryResponse ?? null,
    directory_transaction_id: report.directoryTransactionId ?? null,
    transaction_reason: null,
    cavv: null,
    eci: fitting(WRITTEN.eci, report.eci ?? null),
    cardholder_info: null,
  }
}

function fitting({ pattern }: { readonly pattern: string }, value: string | null): string | null {
  return value !== null && new RegExp(pattern).test(value) ? value : null
}

/** An attempt with the answer that decides it, and its payment before that. */
export type DecidedAttempt = {
  readonly transaction: StoredTransaction
  readonly attempt: PaymentAttempt
  readonly answer: Decided
}
