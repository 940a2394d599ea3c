import { isDeepStrictEqual } from 'node:util'

type Status =
  | 'processing'
  | 'authorization_succeeded'
  | 'authorization_declined'
  | 'authorization_failed'
  | 'authorization_voided'
  | 'authorization_void_pending'
  | 'capture_pending'
  | 'capture_succeeded'

/** What is pending at a processor that answers later, oldest first. */
type Pending =
  | { readonly kind: 'capture'; readonly amount: number; readonly final: boolean }
  | { readonly kind: 'void' | 'refund'; readonly amount: number }

type GiftCardPart = { readonly paid: number; readonly refunded: number }

/** A payment as a caller knows it. `authorized` is the payment method's part, without gift cards. */
export type Payment = {
  readonly hasMethod: boolean
  readonly status: Status
  readonly amount: number
  readonly authorized: number
  readonly captured: number
  readonly refunded: number
  readonly isFinal: boolean
  /** The rest after captures is released, or its release is pending. */
  readonly isReleased: boolean
  readonly giftCards: readonly GiftCardPart[]
  /** Paid at a processor that answers captures, voids and refunds later. */
  readonly isSlow: boolean
  readonly pending: readonly Pending[]
}

export type Order = {
  readonly amount: number
  readonly intent: 'authorize' | 'capture'
  readonly isSlow: boolean
  /** The part of each gift card, and its balance. */
  readonly giftCards: readonly { readonly amount: number; readonly balance: number }[]
}

export type Step =
  | { readonly kind: 'capture'; readonly amount: number | null; readonly final: boolean }
  | { readonly kind: 'void' }
  | { readonly kind: 'cancel' }
  | { readonly kind: 'increment'; readonly amount: number }
  | { readonly kind: 'refund'; readonly amount: number | null; readonly giftCard: number | null }
  | { readonly kind: 'refund-all' }
  /** The processor sends the outcome of the oldest pending capture or refund, or of the void. */
  | { readonly kind: 'finish'; readonly isGood: boolean }

/** The status code of the answer to a step, and the payment afterwards. */
export type Predicted = { readonly code: number; readonly after: Payment }

const AMOUNT_MAX = 99_999_999
const PENDING = 600_002
const DECLINED = 200_011
const FAILED = 300_013
const CAPTURE_REFUSED = 500_001
const VOID_REFUSED = 510_001
const REFUND_REFUSED = 520_001

/** Amounts that the simulated processor treats specially. docs/guide/simulator.md lists all. */
export const SPECIAL_AMOUNTS = [0, DECLINED, FAILED, CAPTURE_REFUSED, VOID_REFUSED, PENDING]
export const SPECIAL_REFUNDS = [0, REFUND_REFUSED]
export const SPECIAL_INCREMENTS = [0, DECLINED, AMOUNT_MAX]

/** Increments can lead to further special amounts. */
const CAPTURES_REFUSED = [CAPTURE_REFUSED, 500_002]
const VOIDS_REFUSED = [VOID_REFUSED, 510_002]
const REFUNDS_REFUSED = [REFUND_REFUSED, 520_002, 520_003, 520_004]

/** The payment, or undefined when the request is refused. */
export function afterPaying({ amount, intent, isSlow, giftCards }: Order): Payment | undefined {
  if (amount === 0 && intent === 'capture') return undefined
  const rest = amount - giftCards.reduce((sum, card) => sum + card.amount, 0)
  const payment = {
    hasMethod: rest > 0 || giftCards.length === 0,
    ...{
      amount,
      authorized: 0,
      captured: 0,
      refunded: 0,
      isFinal: false,
      isReleased: false,
      isSlow,
      pending: [],
    },
    giftCards: giftCards.map((card) => ({ paid: 0, refunded: 0, ...card })),
  }
  const nothing = { ...payment, giftCards: giftCards.map(() => ({ paid: 0, refunded: 0 })) }
  if (rest === DECLINED) return { ...nothing, status: 'authorization_declined' }
  if (rest === FAILED) return { ...nothing, status: 'authorization_failed' }
  if (rest === PENDING) return { ...nothing, status: 'processing' }
  // In one step with the authorization.
  if (rest === CAPTURE_REFUSED && intent === 'capture') return { ...nothing, status: 'authorization_failed' }
  const authorized = payment.hasMethod ? rest : 0
  if (giftCards.some((card) => card.amount > card.balance)) {
    const failed = { ...nothing, authorized, status: 'authorization_failed' as const }
    return authorized > 0 && isSlow ? { ...failed, pending: [{ kind: 'void', amount: authorized }] } : failed
  }
  const paid = {
    ...payment,
    authorized,
    giftCards: giftCards.map((card) => ({ paid: card.amount, refunded: 0 })),
  }
  if (!payment.hasMethod) return { ...paid, status: 'capture_succeeded' }
  if (intent === 'authorize') return { ...paid, status: 'authorization_succeeded' }
  return { ...paid, status: 'capture_succeeded', captured: authorized, isFinal: true }
}

