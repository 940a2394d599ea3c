import { isIP } from 'node:net'
import type { Link, Refused } from '#connectors/contract/connector.ts'
import { cut, withoutMarks } from '#connectors/contract/latin-letters.ts'
import type { AuthorizeOrder, Contact, Instrument, ThreeDSecureResult } from '#connectors/contract/orders.ts'
import { refused } from '#connectors/contract/refuse.ts'
import type { Wire } from './wire.ts'

type Sending = { readonly path: string; readonly body: Wire }

/** What is asked of Worldpay, or why nothing is sent. The same order gives the same body. */
export function toPaymentRequest(order: AuthorizeOrder, { fields }: Link): Sending | Refused {
  const instrument = instrumentOf(order)
  if ('outcome' in instrument) return instrument as Refused
  const proof = order.isMerchantInitiated ? {} : proofOf(order)
  if ('outcome' in proof) return proof as Refused
  const { amount, currency, intent } = order
  const body = {
    // It can be used once: a second request with it is refused.
    transactionReference: order.attemptId,
    orderReference: order.reconciliationId,
    merchant: { entity: fields['entity'] },
    instruction: {
      requestAutoSettlement: { enabled: intent === 'capture' },
      value: { amount, currency },
      narrative: narrativeOf(order, fields['narrative'] ?? ''),
      paymentInstrument: instrument,
      ...known({ customerAgreement: agreementOf(order) }),
    },
    ...known({ customer: customerOf(order) }),
  }
  if (order.isMerchantInitiated) return { path: 'cardPayments/merchantInitiatedTransactions', body }
  const channel = order.paymentSource === 'moto' ? 'moto' : 'ecom'
  return { path: 'cardPayments/customerInitiatedTransactions', body: { ...body, channel, ...proof } }
}

type Of<Kind> = Extract<Instrument, { readonly kind: Kind }>

function instrumentOf({ instrument, billing, isMerchantInitiated }: AuthorizeOrder): Wire | Refused {
  const holder = known({ billingAddress: addressOf(billing) })
  switch (instrument.kind) {
    case 'card': {
      const code = isMerchantInitiated ? null : instrument.securityCode
      return {
        type: 'card/plain',
        cardNumber: instrument.number.use(String),
        expiryDate: expiryOf(instrument.expirationDate),
        ...known({ cardHolderName: nameOf(billing) }),
        ...(code && { cvc: code.use(String) }),
        ...holder,
      }
    }
    case 'network-token':
      return {
        type: `card/networkToken${WALLETS[instrument.cardSource ?? ''] ?? ''}`,
        tokenNumber: instrument.token.use(String),
        expiryDate: expiryOf(instrument.expirationDate),
        ...known({ cardHolderName: instrument.cardholderName ?? nameOf(billing) }),
        ...holder,
      }
    default:
      return refused('unsupported_payment_method', {
        rawDescription: 'Worldpay gets numbers of cards, and tokens of schemes',
      })
  }
}

const WALLETS: Readonly<Record<string, string>> = { 'apple-pay': '+applepay', 'google-pay': '+googlepay' }

/** MM/YY as numbers, the year with four digits. */
export function expiryOf(expirationDate: string): Wire {
  const [month, year] = expirationDate.split('/')
  return { month: Number(month), year: 2000 + Number(year) }
}

/** That the buyer was there: the cryptogram of a network token, or the result of 3-D Secure. */
function proofOf({ instrument, threeDSecure }: AuthorizeOrder): Wire | Refused {
  const token = instrument.kind === 'network-token' ? cryptogramOf(instrument) : null
  const result = threeDSecure === 'provider' || threeDSecure === null ? null : resultOf(threeDSecure)
  if (result && 'outcome' in result) return result
  const authentication = known({ networkToken: token, threeDS: result })
  return Object.keys(authentication).length > 0 ? { authentication } : {}
}

