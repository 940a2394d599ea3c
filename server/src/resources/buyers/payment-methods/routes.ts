import { errors } from '../../../platform/errors.ts'
import { type Operation, operation, scopeOf } from '../../../platform/operation.ts'
import type { PaymentMethodSummary } from '../../payment-methods/schemas.ts'
import { showSummaries } from '../../payment-methods/show.ts'
import * as paymentMethods from '../../payment-methods/store.ts'
import { findNamedBuyer, isOwnBuyer } from '../find-named.ts'
import {
  type BuyerPaymentMethodFilters,
  BuyerPaymentMethodFilters as Filters,
  PaymentMethodSummaries,
} from './schemas.ts'

export function buyerPaymentMethodRoutes(): Operation[] {
  return [
    operation({
      id: 'list_buyer_payment_methods',
      route: 'GET /buyers/payment-methods',
      tag: 'Buyers: payment methods',
      summary: 'List a buyer’s payment methods',
      description: 'All that are usable. A browser’s token sees its own buyer’s only.',
      scope: 'payment-methods.read',
      embed: true,
      concerns: 'merchant-account',
      query: Filters,
      responses: { 200: PaymentMethodSummaries },
      handler: async (call) => {
        const scope = scopeOf(call)
        const buyer = await findNamedBuyer(scope, call.query, 'query')
        if (!buyer) throw missingBuyer()
        if (!(await isOwnBuyer(scope, call.caller))(buyer.id)) throw errors.forbidden()
        const stored = await paymentMethods.listOfBuyer(scope, buyer.id)
        const usable = stored.filter(({ status, country, currency }) => {
          const fits = (own: string | null, wanted: string | undefined) =>
            own === null || wanted === undefined || own === wanted
          return (
            status === 'succeeded' && fits(country, call.query.country) && fits(currency, call.query.currency)
          )
        })
        return { items: sorted(showSummaries(usable), call.query) }
      },
    }),
  ]
}

/** What was never used comes last, whichever the direction. */
function sorted(
  items: PaymentMethodSummary[],
  { sort_by, order_by }: BuyerPaymentMethodFilters,
): PaymentMethodSummary[] {
  if (!sort_by) return items
  const sign = order_by === 'asc' ? 1 : -1
  return items.toSorted((a, b) => {
    const [left, right] = [a[sort_by], b[sort_by]]
    if (left === null || right === null) return Number(left === null) - Number(right === null)
    return left < right ? -sign : left > right ? sign : 0
  })
}

function missingBuyer() {
  return errors.invalid({
    location: 'query',
    pointer: '/buyer_id',
    type: 'value_error.missing',
    message: 'name the buyer by buyer_id or buyer_external_identifier',
  })
}
