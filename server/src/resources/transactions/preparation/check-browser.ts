import type { Caller } from '../../../platform/auth.ts'
import { type ErrorDetail, errors, inBody } from '../../../platform/errors.ts'
import type { StoredSession } from '../../checkout/sessions/store.ts'
import type { TransactionCreate } from '../schemas.ts'

/**
 * A page cannot say of itself that the buyer is not there, or that the card's holder is proven: that would be the way
 * around 3-D Secure, and so would be a service without it, or a proof of a smaller amount. Nor can it pay another amount
 * than the session that the shop made for it.
 */
export function refuseToBrowsers(
  request: TransactionCreate,
  { isEmbed }: Caller,
  session: StoredSession | undefined,
): void {
  if (!isEmbed) return
  const details: ErrorDetail[] = []
  const forbid = (pointer: string) =>
    details.push(inBody(pointer, 'value_error.conflict', 'cannot be said by a browser’s token'))
  if (request.merchant_initiated) forbid('/merchant_initiated')
  if (request.payment_source === 'moto') forbid('/payment_source')
  if (request.three_d_secure_data) forbid('/three_d_secure_data')
  if ((request.three_d_secure?.amount ?? request.amount) !== request.amount) forbid('/three_d_secure/amount')
  const chosen = request.payment_service_id ?? null
  if (chosen !== null && chosen !== session?.payment_service_id) forbid('/payment_service_id')
  for (const name of ['amount', 'currency'] as const) {
    const fixed = session?.[name] ?? null
    if (fixed !== null && fixed !== request[name]) {
      details.push(inBody(`/${name}`, 'value_error.conflict', 'contradicts the checkout session'))
    }
  }
  if (details.length > 0) throw errors.invalid(...details)
}
