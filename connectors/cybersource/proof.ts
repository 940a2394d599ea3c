import type { Refused } from '#connectors/contract/connector.ts'
import type { AuthorizeOrder, Instrument, ThreeDSecureResult } from '#connectors/contract/orders.ts'
import { refused } from '#connectors/contract/refuse.ts'
import type { Wire } from './wire.ts'

/** That the buyer was there: what CyberSource calls the way of paying, and the proof for the issuer. */
export type Proof = { readonly indicator: string; readonly fields: Wire | null }

const NO_PROOF: Proof = { indicator: 'internet', fields: null }

/** The words for an authentication that succeeded, and for one that was tried. */
const INDICATORS: Readonly<Record<string, readonly [string, string]>> = {
  visa: ['vbv', 'vbv_attempted'],
  mastercard: ['spa', 'spa'],
  maestro: ['spa', 'spa'],
  amex: ['aesk', 'aesk_attempted'],
  discover: ['dipb', 'dipb_attempted'],
  'diners-club': ['dipb', 'dipb_attempted'],
  jcb: ['js', 'js_attempted'],
  elo: ['cs', 'cs_attempted'],
  unionpay: ['up3ds', 'up3ds_attempted'],
}

/** By the ECI of the scheme. Mastercard counts otherwise. */
const SUCCEEDED: readonly string[] = ['05', '02']
const TRIED: readonly string[] = ['06', '01']

/** Without the buyer there is none. The result of 3-D Secure says more than the cryptogram of a token. */
export function proofIn(order: AuthorizeOrder): Proof | Refused {
  const { instrument, threeDSecure } = order
  if (order.isMerchantInitiated) return NO_PROOF
  if (threeDSecure !== null && threeDSecure !== 'provider') {
    return proofOfResult(threeDSecure, schemeOf(instrument))
  }
  return instrument.kind === 'network-token' ? proofOfWallet(instrument) : NO_PROOF
}

function schemeOf(instrument: Instrument): string {
  return ('scheme' in instrument && instrument.scheme) || ''
}

function isMastercard(scheme: string): boolean {
  return scheme === 'mastercard' || scheme === 'maestro'
}

function proofOfResult(result: ThreeDSecureResult, scheme: string): Proof | Refused {
  const eci = result.eci?.padStart(2, '0') ?? ''
  // Left out, the payment would go on without what the buyer has proved.
  if (!/^\d{2}$/.test(eci)) {
    return refused('invalid_request_parameters', {
      rawDescription: 'send the eci of 3-D Secure: CyberSource is told by it how the buyer was authenticated',
    })
  }
  const { cavv, version, directoryTransactionId: id, xid } = result
  const value = isMastercard(scheme)
    ? { ucafAuthenticationData: within(cavv, 32), ucafCollectionIndicator: eci.slice(1) }
    : { cavv: within(cavv, 40) }
  const known = {
    ...value,
    eciRaw: eci,
    paSpecificationVersion: version,
    directoryServerTransactionId: within(id, 36),
    xid: within(xid, 40),
    cavvAlgorithm: within(result.cavvAlgorithm, 1),
    paresStatus: within(result.authenticationResponse ?? result.directoryResponse, 1),
  }
  const fields = Object.fromEntries(Object.entries(known).filter(([, one]) => one !== null))
  return { indicator: indicatorOf(scheme, eci), fields }
}

function indicatorOf(scheme: string, eci: string): string {
  const [succeeded, tried] = INDICATORS[scheme] ?? ['internet', 'internet']
  if (SUCCEEDED.includes(eci)) return succeeded
  return TRIED.includes(eci) ? tried : 'internet'
}

/** A wallet has authenticated the buyer, and its cryptogram is the proof. That of a stored token proves the token alone. */
function proofOfWallet(token: Extract<Instrument, { kind: 'network-token' }>): Proof {
  const { cryptogram, cardSource, eci } = token
  const scheme = schemeOf(token)
  if (cryptogram === null || cardSource === null) return NO_PROOF
  const value = cryptogram.use(String)
  if (isMastercard(scheme)) {
    const isShort = value.length <= 32
    const fields = { ...(isShort && { ucafAuthenticationData: value }), ucafCollectionIndicator: '2' }
    return { indicator: 'spa', fields }
  }
  const indicator = indicatorOf(scheme, eci?.padStart(2, '0') ?? '05')
  if (value.length > 40) return { indicator, fields: null }
  // Visa wants it in both places.
  return { indicator, fields: scheme === 'visa' ? { cavv: value, xid: value } : { cavv: value } }
}

function within(text: string | null, max: number): string | null {
  return text !== null && text.length <= max ? text : null
}
