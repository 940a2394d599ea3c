import { randomUUID } from 'node:crypto'
import type {
  AuthorizeOrder,
  CancelOrder,
  CaptureOrder,
  ForgetTokenOrder,
  IncrementOrder,
  Instrument,
  PayoutOrder,
  RefundOrder,
  Secret,
  TokenizeOrder,
  VoidOrder,
} from './orders.ts'
import { secret } from './secret.ts'

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
    isPartialAllowed: false,
    redirectUrl: null,
    details: {},
    ...over,
  }
}

/** An authorization, and the provider's id of it. */
export type Authorized = { readonly order: AuthorizeOrder; readonly reference: string }

export function captureOrder(on: Authorized, over: Partial<CaptureOrder> = {}): CaptureOrder {
  return { ...followUp(on), captureId: randomUUID(), isFinal: true, details: {}, ...over }
}

export function voidOrder(on: Authorized, over: Partial<VoidOrder> = {}): VoidOrder {
  return { ...followUp(on), ...over }
}

export function cancelOrder(on: Authorized, over: Partial<CancelOrder> = {}): CancelOrder {
  return { ...followUp(on), ...over }
}

export function refundOrder(on: Authorized, over: Partial<RefundOrder> = {}): RefundOrder {
  return { ...followUp(on), refundId: randomUUID(), reason: null, authorizedAmount: on.order.amount, ...over }
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

function followUp({ order, reference }: Authorized): VoidOrder {
  const { transactionId, amount, currency } = order
  return { attemptId: randomUUID(), transactionId, reference, amount, currency }
}
