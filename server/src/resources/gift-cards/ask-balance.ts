import type { BalanceAnswer } from '#connectors/contract/gift-card.ts'
import type { Scope } from '#platform/database/db.ts'
import { askGiftCard } from '#processing/ask-gift-card.ts'
import { lineFor, type Providers } from '#processing/provider.ts'
import { openFields } from '#processing/service-accounts/fields.ts'
import type { ActiveService } from '#resources/gift-card-services/find-active.ts'
import * as giftCardServices from '#resources/gift-card-services/store.ts'
import { type Vault, WrongItem } from '#vault'
import { type GiftCardSource, withPresentedCard } from './present.ts'
import * as giftCards from './store.ts'

type Needs = { readonly vault: Vault; readonly providers: Providers }

/** Asks for the balance of a card. A stored card is shown only to the service that it was stored with. */
export async function askBalance(
  scope: Scope,
  { vault, providers }: Needs,
  { service, connector }: ActiveService,
  source: GiftCardSource,
): Promise<BalanceAnswer> {
  if (source.kind === 'stored' && source.card.gift_card_service_id !== service.id) {
    return refused('invalid_service_configuration')
  }
  const fields = await openFields(scope, vault, service, giftCardServices.KIND)
  const line = lineFor(providers, { connector: connector.manifest.id, act: 'balance' })
  try {
    return await withPresentedCard(scope, vault, source, (card) =>
      askGiftCard(line, connector.balance, { card }, { fields }),
    )
  } catch (error) {
    if (error instanceof WrongItem) return refused('invalid_gift_card')
    // The card may have been deleted since it was read.
    if (source.kind === 'typed' || (await giftCards.find(scope, source.card.id))) throw error
    return refused('invalid_gift_card')
  }
}

function refused(code: 'invalid_service_configuration' | 'invalid_gift_card'): BalanceAnswer {
  return { outcome: 'refused', code, rawCode: null, rawMessage: null }
}
