import { BANK_SCHEMES, type BankScheme, compact, labelOfAccount } from '#domain/bank-account.ts'
import { newId } from '#domain/ids.ts'
import type { Scope, Tx } from '#platform/database/db.ts'
import { type Finished, inFinalTransaction, type Once } from '#platform/idempotency/once.ts'
import type { Engine } from '#processing/engine.ts'
import { Masked, type Vault } from '#vault'
import { insertBank, type Owner } from './insert.ts'
import type { StoreBankAccount } from './new-schemas.ts'
import { identityOf } from './open-stored.ts'
import type { PaymentMethod } from './schemas.ts'
import type { BankFields } from './store.ts'

type Wanted = { readonly scheme: BankScheme; readonly body: StoreBankAccount; readonly owner: Owner }

/** Stores a bank account: its numbers and its holder in the vault, its visible part in a row, both in one commit. */
export function storeBankAccount(
  scope: Scope,
  once: Once,
  { vault }: Pick<Engine, 'vault'>,
  { scheme, body, owner }: Wanted,
): Promise<Finished<PaymentMethod>> {
  return inFinalTransaction(scope, once, async (tx) => {
    const id = newId(tx.clock().getTime())
    return insertBank(tx, await sealAccount(tx, vault, { scheme, body, id }), { ...owner, id })
  })
}

/** What goes into the vault of an account, and what is shown of it. The caller clears the payload. */
export function describeAccount({ scheme, body }: Pick<Wanted, 'scheme' | 'body'>) {
  const accountNumber = compact(body.account_number)
  const payload = new Masked(
    JSON.stringify({
      method: 'bank',
      scheme,
      account_holder: body.account_holder,
      account_number: accountNumber,
      routing_number: body.routing_number ? compact(body.routing_number) : null,
      ...('account_type' in body && { account_type: body.account_type }),
    }),
  )
  return {
    payload,
    method: 'bank',
    bank_scheme: scheme,
    label: labelOfAccount(scheme, accountNumber),
    currency: BANK_SCHEMES[scheme].currency,
  } as const
}

async function sealAccount(
  tx: Scope<Tx>,
  vault: Vault,
  { scheme, body, id: owner }: Pick<Wanted, 'scheme' | 'body'> & { readonly id: string },
): Promise<BankFields> {
  const { payload, ...shown } = describeAccount({ scheme, body })
  const identity = identityOf(payload)
  try {
    return {
      ...shown,
      payment_service_id: null,
      fingerprint: await vault.fingerprint(tx.db, identity),
      vault_token: await vault.store(tx.db, tx, { name: 'bank-account', owner }, payload),
    }
  } finally {
    identity.clear()
    payload.clear()
  }
}
