import type { AuthorizeOrder } from '#connectors/contract/orders.ts'
import { withoutNulls } from '#connectors/contract/requests.ts'
import { toAdyen } from './currency.ts'
import type { Json } from './wire.ts'

/**
 * What companies want to read of a purchase: levels 2 and 3 of the schemes, sent if the payment tells its tax. It is information, so
 * what Adyen would not take is cut or left out. The limits are those of `LevelTwoThree` in Adyen's library.
 */
export function toLevelTwoThree(order: AuthorizeOrder): Json | null {
  const { tax_amount, duty_amount, shipping_amount, ...details } = order.details
  const totalTaxAmount = amountOf(order, tax_amount)
  const itemDetailLines = linesOf(order)
  // Level 2 alone has to have a tax, level 3 may have none.
  if (totalTaxAmount === null || (totalTaxAmount === 0 && itemDetailLines === null)) return null
  const reference = details.customer_reference_number ?? details.purchase_order_number
  return withoutNulls({
    customerReferenceNumber: plain(reference, REFERENCE_MAX) ?? order.reconciliationId,
    totalTaxAmount,
    dutyAmount: amountOf(order, duty_amount),
    freightAmount: amountOf(order, shipping_amount),
    destination: destinationOf(order),
    itemDetailLines,
  })
}

const REFERENCE_MAX = 25
const CODE_MAX = 12
const UNIT_MAX = 3
const DESCRIPTION_MAX = 26
const QUANTITY_MAX = 9_999

/** ASCII that begins with no space, and is not zeros alone. */
export function plain(text: string | null | undefined, max: number): string | null {
  const taken = text
    ?.normalize('NFD')
    .replace(/[^ -~]/g, '')
    .trim()
    .slice(0, max)
    .trim()
  return taken && /[^0]/.test(taken) ? taken : null
}

/** In Adyen's units. Null if it is not given, or if Adyen could only take it rounded. */
export function amountOf({ currency }: AuthorizeOrder, amount: number | null | undefined): number | null {
  return typeof amount === 'number' ? toAdyen(amount, currency) : null
}

const POSTAL_CODES: Readonly<Record<string, RegExp>> = {
  US: /^\d{5}(-?\d{4})?$/,
  CA: /^[A-Z]\d[A-Z] ?\d[A-Z]\d$/i,
}

function destinationOf({ shipping, billing }: AuthorizeOrder): Json | null {
  const { country, postal_code, state_code } = (shipping ?? billing)?.address ?? {}
  if (!country) return null
  const isKnown = (POSTAL_CODES[country] ?? /^[\w -]{1,10}$/).test(postal_code ?? '')
  const state = state_code?.replace(/^[A-Z]{2}-/, '')
  return withoutNulls({
    countryCode: country,
    postalCode: isKnown ? postal_code : null,
    stateOrProvince: state && state.length <= 3 ? state : null,
  })
}

/** All of them, or none: a part is not what was bought. */
function linesOf(order: AuthorizeOrder): readonly Json[] | null {
  const cart = order.details.cart_items ?? []
  const lines = cart.flatMap((item) => {
    const { quantity, unit_amount, unit_of_measure } = item
    const description = plain(item.name, DESCRIPTION_MAX)
    const unitPrice = amountOf(order, unit_amount)
    const discountAmount = amountOf(order, item.discount_amount)
    const totalAmount = amountOf(order, quantity * unit_amount - (item.discount_amount ?? 0))
    const isExact = discountAmount !== null || !item.discount_amount
    const isWhole = description !== null && unitPrice !== null && totalAmount !== null && isExact
    if (!isWhole || description.length < 2 || quantity > QUANTITY_MAX) return []
    return [
      withoutNulls({
        description,
        productCode: plain(item.sku, CODE_MAX),
        commodityCode: plain(item.commodity_code, CODE_MAX),
        unitOfMeasure:
          unit_of_measure && unit_of_measure.length <= UNIT_MAX ? plain(unit_of_measure, UNIT_MAX) : null,
        quantity,
        unitPrice,
        discountAmount: discountAmount || null,
        totalAmount,
      }),
    ]
  })
  return cart.length > 0 && lines.length === cart.length ? lines : null
}
