import type { Scope } from '#platform/db.ts'
import { type ApiError, errors, inBody } from '#platform/errors.ts'
import * as checkoutSessions from '#resources/checkout/sessions/store.ts'
import { ItemGone, type Masked, type Vault, WrongItem } from '#vault'
import { copyItem } from '../authorization/open-item.ts'
import { cardIsChanging, noSession, paidAlready } from './find-session.ts'

type Session = checkoutSessions.StoredSession
type Entered = { readonly number: Masked | null; readonly securityCode: Masked | null }

/** Copies of what was entered in a checkout session, for the length of a request. */
export async function openSession(scope: Scope, vault: Vault, session: Session): Promise<Entered> {
  const { number_token, security_code_token, fingerprint } = session
  const at = { type: 'checkout-session', id: session.id }
  try {
    return {
      number: await copyItem(scope, vault, { ...at, token: number_token, fingerprint }),
      securityCode: await copyItem(scope, vault, { ...at, token: security_code_token }),
    }
  } catch (error) {
    if (error instanceof WrongItem) throw unusable()
    throw (error instanceof ItemGone && (await changeOf(scope, session))) || error
  }
}

/** Why what was entered is not there any more. Undefined: the row still names it, and is damaged. */
async function changeOf(scope: Scope, before: Session): Promise<ApiError | undefined> {
  const now = await checkoutSessions.findForPayment(scope, before.id)
  if (!now) return noSession()
  if (now.transaction_id !== null) return paidAlready('/payment_method/id')
  const isSame =
    now.number_token === before.number_token && now.security_code_token === before.security_code_token
  return isSame ? undefined : cardIsChanging()
}

function unusable(): ApiError {
  const message = 'the card in the checkout session cannot be used; enter it again'
  return errors.invalid(inBody('/payment_method/id', 'value_error.not_found', message))
}