/** The effect of each operation, by the documentation alone. */
export function predict(payment: Payment, step: Step): Predicted {
  switch (step.kind) {
    case 'capture':
      return capture(payment, step)
    case 'void':
      return voiding(payment)
    case 'cancel':
      if (payment.status !== 'processing') return refused(payment)
      return { code: 200, after: { ...payment, status: 'authorization_failed' } }
    case 'increment':
      return increment(payment, step.amount)
    case 'refund':
      return step.giftCard === null
        ? refund(payment, step.amount)
        : refundGiftCard(payment, step.giftCard, step.amount)
    case 'refund-all':
      return refundAll(payment)
    case 'finish':
      return finish(payment, step.isGood)
  }
}

function refused(payment: Payment): Predicted {
  return { code: 400, after: payment }
}

function capture(payment: Payment, { amount, final }: { amount: number | null; final: boolean }): Predicted {
  const { status, authorized, captured, isFinal, isReleased, hasMethod } = payment
  if (!hasMethod || isFinal || isReleased || !isOpen(status)) return refused(payment)
  const rest = authorized - captured - underWay(payment, 'capture')
  const wanted = amount ?? rest
  if (wanted > rest) return refused(payment)
  // Zero can be captured only if zero was authorized.
  if (wanted === 0 && authorized > 0) return refused(payment)
  // The processor refuses, and the payment stays as it was.
  if (CAPTURES_REFUSED.includes(wanted)) return { code: 200, after: payment }
  return { code: 200, after: ask(payment, { kind: 'capture', amount: wanted, final }) }
}

function isOpen(status: Status): boolean {
  return (
    status === 'authorization_succeeded' || status === 'capture_succeeded' || status === 'capture_pending'
  )
}

/** The pending amount of a kind of operation. */
function underWay({ pending }: Payment, kind: Pending['kind']): number {
  return pending.filter((one) => one.kind === kind).reduce((sum, { amount }) => sum + amount, 0)
}

/** The operation is done at once, or pending at a processor that answers later. */
function ask(payment: Payment, asked: Pending): Payment {
  const { isSlow, pending } = payment
  const begun = {
    ...payment,
    pending: [...pending, asked],
    ...(asked.kind === 'capture' && { status: 'capture_pending' as const, isFinal: asked.final }),
    ...(asked.kind === 'void' &&
      (payment.captured > 0 ? { isReleased: true } : { status: 'authorization_void_pending' as const })),
  }
  return isSlow ? begun : end(begun, asked, true)
}

/** The oldest pending capture or refund ends, and a pending void after them: callers do not see when it was asked for. */
function finish(payment: Payment, isGood: boolean): Predicted {
  const oldest = payment.pending.find(({ kind }) => kind !== 'void') ?? payment.pending[0]
  // The service retries the refused release of a hold every day.
  if (!isGood && payment.status === 'authorization_failed') return refused(payment)
  return oldest ? { code: 204, after: end(payment, oldest, isGood) } : refused(payment)
}

function end(payment: Payment, asked: Pending, isGood: boolean): Payment {
  const after = { ...payment, pending: payment.pending.toSpliced(payment.pending.indexOf(asked), 1) }
  switch (asked.kind) {
    case 'refund':
      return isGood ? { ...after, refunded: after.refunded + asked.amount } : after
    case 'void':
      if (after.status === 'authorization_failed') return after
      if (after.isReleased) return { ...after, isReleased: isGood }
      return isGood ? voided(after) : { ...after, status: 'authorization_succeeded' }
    case 'capture': {
      const captured = after.captured + (isGood ? asked.amount : 0)
      const isFinal = after.isFinal && !(asked.final && !isGood)
      const isWaiting = after.pending.some(({ kind }) => kind === 'capture')
      const isTaken = isGood || captured > 0
      const done = isTaken ? 'capture_succeeded' : 'authorization_succeeded'
      return { ...after, captured, isFinal, status: isWaiting ? 'capture_pending' : done }
    }
  }
}

/** Gift cards get back what they had paid. */
function voided(payment: Payment): Payment {
  const giftCards = payment.giftCards.map(() => ({ paid: 0, refunded: 0 }))
  return { ...payment, status: 'authorization_voided', giftCards }
}

function voiding(payment: Payment): Predicted {
  const { status, authorized, captured, hasMethod } = payment
  if (captured > 0) return release(payment)
  if (!hasMethod || status !== 'authorization_succeeded' || authorized === 0) return refused(payment)
  if (VOIDS_REFUSED.includes(authorized)) return { code: 200, after: payment }
  return { code: 200, after: ask(payment, { kind: 'void', amount: authorized }) }
}

/** After a capture, a void releases the rest; the captured part stays. */
function release(payment: Payment): Predicted {
  const left = capturable(payment)
  if (left === 0 || payment.status !== 'capture_succeeded') return refused(payment)
  if (VOIDS_REFUSED.includes(left)) return { code: 200, after: payment }
  return { code: 200, after: ask(payment, { kind: 'void', amount: left }) }
}

/** The `capturable_amount` of the transaction. */
function capturable(payment: Payment): number {
  const { status, authorized, captured, isFinal, isReleased, hasMethod } = payment
  if (!hasMethod || isFinal || isReleased || !isOpen(status)) return 0
  return authorized - captured - underWay(payment, 'capture')
}

