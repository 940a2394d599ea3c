import type { GiftCardSyncAnswer } from '#connectors/contract/gift-card.ts'
import { type Context, inTransaction, type Scope } from '#platform/db.ts'
import { failTogether } from '#platform/jobs.ts'
import { askGiftCard } from '#processing/ask-gift-card.ts'
import type { Providers } from '#processing/provider.ts'
import { openFields } from '#processing/service-accounts/open-fields.ts'
import * as giftCardServices from '#resources/gift-card-services/store.ts'
import type { Vault } from '#vault'
import { settle } from './settle.ts'
import * as operations from './store.ts'

export type Needs = { readonly vault: Vault; readonly providers: Providers }

const AT_ONCE = 32
const AT_ONCE_PER_SERVICE = 8

/** Finds out what became of operations that nobody heard of. Each is taken by one process at a time. */
export async function resolveDueOperations(
  context: Context,
  needs: Needs,
  stopping?: AbortSignal,
): Promise<void> {
  const leaseMs = needs.providers.timeoutMs * 2 + 10_000
  const take = { limit: AT_ONCE, limitPerService: AT_ONCE_PER_SERVICE, leaseMs }
  const failures: unknown[] = []
  while (!stopping?.aborted) {
    const due = await operations.takeDue(context, take)
    if (due.length === 0) break
    const outcomes = await Promise.allSettled(
      due.map((operation) => resolve(scopeOf(context, operation), needs, operation)),
    )
    failures.push(...outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason] : [])))
  }
  failTogether(failures)
}

export async function resolve(
  scope: Scope,
  needs: Needs,
  operation: operations.Operation,
): Promise<operations.Operation> {
  const answer = await inquire(scope, needs, operation)
  return inTransaction(scope, (tx) => settle(tx, needs.vault, operation, answer))
}

/** What was sent may be on its way: asking about it now could make the service refuse it. */
export function mayInquire({ state, due_at }: operations.Operation, now: Date): boolean {
  return state !== 'sent' || (due_at !== null && due_at <= now)
}

/** Asks the service what became of an operation whose answer did not reach us. */
export async function inquire(
  scope: Scope,
  { vault, providers }: Needs,
  { id, kind, gift_card_service_id }: operations.Operation,
): Promise<GiftCardSyncAnswer> {
  const services = await giftCardServices.findMany(scope, [gift_card_service_id])
  const service = services.get(gift_card_service_id)
  const connector = service && providers.giftCards.find(service.gift_card_service_definition_id)
  if (!connector) return { outcome: 'unknown', reason: 'the gift card service is gone' }
  const fields = await openFields(scope, vault, service, giftCardServices.KIND)
  return askGiftCard(providers, connector.sync, { attemptId: id, operation: kind }, { fields })
}

function scopeOf(context: Context, { merchant_account_id }: operations.Operation): Scope {
  return { ...context, merchantAccountId: merchant_account_id }
}
