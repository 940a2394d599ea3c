import type { Caller } from '../../../platform/auth.ts'
import type { Scope } from '../../../platform/db.ts'
import { type ApiError, errors, inBody } from '../../../platform/errors.ts'
import * as checkoutSessions from '../../checkout/sessions/store.ts'
import type { PaymentMethodRequest } from '../payment-method/schemas.ts'

/** A token may hold anything. */
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/**
 * The session that is paid with, or the one that a browser's token belongs to. Whether the former can be paid with is not
 * asked here.
 */
export async function findSession(
  scope: Scope,
  { pinned }: Caller,
  method: PaymentMethodRequest | null,
): Promise<checkoutSessions.StoredSession | undefined> {
  const named = method?.kind === 'checkout-session' ? method.body.id.toLowerCase() : undefined
  const { checkout_session_id: linked } = pinned
  if (typeof linked !== 'string') return named ? checkoutSessions.findForPayment(scope, named) : undefined
  if (named && named !== linked.toLowerCase()) {
    throw errors.invalid(inBody('/payment_method/id', 'value_error.conflict', 'contradicts the token'))
  }
  const session = UUID.test(linked) ? await checkoutSessions.findForPayment(scope, linked) : undefined
  if (!session) {
    const message = 'the checkout session of the token has expired'
    throw errors.invalid(inBody('/checkout_session_id', 'value_error.not_found', message))
  }
  if (!named && session.transaction_id !== null) throw paidAlready('/checkout_session_id')
  return session
}

export function paidAlready(pointer: '/payment_method/id' | '/checkout_session_id'): ApiError {
  return errors.invalid(inBody(pointer, 'value_error.conflict', 'the checkout session is paid already'))
}
