import { isIP } from 'node:net'
import type { Link, Refused } from '#connectors/contract/connector.ts'
import { cut, withoutMarks } from '#connectors/contract/latin-letters.ts'
import type { AuthorizeOrder, Contact, Instrument } from '#connectors/contract/orders.ts'
import { refused } from '#connectors/contract/refuse.ts'
import { toMajor } from './currency.ts'
import { type Proof, proofIn } from './proof.ts'
import { referenceOf } from './reference.ts'
import type { Wire } from './wire.ts'

/** What is asked of CyberSource, or why nothing is sent. The same order gives the same body. */
export function toPaymentRequest(order: AuthorizeOrder, { options }: Pick<Link, 'options'>): Wire | Refused {
  const payment = instrumentIn(order)
  const proof = proofIn(order)
  if ('outcome' in payment) return payment as Refused
  if ('outcome' in proof) return proof
  const { amount, currency, intent, reconciliationId, isPartialAllowed } = order
  return {
    clientReferenceInformation: {
      ...referenceOf(order.attemptId),
      ...known({ comments: textIn(given(options, 'comments'), 255) }),
    },
    processingInformation: {
      capture: intent === 'capture',
      commerceIndicator: commerceIndicatorOf(order, proof),
      reconciliationId,
      ...known({ paymentSolution: solutionOf(order.instrument) }),
      authorizationOptions: {
        partialAuthIndicator: isPartialAllowed,
        ...known({ initiator: initiatorOf(order) }),
      },
    },
    paymentInformation: payment,
    orderInformation: {
      amountDetails: { totalAmount: toMajor(amount, currency), currency },
      ...known({
        billTo: billTo(order.billing),
        shipTo: shipTo(order.shipping, given(options, 'ship_to_method')),
      }),
    },
    ...known({
      consumerAuthenticationInformation: proof.fields,
      deviceInformation: deviceOf(order),
      merchantInformation: merchantOf(order),
      merchantDefinedInformation: ownFieldsIn(options['merchant_defined_information']),
    }),
  }
}

/** Three digits for each scheme that has some. Left out, CyberSource looks at the number. */
const CARD_TYPES: Readonly<Record<string, string>> = {
  visa: '001',
  mastercard: '002',
  amex: '003',
  discover: '004',
  'diners-club': '005',
  jcb: '007',
  'carte-bancaire': '036',
  maestro: '042',
  elo: '054',
  hipercard: '055',
  rupay: '061',
  unionpay: '062',
}

function instrumentIn({ instrument, isMerchantInitiated }: AuthorizeOrder): Wire | Refused {
  if (instrument.kind === 'card') {
    const code = isMerchantInitiated ? null : instrument.securityCode
    const securityCode = code?.use(String)
    return {
      card: { number: instrument.number.use(String), ...detailsOf(instrument), ...known({ securityCode }) },
    }
  }
  if (instrument.kind === 'network-token') {
    const number = instrument.token.use(String)
    const cryptogram = instrument.cryptogram?.use(String)
    // In an app or on a page of a wallet, or stored with the merchant.
    const transactionType = instrument.cardSource === null ? '3' : '1'
    return {
      tokenizedCard: { number, ...detailsOf(instrument), transactionType, ...known({ cryptogram }) },
    }
  }
  return refused('unsupported_payment_method', {
    rawDescription: 'CyberSource gets numbers of cards, and tokens of schemes',
  })
}

function detailsOf({ expirationDate, scheme }: Extract<Instrument, { expirationDate: string }>): Wire {
  const [expirationMonth = '', year = ''] = expirationDate.split('/')
  const type = CARD_TYPES[scheme ?? '']
  return { expirationMonth, expirationYear: `20${year}`, ...known({ type }) }
}

const SOLUTIONS: Readonly<Record<string, string>> = { 'apple-pay': '001', 'google-pay': '012' }

function solutionOf(instrument: Instrument): string | undefined {
  return instrument.kind === 'network-token' ? SOLUTIONS[instrument.cardSource ?? ''] : undefined
}

/** Without the buyer, there is no proof. */
const LATER: Readonly<Record<string, string>> = { recurring: 'recurring', installment: 'install' }

function commerceIndicatorOf(order: AuthorizeOrder, { indicator }: Proof): string {
  if (order.isMerchantInitiated) return LATER[order.paymentSource] ?? 'internet'
  return order.paymentSource === 'moto' ? 'moto' : indicator
}

