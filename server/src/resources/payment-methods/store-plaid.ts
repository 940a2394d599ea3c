import { newId } from '#domain/ids.ts'
import type { Scope, Tx } from '#platform/database/db.ts'
import { errors, inBody } from '#platform/http/errors.ts'
import { type Finished, inFinalTransaction, type Once } from '#platform/idempotency/once.ts'
import type { Engine } from '#processing/engine.ts'
import * as paymentServices from '#resources/payment-services/store.ts'
import { Masked, type Vault } from '#vault'
import { insertBank } from './insert-bank.ts'
import type { Owner } from './insert-card.ts'
import type { StorePlaid } from './new-schemas.ts'
import type { PaymentMethod } from './schemas.ts'
import type { BankFields } from './store.ts'

/** Stores a token of Plaid in the vault. We do not ask Plaid: the payment service that charges it does. */
export async function storePlaid(
  scope: Scope,
  once: Once,
  engine: Engine,
  { body, owner }: { readonly body: StorePlaid; readonly owner: Owner },
): Promise<Finished<PaymentMethod>> {
  await refuseOtherService(scope, engine, body.payment_service_id ?? null)
  return inFinalTransaction(scope, once, async (tx) => {
    const id = newId(tx.clock().getTime())
    return insertBank(tx, await sealToken(tx, engine.vault, body, id), { ...owner, id })
  })
}

async function refuseOtherService(scope: Scope, { providers }: Engine, id: string | null): Promise<void> {
  if (id === null) return
  const service = await paymentServices.find(scope, id)
  if (!service) {
    const message = 'there is no such payment service'
    throw errors.invalid(inBody('/payment_service_id', 'value_error.not_found', message))
  }
  const connector = providers.connectors.find(service.payment_service_definition_id)
  if (service.method === 'plaid' && connector?.manifest.instruments.includes('plaid')) return
  const message = `${service.display_name} takes no tokens of Plaid; name another service`
  throw errors.invalid(inBody('/payment_service_id', 'value_error.conflict', message))
}

async function sealToken(tx: Scope<Tx>, vault: Vault, body: StorePlaid, owner: string): Promise<BankFields> {
  const { token, account_id = null, payment_service_id = null } = body
  const payload = new Masked(JSON.stringify({ method: 'plaid', token, account_id }))
  try {
    return {
      method: 'plaid',
      bank_scheme: null,
      label: null,
      currency: null,
      payment_service_id,
      fingerprint: await vault.fingerprint(tx.db, payload),
      vault_token: await vault.store(tx.db, tx, { name: 'plaid-token', owner }, payload),
    }
  } finally {
    payload.clear()
  }
}
