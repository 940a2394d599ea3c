import { ERROR_CODES, type ErrorCode } from '#connectors/contract/codes.ts'
import type { Dispute, DisputeStep, LateFailure } from '#connectors/contract/connector.ts'

/** What the processor says about a dispute, or about an operation that failed late. */
export type Notice = {
  readonly operation: 'chargeback' | 'chargebackReversal' | 'disputeEnd' | 'lateFailure'
  readonly reference: string
  /** The authorization of a dispute. What failed, of a late failure. */
  readonly subject: string
  readonly of: 'authorization' | 'capture' | 'refund'
  readonly amount: number
  readonly currency: string
  readonly code: string
  readonly description: string
  readonly at: string
  /** The chargeback, which names the whole dispute. */
  readonly dispute?: string | null
  /** Of a dispute that is lost: why, in the processor's word. */
  readonly end?: string | null
  /** Of a chargeback: until when the processor takes an answer. */
  readonly respond_by?: string | null
}

export function isNotice(value: unknown): value is Notice {
  const notice = (value ?? {}) as Record<string, unknown>
  const texts = ['reference', 'subject', 'currency', 'code', 'description', 'at']
  return (
    texts.every((name) => typeof notice[name] === 'string') &&
    ['chargeback', 'chargebackReversal', 'disputeEnd', 'lateFailure'].some(
      (name) => name === notice['operation'],
    ) &&
    ['authorization', 'capture', 'refund'].some((name) => name === notice['of']) &&
    Number.isInteger(notice['amount']) &&
    !Number.isNaN(Date.parse(String(notice['at']))) &&
    ['dispute', 'end'].every((name) => typeof (notice[name] ?? '') === 'string') &&
    isMomentOrNothing(notice['respond_by'])
  )
}

function isMomentOrNothing(value: unknown): boolean {
  return value === undefined || value === null || !Number.isNaN(Date.parse(String(value)))
}

export function toNotification(notice: Notice): Dispute | DisputeStep | LateFailure {
  const { operation, reference: id, subject: reference, amount, currency, code, description } = notice
  const at = new Date(notice.at)
  if (operation === 'lateFailure') {
    return {
      about: 'late_failure',
      of: notice.of,
      reference,
      code: isErrorCode(description) ? description : 'unknown_error',
      failedAt: at,
      facts: { rawCode: code, rawDescription: description },
    }
  }
  const told = { reference, amount, currency, code, reason: description, postedAt: at }
  const { dispute = null, end = null } = notice
  if (operation === 'disputeEnd' && dispute !== null)
    return { ...told, about: 'dispute', dispute, stage: 'lost', providerStage: end }
  const about = operation === 'chargeback' ? 'chargeback' : 'chargeback_reversal'
  const respondBy = notice.respond_by ? new Date(notice.respond_by) : null
  return { ...told, about, id, dispute, respondBy }
}

function isErrorCode(text: string): text is ErrorCode {
  return Object.hasOwn(ERROR_CODES, text)
}
