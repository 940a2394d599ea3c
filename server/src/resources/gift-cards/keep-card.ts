import type { Scope, Tx } from '#platform/database/db.ts'
import { errors, inBody } from '#platform/http/errors.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import * as buyers from '#resources/buyers/store.ts'
import * as events from '#resources/events/store.ts'
import type { Vault } from '#vault'
import * as operations from './operations/store.ts'
import type { TypedCard } from './present.ts'
import { showCard } from './show.ts'
import * as giftCards from './store.ts'

const CARDS_PER_BUYER_MAX = 10

type Place = {
  readonly buyerId: string
  readonly fingerprint: string
  /** The field of the request that names the buyer. */
  readonly pointer: string
}

/** Locks the buyer, and refuses a card that the buyer already has, or one too many. */
export async function claimPlace(tx: Scope<Tx>, { buyerId, fingerprint, pointer }: Place): Promise<void> {
  if (!(await buyers.lock(tx, buyerId))) {
    throw errors.invalid(inBody(pointer, 'value_error.not_found', 'there is no such buyer'))
  }
  const cards = await giftCards.listOfBuyer(tx, buyerId)
  const twin = cards.find((card) => card.fingerprint === fingerprint)
  if (twin) {
    const message = 'the buyer already has this gift card'
    throw errors.duplicate(twin.id, inBody('/number', 'value_error.duplicate', message))
  }
  if (cards.length + (await operations.countCardsToCome(tx, buyerId)) < CARDS_PER_BUYER_MAX) return
  const message = `delete a gift card first: the buyer has ${CARDS_PER_BUYER_MAX}, the most allowed`
  throw errors.invalid(inBody(pointer, 'value_error.list.max_items', message))
}

/** Part of the caller's transaction. Number and PIN are already in the vault. */
export async function insertCard(
  tx: Scope<Tx>,
  fields: giftCards.CardFields,
): Promise<giftCards.StoredGiftCard> {
  const stored = await giftCards.insert(tx, fields)
  await auditLogs.record(tx, 'created', {
    type: auditLogs.OF_BUYERS.giftCard,
    id: stored.id,
    name: nameOf(stored),
  })
  await events.publish(tx, ['gift-card.created'], await showCard(tx, stored))
  return stored
}

export function nameOf({ bin, last4 }: Pick<giftCards.StoredGiftCard, 'bin' | 'last4'>): string {
  return `${bin}…${last4}`
}

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
