import type { Link, SyncAnswer } from '#connectors/contract/connector.ts'
import type { Inquiry, InquiryAbout } from '#connectors/contract/orders.ts'
import { lost } from '#connectors/contract/requests.ts'
import { authorize } from './authorize.ts'
import { type Act, findAct, findAuthorization } from './find-payment.ts'
import { findPayout } from './payout.ts'
import { partsOf } from './reference.ts'

/** Worldpay does not say how long it knows a reference. */
export const REFERENCES_LIVE_MS = 24 * 3_600_000

const ACTS: Readonly<Record<string, Act>> = {
  capture: 'settlement',
  refund: 'refund',
  void: 'cancellation',
}

/**
 * A lost answer is looked for. Only an authorization that Worldpay does not show is sent again: its reference can be used once, so it
 * cannot become a second payment. Captures, refunds and payouts are not, because nothing says that of theirs.
 */
export async function sync(inquiry: Inquiry, link: Link): Promise<SyncAnswer> {
  if (inquiry.operation === 'authorize') return syncAuthorization(inquiry, link)
  if (inquiry.operation === 'payout') return findPayout(inquiry.attemptId, link)
  const { operation, attemptId, reference } = inquiry
  const act = ACTS[operation]
  const payment = partsOf(reference ?? '')
  if (!act || !payment) return lost('Worldpay cannot be asked about this')
  return (await findAct(payment.paymentId, { act, reference: attemptId }, link)) ?? lost(NOT_SHOWN)
}

async function syncAuthorization(
  { order, sentAt }: InquiryAbout<'authorize'>,
  link: Link,
): Promise<SyncAnswer> {
  // Without it, nobody knows what was asked for.
  if (order === null) return lost(NOT_SHOWN)
  const found = await findAuthorization(order, link)
  if (found !== null) return found
  if (link.now().getTime() - sentAt.getTime() >= REFERENCES_LIVE_MS) return lost(NOT_SHOWN)
  const answer = await authorize(order, link)
  // Worldpay did not look at it. So that says nothing about the first one.
  return isShutOut(answer) ? lost('Worldpay did not let the repetition in') : answer
}

const NOT_SHOWN = 'Worldpay does not show the request'
const SHUT_OUT: readonly string[] = [
  'invalid_service_credentials',
  'insufficient_service_permissions',
  'service_rate_limit',
]

function isShutOut(answer: SyncAnswer): boolean {
  return 'code' in answer && SHUT_OUT.includes(answer.code)
}