function increment(payment: Payment, added: number): Predicted {
  const { status, amount, authorized, hasMethod } = payment
  if (!hasMethod || status !== 'authorization_succeeded') return refused(payment)
  if (added === 0 || amount + added > AMOUNT_MAX) return refused(payment)
  if (added === DECLINED) return { code: 200, after: payment }
  return { code: 200, after: { ...payment, amount: amount + added, authorized: authorized + added } }
}

function refund(payment: Payment, amount: number | null): Predicted {
  const rest = payment.captured - payment.refunded - underWay(payment, 'refund')
  const wanted = amount ?? rest
  if (!payment.hasMethod || payment.captured === 0 || wanted === 0 || wanted > rest) return refused(payment)
  if (REFUNDS_REFUSED.includes(wanted)) return { code: 201, after: payment }
  return { code: 201, after: ask(payment, { kind: 'refund', amount: wanted }) }
}

function refundGiftCard(payment: Payment, index: number, amount: number | null): Predicted {
  const card = payment.giftCards[index]
  if (!card || payment.status !== 'capture_succeeded') return refused(payment)
  const wanted = amount ?? card.paid - card.refunded
  if (wanted === 0 || wanted > card.paid - card.refunded) return refused(payment)
  const giftCards = payment.giftCards.with(index, { ...card, refunded: card.refunded + wanted })
  return { code: 201, after: { ...payment, giftCards } }
}

/** All that is left, to each instrument; nothing at all if one of them cannot be refunded now. */
function refundAll(payment: Payment): Predicted {
  if (payment.hasMethod && payment.captured === 0) return refused(payment)
  const isLeft = payment.giftCards.some(({ paid, refunded: back }) => paid > back)
  if (isLeft && payment.status !== 'capture_succeeded') return refused(payment)
  const { after } = payment.hasMethod ? refund(payment, null) : { after: payment }
  const giftCards = after.giftCards.map(({ paid }) => ({ paid, refunded: paid }))
  return { code: 201, after: { ...after, giftCards } }
}

/** What must never be true of a payment. */
export function contradictions(payment: Payment): string[] {
  const { status, authorized, captured, refunded, giftCards } = payment
  const wrong = {
    'more is captured than was authorized': captured > authorized,
    'more is refunded than was captured': refunded > captured,
    'a gift card got back more than it paid': giftCards.some((card) => card.refunded > card.paid),
    'what is voided is captured': status === 'authorization_voided' && captured > 0,
    'what is authorized is captured': status === 'authorization_succeeded' && captured > 0,
  }
  return Object.entries(wrong).flatMap(([what, isWrong]) => (isWrong ? [what] : []))
}

type Done = { readonly step: Step; readonly code: number }

/** Finds an order of concurrent steps that explains their answers, and returns the payment after it. */
export function explain(before: Payment, done: readonly Done[], seen: Seen): Payment | undefined {
  if (done.length === 0) return isDeepStrictEqual(visibleOf(before), seen) ? before : undefined
  for (const [index, { step, code }] of done.entries()) {
    const predicted = predict(before, step)
    const found =
      predicted.code === code ? explain(predicted.after, done.toSpliced(index, 1), seen) : undefined
    if (found) return found
  }
  return undefined
}

/** What the API shows of a payment. */
export type Seen = Omit<Payment, 'isFinal' | 'isReleased' | 'isSlow' | 'pending' | 'hasMethod'> & {
  readonly capturable: number
}

export function visibleOf(payment: Payment): Seen {
  const { status, amount, authorized, captured, refunded: back, giftCards } = payment
  return { status, amount, authorized, captured, refunded: back, giftCards, capturable: capturable(payment) }
}

/** A payout as a caller knows it. */
export type Payout = {
  readonly status: 'pending' | 'succeeded' | 'declined' | 'failed'
  readonly amount: number
}

export type PayoutOrder = {
  readonly amount: number
  /** At a processor that answers later. */
  readonly isSlow: boolean
}

const PAYOUT_DECLINED = 530_001
const PAYOUT_FAILED = 530_002

export const SPECIAL_PAYOUTS = [0, PAYOUT_DECLINED, PAYOUT_FAILED]

/** The payout, or undefined when the request is refused. */
export function afterPayingOut({ amount, isSlow }: PayoutOrder): Payout | undefined {
  if (amount === 0) return undefined
  if (amount === PAYOUT_DECLINED) return { amount, status: 'declined' }
  if (amount === PAYOUT_FAILED) return { amount, status: 'failed' }
  return { amount, status: isSlow ? 'pending' : 'succeeded' }
}

/** A notification ends a pending payout. Later ones are taken if they agree, and refused if they do not. */
export function afterNotice(
  payout: Payout,
  isGood: boolean,
): { readonly code: number; readonly after: Payout } {
  if (payout.status === 'pending') {
    return { code: 204, after: { ...payout, status: isGood ? 'succeeded' : 'declined' } }
  }
  return { code: isGood === (payout.status === 'succeeded') ? 204 : 400, after: payout }
}
