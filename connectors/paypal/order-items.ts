import type { AuthorizeOrder } from '#connectors/contract/orders.ts'
import { toWire, type WireMoney } from './currency.ts'

type Item = {
  readonly name: string
  readonly quantity: string
  readonly unit_amount: WireMoney
  readonly sku?: string
}
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
  const list = cart.map((item) => ({
    name: item.name.slice(0, 127),
    quantity: String(item.quantity),
    unit_amount: toWire(item.unit_amount, currency),
    ...(item.sku && { sku: item.sku.slice(0, 127) }),
  }))
  const fits =
    breakdown.every(([, money]) => money !== null) &&
    list.every(
      ({ name, quantity, unit_amount }) => name !== '' && unit_amount && /^[1-9]\d{0,9}$/.test(quantity),
    )
  if (!fits) return null
  return { list: list as readonly Item[], breakdown: Object.fromEntries(breakdown) as Items['breakdown'] }
}
