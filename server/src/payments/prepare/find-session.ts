import type { Caller } from '#platform/access/auth.ts'
import { inTransaction, type Scope } from '#platform/database/db.ts'
import { type ApiError, errors, inBody } from '#platform/http/errors.ts'
import type { Pinned } from '#platform/http/pinned.ts'
import * as buyers from '#resources/buyers/store.ts'
import * as checkoutSessions from '#resources/checkout/sessions/store.ts'
import type { PaymentMethodRequest } from '#resources/transactions/wire/payment-method.ts'
import { ItemGone, type Masked, type Vault, WrongItem } from '#vault'
import { copyItem } from '../plan/open-item.ts'

type Session = checkoutSessions.StoredSession
type Opened = {
  /** As of the moment when its card was opened. */
  readonly session: Session
  readonly number: Masked | null
  readonly securityCode: Masked | null
}

/** The claim of a token may be any text. */
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The checkout session that the request pays with, or the one of the browser token. */
export async function findSession(
  scope: Scope,
  { pinned }: Caller,
  method: PaymentMethodRequest | null,
): Promise<Session | undefined> {
  const named = method?.kind === 'checkout-session' ? method.body.id : undefined
  const { checkout_session_id: linked } = pinned
  if (typeof linked !== 'string') return named ? findEntered(scope, pinned, named) : undefined
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
  if (named) refuseUnentered(session)
  else if (session.transaction_id !== null) throw paidAlready('/checkout_session_id')
  return session
}

async function findEntered(scope: Scope, pinned: Pinned, id: string): Promise<Session> {
  const session = await checkoutSessions.findForPayment(scope, id)
  if (!session || !(await isOfPinnedBuyer(scope, pinned, session))) throw noSession()
  refuseUnentered(session)
  return session
}

/** Refuses a session that is already paid, or in which the buyer has entered no payment method. */
function refuseUnentered(session: Session): void {
  if (session.transaction_id !== null) throw paidAlready('/payment_method/id')
  if (session.method === null) throw unusable('nothing has been entered in the checkout session yet')
  if (session.method === 'click-to-pay') {
    throw unusable('click to pay is not available in this merchant account')
  }
}

/** A page whose token pins a buyer finds no sessions of other buyers. A session need not name a buyer. */
async function isOfPinnedBuyer(scope: Scope, pinned: Pinned, { buyer }: Session): Promise<boolean> {
  const named = buyer?.external_identifier
  const { buyer_id: id, buyer_external_identifier: reference } = pinned
  if (!named || (id === undefined && reference === undefined)) return true
  if (id === undefined) return reference === named
  return (await buyers.find(scope, String(id)))?.external_identifier === named
}

/**
 * Copies the card of a checkout session out of the vault, for the length of a request. If the buyer enters another one at that
 * moment, the payment takes that: it is read again under a lock, so that nobody who enters again and again can hold it up.
 */
export async function openSession(scope: Scope, vault: Vault, session: Session): Promise<Opened> {
  try {
    return await copyEntered(scope, vault, session)
  } catch (error) {
    if (!(error instanceof ItemGone)) throw error
    return inTransaction(scope, async (tx) => {
      const now = await checkoutSessions.lockForPayment(tx, session.id)
      if (!now) throw noSession()
      refuseUnentered(now)
      return copyEntered(tx, vault, now)
    })
  }
}

async function copyEntered(scope: Scope, vault: Vault, session: Session): Promise<Opened> {
  const { number_token, security_code_token, fingerprint } = session
  const at = { type: 'checkout-session', id: session.id }
  try {
    return {
      session,
      number: await copyItem(scope, vault, { ...at, token: number_token, fingerprint }),
      securityCode: await copyItem(scope, vault, { ...at, token: security_code_token }),
    }
  } catch (error) {
    if (!(error instanceof WrongItem)) throw error
    throw unusable('the card in the checkout session cannot be used; enter it again')
  }
}

/** The error for a checkout session that cannot pay. */
export function unusable(message: string): ApiError {
  return errors.invalid(inBody('/payment_method/id', 'value_error.not_found', message))
}

export function noSession(): ApiError {
  return unusable('there is no such checkout session, or it has expired')
}

export function noLinkedSession(): ApiError {
  const message = 'the checkout session of the token has expired'
  return errors.invalid(inBody('/checkout_session_id', 'value_error.not_found', message))
}

export function paidAlready(pointer: '/payment_method/id' | '/checkout_session_id'): ApiError {
  return errors.invalid(inBody(pointer, 'value_error.conflict', 'the checkout session is paid already'))
}
