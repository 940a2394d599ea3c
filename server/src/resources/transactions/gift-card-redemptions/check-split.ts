import { type ErrorDetail, inBody } from '#platform/errors.ts'
import type { Sound } from '#platform/meaning.ts'
import type { TransactionCreate } from '../wire/transaction.ts'

const CARDS_MAX = 10

/** What is wrong with how gift cards and the payment method share the amount, as far as the request alone tells. */
export function splitComplaints(request: Sound<TransactionCreate>, isWhole: boolean): ErrorDetail[] {
  const given = request.gift_cards ?? []
  if (given.length === 0) return []
  if (given.length > CARDS_MAX) {
    return [inBody('/gift_cards', 'value_error.list.max_items', `must have at most ${CARDS_MAX} items`)]
  }
  const nothing = given.flatMap((card, index) =>
    card?.amount === 0
      ? [inBody(`/gift_cards/${index}/amount`, 'value_error.number.not_ge', 'must be above 0')]
      : [],
  )
  const amounts = given.flatMap((card) => card?.amount ?? [])
  const isKnown = isWhole && nothing.length === 0 && amounts.length === given.length
  const paid = amounts.reduce((sum, amount) => sum + amount, 0)
  return isKnown && request.amount !== undefined ? sharesOf(request, request.amount, paid) : nothing
}

/** Both pay the whole amount together, and neither is there for nothing. */
function sharesOf({ payment_method }: Sound<TransactionCreate>, amount: number, paid: number): ErrorDetail[] {
  if (paid > amount) {
    const message = 'the gift cards pay more than the amount: lower what they pay'
    return [inBody('/gift_cards', 'value_error.number.not_le', message)]
  }
  if (paid < amount && !payment_method) {
    const message = 'the gift cards do not pay the whole amount: name a payment method for the rest'
    return [inBody('/payment_method', 'value_error.missing', message)]
  }
  if (paid === amount && payment_method) {
    const message = 'the gift cards pay for everything; nothing is left for a payment method'
    return [inBody('/payment_method', 'value_error.conflict', message)]
  }
  return []
}
