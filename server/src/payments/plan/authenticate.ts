import type { Connector } from '#connectors/contract/connector.ts'
import type { AuthorizeOrder, Instrument, ThreeDSecureResult } from '#connectors/contract/orders.ts'
import type { Scope } from '#platform/database/db.ts'
import type { Engine } from '#processing/engine.ts'
import type { Proof, ThreeDSecureError, Verdict } from '#processing/three-d-secure.ts'
import type { StoredService } from '#resources/payment-services/store.ts'
import * as scenarios from '#resources/three-ds-scenarios/store.ts'
import type {
  ThreeDSecureRequest,
  TransactionThreeDSecureSummary,
} from '#resources/transactions/wire/three-d-secure.ts'
import type { Challenge } from '../document.ts'
import type { Prepared, PreparedWithMethod } from '../prepare/prepare.ts'
import type { ChosenService } from '../routing/candidates.ts'
import { keptOf } from '../routing/decide.ts'
import { amountForMethod } from '../state.ts'
import type { NewEvent } from '../store/events.ts'
import type { Row, StoredTransaction } from '../store/payments.ts'
import { type OpenableSource, withInstrument } from './instruments.ts'
import type { Judgement } from './judge.ts'

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

type IssuerChallenge = Pick<Challenge, 'version' | 'directory_transaction_id' | 'result'>

type Wanted = Pick<Judgement, 'decided'> & {
  readonly chosen: ChosenService
  readonly hasScenarios: boolean
}

/** Authenticates with 3-D Secure if the service wants it and the buyer is present. No money moves. */
export async function authenticate(
  scope: Scope,
  engine: Engine,
  prepared: PreparedWithMethod,
  { chosen, decided, hasScenarios }: Wanted,
): Promise<Authenticated> {
  const { three_d_secure_enabled, merchant_profile } = chosen.service
  const { row, document } = prepared
  const { three_d_secure_data: brought } = document
  const amount = amountOf(prepared)
  if (brought) return { next: 'authorize', summary: summaryOf(brought, amount), result: resultOf(brought) }
  const wish = decided?.threeDSecure
  if (wish === 'skip') return WITHOUT
  const isWanted = wish === 'force' || three_d_secure_enabled || merchant_profile !== null
  if (!engine.threeDSecure || !isWanted || !isBuyerThere(row)) return WITHOUT
  // The payment is not on record yet, so its document lacks what the rules decided.
  const ruled = decided ? { ...document, flow: keptOf(decided) } : document
  if (document.instrument_type !== 'pan' || isDoneByProvider({ ...row, document: ruled }, chosen))
    return WITHOUT

  const { payer, once } = prepared
  return authenticateCard(scope, engine, {
    row,
    document,
    source: payer.source,
    hasScenarios,
    beforeAsking: once.claim,
  })
}

type Cardholder = Pick<Prepared, 'document'> & {
  readonly row: Payer
  readonly source: OpenableSource
  /** False: the account has none, and is not asked. */
  readonly hasScenarios?: boolean
  readonly beforeAsking?: () => Promise<void>
}

/** Asks our own 3-D Secure server about the cardholder. */
export async function authenticateCard(
  scope: Scope,
  { threeDSecure, vault }: Engine,
  { row, document, source, hasScenarios = true, beforeAsking }: Cardholder,
): Promise<Authenticated> {
  if (!threeDSecure) return WITHOUT
  const amount = amountOf({ row, document })
  const scenario = hasScenarios ? await scenarios.findFor(scope, paymentOf({ row, document }, amount)) : null
  return withInstrument(scope, vault, source, async (instrument) => {
    if (instrument.kind !== 'card') return WITHOUT
    const { number } = instrument
    const isEnrolled = scenario !== null || threeDSecure.isEnrolled(number)
    if (document.redirect_url === null) {
      return isEnrolled ? { next: 'refuse', summary: null, code: 'missing_redirect_url' } : WITHOUT
    }
    const scheme = row.payment_method_scheme ?? 'other'
    const { currency } = row
    await beforeAsking?.()
    const verdict = await threeDSecure.authenticate({ number, scheme, amount, currency, scenario })
    return after(verdict, amount)
  })
}

const WITHOUT: Authenticated = { next: 'authorize', summary: null, result: null }

type Payer = Pick<
  Row,
  | 'amount'
  | 'gift_card_amount'
  | 'currency'
  | 'buyer_email_address'
  | 'buyer_external_identifier'
  | 'payment_method_fingerprint'
  | 'payment_method_scheme'
