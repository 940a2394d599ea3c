import { type Operation, operation, scopeOf } from '#platform/http/operation.ts'
import type { Engine } from '#processing/engine.ts'
import { unknownCodes } from '#resources/transactions/wire/check-codes.ts'
import { issueGiftCard } from './create.ts'
import { GiftCardIssuance, IssueGiftCard } from './schemas.ts'

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
      scope: 'gift-cards.write',
      concerns: 'merchant-account',
      needsFreshProof: true,
      body: IssueGiftCard,
      check: ({ body }) => unknownCodes({ currency: body.currency }),
      responses: { 201: GiftCardIssuance },
      handler: (call) => issueGiftCard(scopeOf(call), call.once, engine, call.body),
    }),
  ]
}
