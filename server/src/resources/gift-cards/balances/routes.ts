import { type Operation, operation, scopeOf } from '#platform/http/operation.ts'
import type { Providers } from '#processing/provider.ts'
import type { Vault } from '#vault'
import { GiftCardSummaries } from '../schemas.ts'
import { balanceComplaints, listBalances } from './list.ts'
import { giftCardBalanceRequest } from './schemas.ts'

const CARDS_MAX_DEFAULT = 10

type Needs = {
  readonly vault: Vault
  readonly providers: Providers
  readonly giftCardBalancesMax?: number
}

export function giftCardBalanceRoutes(needs: Needs): Operation[] {
  return [
    operation({
      id: 'list_gift_card_balances',
      route: 'POST /gift-cards/balances',
      tag: 'Gift cards',
      summary: 'List gift card balances',
      description:
        'Answers in the order of the request. The installation limits the number of cards. A balance that is not available is null, and ' +
        '`balance_error_code` says why. A browser token sees only its own buyer’s stored cards.',
      scope: 'gift-cards.read',
      embed: true,
      limit: 'browser',
      concerns: 'merchant-account',
      body: giftCardBalanceRequest(needs.giftCardBalancesMax ?? CARDS_MAX_DEFAULT),
      check: ({ body }) => balanceComplaints(body),
      responses: { 200: GiftCardSummaries },
      handler: (call) =>
        listBalances(scopeOf(call), call.once, needs, { request: call.body, caller: call.caller }),
    }),
  ]
}