>
type Paid = Pick<Prepared, 'document'> & { readonly row: Payer }

function amountOf({ row, document }: Paid): number {
  // The card's issuer need not know what gift cards pay.
  return document.order.three_d_secure?.amount ?? amountForMethod(row)
}

/** What the conditions of scenarios are compared with. */
function paymentOf({ row, document }: Paid, amount: number): scenarios.Payment {
  return {
    first_name: document.buyer?.billing_details?.first_name ?? null,
    last_name: document.buyer?.billing_details?.last_name ?? null,
    email_address: row.buyer_email_address,
    amount,
    external_identifier: row.buyer_external_identifier,
    card_fingerprint: row.payment_method_fingerprint,
  }
}

function after(verdict: Verdict, amount: number): Authenticated {
  const summary: Summary = {
    version: null,
    status: null,
    method: null,
    response_data: null,
    error_data: null,
    amount,
  }
  switch (verdict.outcome) {
    case 'done': {
      const { version, transactionStatus } = verdict
      const result = proven(verdict, transactionStatus)
      const response_data = transactionStatus === 'U' ? null : shown(result)
      const done = { ...summary, version, status: 'complete', method: 'frictionless', response_data } as const
      return { next: 'authorize', summary: done, result }
    }
    case 'refused':
      return {
        next: 'refuse',
        summary: { ...summary, version: verdict.version, status: 'declined', method: 'frictionless' },
        code: 'failed_buyer_approval',
      }
    case 'challenge': {
      const { version, directoryTransactionId: directory_transaction_id, result } = verdict
      return {
        next: 'challenge',
        summary: { ...summary, version, method: 'challenge' },
        challenge: { version, directory_transaction_id, result },
      }
    }
    case 'setup_error':
    case 'error': {
      // The payment goes on without 3-D Secure.
      const failed = {
        ...summary,
        version: verdict.version,
        status: verdict.outcome,
        error_data: errorData(verdict),
      }
      return { next: 'authorize', summary: failed, result: null }
    }
  }
}

/** An error as merchants see it. */
export function errorData({ code, description, component }: ThreeDSecureError) {
  return { code, description, detail: null, component }
}

/** The result that we pass on to the provider. */
export function proven(
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
export function shown(result: ThreeDSecureResult): Summary['response_data'] {
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

function summaryOf(brought: ThreeDSecureRequest, amount: number): Summary {
  const { version } = brought.body
  const data =
    brought.kind === 'v1'
      ? { ...brought.body, scheme: brought.body.scheme ?? null }
      : shown(resultOf(brought))
  return { version, status: 'complete', method: null, response_data: data, error_data: null, amount }
}

/** The result of an authentication outside of this service counts like our own. */
function resultOf({ kind, body }: ThreeDSecureRequest): ThreeDSecureResult {
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

type Chosen = {
  readonly service: Pick<StoredService, 'three_d_secure_enabled'>
  readonly connector: Pick<Connector, 'manifest'>
}
type Payment = Pick<StoredTransaction, 'merchant_initiated' | 'payment_source' | 'document'>

export function isBuyerThere({
  merchant_initiated,
  payment_source,
}: Pick<Payment, 'merchant_initiated' | 'payment_source'>): boolean {
  return !merchant_initiated && payment_source !== 'moto'
}

/**
 * Whether the provider authenticates the buyer: the merchant or a rule wants it, and the buyer is there and can be sent to the
 * provider and back. Then our own 3-D Secure server is not asked.
 */
export function isDoneByProvider(payment: Payment, { service, connector }: Chosen): boolean {
  const wish = payment.document.flow?.three_d_secure
  const isWanted = wish === 'force' || (service.three_d_secure_enabled && wish !== 'skip')
  const canDoIt = isWanted && connector.manifest.capabilities.threeDSecureByProvider
  return canDoIt && isBuyerThere(payment) && payment.document.redirect_url !== null
}

type Asked = {
  readonly transaction: Payment
  readonly instrument: Instrument
  readonly threeDSecure: AuthorizeOrder['threeDSecure']
}

/** What the order says about 3-D Secure. A token with a cryptogram needs no other proof. */
export function wishOf(
  { transaction, instrument, threeDSecure }: Asked,
  chosen: Chosen,
): AuthorizeOrder['threeDSecure'] {
  const isCard = instrument.kind === 'card' || instrument.kind === 'provider-token'
  return threeDSecure ?? (isCard && isDoneByProvider(transaction, chosen) ? 'provider' : null)
}
