import { newId } from '#domain/ids.ts'
import type { Scope } from '#platform/database/db.ts'
import { type Finished, inFinalTransaction, type Once } from '#platform/idempotency/once.ts'
import type { Engine } from '#processing/engine.ts'
import { lookUp } from '#resources/card-details/store.ts'
import { insertCard, type Owner } from './insert-card.ts'
import type { StoreCard } from './new-schemas.ts'
import { sealCard } from './read-card.ts'
import type { PaymentMethod } from './schemas.ts'

/**
 * Stores a card: its number in the vault, its visible part in a row, both in one commit. The security code is
 * not stored.
 */
export async function storeCard(
  scope: Scope,
  once: Once,
  engine: Pick<Engine, 'vault' | 'tokenService'>,
  { body, owner }: { readonly body: StoreCard; readonly owner: Owner },
): Promise<Finished<PaymentMethod>> {
  const card = { number: body.number, expirationDate: body.expiration_date, cardType: body.card_type }
  const facts = await lookUp(scope, card.number)
  return inFinalTransaction(scope, once, async (tx) => {
    const id = newId(tx.clock().getTime())
    const sealed = await sealCard(tx, engine.vault, { ...card, paymentMethodId: id }, facts)
    return insertCard(tx, engine, sealed, { ...owner, id })
  })
}
