import { type Operation, operation, scopeOf } from '#platform/http/operation.ts'
import { showSummaries } from '#resources/payment-methods/show.ts'
import * as paymentMethods from '#resources/payment-methods/store.ts'
import { findNamedBuyer, isOwnBuyer, missingBuyer, namedTwice, otherBuyer } from '../find-named.ts'
import { sortByUse } from '../sort-by-use.ts'
import { BuyerPaymentMethodFilters, PaymentMethodSummaries } from './schemas.ts'

export function buyerPaymentMethodRoutes(): Operation[] {
  return [
    operation({
      id: 'list_buyer_payment_methods',
      route: 'GET /buyers/payment-methods',
      tag: 'Buyers: payment methods',
      summary: 'List buyer payment methods',
      description: 'All usable payment methods. A browser token sees only those of its own buyer.',
      scope: 'payment-methods.read',
      embed: true,
      concerns: 'merchant-account',
      query: BuyerPaymentMethodFilters,
      check: ({ query }) => namedTwice(query, 'query'),
      responses: { 200: PaymentMethodSummaries },
      handler: async (call) => {
        const scope = scopeOf(call)
        const buyer = await findNamedBuyer(scope, call.query, 'query')
        if (!buyer) throw missingBuyer()
        if (!(await isOwnBuyer(scope, call.caller))(buyer.id)) throw otherBuyer('query', '/buyer_id')
        const stored = await paymentMethods.listOfBuyer(scope, buyer.id)
        const usable = stored.filter(({ status, country, currency }) => {
          const fits = (own: string | null, wanted: string | undefined) =>
            own === null || wanted === undefined || own === wanted
          return (
            status === 'succeeded' && fits(country, call.query.country) && fits(currency, call.query.currency)
          )
        })
        return { items: sortByUse(showSummaries(usable), call.query) }
      },
    }),
  ]
}
