import type { Scope, Tx } from '#platform/database/db.ts'
import type { Vault } from '#vault'
import type { TypedCard } from './present.ts'

/** Puts number and PIN into the vault. A stored card has both. */
export async function sealCard(
  tx: Scope<Tx>,
  vault: Vault,
  { number, pin }: TypedCard,
): Promise<{ readonly number_token: string; readonly pin_token: string }> {
  if (!pin) throw new Error('a gift card to be stored has no PIN')
  return {
    number_token: await vault.store(tx.db, tx, 'gift-card-number', number),
    pin_token: await vault.store(tx.db, tx, 'gift-card-pin', pin),
  }
}
