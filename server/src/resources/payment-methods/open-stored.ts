import type { Instrument, Mandate } from '#connectors/contract/orders.ts'
import type { Scope } from '#platform/database/db.ts'
import { ItemGone, Masked, type Vault } from '#vault'
import { numberDate, reveal } from './reveal.ts'
import type { StoredMethod } from './store.ts'

type Asked = {
  readonly method: StoredMethod
  readonly securityCode: Masked | null
  /** For the audit log. */
  readonly purpose: string
}

/**
 * Opens a stored payment method for as long as `work` takes. Throws `ItemGone` if it is no longer in the vault. A method
 * that its provider keeps has nothing there.
 */
export async function openStored<Result>(
  scope: Scope,
  vault: Vault,
  { method, securityCode, purpose }: Asked,
  work: (instrument: Instrument) => Promise<Result>,
): Promise<Result> {
  const { country, currency } = method
  if (method.mode === 'redirect') {
    return work({ kind: 'redirect', method: method.method, country: country ?? '', currency: currency ?? '' })
  }
  const { id: paymentMethodId, vault_token: token, fingerprint } = method
  if (token === null) throw new ItemGone()
  const identify = method.method === 'bank' ? identityOf : undefined
  const access = { token, fingerprint, identify, paymentMethodId, purpose }
  return reveal(scope, vault, access, (value) => work(instrumentOf(method, value, securityCode)))
}

function instrumentOf(stored: StoredMethod, value: Masked, securityCode: Masked | null): Instrument {
  const { method, mode, scheme } = stored
  if (method === 'plaid') return { kind: 'plaid', payload: value }
  if (mode === 'bank') return { kind: 'bank', payload: value, mandate: mandateOf(stored) }
  const expirationDate = numberDate(stored)
  if (expirationDate === null) throw new Error('a card has no expiration date')
  return { kind: 'card', source: 'card', number: value, securityCode, expirationDate, scheme }
}

/** A buyer who has an account stored permits to debit it. The id without dashes fits into the references of banks. */
function mandateOf({ id, created_at }: StoredMethod): Mandate {
  return { reference: id.replaceAll('-', ''), signedAt: created_at.toISOString() }
}

/**
 * What makes two bank accounts the same: scheme and numbers. The name of the holder can be spelled in several
 * ways, and the BIC of an IBAN can be left out.
 */
export function identityOf(payload: Masked): Masked {
  return payload.use((bytes) => {
    const { scheme, routing_number, account_number } = JSON.parse(bytes.toString())
    return new Masked([scheme, scheme === 'sepa' ? [] : routing_number, account_number].flat().join(' '))
  })
}
