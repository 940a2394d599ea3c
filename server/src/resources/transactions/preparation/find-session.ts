import type { Caller } from '#platform/auth.ts'
import type { Scope } from '#platform/db.ts'
import { type ApiError, errors, inBody } from '#platform/errors.ts'
import type { Pinned } from '#platform/pinned.ts'
import * as buyers from '#resources/buyers/store.ts'
import * as checkoutSessions from '#resources/checkout/sessions/store.ts'
import type { PaymentMethodRequest } from '../wire/payment-method.ts'

type Session = checkoutSessions.StoredSession

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
): Promise<Session | undefined> {
  const named = method?.kind === 'checkout-session' ? method.body.id : undefined
  const { checkout_session_id: linked } = pinned
  if (typeof linked !== 'string') {
    const found = named ? await checkoutSessions.findForPayment(scope, named) : undefined
    return found && (await isOfPinnedBuyer(scope, pinned, found)) ? found : undefined
  }
  if (named && named !== linked.toLowerCase()) {
    const message = 'the token belongs to another checkout session'
    throw errors.invalid(inBody('/payment_method/id', 'value_error.conflict', message))
  }
  const session = UUID.test(linked) ? await checkoutSessions.findForPayment(scope, linked) : undefined
  if (!session) throw noLinkedSession()
  if (!(await isOfPinnedBuyer(scope, pinned, session))) {
    const message = 'the token and its checkout session name different buyers'
    throw errors.invalid(inBody('/checkout_session_id', 'value_error.conflict', message))
  }
  if (!named && session.transaction_id !== null) throw paidAlready('/checkout_session_id')
  return session
}

/** To a page whose token pins a buyer, there are no sessions of other buyers. A session may name none. */
async function isOfPinnedBuyer(scope: Scope, pinned: Pinned, { buyer }: Session): Promise<boolean> {
  const named = buyer?.external_identifier
  const { buyer_id: id, buyer_external_identifier: reference } = pinned
  if (!named || (id === undefined && reference === undefined)) return true
  if (id === undefined) return reference === named
  return (await buyers.find(scope, String(id)))?.external_identifier === named
}

export function noSession(): ApiError {
  const message = 'there is no such checkout session, or it has expired'
  return errors.invalid(inBody('/payment_method/id', 'value_error.not_found', message))
}

export function noLinkedSession(): ApiError {
  const message = 'the checkout session of the token has expired'
  return errors.invalid(inBody('/checkout_session_id', 'value_error.not_found', message))
}

export function cardIsChanging(): ApiError {
  return errors.tooEarly('The card in the checkout session is being changed. Try again.')
}

export function paidAlready(pointer: '/payment_method/id' | '/checkout_session_id'): ApiError {
  return errors.invalid(inBody(pointer, 'value_error.conflict', 'the checkout session is paid already'))
}
