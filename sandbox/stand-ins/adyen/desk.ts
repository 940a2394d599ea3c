import type { Json } from './check-request.ts'
import { otherMethod } from './methods.ts'
import { type Account, type Event, toItem } from './notifications.ts'
import { APPROVED, DECLINED, REFUSALS, type Refusal } from './refusals.ts'
import { type Modification, newPspReference, type Payment, type Settled, State } from './state.ts'

export type Asked = { readonly body: Json; readonly key: string | null; readonly origin: string }

const DEFENSE_MS = 18 * 86_400_000

const MOVES = {
  'charge-back': {
    from: 'told',
    to: 'open',
    told: [
      ['NOTIFICATION_OF_CHARGEBACK', 'Undefended'],
      ['CHARGEBACK', 'Undefended'],
    ],
    settled: 'Chargeback',
  },
  reverse: {
    from: 'open',
    to: 'reversed',
    told: [['CHARGEBACK_REVERSED', 'Pending']],
    settled: 'ChargebackReversed',
  },
  second: {
    from: 'reversed',
    to: 'second',
    told: [['SECOND_CHARGEBACK', 'Lost']],
    settled: 'SecondChargeback',
  },
} as const

/** The state, and everything that happens to it without a request: outcomes, failures that come late, disputes. */
export class Desk {
  readonly state = new State()
  readonly account: Account
  readonly now: () => Date
  /** Whether Adyen has enabled several captures of one payment. Else the rest is released with the first. */
  readonly hasPartialCaptures: boolean
  /** Whether the capture delay of the account is "manual". Payments may say otherwise. */
  readonly isCapturedByHand: boolean
  /** Signs webhooks. The Management API makes new ones. */
  hmacKey: string
  onNotice: () => void = () => {}

  constructor(options: Pick<Desk, 'account' | 'now' | 'hasPartialCaptures' | 'isCapturedByHand'>) {
    this.account = options.account
    this.now = options.now
    this.hasPartialCaptures = options.hasPartialCaptures
    this.isCapturedByHand = options.isCapturedByHand
    this.hmacKey = options.account.hmacKey
  }

  tell(event: Event): void {
    this.state.outbox.push(
      toItem(event, { account: { ...this.account, hmacKey: this.hmacKey }, now: this.now() }),
    )
    this.onNotice()
  }

  /** The acquirer has answered. A payment that is not captured by hand is captured at once. */
  authorise(payment: Payment): Refusal | null {
    const refusal = REFUSALS.find(({ code }) => code === payment.verdict.code) ?? null
    payment.status = refusal ? 'refused' : 'authorised'
    if (!refusal) this.state.note('AUTHORISATION', payment, { isCaptured: !payment.isManualCapture })
    this.tell({
      ...about(payment),
      eventCode: 'AUTHORISATION',
      isSuccess: !refusal,
      reason: refusal
        ? refusal.reason
        : `${payment.verdict.facts['authCode'] ?? ''}:${payment.verdict.facts['cardSummary'] ?? ''}:`,
      additionalData: { ...payment.verdict.facts, ...(refusal?.raw && { refusalReasonRaw: refusal.raw }) },
    })
    if (!refusal && !payment.isManualCapture && payment.amount.value > 0) {
      payment.captured = payment.amount.value
      this.settle('Settled', payment, payment, payment.amount.value)
    }
    return refusal
  }

  /** A payment that was only received ends: the bank's answer is there. */
  endReceived(payment: Payment, isSuccess: boolean): void {
    payment.verdict = { ...payment.verdict, code: isSuccess ? APPROVED : DECLINED }
    this.authorise(payment)
  }

  /** Ends what was received. Whether it is possible is only looked at now: Adyen accepts every modification first. */
  finish(payment: Payment, modification: Modification): void {
    if (modification.status !== 'received') return
    const reason = this.#obstacle(payment, modification)
    modification.status = reason === null ? 'succeeded' : 'failed'
    if (reason === null) this.#apply(payment, modification)
    const { kind, pspReference, reference, amount } = modification
    const wasCaptured = payment.refunded > 0 ? 'refund' : 'cancel'
    this.tell({
      eventCode: kind,
      pspReference,
      reference,
      amount,
      payment,
      isSuccess: reason === null,
      reason: reason ?? '',
      ...(kind === 'CANCEL_OR_REFUND' && { additionalData: { 'modification.action': wasCaptured } }),
    })
  }

