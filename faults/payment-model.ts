import { isDeepStrictEqual } from 'node:util'

type Status =
  | 'processing'
  | 'authorization_succeeded'
  | 'authorization_declined'
  | 'authorization_failed'
  | 'authorization_voided'
  | 'capture_succeeded'

type GiftCardPart = { readonly paid: number; readonly refunded: number }

/** What a caller knows of a payment. Gift cards pay beside `authorized`, which is the payment method's part. */
export type Payment = {
  readonly hasMethod: boolean
  readonly status: Status
  readonly amount: number
  readonly authorized: number
  readonly captured: number
  readonly refunded: number
  readonly isFinal: boolean
  readonly giftCards: readonly GiftCardPart[]
}

export type Order = {
  readonly amount: number
  readonly intent: 'authorize' | 'capture'
  /** What each gift card is to pay, and what is on it. */
  readonly giftCards: readonly { readonly amount: number; readonly balance: number }[]
}

export type Step =
  | { readonly kind: 'capture'; readonly amount: number | null; readonly final: boolean }
  | { readonly kind: 'void' }
  | { readonly kind: 'cancel' }
  | { readonly kind: 'increment'; readonly amount: number }
  | { readonly kind: 'refund'; readonly amount: number | null; readonly giftCard: number | null }
  | { readonly kind: 'refund-all' }

/** The status code that a step is answered with, and the payment afterwards. */
export type Predicted = { readonly code: number; readonly after: Payment }

const AMOUNT_MAX = 99_999_999
const PENDING = 600_002
const DECLINED = 200_011
const FAILED = 300_013
const CAPTURE_REFUSED = 500_001
const VOID_REFUSED = 510_001
const REFUND_REFUSED = 520_001

/** Amounts of which the simulated processor makes something special. docs/guide/simulator.md has them all. */
export const SPECIAL_AMOUNTS = [0, DECLINED, FAILED, CAPTURE_REFUSED, VOID_REFUSED, PENDING]
export const SPECIAL_REFUNDS = [0, REFUND_REFUSED]
export const SPECIAL_INCREMENTS = [0, DECLINED, AMOUNT_MAX]

/** Increments lead to amounts beside the special ones. */
const CAPTURES_REFUSED = [CAPTURE_REFUSED, 500_002]
const VOIDS_REFUSED = [VOID_REFUSED, 510_002]
const REFUNDS_REFUSED = [REFUND_REFUSED, 520_002, 520_003, 520_004]

/** What is paid, or undefined when the order is refused as it stands. */
export function afterPaying({ amount, intent, giftCards }: Order): Payment | undefined {
  if (amount === 0 && intent === 'capture') return undefined
  const rest = amount - giftCards.reduce((sum, card) => sum + card.amount, 0)
  const payment = {
    hasMethod: rest > 0 || giftCards.length === 0,
    ...{ amount, authorized: 0, captured: 0, refunded: 0, isFinal: false },
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
    return { ...nothing, authorized, status: 'authorization_failed' }
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

/** What the documentation says of each operation, and nothing else. */
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
  }
}

function refused(payment: Payment): Predicted {
  return { code: 400, after: payment }
}

function capture(payment: Payment, { amount, final }: { amount: number | null; final: boolean }): Predicted {
  const { status, authorized, captured, isFinal, hasMethod } = payment
  if (!hasMethod || isFinal || !isOpen(status)) return refused(payment)
  const wanted = amount ?? authorized - captured
  if (wanted > authorized - captured) return refused(payment)
  // Of an authorization of zero, zero can be captured.
  if (wanted === 0 && authorized > 0) return refused(payment)
  // The processor has the last word, and the payment is what it was.
  if (CAPTURES_REFUSED.includes(wanted)) return { code: 200, after: payment }
  const after = {
    ...payment,
    status: 'capture_succeeded' as const,
    captured: captured + wanted,
    isFinal: final,
  }
  return { code: 200, after }
}

function isOpen(status: Status): boolean {
  return status === 'authorization_succeeded' || status === 'capture_succeeded'
}

/** Gift cards get back what they had paid. */
function voiding(payment: Payment): Predicted {
  const { status, authorized, hasMethod, giftCards } = payment
  if (!hasMethod || status !== 'authorization_succeeded' || authorized === 0) return refused(payment)
  if (VOIDS_REFUSED.includes(authorized)) return { code: 200, after: payment }
  const given = giftCards.map(() => ({ paid: 0, refunded: 0 }))
  return { code: 200, after: { ...payment, status: 'authorization_voided', giftCards: given } }
}

function increment(payment: Payment, added: number): Predicted {
  const { status, amount, authorized, hasMethod } = payment
  if (!hasMethod || status !== 'authorization_succeeded') return refused(payment)
  if (added === 0 || amount + added > AMOUNT_MAX) return refused(payment)
  if (added === DECLINED) return { code: 200, after: payment }
  return { code: 200, after: { ...payment, amount: amount + added, authorized: authorized + added } }
}

function refund(payment: Payment, amount: number | null): Predicted {
  const rest = payment.captured - payment.refunded
  const wanted = amount ?? rest
  if (!payment.hasMethod || payment.captured === 0 || wanted === 0 || wanted > rest) return refused(payment)
  if (REFUNDS_REFUSED.includes(wanted)) return { code: 201, after: payment }
  return { code: 201, after: { ...payment, refunded: payment.refunded + wanted } }
}

function refundGiftCard(payment: Payment, index: number, amount: number | null): Predicted {
  const card = payment.giftCards[index]
  if (!card || payment.status !== 'capture_succeeded') return refused(payment)
  const wanted = amount ?? card.paid - card.refunded
  if (wanted === 0 || wanted > card.paid - card.refunded) return refused(payment)
  const giftCards = payment.giftCards.with(index, { ...card, refunded: card.refunded + wanted })
  return { code: 201, after: { ...payment, giftCards } }
}

/** The payment method first, then each gift card. That nothing is left is no trouble. */
function refundAll(payment: Payment): Predicted {
  if (payment.hasMethod && payment.captured === 0) return refused(payment)
  const { after } = payment.hasMethod ? refund(payment, null) : { after: payment }
  const giftCards = after.giftCards.map(({ paid }) => ({ paid, refunded: paid }))
  return { code: 201, after: { ...after, giftCards } }
}

/** What is wrong with a payment, whatever was done to it. */
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

/** Whether there is an order of steps, done at once, in which each would have been answered as it was. */
export function isExplained(before: Payment, done: readonly Done[], after: Payment): boolean {
  // Whether a capture was the last one cannot be seen from outside.
  if (done.length === 0) return isDeepStrictEqual({ ...before, isFinal: after.isFinal }, after)
  return done.some(({ step, code }, index) => {
    const predicted = predict(before, step)
    return predicted.code === code && isExplained(predicted.after, done.toSpliced(index, 1), after)
  })
}
