import type { Scope, Tx } from '#platform/database/db.ts'
import { sealCard } from '#resources/payment-methods/read-card.ts'
import type { CardFields } from '#resources/payment-methods/store.ts'
import type { Vault } from '#vault'
import * as cards from '../cards/store.ts'
import type { Payer } from '../preparation/payer.ts'
import type { StoredTransaction } from '../store.ts'
import type { OpenableSource } from './open-instrument.ts'

type Typed = Extract<Payer['source'], { kind: 'typed' }>

/** With an id, the number is sealed for the payment method that it is to become. */
export function sealTyped(
  tx: Scope<Tx>,
  vault: Vault,
  source: Typed,
  paymentMethodId?: string,
): Promise<CardFields> {
  return source.number.use((bytes) => {
    const { expirationDate, cardType, facts } = source
    const number = bytes.toString()
    return sealCard(tx, vault, { number, expirationDate, cardType, paymentMethodId }, facts)
  })
}

/**
 * Puts into the vault what a payment that has begun needs after the buyer's approval: a typed card and the security code. A card
 * that is to be stored is there already, without its code. Returns whether the vault holds anything.
 */
export async function holdCardOf(
  tx: Scope<Tx>,
  vault: Vault,
  { id }: StoredTransaction,
  source: OpenableSource,
): Promise<boolean> {
  if (source.kind === 'ready' || source.kind === 'held') return false
  const code = source.securityCode && (await vault.store(tx.db, tx, 'security-code', source.securityCode))
  const held = await cards.find(tx, id)
  if (held) {
    if (code !== null) await cards.addCode(tx, id, code)
    return true
  }
  if (source.kind === 'stored' && code === null) return false
  const card = source.kind === 'typed' ? await sealTyped(tx, vault, source) : null
  await cards.insert(tx, {
    transaction_id: id,
    number_token: card?.vaultToken ?? null,
    security_code_token: code,
    card,
    store: null,
  })
  return true
}
