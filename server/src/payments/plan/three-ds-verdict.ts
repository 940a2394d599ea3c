import type { ThreeDSecureResult } from '#connectors/contract/orders.ts'
import type {
  AuthenticationError,
  AuthenticationRefused,
  Authenticated as Proof,
  SetUpFailed,
  ThreeDSecureError,
} from '#connectors/contract/three-d-secure.ts'
import type {
  ThreeDSecureRequest,
  TransactionThreeDSecureSummary,
} from '#resources/transactions/wire/three-d-secure.ts'
import type { Challenge } from '../document.ts'
import type { NewEvent } from '../store/events.ts'

type Summary = TransactionThreeDSecureSummary

/** Whether the buyer has proved to be the cardholder, and what to do next. */
export type Authenticated =
  | {
      readonly next: 'authorize'
      readonly summary: Summary | null
      readonly result: ThreeDSecureResult | null
    }
  | { readonly next: 'challenge'; readonly summary: Summary; readonly challenge: IssuerChallenge }
  | { readonly next: 'refuse'; readonly summary: Summary | null; readonly code: string }

type IssuerChallenge = Omit<Challenge, 'payment_service_id' | 'is_partial_allowed' | 'result'>

export const WITHOUT: Authenticated = { next: 'authorize', summary: null, result: null }

type About = { readonly amount: number; readonly method: 'frictionless' | 'challenge' }

/** How the payment goes on after the issuer has spoken, or could not be asked. Before a challenge it goes on without 3-D Secure then. */
export function after(
  verdict: Proof | AuthenticationRefused | AuthenticationError | SetUpFailed,
  { amount, method }: About,
): Exclude<Authenticated, { next: 'challenge' }> {
  switch (verdict.outcome) {
    case 'done': {
      const { version, transactionStatus } = verdict
      // Without a proof there is nothing to pass on: the provider may authenticate then, at once or after a soft decline.
      const result = transactionStatus === 'U' ? null : proven(verdict, transactionStatus)
      const response_data = result && shown(result)
      const summary = { ...nothingSaid(amount), version, status: 'complete', method, response_data } as const
      return { next: 'authorize', summary, result }
    }
    case 'refused': {
      const { version } = verdict
      const summary = { ...nothingSaid(amount), version, status: 'declined', method } as const
      return { next: 'refuse', summary, code: 'failed_buyer_approval' }
    }
    case 'setup_error':
    case 'error': {
      const version = verdict.outcome === 'error' ? verdict.version : null
      const failed = { version, status: verdict.outcome, error_data: errorData(verdict) }
      return { next: 'authorize', summary: { ...nothingSaid(amount), ...failed }, result: null }
    }
  }
}

/** Before the issuer has said anything. */
export function nothingSaid(amount: number): Summary {
  return { version: null, status: null, method: null, response_data: null, error_data: null, amount }
}

/** An error as merchants see it. */
export function errorData({ code, description, component }: ThreeDSecureError) {
  return { code, description, detail: null, component }
}

/** The result that we pass on to the provider. */
function proven(
  { version, eci, cavv, directoryTransactionId }: Proof,
  transactionStatus: string,
): ThreeDSecureResult {
  return {
    version,
    eci,
    cavv,
    directoryTransactionId,
    directoryResponse: transactionStatus,
    authenticationResponse: transactionStatus,
    xid: null,
    cavvAlgorithm: null,
  }
}

/** The result as merchants see it. */
function shown(result: ThreeDSecureResult): Summary['response_data'] {
  return {
    version: result.version,
    authentication_response: result.authenticationResponse,
    directory_response: result.directoryResponse,
    directory_transaction_id: result.directoryTransactionId,
    transaction_reason: null,
    cavv: result.cavv,
    eci: result.eci,
    cardholder_info: null,
  }
}

/** The result of an authentication outside of this service, as merchants see it. */
export function summaryOf(brought: ThreeDSecureRequest, amount: number): Summary {
  const { version } = brought.body
  const data =
    brought.kind === 'v1'
      ? { ...brought.body, scheme: brought.body.scheme ?? null }
      : shown(resultOf(brought))
  return { version, status: 'complete', method: null, response_data: data, error_data: null, amount }
}

/** The result of an authentication outside of this service counts like our own. */
export function resultOf({ kind, body }: ThreeDSecureRequest): ThreeDSecureResult {
  return {
    version: body.version,
    eci: body.eci,
    cavv: body.cavv,
    directoryTransactionId: kind === 'v2' ? body.directory_transaction_id : body.xid,
    directoryResponse: body.directory_response,
    authenticationResponse: body.authentication_response ?? null,
    xid: kind === 'v1' ? body.xid : null,
    cavvAlgorithm: kind === 'v1' ? body.cavv_algorithm : null,
  }
}

/** Events for the payment's history. */
export function authenticationEvents(authenticated: Authenticated): NewEvent[] {
  const { summary } = authenticated
  if (!summary) return []
  const context = { version: summary.version, status: summary.status, method: summary.method }
  if (summary.error_data)
    return [{ name: 'three-d-secure-request-error', context: { ...context, ...summary.error_data } }]
  if (summary.status === 'complete') return [{ name: 'three-d-secure-success', context }]
  return [{ name: 'three-d-secure-authentication-request', context }]
}
