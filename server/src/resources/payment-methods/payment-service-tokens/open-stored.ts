import type { Instrument } from '#connectors/contract/orders.ts'
import type { Scope } from '#platform/db.ts'
import { ItemGone, type Masked, type Vault } from '#vault'
import { reveal } from '../reveal.ts'
import type { StoredMethod } from '../store.ts'

type Opened = { readonly method: StoredMethod; readonly securityCode: Masked | null }

/** Opens a stored payment method for as long as `work` takes, so that a service can store it, too. */
export function openStored<Result>(
  scope: Scope,
  vault: Vault,
  { method, securityCode }: Opened,
  work: (instrument: Instrument) => Promise<Result>,
): Promise<Result> {
  const { id: paymentMethodId, mode, scheme, country, currency, fingerprint } = method
  if (mode === 'redirect') {
    const place = { country: country ?? '', currency: currency ?? '' }
    return work({ kind: 'redirect', method: method.method, ...place })
  }
  const { vault_token: token, expiration_date: expirationDate } = method
  if (token === null || expirationDate === null) throw new ItemGone()
  const access = { token, fingerprint, paymentMethodId, purpose: 'payment service token' }
  return reveal(scope, vault, access, (number) =>
    work({ kind: 'card', source: 'card', number, expirationDate, securityCode, scheme }),
  )
}
