import type { AuthorizeOrder } from '#connectors/contract/orders.ts'
import { toStripeAmount } from './currency.ts'

/**
 * What is bought with a card: levels 2 and 3 of the schemes. It is information, so what Stripe could not take is left out,
 * and Stripe does not refuse the payment for sums that are not right: it then passes the items on to no scheme.
 */
export function purchaseForm(order: AuthorizeOrder) {
  const { tax_amount, shipping_amount, purchase_order_number, customer_reference_number } = order.details
  const line_items = itemsOf(order)
  // Stripe takes the tax of each item, or of all together.
  const tax = line_items?.some(({ tax }) => tax !== undefined) ? undefined : amountOf(order, tax_amount)
  const shipping = amountOf(order, shipping_amount)
  const hasAmounts = line_items !== undefined || tax !== undefined || shipping !== undefined
  if (!hasAmounts && !purchase_order_number && !customer_reference_number) return {}
  return {
    amount_details: hasAmounts
      ? {
          enforce_arithmetic_validation: false,
          line_items,
          tax: tax === undefined ? undefined : { total_tax_amount: tax },
          shipping:
            shipping === undefined
              ? undefined
              : { amount: shipping, to_postal_code: POSTAL_CODE.exec(postalCodeOf(order))?.[0] },
        }
      : undefined,
    payment_details: {
      order_reference: purchase_order_number || order.reconciliationId,
      customer_reference: customer_reference_number || undefined,
    },
  }
}

const POSTAL_CODE = /^[A-Za-z0-9 -]{1,10}$/

function postalCodeOf({ shipping, billing }: AuthorizeOrder): string {
  return (shipping ?? billing)?.address?.postal_code ?? ''
}

const ITEMS_MAX = 200
const NAME_MAX = 1_024
const CODE_MAX = 12

/** All of them, or none: a part is not what was bought. */
function itemsOf(order: AuthorizeOrder) {
  const cart = order.details.cart_items ?? []
  if (cart.length === 0 || cart.length > ITEMS_MAX) return undefined
  const items = cart.flatMap((item) => {
    const unit_cost = amountOf(order, item.unit_amount)
    const tax = amountOf(order, item.tax_amount)
    const discount = amountOf(order, item.discount_amount)
    const isExact =
      (tax !== undefined || !item.tax_amount) && (discount !== undefined || !item.discount_amount)
    if (unit_cost === undefined || !isExact) return []
    return [
      {
        product_name: item.name.slice(0, NAME_MAX),
        product_code: item.sku?.slice(0, CODE_MAX) || undefined,
        quantity: item.quantity,
        unit_cost,
        // Stripe takes no discount of nothing.
        discount_amount: discount || undefined,
        tax: tax ? { total_tax_amount: tax } : undefined,
        unit_of_measure: item.unit_of_measure?.slice(0, CODE_MAX) || undefined,
        payment_method_options: item.commodity_code
          ? { card: { commodity_code: item.commodity_code.slice(0, CODE_MAX) } }
          : undefined,
      },
    ]
  })
  return items.length === cart.length ? items : undefined
}

/** In Stripe's units. Undefined if it is not given, or if Stripe could only take it rounded. */
function amountOf({ currency }: AuthorizeOrder, amount: number | null | undefined): number | undefined {
  return typeof amount === 'number' ? (toStripeAmount(amount, currency) ?? undefined) : undefined
}
