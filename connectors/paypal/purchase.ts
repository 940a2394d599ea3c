import { cut } from '#connectors/contract/latin-letters.ts'
import type { AuthorizeOrder } from '#connectors/contract/orders.ts'
import { wholeAddressOf } from './contact.ts'
import { toWire, type WireMoney } from './currency.ts'

type Item = {
  readonly name: string
  readonly quantity: string
  readonly unit_amount: WireMoney
  readonly sku?: string
}
type CartItem = NonNullable<AuthorizeOrder['details']['cart_items']>[number]
type Parts = 'item_total' | 'tax_total' | 'discount' | 'shipping'
type Items = { readonly list: readonly Item[]; readonly breakdown: Readonly<Record<Parts, WireMoney>> }

/**
 * What is bought, for the buyer to see at PayPal. PayPal refuses payments whose parts are not the whole, and parts are
 * only information: so they are left out unless they fit.
 */
export function itemsOf({ details, amount, currency }: AuthorizeOrder): Items | null {
  const cart = details.cart_items ?? []
  if (cart.length === 0) return null
  const sum = (of: (item: (typeof cart)[number]) => number | null | undefined) =>
    cart.reduce((total, item) => total + (of(item) ?? 0), 0)
  const itemTotal = sum(({ unit_amount, quantity }) => unit_amount * quantity)
  const tax = sum(({ tax_amount }) => tax_amount)
  const discount = sum(({ discount_amount }) => discount_amount)
  const shipping = details.shipping_amount ?? 0
  if (itemTotal + tax + shipping - discount !== amount) return null
  const parts = Object.entries({ item_total: itemTotal, tax_total: tax, discount, shipping })
  const breakdown = parts.map(([name, part]) => [name, toWire(part, currency)] as const)
  const list = cart.map((item) => namedOf(item, currency))
  const fits =
    breakdown.every(([, money]) => money !== null) &&
    list.every(
      ({ name, quantity, unit_amount }) => name !== '' && unit_amount && /^[1-9]\d{0,9}$/.test(quantity),
    )
  if (!fits) return null
  return { list, breakdown: Object.fromEntries(breakdown) as Items['breakdown'] }
}

/** `unit_amount` is one that PayPal can express, or the item is not told. */
function namedOf({ name, quantity, unit_amount, sku }: CartItem, currency: string): Item {
  return {
    name: cut(name, 127),
    quantity: String(quantity),
    unit_amount: toWire(unit_amount, currency) as WireMoney,
    ...(sku && { sku: cut(sku, 127) }),
  }
}

/**
 * Levels 2 and 3 of the card schemes, which PayPal passes on if the account is set up for them. Items are told only if they
 * are the whole. Null if the payment tells nothing of it.
 */
export function levelsOf(order: AuthorizeOrder, hasItems: boolean) {
  const { details, currency } = order
  const number = INVOICE.exec(details.purchase_order_number ?? '')?.[0]
  const tax_total = moneyOf(details.tax_amount, currency)
  const level_2 = { ...(number && { invoice_id: number }), ...(tax_total && { tax_total }) }
  const level_3 = hasItems ? thirdLevelOf(order) : null
  const hasSecond = Object.keys(level_2).length > 0
  return hasSecond || level_3 ? { ...(hasSecond && { level_2 }), ...(level_3 && { level_3 }) } : null
}

/** A number of a purchase as PayPal takes it. */
const INVOICE = /^[\w.,":;!?-]{1,17}$/
const CODE = /^[a-zA-Z0-9_'.-]{1,12}$/
const LINES_MAX = 100

function thirdLevelOf({ details, currency, shipping }: AuthorizeOrder) {
  const cart = details.cart_items ?? []
  if (cart.length > LINES_MAX) return null
  const shipping_amount = moneyOf(details.shipping_amount, currency)
  const duty_amount = moneyOf(details.duty_amount, currency)
  const discount = cart.reduce((total, item) => total + (item.discount_amount ?? 0), 0)
  const discount_amount = moneyOf(discount, currency)
  const shipping_address = wholeAddressOf(shipping)
  return {
    ...(shipping_amount && { shipping_amount }),
    ...(duty_amount && { duty_amount }),
    ...(discount_amount && { discount_amount }),
    ...(shipping_address && { shipping_address }),
    line_items: cart.map((item) => lineOf(item, currency)),
  }
}

function lineOf(item: CartItem, currency: string) {
  const { quantity, unit_amount, description } = item
  const [taxed, discount] = [item.tax_amount ?? 0, item.discount_amount ?? 0]
  // Ours is the tax of the whole line, and PayPal's that of one.
  const tax = taxed % quantity === 0 ? moneyOf(taxed / quantity, currency) : null
  const discount_amount = moneyOf(discount, currency)
  const total_amount = moneyOf(unit_amount * quantity + taxed - discount, currency)
  const commodity_code = CODE.exec(item.commodity_code ?? '')?.[0]
  const unit_of_measure = CODE.exec(item.unit_of_measure ?? '')?.[0]
  return {
    ...namedOf(item, currency),
    ...(description && { description: cut(description, 127) }),
    ...(tax && { tax }),
    ...(commodity_code && { commodity_code }),
    ...(discount_amount && { discount_amount }),
    ...(total_amount && { total_amount }),
    ...(unit_of_measure && { unit_of_measure }),
  }
}

/** Null if there is nothing to tell, or if PayPal cannot express it. */
function moneyOf(amount: number | null | undefined, currency: string): WireMoney | null {
  return amount ? toWire(amount, currency) : null
}
