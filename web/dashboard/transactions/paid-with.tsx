import type { Schemas } from '../../api/schema.d.ts'
import { Instrument, instrumentText } from '../payment-methods/instrument.tsx'
import { methodName } from './words.ts'

type Paid = Pick<Schemas['TransactionSummary'], 'payment_method' | 'method' | 'gift_card_redemptions'>

/** The mark of the card scheme and its last digits, or the name of another method. */
export function PaidWith({ of: one }: { readonly of: Paid }) {
  return one.payment_method ? <Instrument of={one.payment_method} /> : paidWithText(one)
}

export function paidWithText(one: Paid): string {
  if (one.payment_method) return instrumentText(one.payment_method)
  if (one.gift_card_redemptions.length > 0) return 'Gift card'
  return one.method ? methodName(one.method) : '–'
}
