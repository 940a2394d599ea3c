import type { Link, SyncAnswer } from '#connectors/contract/connector.ts'
import type { Inquiry, InquiryAbout } from '#connectors/contract/orders.ts'
import { lost } from '#connectors/contract/requests.ts'
import { authorize } from './authorize.ts'
import { type FollowUp, findFollowUp, findPayment, NOT_SHOWN } from './find.ts'

/** For so long CyberSource refuses a second authorization with the same `code`. */
export const CODES_LIVE_MS = 15 * 60_000

const FOLLOW_UPS: readonly string[] = ['capture', 'void', 'refund'] satisfies FollowUp[]

/** A lost answer is looked for. Only an authorization that CyberSource does not show is sent again, while it would refuse a second one. */
export async function sync(inquiry: Inquiry, link: Link): Promise<SyncAnswer> {
  const { operation, attemptId, sentAt } = inquiry
  if (operation === 'authorize') return syncPayment(inquiry, link)
  if (!FOLLOW_UPS.includes(operation)) return lost('CyberSource cannot be asked about this')
  return (await findFollowUp({ act: operation as FollowUp, attemptId, sentAt }, link)) ?? lost(NOT_SHOWN)
}

async function syncPayment(
  { attemptId, order, sentAt }: InquiryAbout<'authorize'>,
  link: Link,
): Promise<SyncAnswer> {
  const found = await findPayment({ attemptId, order, sentAt }, link)
  if (found !== null) return found
  const isOver = link.now().getTime() - sentAt.getTime() >= CODES_LIVE_MS
  if (order === null || isOver) return lost(NOT_SHOWN)
  const answer = await authorize(order, link)
  // What CyberSource refuses to carry out says nothing about the first request.
  return answer.outcome === 'failed' ? lost('CyberSource refused the repetition of the request') : answer
}
