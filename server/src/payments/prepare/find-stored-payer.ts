import type { Scope } from '#platform/database/db.ts'
import { type ErrorDetail, errors, inBody } from '#platform/http/errors.ts'
import * as paymentServiceTokens from '#resources/payment-methods/payment-service-tokens/store.ts'
import { codeComplaints } from '#resources/payment-methods/read-card.ts'
import { replacedIfExpired } from '#resources/payment-methods/replace.ts'
import * as paymentMethods from '#resources/payment-methods/store.ts'
import type { PaymentMethodRequest } from '#resources/transactions/wire/payment-method.ts'
import { Masked, type Vault } from '#vault'
import type { PaymentMethodSnapshot } from '../document.ts'
import type { Owns, Payer } from './payer.ts'

const AT = '/payment_method'

type StoredRequest = Extract<PaymentMethodRequest, { kind: 'id' }>['body']

/** A stored method that the request names by its id. */
export async function findStoredPayer(
  scope: Scope,
  vault: Vault,
  body: StoredRequest,
  owns: Owns,
): Promise<Payer> {
  const method = await paymentMethods.find(scope, body.id)
  if (!method || !owns(method.buyer_id)) throw noMethod()
  if (method.mode === 'redirect') return storedRedirect(scope, method, body)
  if (method.mode === 'bank') return storedBank(method, body)
  if (!method.vault_token || !method.scheme) throw noMethod()
  const complaints = codeComplaints(method.scheme, body.security_code, AT)
  if (complaints.length > 0) throw errors.invalid(...complaints)
  const securityCode = body.security_code ? new Masked(body.security_code) : null
  const current = await replacedIfExpired(scope, vault, method)
  return fromStored(current, securityCode, body.redirect_url ?? null)
}

function noMethod() {
  return errors.invalid(inBody(`${AT}/id`, 'value_error.not_found', 'there is no such stored payment method'))
}

/** A method that providers keep: it is charged by a token, at a service that has given one. */
async function storedRedirect(
  scope: Scope,
  method: paymentMethods.StoredMethod,
  { redirect_url, security_code }: StoredRequest,
): Promise<Payer> {
  const complaints: ErrorDetail[] = []
  if (method.status !== 'succeeded') {
    const message = `it cannot pay while its status is ${method.status}; use another payment method`
    complaints.push(inBody(`${AT}/id`, 'value_error.conflict', message))
  }
  if (!redirect_url) complaints.push(inBody(`${AT}/redirect_url`, 'value_error.missing', 'field required'))
  complaints.push(...codeOfNoCard(security_code))
  if (complaints.length > 0) throw errors.invalid(...complaints)
  const stored = await paymentServiceTokens.listOf(scope, method.id)
  const usable = stored.filter(({ status }) => status === 'succeeded')
  return {
    ...fromStored(method, null, redirect_url ?? null),
    instrumentType: 'redirect_token',
    serviceIds: usable.map(({ payment_service_id }) => payment_service_id),
  }
}

function codeOfNoCard(code: string | null | undefined): ErrorDetail[] {
  if (!code) return []
  const message = 'leave it out: only cards have a security code'
  return [inBody(`${AT}/security_code`, 'value_error.conflict', message)]
}

/** A bank account in our vault, or a token of Plaid, which may be for one service only. */
function storedBank(
  method: paymentMethods.StoredMethod,
  { redirect_url, security_code }: StoredRequest,
): Payer {
  const complaints = codeOfNoCard(security_code)
  if (complaints.length > 0) throw errors.invalid(...complaints)
  const { payment_service_id } = method
  return {
    ...fromStored(method, null, redirect_url ?? null),
    instrumentType: method.method === 'plaid' ? 'plaid' : 'bank',
    ...(payment_service_id !== null && { serviceIds: [payment_service_id] }),
  }
}

export function fromStored(
  method: paymentMethods.StoredMethod,
  securityCode: Masked | null,
  redirectUrl: string | null,
): Payer {
  return {
    source: { kind: 'stored', method, securityCode },
    session: null,
    instrumentType: 'pan',
    method: method.method,
    snapshot: snapshotOf(method),
    scheme: method.scheme,
    cardCountry: method.card_country,
    redirectUrl,
  }
}

/** A stored method as a payment shows it. */
function snapshotOf(method: paymentMethods.StoredMethod): PaymentMethodSnapshot {
  return {
    id: method.id,
    method: method.method,
    mode: method.mode,
    label: method.label,
    scheme: method.scheme,
    expiration_date: method.expiration_date,
    fingerprint: method.fingerprint,
    country: method.country,
    currency: method.currency,
    external_identifier: method.external_identifier,
    last_replaced_at: method.last_replaced_at?.toISOString() ?? null,
    payment_account_reference: method.payment_account_reference,
    details: cardDetailsOf(method),
  }
}

function cardDetailsOf({ scheme, bin, card_type, card_issuer_name }: paymentMethods.StoredMethod) {
  return scheme === null ? null : { bin, card_type, card_issuer_name }
}
