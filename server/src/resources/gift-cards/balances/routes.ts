import type { Vault } from '../../../../../vault/client.ts'
import { type Operation, operation, scopeOf } from '../../../platform/operation.ts'
import type { Providers } from '../../../processing/provider.ts'
import { GiftCardSummaries } from '../schemas.ts'
import { balanceComplaints, listBalances } from './list.ts'
import { GiftCardBalanceRequest } from './schemas.ts'

type Needs = { readonly vault: Vault; readonly providers: Providers }

export function giftCardBalanceRoutes(needs: Needs): Operation[] {
  return [
    operation({
      id: 'list_gift_card_balances',
      route: 'POST /gift-cards/balances',
      tag: 'Gift cards',
      summary: 'Check the balances of gift cards',
      description:
        'Of up to ten cards, in the order in which you name them. A balance that could not be had is null, and ' +
        '`balance_error_code` says why. A browser’s token sees its own buyer’s stored cards only.',
      scope: 'gift-cards.read',
      embed: true,
      limit: 'browser',
      concerns: 'merchant-account',
      body: GiftCardBalanceRequest,
      check: ({ body }) => balanceComplaints(body),
      responses: { 200: GiftCardSummaries },
      handler: (call) => listBalances(scopeOf(call), needs, { request: call.body, caller: call.caller }),
    }),
  ]
}
