import { isIP } from 'node:net'
import type { Link, Refused } from '#connectors/contract/connector.ts'
import { cut } from '#connectors/contract/latin-letters.ts'
import type {
  AuthorizeOrder,
  Contact,
  Instrument,
  OfferedToken,
  ThreeDSecureResult,
} from '#connectors/contract/orders.ts'
import { refused } from '#connectors/contract/refuse.ts'
import { withoutNulls } from '#connectors/contract/requests.ts'
import { isExact } from './currency.ts'
import { isId, type Json } from './wire.ts'

/** The body of `POST /payments`, or why nothing is sent. The same order gives the same body. */
export function toPaymentRequest(order: AuthorizeOrder, { fields }: Link): Json | Refused {
  const { amount, currency, intent, details } = order
  if (!isExact(amount, currency)) return NOT_EXACT
  const source = toSource(order)
  if ('outcome' in source) return source
  const isHeld = intent === 'authorize' && amount > 0
  return {
    source,
    amount,
    currency,
    capture: intent === 'capture' && amount > 0,
    ...initiator(order),
    // Checkout.com takes 30 characters with American Express.
    reference: order.reconciliationId,
    metadata: { attempt: order.attemptId, transaction: order.transactionId, intent },
    ...(isHeld && fields['estimated_authorizations'] === 'true' && { authorization_type: 'Estimated' }),
    ...(order.isPartialAllowed && { partial_authorization: { enabled: true } }),
    ...withoutNulls({
      processing_channel_id: fields['processing_channel_id'],
      description: details.description && cut(details.description, 100),
      customer: customerOf(order.billing),
      shipping: shippingOf(order.shipping),
      billing_descriptor: descriptorOf(details.statement_descriptor),
      risk: deviceOf(order),
      processing: processingOf(order),
      recipient: recipientOf(details.recipient),
      success_url: order.redirectUrl,
      failure_url: order.redirectUrl,
    }),
    '3ds': authentication(order),
  }
}

export const NOT_EXACT = refused('invalid_amount', {
  rawDescription: 'the last of three decimals must be 0 at Checkout.com',
})

type Of<Kind> = Extract<Instrument, { readonly kind: Kind }>

export function toSource(
  order: Pick<AuthorizeOrder, 'instrument'> & Partial<AuthorizeOrder>,
): Json | Refused {
  const { instrument, isMerchantInitiated = false, isSubsequentPayment = false, billing = null } = order
  const stored = (isSubsequentPayment || isMerchantInitiated) && { stored: true }
  const holder = withoutNulls({ name: nameOf(billing), billing_address: addressOf(billing) })
  switch (instrument.kind) {
    case 'card':
      return {
        type: 'card',
        number: instrument.number.use(String),
        ...expiryOf(instrument.expirationDate),
        ...codeIn(instrument, isMerchantInitiated),
        ...stored,
        ...holder,
      }
    case 'network-token':
      return tokenSource(instrument, { ...stored, ...holder })
    case 'provider-token': {
      const id = instrument.token.use(String)
      if (!isId('src', id)) {
        return refused('unavailable_payment_method', {
          rawDescription: 'this is no stored card of Checkout.com',
        })
      }
      const { billing_address } = holder
      return {
        type: 'id',
        id,
        ...codeIn(instrument, isMerchantInitiated),
        ...stored,
        ...withoutNulls({ billing_address }),
      }
    }
    default:
      return refused('unsupported_payment_method', {
        rawDescription: 'Checkout.com gets no such instrument from us',
      })
  }
}

/** Whose token it is: a wallet's, or that of the scheme. */
const TOKEN_TYPES: Readonly<Record<string, string>> = {
  'apple-pay': 'applepay',
  'google-pay': 'googlepay',
  visa: 'vts',
  mastercard: 'mdes',
}

const OTHER_SCHEME =
  'Checkout.com takes network tokens of Visa and Mastercard; payment_method.card_scheme says whose it is'

export function obstacleTo(offered: OfferedToken): string | null {
  return offered.kind === 'wallet' || typeOf(offered) ? null : OTHER_SCHEME
}

function typeOf({ cardSource, scheme }: Pick<Of<'network-token'>, 'cardSource' | 'scheme'>) {
  return TOKEN_TYPES[cardSource ?? scheme ?? '']
}

function tokenSource(instrument: Of<'network-token'>, rest: Json): Json | Refused {
  const { token, expirationDate, cryptogram, eci, cardholderName } = instrument
  const type = typeOf(instrument)
  if (!type) return refused('unsupported_scheme', { rawDescription: OTHER_SCHEME })
  return {
    type: 'network_token',
    token: token.use(String),
    token_type: type,
    ...expiryOf(expirationDate),
    ...withoutNulls({ cryptogram: cryptogram?.use(String), eci }),
    ...rest,
    ...withoutNulls({ name: cardholderName ?? rest['name'] }),
  }
}

/** MM/YY as numbers, the year with four digits. */
export function expiryOf(expirationDate: string): Json {
  const [month, year] = expirationDate.split('/')
  return { expiry_month: Number(month), expiry_year: 2000 + Number(year) }
}

