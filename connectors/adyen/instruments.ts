import type { Refused } from '#connectors/contract/connector.ts'
import type {
  AuthorizeOrder,
  Instrument,
  OfferedToken,
  ThreeDSecureResult,
} from '#connectors/contract/orders.ts'
import { refused } from '#connectors/contract/refuse.ts'
import { withoutNulls } from '#connectors/contract/requests.ts'
import { readStored } from './stored-card.ts'
import { isObject, type Json } from './wire.ts'

/** How the buyer pays, in Adyen's words. */
export type Payer = {
  readonly paymentMethod: Json & { readonly type: string }
  readonly mpiData?: Json
  readonly additionalData?: Json
  /** Under whom Adyen keeps the method. Left out: it does not. */
  readonly shopperReference?: string
}

type Of<Kind> = Extract<Instrument, { readonly kind: Kind }>

/** A card: its number, a token of its scheme or of Adyen, or what a wallet gave for it. */
export function payByCard(order: AuthorizeOrder): Payer | Refused {
  const { instrument } = order
  switch (instrument.kind) {
    case 'card':
      return payByNumber(order, instrument)
    case 'network-token':
      return payByToken(order, instrument)
    case 'wallet':
      return payByWallet(instrument)
    case 'provider-token':
      return payByStored(order, instrument)
    default:
      return refused('unsupported_payment_method', {
        rawDescription: 'Adyen gets no such instrument from us',
      })
  }
}

function payByNumber(order: AuthorizeOrder, { number, securityCode, ...card }: Of<'card'>): Payer {
  const { threeDSecure } = order
  const isFromGoogle = card.source === 'googlepay_pan_only'
  return {
    paymentMethod: {
      type: 'scheme',
      number: number.use(String),
      ...expiry(card.expirationDate),
      // The schemes forbid to keep a code, so a payment without the buyer has none.
      ...(securityCode && !order.isMerchantInitiated && { cvc: securityCode.use(String) }),
      ...holderOf(order, null),
      ...earlierPayment(order),
      ...(isFromGoogle && { brand: 'googlepay' }),
    },
    ...(threeDSecure && threeDSecure !== 'provider' && { mpiData: toMpiData(threeDSecure) }),
    ...(isFromGoogle && { additionalData: source('googlepay', false) }),
  }
}

/** The cryptogram of a wallet stands for an authentication of the buyer. That of a token alone does not. */
function payByToken(order: AuthorizeOrder, instrument: Of<'network-token'>): Payer {
  const { token, expirationDate, cryptogram, eci, cardSource, cardholderName } = instrument
  const wallet = cardSource && (cardSource === 'apple-pay' ? 'applepay' : 'googlepay')
  const { threeDSecure } = order
  const authentication = threeDSecure && threeDSecure !== 'provider' ? toMpiData(threeDSecure) : null
  const proof = cryptogram?.use(String)
  const mpiData = {
    authenticationResponse: 'Y',
    directoryResponse: 'Y',
    ...(eci && { eci }),
    ...(proof && (wallet ? { cavv: proof } : { tokenAuthenticationVerificationValue: proof })),
    ...authentication,
  }
  return {
    paymentMethod: {
      type: wallet ? 'scheme' : 'networkToken',
      number: token.use(String),
      ...expiry(expirationDate),
      ...holderOf(order, cardholderName),
      ...earlierPayment(order),
      ...(wallet && { brand: wallet }),
    },
    ...((proof || authentication) && { mpiData }),
    ...(wallet && { additionalData: source(wallet, true) }),
  }
}

const NO_PAZE = 'Adyen takes Apple Pay and Google Pay from us, and not Paze'

export function obstacleTo(offered: OfferedToken): string | null {
  return offered.kind === 'wallet' && offered.wallet === 'paze' ? NO_PAZE : null
}

/** The token of a wallet that Adyen opens itself. */
function payByWallet({ wallet, token }: Of<'wallet'>): Payer | Refused {
  switch (wallet) {
    case 'applepay':
      return {
        paymentMethod: { type: 'applepay', applePayToken: token.use((bytes) => appleData(String(bytes))) },
      }
    case 'googlepay':
      return { paymentMethod: { type: 'googlepay', googlePayToken: token.use(String) } }
    default:
      return refused('unsupported_payment_method', { rawDescription: NO_PAZE })
  }
}

/** A card that Adyen keeps. Adyen knows its first payment. */
function payByStored(order: AuthorizeOrder, { token, securityCode }: Of<'provider-token'>): Payer | Refused {
  const stored = readStored(token)
  const { threeDSecure } = order
  if (!stored) return refused('unavailable_payment_method', { rawDescription: 'this is no token of Adyen' })
  const { shopperReference, storedPaymentMethodId } = stored
  return {
    paymentMethod: {
      type: 'scheme',
      storedPaymentMethodId,
      ...(securityCode && !order.isMerchantInitiated && { cvc: securityCode.use(String) }),
    },
    shopperReference,
    ...(threeDSecure && threeDSecure !== 'provider' && { mpiData: toMpiData(threeDSecure) }),
  }
}

/** Adyen wants the `paymentData` of Apple's token alone, in base64. */
function appleData(text: string): string {
  try {
    const token: unknown = JSON.parse(text)
    const data = isObject(token) && isObject(token['paymentData']) ? token['paymentData'] : token
    return Buffer.from(JSON.stringify(data)).toString('base64')
  } catch {
    // It is in base64 already.
    return text
  }
}

/** https://docs.adyen.com/online-payments/3d-secure/other-3ds-flows/authenticate-with-external-provider */
function toMpiData(result: ThreeDSecureResult): Json {
  const { directoryResponse, authenticationResponse } = result
  return withoutNulls({
    threeDSVersion: result.version,
    eci: result.eci,
    cavv: result.cavv,
    cavvAlgorithm: result.cavvAlgorithm,
    dsTransID: result.directoryTransactionId,
    xid: result.xid,
    directoryResponse,
    // Without a challenge there is no second response, and the first one decides.
    authenticationResponse: authenticationResponse ?? (isFinal(directoryResponse) ? directoryResponse : null),
  })
}

function isFinal(response: string | null): boolean {
  return response !== null && ['Y', 'N', 'U', 'A'].includes(response)
}

/** The scheme's id of the first payment, which allows later ones without the buyer. */
function earlierPayment({ isSubsequentPayment, previousSchemeTransactionId }: AuthorizeOrder): Json {
  return isSubsequentPayment && previousSchemeTransactionId
    ? { networkPaymentReference: previousSchemeTransactionId }
    : {}
}

function source(type: string, isTokenized: boolean): Json {
  return { 'paymentdatasource.type': type, 'paymentdatasource.tokenized': String(isTokenized) }
}

/** MM/YY in two fields, the year with four digits. */
export function expiry(expirationDate: string): Json {
  const [month = '', year = ''] = expirationDate.split('/')
  return { expiryMonth: month, expiryYear: `20${year}` }
}

function holderOf({ billing }: AuthorizeOrder, cardholderName: string | null): Json {
  const holderName = cardholderName ?? nameOf(billing)
  return holderName ? { holderName } : {}
}

export function nameOf(contact: AuthorizeOrder['billing']): string {
  return [contact?.first_name, contact?.last_name].filter(Boolean).join(' ')
}
