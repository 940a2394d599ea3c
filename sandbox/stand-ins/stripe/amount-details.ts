import type { Form } from './form.ts'
import { checkParams, integerAt, type Params, textAt, valueAt } from './params.ts'
import { conflict, invalid } from './stripe-error.ts'

/** What may be in an item. Its list is checked here, because a list of objects is nowhere else. */
const ITEM = {
  discount_amount: 'integer',
  payment_method_options: { card: { commodity_code: 'text' } },
  product_code: 'text',
  product_name: 'text',
  quantity: 'integer',
  tax: { total_tax_amount: 'integer' },
  unit_cost: 'integer',
  unit_of_measure: 'text',
} as const

const ITEMS_MAX = 200
const AT = 'amount_details[line_items]'

/**
 * What is bought. Its sums have to be the amount, unless the request says that they are not checked.
 * Source: the official types of `PaymentIntentCreateParams.AmountDetails`.
 */
export function checkAmountDetails(params: Params, amount: number): void {
  const items = (valueAt(params, 'amount_details', 'line_items') as readonly Form[] | undefined) ?? []
  if (!Array.isArray(items) || items.length > ITEMS_MAX) {
    throw invalid('parameter_invalid_empty', `Invalid array: ${AT}`, AT)
  }
  for (const [place, item] of items.entries()) checkItem(item, `${AT}[${place}]`)
  const tax = integerAt(params, 'amount_details', 'tax', 'total_tax_amount')
  if (tax !== null && items.some((item) => integerAt(item, 'tax', 'total_tax_amount') !== null)) {
    const name = 'amount_details[tax][total_tax_amount]'
    throw invalid('parameter_invalid_empty', `${name} cannot be set together with the tax of items.`, name)
  }
  const postalCode = textAt(params, 'amount_details', 'shipping', 'to_postal_code') ?? ''
  if (!/^[A-Za-z0-9 -]{0,10}$/.test(postalCode)) {
    const name = 'amount_details[shipping][to_postal_code]'
    throw invalid('parameter_invalid_empty', `Invalid ${name}`, name)
  }
  if (items.length === 0 || textAt(params, 'amount_details', 'enforce_arithmetic_validation') === 'false')
    return
  const shipping = integerAt(params, 'amount_details', 'shipping', 'amount') ?? 0
  if (items.reduce((sum, item) => sum + totalOf(item), (tax ?? 0) + shipping) === amount) return
  throw conflict('amount_details_amount_mismatch', 'The amount details do not add up to the amount.')
}

function checkItem(item: Form, at: string): void {
  checkParams(item, ITEM, at)
  for (const name of ['product_name', 'quantity', 'unit_cost']) {
    if (item[name] === undefined)
      throw invalid('parameter_missing', `Missing required param: ${at}[${name}].`, at)
  }
  const isAtLeast = (name: string, least: number) => (integerAt(item, name) ?? least) >= least
  const isWithin = (textAt(item, 'product_code') ?? '').length <= 12
  if (isAtLeast('quantity', 1) && isAtLeast('unit_cost', 0) && isAtLeast('discount_amount', 1) && isWithin)
    return
  throw invalid('parameter_invalid_integer', `Invalid item: ${at}`, at)
}

function totalOf(item: Form): number {
  const of = (...path: string[]) => integerAt(item, ...path) ?? 0
  return of('unit_cost') * of('quantity') + of('tax', 'total_tax_amount') - of('discount_amount')
}
