import { randomInt } from 'node:crypto'

export type Money = { readonly value: number; readonly currency: string }

/** What was asked of a payment, and what came of it. */
export type Modification = {
  readonly pspReference: string
  readonly kind: 'CAPTURE' | 'CANCELLATION' | 'REFUND' | 'CANCEL_OR_REFUND' | 'AUTHORISATION_ADJUSTMENT'
  /** The merchant's own reference of the modification. */
  readonly reference: string
  readonly key: string | null
  readonly amount: Money
  status: 'received' | 'succeeded' | 'failed' | 'failed late'
}

export type Payment = {
  readonly pspReference: string
  readonly reference: string
  readonly orderReference: string | null
  readonly key: string | null
  /** Such as `visa`, `mc`, `ideal`. */
  readonly method: string
  readonly returnUrl: string
  readonly isManualCapture: boolean
  readonly shopperInteraction: string
  /** Of a direct debit: whether others follow. */
  readonly debit: 'OneOff' | 'First' | 'Recurring'
  /** How it ends once the shopper has approved, or the bank has answered. */
  verdict: Verdict
  status: 'redirected' | 'received' | 'authorised' | 'refused' | 'cancelled' | 'expired'
  /** What the bank holds. It may be a part of what was asked for. */
  amount: Money
  readonly asked: Money
  captured: number
  refunded: number
  readonly modifications: Modification[]
}

/** A result of the acquirer. Code 1 approves. */
export type Verdict = { readonly code: number; readonly facts: Readonly<Record<string, string>> }

export type Dispute = {
  readonly pspReference: string
  readonly payment: Payment
  readonly amount: Money
  readonly reasonCode: string
  status: 'told' | 'open' | 'reversed' | 'second'
  readonly defendUntil: Date
  /** How long each file is, by its type. The files are not kept. */
  readonly documents: Map<string, number>
  answer: 'accepted' | 'defended' | null
}

/** A card that is kept under its shopper. */
export type StoredCard = {
  readonly id: string
  readonly shopperReference: string
  readonly card: Readonly<Record<string, unknown>>
}

export type Webhook = { readonly id: string; url: string; active: boolean }

/** One effect: money that was reserved, moved or released, or a card that was stored or deleted. */
export type Movement = {
  readonly kind: string
  readonly pspReference: string
  readonly reference: string
  readonly key: string | null
  /** A new total counts what it adds. */
  readonly amount: Money
  /** Captured in the same step. */
  readonly isCaptured: boolean
}

/** A line of the next settlement report. */
export type Settled = {
  readonly type:
    | 'Settled'
    | 'Refunded'
    | 'RefundedReversed'
    | 'Chargeback'
    | 'ChargebackReversed'
    | 'SecondChargeback'
    | 'SettledReversed'
  readonly payment: Payment
  readonly modification: { readonly pspReference: string; readonly reference: string }
  readonly amount: Money
  readonly at: Date
}

/** What the return of a shopper brings back, and what it is worth once. */
export type Return = { readonly payment: Payment; readonly decision: Decision; isUsed: boolean }
export type Decision = 'approve' | 'decline' | 'cancel'

export type NotificationItem = {
  readonly additionalData: Readonly<Record<string, string>>
  readonly amount: Money
  readonly eventCode: string
  readonly eventDate: string
  readonly merchantAccountCode: string
  readonly merchantReference: string
  readonly originalReference?: string
  readonly paymentMethod?: string
  readonly operations?: readonly string[]
  readonly pspReference: string
  readonly reason: string
  readonly success: 'true' | 'false'
}

export type ReportFile = { readonly name: string; readonly text: string; readonly publishedAt: Date }

/** Everything the stand-in knows. It is gone when the process ends. */
export class State {
  readonly payments = new Map<string, Payment>()
  readonly returns = new Map<string, Return>()
  readonly disputes = new Map<string, Dispute>()
  /** What is left on a card, by its number. Others have enough. */
  readonly balances = new Map<string, number>()
  readonly tokens = new Map<string, StoredCard>()
  readonly webhooks: Webhook[] = []
  readonly movements: Movement[] = []
  readonly settled: Settled[] = []
  readonly reports: ReportFile[] = []
  readonly outbox: NotificationItem[] = []

  modification(pspReference: string): { payment: Payment; modification: Modification } | null {
    for (const payment of this.payments.values()) {
      const modification = payment.modifications.find((one) => one.pspReference === pspReference)
      if (modification) return { payment, modification }
    }
    return null
  }

  note(kind: string, of: Payment | Modification, { amount = of.amount, isCaptured = false } = {}): void {
    const { pspReference, reference, key } = of
    this.movements.push({ kind, pspReference, reference, key, amount, isCaptured })
  }

  noteToken(
    kind: 'STORE' | 'DELETE',
    {
      id,
      shopperReference,
      key,
    }: { readonly id: string; readonly shopperReference: string; readonly key: string | null },
  ): void {
    const amount = { value: 0, currency: '' }
    this.movements.push({
      kind,
      pspReference: id,
      reference: shopperReference,
      key,
      amount,
      isCaptured: false,
    })
  }
}

const LETTERS = '23456789BCDFGHJKLMNPQRSTVWXZ'

/** 16 characters, as those of Adyen. */
export function newPspReference(): string {
  return Array.from({ length: 16 }, () => LETTERS[randomInt(LETTERS.length)]).join('')
}
