import { type Operation, operation, scopeOf } from '#platform/operation.ts'
import { CardDetail, CardDetailQuery } from './schemas.ts'
import { type Needs, queryComplaints, showCard } from './show.ts'

export function cardDetailRoutes(needs: Needs): Operation[] {
  return [
    operation({
      id: 'get_card_details',
      route: 'GET /card-details',
      tag: 'Card details',
      summary: 'Get card details',
      description:
        'What is known about a card from the first digits of its number, or about a stored one: its schemes, whether it is a credit, debit or prepaid card, and its country.',
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
