import { createHmac, timingSafeEqual } from 'node:crypto'
import type { ReviewNotification } from '#connectors/contract/anti-fraud.ts'
import type { Link, Message } from '#connectors/contract/connector.ts'
import { CategoryUnknown, categoryOf } from './decisions.ts'
import { isRecord } from './wire.ts'

/** A person has decided about an order in Sift's console. A decision of a workflow arrives here, too, and changes nothing. */
export async function readNotification(message: Message, link: Link): Promise<ReviewNotification> {
  const secret = link.fields['webhook_secret']
  if (!secret) return rejected('The service has no signature key, so no message can be checked.')
  if (!isSigned(message, secret)) return rejected('The signature does not fit.')
  const decided = decisionIn(message.body)
  if (decided === null) return rejected('The body is no decision of Sift.')
  if (decided.type !== 'order') return { outcome: 'ignored' }
  try {
    const category = await categoryOf(decided.decisionId, link)
    if (category === 'watch') return { outcome: 'ignored' }
    const decision = category === 'accept' ? 'accept' : 'reject'
    return { outcome: 'read', transactionId: decided.orderId, decision }
  } catch (error) {
    // Anything else is an answer that is lost: Sift sends the message again.
    if (error instanceof CategoryUnknown) return rejected(error.message)
    throw error
  }
}

/** Sift still signs with SHA-1 for those who have not changed their key. We take the stronger one alone. */
function isSigned({ headers, body }: Message, secret: string): boolean {
  const [, given = ''] = /^sha256=([0-9a-f]{64})$/i.exec(headers['x-sift-science-signature'] ?? '') ?? []
  if (given === '') return false
  return timingSafeEqual(Buffer.from(given, 'hex'), createHmac('sha256', secret).update(body).digest())
}

type Decided = { readonly type: string; readonly orderId: string; readonly decisionId: string }

function decisionIn(bytes: Buffer): Decided | null {
  let body: unknown
  try {
    body = JSON.parse(bytes.toString())
  } catch {
    return null
  }
  const { entity, decision } = isRecord(body) ? body : {}
  if (!isRecord(entity) || !isRecord(decision)) return null
  const [type, orderId, decisionId] = [entity['type'], entity['id'], decision['id']]
  if (typeof type !== 'string' || typeof orderId !== 'string' || typeof decisionId !== 'string') return null
  return { type, orderId, decisionId }
}

function rejected(message: string): ReviewNotification {
  return { outcome: 'rejected', message }
}