/** Why a merchant charges: a subscription, instalments, or what the buyer has agreed to otherwise. */
const REASONS: Readonly<Record<string, string>> = { recurring: '7', installment: '9' }
const UNSCHEDULED = '10'
const PREVIOUS_MAX = 15

/** What the buyer has agreed to about the card. */
function initiatorOf(order: AuthorizeOrder): Wire | null {
  const { paymentSource: source, previousSchemeTransactionId: previous } = order
  const reason = REASONS[source]
  if (order.isMerchantInitiated) {
    const previousTransactionId = previous !== null && previous.length <= PREVIOUS_MAX ? previous : null
    const merchantInitiatedTransaction = {
      reason: reason ?? UNSCHEDULED,
      ...known({ previousTransactionId }),
    }
    return { type: 'merchant', storedCredentialUsed: true, merchantInitiatedTransaction }
  }
  if (order.isSubsequentPayment) return { type: 'customer', storedCredentialUsed: true }
  if (source !== 'card_on_file' && reason === undefined) return null
  const merchantInitiatedTransaction = reason && { reason }
  return { type: 'customer', credentialStoredOnFile: true, ...known({ merchantInitiatedTransaction }) }
}

type Limits = { readonly state: number; readonly email: boolean }

function billTo(contact: Contact | null): Wire | null {
  return addressOf(contact, { state: 20, email: true })
}

function shipTo(contact: Contact | null, method: string | null): Wire | null {
  const address = addressOf(contact, { state: 2, email: false })
  return address || method ? { ...address, ...known({ method }) } : null
}

function given(options: Link['options'], name: string): string | null {
  const value = options[name]
  return typeof value === 'string' && value !== '' ? value : null
}

/** Fields of the merchant's own rules, by their numbers. */
function ownFieldsIn(fields: unknown): readonly Wire[] | null {
  const entries = Object.entries((fields ?? {}) as Record<string, unknown>)
  const own = entries.flatMap(([key, value]) => (typeof value === 'string' ? [{ key, value }] : []))
  return own.length > 0 ? own : null
}

const EMAIL = /^(?=[^@]+@[^@]+$)[\x21-\x7e]{3,255}$/

const NO_ADDRESS: Partial<NonNullable<Contact['address']>> = {}

/** Leaves out or cuts what CyberSource would refuse, so that no text of a buyer has a payment refused. */
function addressOf(contact: Contact | null, limits: Limits): Wire | null {
  const { line1, line2, house_number_or_name: house, city, country, ...rest } = contact?.address ?? NO_ADDRESS
  // ISO 3166-2 without the country.
  const state = rest.state_code?.replace(/^[A-Z]{2}-/, '') ?? rest.state
  const email = contact?.email_address ?? ''
  const found = known({
    firstName: textIn(contact?.first_name, 60),
    lastName: textIn(contact?.last_name, 60),
    address1: textIn([line1, house].flatMap((part) => part?.trim() || []).join(' '), 60),
    address2: textIn(line2, 60),
    locality: textIn(city, 50),
    administrativeArea: short(state, limits.state),
    postalCode: short(rest.postal_code, 10),
    country: country || null,
    phoneNumber: short(contact?.phone_number?.replace(/^\+/, ''), 15),
    ...(limits.email && { email: EMAIL.test(email) ? email : null }),
  })
  return Object.keys(found).length > 0 ? found : null
}

function textIn(text: string | null | undefined, max: number): string | null {
  return cut(text?.trim() ?? '', max).trim() || null
}

/** Half of a code is another one. */
function short(text: string | null | undefined, max: number): string | null {
  const plain = text?.trim() ?? ''
  return plain !== '' && plain.length <= max ? plain : null
}

function deviceOf({ buyer: { ipAddress }, isMerchantInitiated }: AuthorizeOrder): Wire | null {
  return !isMerchantInitiated && isIP(ipAddress ?? '') ? { ipAddress } : null
}

/** What statements show. Left out, it is what the account has. */
function merchantOf({ details: { statement_descriptor: descriptor } }: AuthorizeOrder): Wire | null {
  const merchantDescriptor = known({
    name: plainIn(descriptor?.name, 22),
    locality: plainIn(descriptor?.city, 13),
  })
  return Object.keys(merchantDescriptor).length > 0 ? { merchantDescriptor } : null
}

function plainIn(text: string | null | undefined, max: number): string | null {
  const plain = withoutMarks(text ?? '').replace(/[^\x20-\x7e]/g, ' ')
  return textIn(plain.replace(/ +/g, ' '), max)
}

function known(values: Wire): Wire {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value != null))
}
