import { type Operation, operation, scopeOf } from '#platform/http/operation.ts'
import { cardOfPaymentMethod } from '#resources/payment-methods/card-of.ts'
import type { Resource } from '#resources/resource.ts'
import { CardDetail, CardDetailQuery } from './schemas.ts'
import { type Needs, queryComplaints, showCard } from './show.ts'

function cardDetailRoutes(needs: Needs): Operation[] {
  return [
    operation({
      id: 'get_card_details',
      route: 'GET /card-details',
      tag: 'Card details',
      summary: 'Get card details',
      description:
        'Details of a card by the first digits of its number, or of a stored card: its schemes, its country, and whether it is a credit, debit or prepaid card.',
      scope: 'bin-checker.read',
      embed: true,
      concerns: 'merchant-account',
      query: CardDetailQuery,
      check: ({ query }, about) => queryComplaints(query, about),
      responses: { 200: CardDetail },
      handler: (call) => showCard({ scope: scopeOf(call), caller: call.caller }, call.query, needs),
    }),
  ]
}

export const cardDetailResource: Resource = {
  operations: (needs) => cardDetailRoutes({ ...needs, cardOfPaymentMethod }),
}