/** The schemes forbid to keep a code, so a payment without the buyer has none. */
function codeIn({ securityCode }: Of<'card'> | Of<'provider-token'>, isMerchantInitiated: boolean): Json {
  return securityCode && !isMerchantInitiated ? { cvv: securityCode.use(String) } : {}
}

/** Who starts the payment. Without the buyer, a payment is never `Regular`. */
function initiator(order: AuthorizeOrder): Json {
  const { paymentSource, isMerchantInitiated, isSubsequentPayment, previousSchemeTransactionId } = order
  const type = TYPES[paymentSource] ?? (isMerchantInitiated ? 'Unscheduled' : 'Regular')
  return {
    payment_type: type,
    merchant_initiated: isMerchantInitiated,
    // A payment of Checkout.com or the scheme's id of it: both are taken.
    ...(isSubsequentPayment &&
      previousSchemeTransactionId && { previous_payment_id: previousSchemeTransactionId }),
  }
}

const TYPES: Readonly<Record<string, string>> = {
  moto: 'MOTO',
  recurring: 'Recurring',
  installment: 'Installment',
}

/**
 * By Checkout.com on its page, elsewhere before, or not at all. Where the buyer can be sent to a page, Checkout.com may
 * also authenticate a payment that the bank refuses without it.
 */
function authentication(order: AuthorizeOrder): Json {
  const { threeDSecure, isMerchantInitiated, paymentSource, redirectUrl } = order
  const hasBuyer = !isMerchantInitiated && paymentSource !== 'moto'
  if (threeDSecure === null || !hasBuyer) {
    return { enabled: false, allow_upgrade: hasBuyer && redirectUrl !== null }
  }
  return threeDSecure === 'provider' ? { enabled: true } : { enabled: true, ...toResult(threeDSecure) }
}

function toResult(result: ThreeDSecureResult): Json {
  return withoutNulls({
    version: result.version,
    eci: result.eci,
    cryptogram: result.cavv,
    cryptogram_algorithm: result.cavvAlgorithm,
    xid: result.directoryTransactionId ?? result.xid,
    // Without a challenge there is no second response, and the first one decides.
    status: result.authenticationResponse ?? result.directoryResponse,
  })
}

function nameOf(contact: Contact | null): string {
  return cut([contact?.first_name, contact?.last_name].filter(Boolean).join(' '), 255)
}

function customerOf(billing: Contact | null): Json | null {
  // Checkout.com knows its customers by their e-mail address.
  if (!billing?.email_address || billing.email_address.length > 255) return null
  return withoutNulls({ email: billing.email_address, name: nameOf(billing) })
}

function shippingOf(shipping: Contact | null): Json | null {
  const address = addressOf(shipping)
  return address && { address }
}

export function addressOf(contact: Pick<Contact, 'address'> | null): Json | null {
  const { line1, line2, house_number_or_name, city, state, state_code, postal_code, country } =
    contact?.address ?? {}
  if (!country) return null
  return withoutNulls({
    address_line1: cut([house_number_or_name, line1].filter(Boolean).join(' '), 200),
    address_line2: line2 && cut(line2, 200),
    city: city && cut(city, 50),
    // ISO 3166-2 without the country.
    state: state_code?.replace(/^[A-Z]{2}-/, '') ?? state,
    zip: postal_code && cut(postal_code, 50),
    country,
  })
}

/** Checkout.com takes a name and a city, or none of them. */
function descriptorOf(descriptor: AuthorizeOrder['details']['statement_descriptor']): Json | null {
  const { name, city } = descriptor ?? {}
  return name && city ? { name: cut(name, 25), city: cut(city, 13) } : null
}

function processingOf({ previousTransactionLinkId, details }: AuthorizeOrder): Json | null {
  const known = withoutNulls({
    scheme_transaction_link_id: previousTransactionLinkId,
    aft: details.account_funding_transaction || null,
  })
  return Object.keys(known).length > 0 ? known : null
}

/** Whose account is funded. Of a British postcode, Checkout.com wants the first part. */
function recipientOf(recipient: AuthorizeOrder['details']['recipient']): Json | null {
  if (!recipient) return null
  const { first_name, last_name, account_number, date_of_birth, address } = recipient
  return withoutNulls({
    first_name: cut(first_name, 50),
    last_name: cut(last_name, 50),
    dob: date_of_birth,
    account_number: tenOf(account_number?.replace(/[^A-Za-z0-9]/g, '') ?? ''),
    zip: address?.postal_code && cut(address.postal_code.split(' ', 1).join(), 10),
    country: address?.country,
  })
}

/** Of an account its first ten signs, of a card its first six and last four. */
function tenOf(number: string): string | null {
  if (/^\d{12,19}$/.test(number)) return `${number.slice(0, 6)}${number.slice(-4)}`
  return number.length < 10 ? null : number.slice(0, 10)
}

function deviceOf({ buyer: { ipAddress }, details: { browser_info: browser } }: AuthorizeOrder): Json | null {
  const version = isIP(ipAddress ?? '')
  if (!ipAddress || version === 0) return null
  const user_agent = browser?.user_agent.slice(0, 2048)
  return { device: { network: { [`ipv${version}`]: ipAddress }, ...withoutNulls({ user_agent }) } }
}