function cryptogramOf({ cryptogram, eci }: Of<'network-token'>): Wire | null {
  return cryptogram && { cryptogram: cryptogram.use(String), ...known({ eci: twoDigits(eci) }) }
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

function resultOf({ version, eci, cavv, ...result }: ThreeDSecureResult): Wire | Refused {
  const indicator = twoDigits(eci)
  // Left out, the payment would go on without what the buyer has proved.
  if (indicator === null) {
    return refused('invalid_request_parameters', {
      rawDescription: 'send the eci of 3-D Secure: Worldpay takes no result without it',
    })
  }
  const { directoryTransactionId: id, authenticationResponse, directoryResponse } = result
  return {
    version,
    eci: indicator,
    ...known({
      authenticationValue: cavv !== null && cavv.length <= 40 ? cavv : null,
      transactionId: id !== null && UUID.test(id) ? id : null,
      status: authenticationResponse ?? directoryResponse,
    }),
  }
}

/** As in `05`. Some say it without the zero. */
function twoDigits(eci: string | null): string | null {
  const digits = eci?.padStart(2, '0') ?? ''
  return /^\d{2}$/.test(digits) ? digits : null
}

/** What the buyer has agreed to about the card. */
function agreementOf(order: AuthorizeOrder): Wire | null {
  const { paymentSource: source, isMerchantInitiated, isSubsequentPayment } = order
  const schemeReference = order.previousSchemeTransactionId
  if (isMerchantInitiated) {
    const type = LATER[source] ?? 'unscheduled'
    return { type, ...INSTALLMENTS[type], ...known({ schemeReference }) }
  }
  if (isSubsequentPayment) return { type: 'cardOnFile', storedCardUsage: 'subsequent' }
  const type = FIRST[source]
  return type ? { type, ...INSTALLMENTS[type], storedCardUsage: 'first' } : null
}

const LATER: Readonly<Record<string, string>> = { recurring: 'subscription', installment: 'installment' }
const FIRST: Readonly<Record<string, string>> = { ...LATER, card_on_file: 'cardOnFile' }
const INSTALLMENTS: Readonly<Record<string, Wire>> = { installment: { installmentType: 'merchant' } }

const LINE_MAX = 24
const NOT_IN_LINE = /[^a-zA-Z0-9 _!@#$%()*=.:;?[\]{}~/+\-,`^&]/g

/** What statements show: Worldpay takes a line of plain letters, and wants one of every payment. */
function narrativeOf({ details: { statement_descriptor: descriptor } }: AuthorizeOrder, own: string): Wire {
  const line1 = lineOf(descriptor?.name) ?? lineOf(own) ?? 'Payment'
  const line2 = lineOf(descriptor?.city)
  return { line1, ...known({ line2 }) }
}

export function lineOf(text: string | null | undefined): string | null {
  const plain = withoutMarks(text ?? '').replace(NOT_IN_LINE, ' ')
  return plain.replace(/ +/g, ' ').trim().slice(0, LINE_MAX).trim() || null
}

const NAME_MAX = 255

export function nameOf(contact: Contact | null): string | null {
  const name = [contact?.first_name, contact?.last_name].flatMap((part) => part?.trim() || []).join(' ')
  return cut(name, NAME_MAX) || null
}

/** Worldpay wants the postcode and the country of an address, or none of it. */
export function addressOf(contact: Contact | null): Wire | null {
  const { line1, line2, house_number_or_name, city, state, state_code, postal_code, country } =
    contact?.address ?? {}
  if (!postal_code?.trim() || !country) return null
  return {
    postalCode: postal_code.trim(),
    countryCode: country,
    ...known({
      address1: [line1, house_number_or_name].flatMap((part) => part?.trim() || []).join(' ') || null,
      address2: line2?.trim() || null,
      city: city?.trim() || null,
      // ISO 3166-2 without the country.
      state: (state_code?.replace(/^[A-Z]{2}-/, '') ?? state)?.trim() || null,
    }),
  }
}

const EMAIL = /^(?=(?:[^@]*@){1}[^@]*$)[\x20-\x7e]{1,128}$/

function customerOf({ billing, buyer: { ipAddress }, isMerchantInitiated }: AuthorizeOrder): Wire | null {
  const email = billing?.email_address ?? ''
  const customer = known({
    emailAddress: EMAIL.test(email) ? email : null,
    ipAddress: !isMerchantInitiated && isIP(ipAddress ?? '') ? ipAddress : null,
  })
  return Object.keys(customer).length > 0 ? customer : null
}

export function known(values: Wire): Wire {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value != null))
}
