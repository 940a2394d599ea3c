import type { BalanceAnswer } from '#connectors/contract/gift-card.ts'
import type { Scope } from '#platform/database/db.ts'
import type { Providers } from '#processing/provider.ts'
import { findActiveService } from '#resources/gift-card-services/find-active.ts'
import { askBalance } from '#resources/gift-cards/ask-balance.ts'
import { deleteGiftCard } from '#resources/gift-cards/delete.ts'
import { readTime } from '#resources/gift-cards/read-card.ts'
import type { GiftCardSummary } from '#resources/gift-cards/schemas.ts'
import { showBalance } from '#resources/gift-cards/show.ts'
import * as giftCards from '#resources/gift-cards/store.ts'
import type { Vault } from '#vault'

type Needs = { readonly vault: Vault; readonly providers: Providers }

/** A buyer's cards with their balances. Cards that have expired or are empty are deleted. */
export async function listOfBuyer(scope: Scope, needs: Needs, buyerId: string): Promise<GiftCardSummary[]> {
  const active = await findActiveService(scope, needs.providers)
  const cards = await giftCards.listOfBuyer(scope, buyerId)
  const found = await Promise.all(
    cards.map(async (card) => {
      const answer = active
        ? await askBalance(scope, needs, active, { kind: 'stored', card })
        : WITHOUT_SERVICE
      return { card, answer }
    }),
  )
  const useless = found.filter(({ answer }) => isUseless(answer, scope.clock()))
  for (const { card } of useless) await deleteGiftCard(scope, needs.vault, card.id)
  return found
    .filter((one) => !useless.includes(one))
    .map(({ card, answer }) => showBalance(scope.merchantAccountId, card, answer))
}

const WITHOUT_SERVICE: BalanceAnswer = {
  outcome: 'refused',
  code: 'invalid_service_configuration',
  rawCode: null,
  rawMessage: null,
}

/** Only the service can say so: a card without an available balance may still be good. */
function isUseless(answer: BalanceAnswer, now: Date): boolean {
  if (answer.outcome === 'refused') return answer.code === 'expired_card'
  if (answer.outcome === 'unknown') return false
  const expiresAt = readTime(answer.expiresAt)
  return answer.balance === 0 || (expiresAt !== null && expiresAt <= now)
}
