import { orNotFound } from '#platform/http/errors.ts'
import { type Operation, operationsOf, scopeOf } from '#platform/http/operation.ts'
import type { Engine } from '#processing/engine.ts'
import type { Providers } from '#processing/provider.ts'
import { namedTwice } from '#resources/buyers/find-named.ts'
import { unknownCodes } from '#resources/transactions/wire/check-codes.ts'
import type { Vault } from '#vault'
import { balanceComplaints, giftCardBalanceRequest, listBalances } from './balances/list.ts'
import { createGiftCard } from './create.ts'
import { deleteGiftCard } from './delete.ts'
import { issueGiftCard } from './issuances/create.ts'
import { GiftCardIssuance, IssueGiftCard } from './issuances/schemas.ts'
import { CreateGiftCard, GiftCard, GiftCardFilters, GiftCardSummaries, GiftCards } from './schemas.ts'
import { showCard, showCards } from './show.ts'
import * as giftCards from './store.ts'

const operation = operationsOf({ concerns: 'merchant-account', scopes: 'gift-cards' })

const CARDS_MAX_DEFAULT = 10

const TAG = 'Gift cards'

type Needs = { readonly vault: Vault; readonly providers: Providers }

export function giftCardRoutes(needs: Needs): Operation[] {
  return [...collectionRoutes(needs), ...itemRoutes(needs)]
}

function collectionRoutes(needs: Needs): Operation[] {
  return [
    operation({
      id: 'list_gift_cards',
      route: 'GET /gift-cards',
      tag: TAG,
      summary: 'List gift cards',
      description: 'Stored gift cards, newest first. Deleted ones are not listed.',
      isList: true,
      query: GiftCardFilters,
      responses: { 200: GiftCards },
      handler: async ({ context, reach, query }) => {
        const page = await giftCards.list(context, reach, query)
        return { ...page, items: await showCards(context, page.items) }
      },
    }),

    operation({
      id: 'create_gift_card',
      route: 'POST /gift-cards',
      tag: TAG,
      summary: 'Create gift card',
      description:
        'We first ask the active gift card service about the card. Number and PIN are sealed in the vault. ' +
        'A browser token stores the card for the buyer that it pins.',
      embed: true,
      limit: 'browser',
      body: CreateGiftCard,
      check: ({ body }) => namedTwice(body),
      errors: ['duplicate_record', 'gateway_timeout'],
      responses: { 201: GiftCard },
      handler: (call) =>
        createGiftCard(scopeOf(call), call.once, needs, { request: call.body, caller: call.caller }),
    }),
  ]
}

function itemRoutes({ vault }: Needs): Operation[] {
  return [
    operation({
      id: 'get_gift_card',
      route: 'GET /gift-cards/:gift_card_id',
      tag: TAG,
      summary: 'Get gift card',
      responses: { 200: GiftCard },
      handler: async (call) => {
        const card = orNotFound(await giftCards.find(scopeOf(call), call.params.gift_card_id))
        return showCard(call.context, card)
      },
    }),

    operation({
      id: 'delete_gift_card',
      route: 'DELETE /gift-cards/:gift_card_id',
      tag: TAG,
      summary: 'Delete gift card',
      description: 'The number and PIN leave the vault at once. The balance stays on the card.',
      responses: { 204: null },
      handler: async (call) => {
        orNotFound(await deleteGiftCard(scopeOf(call), vault, call.params.gift_card_id))
      },
    }),
  ]
}

type BalanceNeeds = {
  readonly vault: Vault
  readonly providers: Providers
  readonly giftCardBalancesMax?: number
}

export function giftCardBalanceRoutes(needs: BalanceNeeds): Operation[] {
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
      body: giftCardBalanceRequest(needs.giftCardBalancesMax ?? CARDS_MAX_DEFAULT),
      check: ({ body }) => balanceComplaints(body),
      responses: { 200: GiftCardSummaries },
      handler: (call) =>
        listBalances(scopeOf(call), call.once, needs, { request: call.body, caller: call.caller }),
    }),
  ]
}

export function giftCardIssuanceRoutes(engine: Engine): Operation[] {
  return [
    operation({
      id: 'issue_gift_card',
      route: 'POST /gift-cards/issuances',
      tag: 'Gift cards',
      summary: 'Issue gift card',
      description:
        'Asks the gift card service to issue a new card, if it supports that. `url` shows the card to its buyer, and is in no other ' +
        'answer. Send an idempotency key, so that a retry does not issue a second card.',
      needsFreshProof: true,
      body: IssueGiftCard,
      check: ({ body }) => unknownCodes({ currency: body.currency }),
      errors: ['gateway_timeout'],
      responses: { 201: GiftCardIssuance },
      handler: (call) => issueGiftCard(scopeOf(call), call.once, engine, call.body),
    }),
  ]
}
