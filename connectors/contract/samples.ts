import { randomUUID } from 'node:crypto'
import type { DecideOrder } from './anti-fraud.ts'
import { BUYER_FIELDS, type BuyerField } from './buyer-fields.ts'
import type { Link, Remembered } from './connector.ts'
import type {
  AuthorizeOrder,
  CancelOrder,
  CaptureOrder,
  ForgetTokenOrder,
  IncrementOrder,
  Inquiry,
  InquiryAbout,
  Instrument,
  Operation,
  Orders,
  PayoutOrder,
  RefundOrder,
  Secret,
  TokenizeOrder,
  VoidOrder,
} from './orders.ts'
import { secret } from './secret.ts'

/** A link for tests. It remembers by itself. */
export function testLink(given: Pick<Link, 'fetch'> & Partial<Link>): Link {
  const memory = new Map<string, Remembered>()
  const now = given.now ?? (() => new Date())
  return {
    fields: {},
    options: {},
    environment: 'sandbox',
    now,
    remember: async (name, make) => {
      const known = memory.get(name)
      if (known && known.expiresAt > now()) return known.value
      const made = await make()
      memory.set(name, made)
      return made.value
    },
    forget: async (name) => void memory.delete(name),
    ...given,
  }
}

/** Complete orders for tests, each with its own attempt id. */

export const CARD_NUMBER = '4111111111111111'
export const SECURITY_CODE = '9174'

export function card(over: Partial<Instrument & { kind: 'card' }> = {}): Instrument {
  return {
    kind: 'card',
    source: 'card',
    number: secret(CARD_NUMBER),
    expirationDate: '12/35',
    securityCode: secret(SECURITY_CODE),
    scheme: 'visa',
    ...over,
  }
}

export function authorizeOrder(over: Partial<AuthorizeOrder> = {}): AuthorizeOrder {
  return {
    attemptId: randomUUID(),
    transactionId: randomUUID(),
    reconciliationId: '0000000000000000000001',
    amount: 1299,
    currency: 'USD',
    intent: 'authorize',
    country: 'US',
    instrument: card(),
    billing: null,
    shipping: null,
    paymentSource: 'ecommerce',
    isMerchantInitiated: false,
    isSubsequentPayment: false,
    previousSchemeTransactionId: null,
    previousTransactionLinkId: null,
    threeDSecure: null,
    buyer: { id: null, ipAddress: null, locale: null },
    isPartialAllowed: false,
    redirectUrl: null,
    details: {},
    ...over,
  }
}

/** An authorization, the provider's id of it, and the provider's id of its capture. */
export type Authorized = {
  readonly order: AuthorizeOrder
  readonly reference: string
  readonly captureReference?: string
}

export function captureOrder(on: Authorized, over: Partial<CaptureOrder> = {}): CaptureOrder {
  const own = { captureId: randomUUID(), isFinal: true, authorizationAgeMs: 0, details: {} }
  return { ...followUp(on), ...own, ...over }
}

export function voidOrder(on: Authorized, over: Partial<VoidOrder> = {}): VoidOrder {
  return { ...followUp(on), ...over }
}

export function cancelOrder(on: Authorized, over: Partial<CancelOrder> = {}): CancelOrder {
  return { ...followUp(on), ...over }
}

export function refundOrder(on: Authorized, over: Partial<RefundOrder> = {}): RefundOrder {
  return {
    ...followUp(on),
    refundId: randomUUID(),
    reason: null,
    captureReference: on.captureReference ?? null,
    ...over,
  }
}

export function incrementOrder(on: Authorized, over: Partial<IncrementOrder> = {}): IncrementOrder {
  return { ...followUp(on), amount: 100, ...over }
}

export function payoutOrder(over: Partial<PayoutOrder> = {}): PayoutOrder {
  return {
    attemptId: randomUUID(),
    payoutId: randomUUID(),
    amount: 1299,
    currency: 'USD',
    reconciliationId: '0000000000000000000001',
    instrument: card(),
    billing: null,
    category: null,
    merchant: null,
    externalIdentifier: null,
    ...over,
  }
}

export function tokenizeOrder(over: Partial<TokenizeOrder> = {}): TokenizeOrder {
  return {
    attemptId: randomUUID(),
    tokenId: randomUUID(),
    instrument: card(),
    redirectUrl: 'https://shop.example.com/stored',
    ...over,
  }
}

export function forgetTokenOrder(token: Secret, over: Partial<ForgetTokenOrder> = {}): ForgetTokenOrder {
  return { attemptId: randomUUID(), tokenId: randomUUID(), token, ...over }
}

/** A question about an attempt whose answer was lost. */
export function inquiryAbout<Name extends Operation>(
  operation: Name,
  order: Orders[Name],
  over: Partial<InquiryAbout<Name>> = {},
): Inquiry {
  const transactionId =
    'transactionId' in order ? order.transactionId : 'tokenId' in order ? order.tokenId : ''
  const { attemptId } = order
  const asked = {
    ...{ operation, attemptId, transactionId, reference: null, ownReference: null, order: null },
    sentAt: new Date(),
  }
  return { ...asked, ...over } as Inquiry
}

function followUp({ order, reference, captureReference }: Authorized): VoidOrder {
  const { transactionId, reconciliationId, amount, currency } = order
  return {
    attemptId: randomUUID(),
    transactionId,
    reconciliationId,
    reference,
    amount,
    currency,
    authorizedAmount: amount,
    capturedAmount: captureReference === undefined ? 0 : amount,
  }
}

/** What a buyer enters for a method. */
export function enteredFor(names: readonly BuyerField[]): Readonly<Partial<Record<BuyerField, Secret>>> {
  return Object.fromEntries(names.map((name) => [name, secret(BUYER_FIELDS[name].example)]))
}

/** A payment that an anti-fraud service is asked about. */
export function judgedOrder(over: Partial<DecideOrder> = {}): DecideOrder {
  return {
    transactionId: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0002',
    amount: 1299,
    currency: 'USD',
    minorUnits: 2,
    country: 'US',
    intent: 'capture',
    paymentSource: 'ecommerce',
    isMerchantInitiated: false,
    isSubsequentPayment: false,
    ipAddress: '192.0.2.1',
    fingerprint: 'session-of-the-browser',
    method: 'card',
    scheme: 'visa',
    bin: '41111111',
    cardCountry: 'US',
    buyer: {
      id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0001',
      externalIdentifier: 'customer-4711',
      emailAddress: 'jane@example.com',
      phoneNumber: '+13125550100',
      firstName: 'Jane',
      lastName: 'Doe',
      country: 'US',
      address: { line1: '1 Main St', line2: null, city: 'Chicago', state: 'US-IL', postalCode: '60601' },
    },
    metadata: { order: '4711' },
    ...over,
  }
}
