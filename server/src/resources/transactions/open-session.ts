import { Masked, type Vault } from '../../../../vault/client.ts'
import type { Scope } from '../../platform/db.ts'
import type { StoredSession } from '../checkout/sessions/store.ts'
import { withItem } from './open-item.ts'

type Entered = { readonly number: Masked | null; readonly securityCode: Masked | null }

/** Copies of what was entered in a checkout session, for the length of a request. */
export async function openSession(scope: Scope, vault: Vault, session: StoredSession): Promise<Entered> {
  const copy = (token: string | null) =>
    withItem(scope, vault, { type: 'checkout-session', id: session.id, token }, async (value) =>
      value ? value.use((bytes) => new Masked(bytes)) : null,
    )
  return { number: await copy(session.number_token), securityCode: await copy(session.security_code_token) }
}
