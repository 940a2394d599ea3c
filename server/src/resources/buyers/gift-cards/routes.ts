import { type Operation, operation, scopeOf } from '#platform/http/operation.ts'
import type { Providers } from '#processing/provider.ts'
import { GiftCardSummaries } from '#resources/gift-cards/schemas.ts'
import type { Vault } from '#vault'
import { findNamedBuyer, missingBuyer, namedTwice } from '../find-named.ts'
import { sortByUse } from '../sort-by-use.ts'
import { listOfBuyer } from './list.ts'
import { BuyerGiftCardFilters } from './schemas.ts'

type Needs = { readonly vault: Vault; readonly providers: Providers }

export function buyerGiftCardRoutes(needs: Needs): Operation[] {
  return [
    operation({
      id: 'list_buyer_gift_cards',
      route: 'GET /buyers/gift-cards',
      tag: 'Buyers: gift cards',
      summary: 'List buyer gift cards',
      description:
        'Lists the cards with their balances. Cards that have expired or are empty are deleted instead. ' +
        'Cards without an available balance are listed.',
      scope: 'gift-cards.read',
      concerns: 'merchant-account',
      query: BuyerGiftCardFilters,
      check: ({ query }) => namedTwice(query, 'query'),
      responses: { 200: GiftCardSummaries },
      handler: async (call) => {
        const scope = scopeOf(call)
        const buyer = await findNamedBuyer(scope, call.query, 'query')
        if (!buyer) throw missingBuyer()
        return { items: sortByUse(await listOfBuyer(scope, needs, buyer.id), call.query) }
      },
    }),
  ]
}
