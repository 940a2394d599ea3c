import type { NewCartItem } from '#resources/transactions/wire/order.ts'

/** Lines that lower the amount: their prices are written without a sign. */
const LOWERING: ReadonlySet<string> = new Set(['discount', 'store_credit'])

/** What a line adds to the amount. A large quantity of a dear thing is beyond the exact range of a number. */
export function lineTotal(item: NewCartItem): bigint {
  const [discount, tax, duty, shipping] = [
    item.discount_amount,
    item.tax_amount,
    item.duty_amount,
    item.shipping_amount,
  ].map((part) => BigInt(part ?? 0)) as [bigint, bigint, bigint, bigint]
  const total = BigInt(item.quantity) * BigInt(item.unit_amount) - discount + tax + duty + shipping
  return LOWERING.has(item.product_type ?? '') ? -total : total
}

export function totalOf(items: readonly NewCartItem[]): bigint {
  return items.reduce((sum, item) => sum + lineTotal(item), 0n)
}
