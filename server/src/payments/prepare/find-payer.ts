import type { Instrument } from '#connectors/contract/orders.ts'
import { binOf, labelOf } from '#domain/card.ts'
import { CARD_SCHEMES, type CardScheme } from '#domain/card-scheme.ts'
import type { Scope } from '#platform/database/db.ts'
import { type ErrorDetail, errors, inBody } from '#platform/http/errors.ts'
import type { Engine } from '#processing/engine.ts'
import { chooseScheme } from '#resources/card-details/choose-scheme.ts'
import { lookUp } from '#resources/card-details/store.ts'
import { ownsCard } from '#resources/checkout/sessions/owns-card.ts'
import type { StoredSession } from '#resources/checkout/sessions/store.ts'
import * as paymentServiceTokens from '#resources/payment-methods/payment-service-tokens/store.ts'
import { codeComplaints } from '#resources/payment-methods/read-card.ts'
import { replacedIfExpired } from '#resources/payment-methods/replace.ts'
import * as paymentMethods from '#resources/payment-methods/store.ts'
import type {
  PaymentMethodRequest,
  PayWithNetworkToken,
} from '#resources/transactions/wire/payment-method.ts'
import { Masked, type Vault } from '#vault'
import { instrumentTypeOf, NOTHING_KNOWN, type PaymentMethodSnapshot } from '../document.ts'
import { findWalletPayer } from './find-wallet-payer.ts'
import { noSession, type Order, openSession, unusable } from './order.ts'
import type { Owns, Payer } from './payer.ts'

/** Looks up the payment method. Null: gift cards pay for everything. `owns` tells whose stored methods may be used. */
export async function findPayer(
  scope: Scope,
  engine: Pick<Engine, 'vault' | 'providers'>,
  order: Order,
  { owns, chosenScheme }: Sought,
): Promise<Payer | null> {
  const { method: request, session } = order
  const { vault } = engine
  if (!request) return null
  switch (request.kind) {
    case 'card':
    case 'googlepay_pan_only':
    case 'click-to-pay-card':
      return findTypedPayer(scope, vault, request, chosenScheme)
    case 'id':
      return findStoredPayer(scope, vault, request.body, owns)
    case 'checkout-session':
      return sessionCard(scope, vault, request.body, { owns, session })
    case 'applepay':
    case 'googlepay':
      return (await findWalletPayer(scope, engine, order, request)) ?? ready(request)
    default:
      return ready(request)
  }
}

type Sought = {
  readonly owns: Owns
  /** The scheme that the buyer chose, of a card that carries several. */
  readonly chosenScheme?: CardScheme | undefined
}

type CardRequest = Extract<
  PaymentMethodRequest,
  { kind: 'card' | 'googlepay_pan_only' | 'click-to-pay-card' }
>

/** A card whose number is in the request. */
export async function findTypedPayer(
  scope: Scope,
  vault: Vault,
  { kind, body }: CardRequest,
  chosenScheme?: CardScheme,
): Promise<Payer> {
  const { number, expiration_date: expirationDate } = body
  const found = await lookUp(scope, number)
  const facts = chosenScheme ? chooseScheme(found, chosenScheme) : found
  const masked = new Masked(number)
  const via = kind === 'click-to-pay-card' ? 'click-to-pay' : kind
  const cardType = body.card_type ?? facts.cardType
  return {
    source: {
      kind: 'typed',
      via,
      number: masked,
      securityCode: body.security_code ? new Masked(body.security_code) : null,
      expirationDate,
      facts,
      cardType,
    },
    session: null,
    instrumentType: 'pan',
    method: 'card',
    snapshot: {
      ...NOTHING_KNOWN,
      method: via,
      mode: via === 'googlepay_pan_only' ? 'googlepay' : via,
      label: labelOf(number),
      scheme: facts.scheme,
      expiration_date: expirationDate,
      fingerprint: await vault.fingerprint(scope.db, masked),
      external_identifier: body.external_identifier ?? null,
      details: { bin: binOf(number), card_type: cardType, card_issuer_name: facts.issuer },
    },
    scheme: facts.scheme,
    cardCountry: facts.country,
    redirectUrl: body.redirect_url ?? null,
  }
}

type SessionRequest = Extract<PaymentMethodRequest, { kind: 'checkout-session' }>['body']

async function sessionCard(
  scope: Scope,
  vault: Vault,
  body: SessionRequest,
  { owns, session: read }: { readonly owns: Owns; readonly session: StoredSession | null },
): Promise<Payer> {
  if (!read) throw noSession()
  const { session, number, securityCode } = await openSession(scope, vault, read)
  const redirectUrl = body.redirect_url ?? null
  if (session.payment_method_id) {
    const method = await paymentMethods.find(scope, session.payment_method_id)
    const mayUse = method && (await ownsCard(scope, session, method))
    // A stored card without a buyer belongs to the session, as a typed one does.
    if (!method?.vault_token || !mayUse || !(method.buyer_id === null || owns(method.buyer_id))) {
      throw unusable('the stored card was deleted, or belongs to another buyer than the checkout session')
    }
    const current = await replacedIfExpired(scope, vault, method)
    return { ...fromStored(current, securityCode, redirectUrl), session }
  }
  if (!number) throw unusable('nothing has been entered in the checkout session yet')
  return {
    source: enteredCard(session, number, securityCode),
    session,
    instrumentType: 'pan',
    method: 'card',
    snapshot: {
      ...NOTHING_KNOWN,
      method: 'card',
      mode: 'card',
      label: session.label,
      scheme: session.scheme,
      expiration_date: session.expiration_date,
      fingerprint: session.fingerprint,
      external_identifier: body.external_identifier ?? null,
      details: { bin: session.bin, card_type: session.card_type, card_issuer_name: session.card_issuer_name },
    },
    scheme: session.scheme,
    cardCountry: session.card_country,
    redirectUrl,
  }
}

