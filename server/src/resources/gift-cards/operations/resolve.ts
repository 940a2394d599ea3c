import type { GiftCardErrorCode } from '#connectors/contract/gift-card.ts'
import type { Scope, Tx } from '#platform/database/db.ts'
import { askGiftCard, type GiftCardTold, inPaymentWords } from '#processing/ask-gift-card.ts'
import { codeOf, type Decided, factsOf, type Kind, resolve } from '#processing/attempts/conclude.ts'
import type { Resolve } from '#processing/attempts/resolve-due.ts'
import * as attempts from '#processing/attempts/store.ts'
import type { Engine } from '#processing/engine.ts'
import { lineFor } from '#processing/provider.ts'
import { openFields } from '#processing/service-accounts/fields.ts'
import * as buyers from '#resources/buyers/store.ts'
import * as giftCardServices from '#resources/gift-card-services/store.ts'
import type { Vault } from '#vault'
import { insertCard } from '../keep-card.ts'
import { readTime } from '../read-card.ts'
import * as giftCards from '../store.ts'
import * as operations from './store.ts'

const FORGOTTEN = { number_token: null, pin_token: null }

/** Activations and issuances. The operation and its attempt have the same id. */
export const GIFT_CARD_OPERATION: Kind<operations.Operation, GiftCardTold> = {
  find: findOperation,
  // The request itself sends the operation, because its card is not kept longer. So it is never queued.
  ask: (scope, engine, operation) => inquire(scope, engine, operation),
  inquire: (scope, engine, operation) => inquire(scope, engine, operation),
  lock: async (tx, { id }) => {
    const subject = await operations.lock(tx, id)
    const attempt = await attempts.lock(tx, id)
    if (!subject || !attempt) throw new Error('a gift card attempt has no operation')
    return { subject, attempt }
  },
  decide: concludeOperation,
}

export const resolveOperation: Resolve = (scope, engine, attempt) =>
  resolve(scope, engine, GIFT_CARD_OPERATION, attempt)

async function findOperation(scope: Scope, { id }: attempts.Attempt): Promise<operations.Operation> {
  const found = await operations.find(scope, id)
  if (!found) throw new Error('a gift card attempt has no operation')
  return found
}

/** Asks the service for the outcome of an operation whose answer did not reach us. */
export async function inquire(
  scope: Scope,
  { vault, providers }: Engine,
  { id, kind, gift_card_service_id }: operations.Operation,
): Promise<GiftCardTold> {
  const services = await giftCardServices.findMany(scope, [gift_card_service_id])
  const service = services.get(gift_card_service_id)
  const connector = service && providers.giftCards.find(service.gift_card_service_definition_id)
  if (!connector) return { outcome: 'unknown', reason: 'the gift card service was deleted' }
  const fields = await openFields(scope, vault, service, giftCardServices.KIND)
  const line = lineFor(providers, { connector: connector.manifest.id, act: 'sync' })
  return inPaymentWords(
    await askGiftCard(line, connector.sync, { attemptId: id, operation: kind }, { fields }),
  )
}

type Decision = { readonly subject: operations.Operation; readonly answer: Decided<GiftCardTold> }

/** A gift card service has decided: stores a card to be stored, or deletes its number. */
async function concludeOperation(
  tx: Scope<Tx>,
  { vault }: Engine,
  { subject: operation, answer }: Decision,
): Promise<operations.Operation> {
  if (answer.outcome === 'approved') {
    const expires_at = readTime(answer.expiresAt ?? null)
    return operations.update(tx, operation, {
      ...FORGOTTEN,
      state: 'approved',
      reference: answer.reference,
      expires_at,
      gift_card_id: await storeCard(tx, vault, { ...operation, expires_at }),
    })
  }
  await forgetCard(tx, vault, operation)
  const { rawCode = null, rawDescription = null } = factsOf(answer)
  return operations.update(tx, operation, {
    ...FORGOTTEN,
    state: 'refused',
    error_code: codeOf(answer) as GiftCardErrorCode | null,
    raw_error_code: rawCode,
    raw_error_message: rawDescription,
  })
}

/** Stores the activated card. If the buyer has got it in another way meanwhile, returns that one. */
async function storeCard(
  tx: Scope<Tx>,
  vault: Vault,
  operation: operations.Operation,
): Promise<string | null> {
  const { gift_card_service_id, bin, sub_bin, last4, fingerprint, expires_at } = operation
  const { number_token, pin_token } = operation
  if (number_token === null || pin_token === null) return null
  if (bin === null || sub_bin === null || last4 === null || fingerprint === null) {
    throw new Error('a gift card to be stored has no facts')
  }
  // Locked, so that no other request stores the same card for the buyer now.
  const buyer = operation.buyer_id === null ? undefined : await buyers.lock(tx, operation.buyer_id)
  const twin = buyer && (await giftCards.findTwin(tx, { buyerId: buyer.id, fingerprint }))
  if (twin) {
    await forgetCard(tx, vault, operation)
    return twin.id
  }
  const facts = { gift_card_service_id, bin, sub_bin, last4, fingerprint, expires_at }
  const card = { ...facts, number_token, pin_token, buyer_id: buyer?.id ?? null }
  return (await insertCard(tx, card)).id
}

async function forgetCard(
  tx: Scope<Tx>,
  vault: Vault,
  { number_token, pin_token }: operations.Operation,
): Promise<void> {
  for (const token of [number_token, pin_token]) if (token) await vault.remove(tx.db, tx, token)
}
