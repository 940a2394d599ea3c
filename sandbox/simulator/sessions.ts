import type { Office } from './processor.ts'
import { BadRequest, type Body, isReference } from './requests.ts'
import * as store from './store.ts'

/**
 * What the processor's script in a browser would need: the merchant's client id and, for a payment that waits for its buyer, the
 * order. Null if the merchant has no such payment.
 */
export async function open({ pool }: Office, merchantId: string, body: Body): Promise<object | null> {
  const { reference = null, payload = {} } = body
  if (typeof payload !== 'object' || payload === null) throw new BadRequest('payload')
  const session = { client_id: merchantId, fields: Object.keys(payload) }
  if (reference === null) return session
  if (typeof reference !== 'string' || !isReference(reference)) throw new BadRequest('reference')
  const entry = await store.findByReference(pool, reference)
  if (entry?.merchantId !== merchantId || entry.status !== 'pending') return null
  const { amount, currency } = entry
  return { ...session, order_id: reference, amount, currency }
}
