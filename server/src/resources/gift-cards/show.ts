import type { BalanceAnswer } from '#connectors/contract/gift-card.ts'
import type { Context } from '#platform/database/db.ts'
import type { Buyer } from '#resources/buyers/schemas.ts'
import * as buyers from '#resources/buyers/store.ts'
import { summarize } from '#resources/gift-card-services/show.ts'
import * as giftCardServices from '#resources/gift-card-services/store.ts'
import { countUses } from '#resources/payment-methods/show.ts'
import { type CardFacts, readTime } from './read-card.ts'
import type { GiftCard, GiftCardSummary } from './schemas.ts'
import type { StoredGiftCard } from './store.ts'

/** Gift cards as the API shows them, with their buyers and services. */
export async function showCards(context: Context, cards: readonly StoredGiftCard[]): Promise<GiftCard[]> {
  const owners = await buyers.findMany(
    context,
    cards.flatMap(({ buyer_id }) => buyer_id ?? []),
  )
  const services = await giftCardServices.findMany(
    context,
    cards.map(({ gift_card_service_id }) => gift_card_service_id),
  )
  return cards.map((card) =>
    toCard(card, services.get(card.gift_card_service_id), owners.get(card.buyer_id ?? '')),
  )
}

export async function showCard(context: Context, card: StoredGiftCard): Promise<GiftCard> {
  const [shown] = await showCards(context, [card])
  if (!shown) throw new Error('a gift card was not shown')
  return shown
}

/** A card with the balance that its service gave. */
export function showBalance(
  merchantAccountId: string,
  card: StoredGiftCard | CardFacts,
  answer: BalanceAnswer,
): GiftCardSummary {
  const stored = 'id' in card ? card : null
  const { bin, sub_bin, last4 } = card
  return {
    type: 'gift-card',
    id: stored?.id ?? null,
    merchant_account_id: merchantAccountId,
    bin,
    sub_bin,
    last4,
    ...balanceIn(answer),
    expiration_date: expirationOf(stored, answer)?.toISOString() ?? null,
    ...(stored ? countUses(stored) : UNUSED),
  }
}

export const UNUSED = { usage_count: 0, last_used_at: null, cit_usage_count: 0, cit_last_used_at: null }

function toCard(
  card: StoredGiftCard,
  service: giftCardServices.StoredService | undefined,
  buyer: Buyer | undefined,
): GiftCard {
  if (!service) throw new Error('a gift card has no service')
  return {
    type: 'gift-card',
    id: card.id,
    merchant_account_id: card.merchant_account_id,
    gift_card_service: summarize(service),
    bin: card.bin,
    sub_bin: card.sub_bin,
    last4: card.last4,
    expiration_date: card.expires_at?.toISOString() ?? null,
    buyer: buyer ?? null,
    ...countUses(card),
    created_at: card.created_at.toISOString(),
    updated_at: card.updated_at.toISOString(),
  }
}

function balanceIn(answer: BalanceAnswer) {
  const isKnown = answer.outcome === 'known'
  const refused = answer.outcome === 'refused' ? answer : null
  return {
    balance: isKnown ? answer.balance : null,
    currency: isKnown ? answer.currency : null,
    balance_error_code: isKnown ? null : (refused?.code ?? 'service_network_error'),
    balance_raw_error_code: refused?.rawCode ?? null,
    balance_raw_error_message: refused?.rawMessage ?? null,
  }
}

/** The service's current answer counts more than the one from when the card was stored. */
function expirationOf(stored: StoredGiftCard | null, answer: BalanceAnswer): Date | null {
  return answer.outcome === 'known' ? readTime(answer.expiresAt) : (stored?.expires_at ?? null)
}
