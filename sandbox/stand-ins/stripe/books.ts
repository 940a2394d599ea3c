import { randomBytes } from 'node:crypto'
import type { BalanceTransaction, Dispute, Event, Payout, StoredFile } from './money-objects.ts'
import { newEvent } from './money-objects.ts'
import type { Acceptance, Charge, Intent, Mandate, PaymentMethod, Refund, SetupIntent } from './objects.ts'

/** What a payment method hides: Stripe never shows the whole number again. */
export type Hidden = { readonly number?: string; readonly iban?: string; readonly account?: string }

/** How an intent was confirmed: kept for when the buyer has approved. */
export type Confirmation = {
  readonly key: string | null
  readonly mandate: Acceptance | null
  readonly isOffSession: boolean
  readonly hasErrorOnAction: boolean
  readonly returnUrl: string | null
  readonly hasThreeDSecureResult: boolean
  readonly threeDSecureWish: string | null
}

export type WebhookEndpoint = {
  readonly id: string
  readonly url: string
  readonly secret: string
  readonly events: readonly string[]
  readonly created: number
}

/** One effect: money that was reserved, taken, released or given back. */
export type Movement = {
  /** The idempotency key of the request that caused it. */
  readonly key: string
  readonly what: 'authorize' | 'capture' | 'cancel' | 'increment' | 'refund' | 'setup' | 'cancel setup'
  /** The intent. */
  readonly of: string
  /** An increment counts what it adds, and a cancel what it releases. */
  readonly amount: number
  readonly currency: string
  /** Taken in the same step. */
  readonly isCaptured: boolean
}

type Effect = Omit<Movement, 'key' | 'isCaptured'> & { readonly isCaptured?: boolean }

/** Everything the stand-in remembers. In memory, and by the clock that it was given. */
export class Books {
  readonly now: () => Date
  readonly methods = new Map<string, PaymentMethod>()
  readonly hidden = new Map<string, Hidden>()
  readonly intents = new Map<string, Intent>()
  readonly confirmations = new Map<string, Confirmation>()
  readonly setupIntents = new Map<string, SetupIntent>()
  readonly mandates = new Map<string, Mandate>()
  /** The mandate of each intent that debits an account. */
  readonly mandateOf = new Map<string, string>()
  readonly charges = new Map<string, Charge>()
  readonly refunds = new Map<string, Refund>()
  readonly disputes = new Map<string, Dispute>()
  readonly files = new Map<string, StoredFile>()
  readonly transactions = new Map<string, BalanceTransaction>()
  /** The payout of each balance transaction that was paid out. */
  readonly payoutOf = new Map<string, string>()
  readonly payouts = new Map<string, Payout>()
  readonly endpoints = new Map<string, WebhookEndpoint>()
  readonly events: Event[] = []
  readonly movements: Movement[] = []
  readonly #listeners: ((event: Event) => void)[] = []

  constructor(now: () => Date) {
    this.now = now
  }

  id(prefix: string): string {
    return `${prefix}_${randomBytes(12).toString('hex')}`
  }

  seconds(): number {
    return Math.floor(this.now().getTime() / 1_000)
  }

  noteEffect(key: string | null, effect: Effect): void {
    if (key !== null) this.movements.push({ key, isCaptured: false, ...effect })
  }

  effectsOf(key: string): number {
    return this.movements.filter((movement) => movement.key === key).length
  }

  /** `previous`: what an update has replaced. */
  emit(type: string, object: object, key: string | null = null, previous?: object): void {
    // An event shows its object as it is now, whatever happens later.
    const event = newEvent({
      id: this.id('evt'),
      created: this.seconds(),
      type,
      object: structuredClone(object),
      previous,
      key,
    })
    this.events.push(event)
    for (const listener of this.#listeners) listener(event)
  }

  onEvent(listener: (event: Event) => void): void {
    this.#listeners.push(listener)
  }
}