function enteredCard(session: StoredSession, number: Masked, securityCode: Masked | null): Payer['source'] {
  return {
    kind: 'typed',
    via: 'card',
    number,
    securityCode,
    expirationDate: session.expiration_date ?? '',
    facts: {
      scheme: session.scheme ?? 'other',
      additionalSchemes: session.additional_schemes ?? [],
      cardType: session.card_type,
      issuer: session.card_issuer_name,
      country: session.card_country,
    },
    cardType: session.card_type,
  }
}

type ReadyRequest = Exclude<PaymentMethodRequest, CardRequest | { kind: 'id' | 'checkout-session' }>

/** Passes tokens and payloads on unchanged, and does not store them. */
function ready(request: ReadyRequest): Payer {
  const { instrument, shown } = readInstrument(request)
  const redirectUrl = 'redirect_url' in request.body ? (request.body.redirect_url ?? null) : null
  return {
    source: { kind: 'ready', instrument },
    session: null,
    instrumentType: instrumentTypeOf(instrument),
    method: instrument.kind === 'network-token' || instrument.kind === 'wallet' ? 'card' : shown.method,
    snapshot: { ...NOTHING_KNOWN, ...shown },
    scheme: (shown.scheme ?? null) as CardScheme | null,
    cardCountry: null,
    redirectUrl,
  }
}

type Shown = Partial<PaymentMethodSnapshot> & Pick<PaymentMethodSnapshot, 'method' | 'mode'>

function readInstrument(request: ReadyRequest): { readonly instrument: Instrument; readonly shown: Shown } {
  switch (request.kind) {
    case 'network-token':
    case 'click-to-pay':
      return networkToken(request)
    case 'applepay':
    case 'googlepay':
    case 'paze':
      return wallet(request)
    case 'redirect': {
      const { method, country, currency, fields } = request.body
      const entered = Object.entries(fields ?? {}).map(([name, value]) => [name, new Masked(value)])
      return {
        instrument: {
          ...{ kind: 'redirect', method, country, currency },
          ...(entered.length > 0 && { fields: Object.fromEntries(entered) }),
        },
        shown: { method, mode: 'redirect', country, currency },
      }
    }
    case 'bank':
    case 'plaid': {
      const payload = new Masked(JSON.stringify(request.body))
      return {
        instrument:
          request.kind === 'bank' ? { kind: 'bank', payload, mandate: null } : { kind: 'plaid', payload },
        shown: { method: request.kind, mode: 'bank' },
      }
    }
  }
}

function wallet(request: Extract<ReadyRequest, { kind: 'applepay' | 'googlepay' | 'paze' }>) {
  const { kind, body } = request
  const { token, card_suffix, card_scheme, card_type, cardholder_name } = body
  const checkoutToken = request.kind === 'paze' ? request.body.checkout_token : null
  const assured = request.kind === 'googlepay' ? request.body.assurance_details : null
  const instrument: Instrument = {
    kind: 'wallet',
    wallet: kind,
    token: new Masked(typeof token === 'string' ? token : JSON.stringify(token)),
    checkoutToken: checkoutToken ? new Masked(checkoutToken) : null,
    cardholderName: cardholder_name ?? null,
    cardScheme: card_scheme ?? null,
    cardType: card_type ?? null,
    assurance: assured
      ? {
          isAccountVerified: assured.account_verified ?? null,
          isCardHolderAuthenticated: assured.card_holder_authenticated ?? null,
        }
      : null,
  }
  const shown: Shown = {
    method: kind,
    mode: kind,
    label: card_suffix ?? null,
    scheme: schemeNamed(card_scheme ?? ''),
  }
  return { instrument, shown }
}

/** Each wallet spells the names of schemes in its own way, with capitals. */
function schemeNamed(name: string): CardScheme | null {
  const ours = name.toLowerCase()
  return Object.hasOwn(CARD_SCHEMES, ours) ? (ours as CardScheme) : null
}

function networkToken({ kind, body }: Extract<ReadyRequest, { kind: 'network-token' | 'click-to-pay' }>) {
  const known: Partial<PayWithNetworkToken> = kind === 'network-token' ? body : {}
  const instrument: Instrument = {
    kind: 'network-token',
    source: kind,
    token: new Masked(body.token),
    expirationDate: body.expiration_date,
    cryptogram: body.cryptogram ? new Masked(body.cryptogram) : null,
    eci: known.eci ?? null,
    scheme: known.card_scheme ?? null,
    cardholderName: known.cardholder_name ?? null,
    cardSource: known.card_source ?? null,
  }
  const shown: Shown = {
    method: kind,
    mode: kind === 'click-to-pay' ? 'click-to-pay' : 'card',
    label: known.card_suffix ?? null,
    scheme: known.card_scheme ?? null,
    expiration_date: body.expiration_date,
  }
  return { instrument, shown }
}

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

function fromStored(
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