  #obstacle(payment: Payment, { kind, amount }: Modification): string | null {
    if (kind === 'CANCELLATION' && payment.status === 'received') return null
    if (payment.status !== 'authorised') return 'Transaction not in Authorised state'
    if (amount.currency !== payment.amount.currency) return 'Currency of the modification is another one'
    const captures = payment.modifications.filter(
      (one) => one.kind === 'CAPTURE' && one.status === 'succeeded',
    )
    switch (kind) {
      case 'CAPTURE':
        if (!payment.isManualCapture || (captures.length > 0 && !this.hasPartialCaptures)) {
          return 'Transaction has already been captured'
        }
        return payment.captured + amount.value > payment.amount.value
          ? 'Insufficient balance on payment'
          : null
      case 'CANCELLATION':
        return payment.captured > 0 ? 'Transaction has already been captured, cancel not possible' : null
      case 'REFUND':
        if (otherMethod(payment.method)?.hasNoRefunds)
          return 'Refund is not supported for this payment method'
        if (payment.captured === 0) return "Transaction hasn't been captured, refund not possible"
        return payment.refunded + amount.value > payment.captured ? 'Insufficient balance on payment' : null
      case 'AUTHORISATION_ADJUSTMENT':
        return payment.captured > 0 ? 'Transaction has already been captured' : null
      default:
        return null
    }
  }

  #apply(payment: Payment, modification: Modification): void {
    const { kind, amount } = modification
    const added = { ...amount, value: amount.value - payment.amount.value }
    this.state.note(kind, modification, kind === 'AUTHORISATION_ADJUSTMENT' ? { amount: added } : {})
    if (kind === 'CAPTURE') {
      payment.captured += amount.value
      this.settle('Settled', payment, modification, amount.value)
    }
    if (kind === 'REFUND') {
      payment.refunded += amount.value
      this.settle('Refunded', payment, modification, amount.value)
    }
    if (kind === 'CANCELLATION') payment.status = 'cancelled'
    if (kind === 'AUTHORISATION_ADJUSTMENT') payment.amount = amount
    if (kind === 'CANCEL_OR_REFUND') {
      if (payment.captured === 0) payment.status = 'cancelled'
      if (payment.captured > 0) {
        this.settle('Refunded', payment, modification, payment.captured - payment.refunded)
      }
      payment.refunded = payment.captured
    }
  }

  /** The scheme rejects a capture or a refund that Adyen had told of as done. */
  failLate(payment: Payment, modification: Modification): void {
    const { kind, pspReference, reference, amount } = modification
    modification.status = 'failed late'
    const isCapture = kind === 'CAPTURE'
    if (isCapture) payment.captured -= amount.value
    else payment.refunded -= amount.value
    this.settle(isCapture ? 'SettledReversed' : 'RefundedReversed', payment, modification, amount.value)
    const eventCode = isCapture ? 'CAPTURE_FAILED' : 'REFUND_FAILED'
    this.tell({
      eventCode,
      pspReference,
      reference,
      amount,
      payment,
      isSuccess: true,
      reason: 'Rejected by the scheme',
    })
  }

  /** The shopper's bank sends the money of a refund back. */
  reverseRefund(payment: Payment, modification: Modification): void {
    const { pspReference, reference, amount } = modification
    modification.status = 'failed late'
    payment.refunded -= amount.value
    this.settle('RefundedReversed', payment, modification, amount.value)
    const reason = 'The account is closed'
    this.tell({
      eventCode: 'REFUNDED_REVERSED',
      pspReference,
      reference,
      amount,
      payment,
      isSuccess: true,
      reason,
    })
  }

  /** `eventCode`: how it begins, before any money moves. Without, it is a chargeback at once. */
  dispute(payment: Payment, value: number, reasonCode: string, eventCode: string): string {
    const amount = { value, currency: payment.amount.currency }
    const pspReference = newPspReference()
    this.state.disputes.set(pspReference, {
      pspReference,
      payment,
      amount,
      reasonCode,
      status: 'told',
      defendUntil: new Date(this.now().getTime() + DEFENSE_MS),
      documents: new Map(),
      answer: null,
    })
    if (eventCode === '') this.moveDispute(pspReference, 'charge-back')
    else this.tellDispute(pspReference, eventCode, 'Unresponded')
    return pspReference
  }

  /** Events of a dispute all have the reference of the dispute. */
  tellDispute(pspReference: string, eventCode: string, disputeStatus: string): void {
    const dispute = this.state.disputes.get(pspReference)
    if (!dispute) return
    const { payment, amount, reasonCode, defendUntil } = dispute
    const capture = payment.modifications.find(({ kind }) => kind === 'CAPTURE')
    this.tell({
      eventCode,
      pspReference,
      reference: payment.reference,
      amount,
      payment,
      isSuccess: true,
      reason: 'Other Fraud-Card Absent Environment',
      additionalData: {
        ...(eventCode === 'NOTIFICATION_OF_FRAUD'
          ? { nofReasonCode: reasonCode, nofSchemeCode: payment.method }
          : {
              chargebackReasonCode: reasonCode,
              chargebackSchemeCode: payment.method,
              disputeStatus,
              defendable: 'true',
              defensePeriodEndsAt: defendUntil.toISOString(),
            }),
        ...(capture && {
          capturePspReference: capture.pspReference,
          captureMerchantReference: capture.reference,
        }),
      },
    })
  }

  /** What moves money, one after the other. */
  moveDispute(pspReference: string, step: keyof typeof MOVES): boolean {
    const dispute = this.state.disputes.get(pspReference)
    const { from, to, told, settled } = MOVES[step]
    if (dispute?.status !== from) return false
    dispute.status = to
    for (const [eventCode, status] of told) this.tellDispute(pspReference, eventCode, status)
    this.settle(settled, dispute.payment, { pspReference, reference: '' }, dispute.amount.value)
    return true
  }

  settle(
    type: Settled['type'],
    payment: Payment,
    modification: { readonly pspReference: string; readonly reference: string },
    value: number,
  ): void {
    const amount = { value, currency: payment.amount.currency }
    this.state.settled.push({ type, payment, modification, amount, at: this.now() })
  }
}

export function about(payment: Payment) {
  const { pspReference, reference, amount } = payment
  return { pspReference, reference, amount, payment }
}
