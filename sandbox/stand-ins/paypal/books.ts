import { randomBytes } from 'node:crypto'
import type { Money } from './money.ts'

/** Everything the stand-in knows. It is in memory: a new process begins with empty books. */

export type Json = Record<string, unknown>

export type Client = {
  readonly id: string
  readonly secret: string
  readonly merchantId: string
  /** Without `payments`, an app can get tokens, but not move money. */
  readonly features: readonly Feature[]
}

export type Feature = 'payments' | 'cards' | 'apple_pay' | 'google_pay' | 'vault' | 'reporting' | 'disputes'

export type Order = {
  readonly id: string
  readonly clientId: string
  readonly intent: 'AUTHORIZE' | 'CAPTURE'
  readonly unit: Json & { readonly custom_id?: string; readonly invoice_id?: string }
  readonly amount: Money
  readonly createdAt: Date
  status: 'CREATED' | 'PAYER_ACTION_REQUIRED' | 'APPROVED' | 'COMPLETED' | 'VOIDED'
  source: Source | null
  approvedAt: Date | null
  readonly authorizations: string[]
  readonly captures: string[]
}

/** What pays: a card with what the stand-in needs of it, or the account of a buyer at PayPal. */
export type Source =
  | {
      readonly kind: 'card'
      /** The wallet that the card came from. */
      readonly wallet: 'apple_pay' | 'google_pay' | null
      readonly lastDigits: string
      readonly brand: string
      readonly expiry: string
      readonly name: string | null
      readonly hasCode: boolean
      readonly networkReference: string
      /** Of 3-D Secure, once the buyer was asked. */
      authentication: Authentication | null
      readonly returnUrl: string | null
      readonly cancelUrl: string | null
      readonly storesOnSuccess: boolean
      vaultId: string | null
    }
  | {
      readonly kind: 'paypal'
      payer: Payer | null
      readonly returnUrl: string | null
      readonly cancelUrl: string | null
      readonly storesOnSuccess: boolean
      vaultId: string | null
      /** The buyer's bank account is debited, which takes days. */
      isECheck: boolean
    }

export type Authentication = {
  readonly liabilityShift: 'POSSIBLE' | 'NO' | 'UNKNOWN'
  readonly enrollment: 'Y' | 'N' | 'U' | 'B'
  readonly status: 'Y' | 'N' | 'U' | 'A' | 'C' | 'R' | null
}

export type Payer = { readonly id: string; readonly email: string; readonly givenName: string }

export type Authorization = {
  readonly id: string
  readonly clientId: string
  readonly orderId: string
  /** The authorization that this one prolongs. */
  readonly parentId: string | null
  readonly amount: Money
  readonly createdAt: Date
  status: 'CREATED' | 'CAPTURED' | 'DENIED' | 'PARTIALLY_CAPTURED' | 'VOIDED' | 'PENDING'
  updatedAt: Date
  readonly response: Json | null
  readonly captures: string[]
}

export type Capture = {
  readonly id: string
  readonly clientId: string
  readonly orderId: string
  readonly authorizationId: string | null
  readonly amount: Money
  readonly isFinal: boolean
  readonly invoiceId: string | null
  readonly createdAt: Date
  status: 'COMPLETED' | 'DECLINED' | 'PARTIALLY_REFUNDED' | 'PENDING' | 'REFUNDED' | 'FAILED'
  reason: string | null
  updatedAt: Date
  readonly response: Json | null
  readonly refunds: string[]
}

export type Refund = {
  readonly id: string
  readonly clientId: string
  readonly captureId: string
  readonly amount: Money
  readonly customId: string | null
  readonly invoiceId: string | null
  readonly note: string | null
  readonly createdAt: Date
  status: 'CANCELLED' | 'FAILED' | 'PENDING' | 'COMPLETED'
  updatedAt: Date
}

export type SetupToken = {
  readonly id: string
  readonly clientId: string
  readonly customerId: string
  status: 'CREATED' | 'PAYER_ACTION_REQUIRED' | 'APPROVED' | 'VAULTED'
  readonly source: Source
  readonly createdAt: Date
}

export type PaymentToken = {
  readonly id: string
  readonly clientId: string
  readonly customerId: string
  readonly source: Source
}

export type Dispute = {
  readonly id: string
  readonly clientId: string
  readonly captureId: string
  readonly amount: Money
  readonly reason: string
  readonly createdAt: Date
  stage: 'INQUIRY' | 'CHARGEBACK' | 'PRE_ARBITRATION' | 'ARBITRATION'
  status: 'OPEN' | 'WAITING_FOR_SELLER_RESPONSE' | 'UNDER_REVIEW' | 'RESOLVED'
  outcome: string | null
  /** What the seller has sent, without the files. */
  evidences: readonly Json[]
  updatedAt: Date
}

/** One movement of the balance, as Transaction Search reports it. */
export type Movement = {
  readonly id: string
  readonly clientId: string
  readonly code: string
  readonly referenceId: string | null
  readonly referenceType: 'ODR' | 'TXN' | null
  readonly amount: Money
  /** Below zero is taken. */
  readonly gross: number
  readonly fee: number
  readonly invoiceId: string | null
  readonly customId: string | null
  readonly at: Date
}

export class Books {
  readonly now: () => Date
  readonly clients: readonly Client[]
  readonly orders = new Map<string, Order>()
  readonly authorizations = new Map<string, Authorization>()
  readonly captures = new Map<string, Capture>()
  readonly refunds = new Map<string, Refund>()
  readonly setupTokens = new Map<string, SetupToken>()
  readonly paymentTokens = new Map<string, PaymentToken>()
  readonly disputes = new Map<string, Dispute>()
  readonly movements: Movement[] = []
  /** How often a request with this PayPal-Request-Id changed something. */
  readonly effects = new Map<string, number>()
  /** What comes next: as at the provider, some payments are decided later. */
  readonly behaviour = { captures: 'immediate', authorizations: 'immediate', refunds: 'immediate' }

  constructor(now: () => Date, clients: readonly Client[]) {
    this.now = now
    this.clients = clients
  }

  note(key: string | null): void {
    if (key !== null) this.effects.set(key, (this.effects.get(key) ?? 0) + 1)
  }
}

const LETTERS = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'

/** Ids of PayPal have 17 letters and digits; those of accounts 13. */
export function inventId(length = 17): string {
  return Array.from(randomBytes(length), (byte) => LETTERS[byte % LETTERS.length]).join('')
}
