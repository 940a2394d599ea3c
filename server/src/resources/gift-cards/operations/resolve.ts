import type { Scope } from '#platform/database/db.ts'
import { askGiftCard, type GiftCardTold, inPaymentWords } from '#processing/ask-gift-card.ts'
import { type Kind, resolve } from '#processing/attempts/resolve.ts'
import type { Resolve } from '#processing/attempts/resolve-due.ts'
import * as attempts from '#processing/attempts/store.ts'
import type { Engine } from '#processing/engine.ts'
import { lineFor } from '#processing/provider.ts'
import { openFields } from '#processing/service-accounts/open-fields.ts'
import * as giftCardServices from '#resources/gift-card-services/store.ts'
import { concludeOperation } from './conclude.ts'
import * as operations from './store.ts'

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
