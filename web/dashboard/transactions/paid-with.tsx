import type { Schemas } from '../../api/schema.d.ts'
import { methodName, schemeName } from './words.ts'

type Paid = Pick<Schemas['TransactionSummary'], 'payment_method' | 'method' | 'gift_card_redemptions'>

/** The mark of the card scheme and its last digits, or the name of another method. */
export function PaidWith({ of: one }: { readonly of: Paid }) {
  const { payment_method: method } = one
  const scheme = method?.scheme
  if (!method && one.gift_card_redemptions.length > 0) return <>Gift card</>
  if (!scheme) return <>{paidWithText(one)}</>
  return (
    <span className="paid-with">
      <img src={`/assets/card-schemes/${scheme}.svg`} alt={schemeName(scheme)} width="27" height="18" />
      {method.label && <span className="number">•••• {method.label}</span>}
    </span>
  )
}

export function paidWithText({
  payment_method: method,
  method: kind,
  gift_card_redemptions: gifts,
}: Paid): string {
  if (!method && !kind) return gifts.length > 0 ? 'Gift card' : '–'
  const name = method?.scheme ? schemeName(method.scheme) : methodName(method?.method ?? kind ?? '')
  return method?.label && method.scheme ? `${name} •••• ${method.label}` : name
}
