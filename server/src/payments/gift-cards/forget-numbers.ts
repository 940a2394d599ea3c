import type { Scope, Tx } from '#platform/database/db.ts'
import type { Vault } from '#vault'
import type { StoredTransaction } from '../store/payments.ts'
import * as redemptions from '../store/redemptions.ts'

/** Removes typed numbers and PINs from the vault when the payment is decided. */
export async function forgetNumbers(
  tx: Scope<Tx>,
  vault: Vault,
  { id }: Pick<StoredTransaction, 'id'>,
): Promise<void> {
  for (const redemption of await redemptions.listOf(tx, id)) {
    const { number_token, pin_token } = redemption
    if (number_token === null) continue
    await vault.remove(tx.db, tx, number_token)
    if (pin_token !== null) await vault.remove(tx.db, tx, pin_token)
    await redemptions.change(tx, redemption, { number_token: null, pin_token: null })
  }
}
