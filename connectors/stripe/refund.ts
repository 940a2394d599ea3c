import type { Answer } from '#connectors/contract/connector.ts'
import { refused } from '#connectors/contract/refuse.ts'
import { MAPPING } from './mapping.ts'
import { type Body, isObject, text, unknown } from './wire.ts'

export type Refund = {
  readonly id: string
  readonly status: string
  readonly failureReason: string | null
  readonly metadata: Body
}

/** Null unless it is a refund, and the one that is expected. */
export function readRefund(
  body: unknown,
  expected: { readonly attemptId?: string; readonly amount?: number },
): Refund | null {
  if (!isObject(body) || body['object'] !== 'refund') return null
  const id = text(body['id'])
  const status = text(body['status'])
  const metadata = isObject(body['metadata']) ? body['metadata'] : {}
  const isExpected =
    (expected.attemptId === undefined || metadata['attempt'] === expected.attemptId) &&
    (expected.amount === undefined || body['amount'] === expected.amount)
  if (id === null || status === null || !isExpected) return null
  return { id, status, metadata, failureReason: text(body['failure_reason']) }
}

export function toRefundAnswer(refund: Refund | null): Answer {
  if (!refund) return unknown('Stripe answered with something else than this refund')
  const { id, status, failureReason } = refund
  const facts = { rawCode: failureReason ?? status }
  const statuses: Readonly<Record<string, string>> = MAPPING.refundStatuses
  switch (statuses[status]) {
    case 'approved':
      return { outcome: 'approved', reference: id, facts }
    case 'pending':
      return { outcome: 'pending', reference: id, facts }
    case 'refused':
      return refused(codeOfFailure(failureReason), facts, id)
    default:
      return unknown('Stripe answered with a status of a refund that is not documented')
  }
}

export function codeOfFailure(reason: string | null) {
  const code = MAPPING.refundFailures[reason ?? '']
  return code === undefined || code === 'unknown' ? 'unknown_error' : code
}
