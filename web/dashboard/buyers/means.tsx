import { type RowOf, ShortList } from '../parts/list/list.tsx'
import type { Column } from '../parts/list/table.tsx'
import { Money, When } from '../parts/values.tsx'
import { Expiry } from '../payment-methods/expiry.tsx'
import { Instrument } from '../payment-methods/instrument.tsx'
import { plain } from '../transactions/words.ts'

type Method = RowOf<'GET /buyers/payment-methods'>
type GiftCard = RowOf<'GET /buyers/gift-cards'>
type Props = { readonly buyerId: string }

/** What the buyer can pay with again. */
export function MethodsOf({ buyerId }: Props) {
  return (
    <ShortList
      title="Payment methods"
      route="GET /buyers/payment-methods"
      request={{ query: { buyer_id: buyerId } }}
      columns={METHODS}
      to={({ id }) => `/payment-methods/${id}`}
      empty="Cards appear here when a payment of this buyer stores the card."
    />
  )
}

/** The gift cards of the buyer, with the balance that their service says now. */
export function GiftCardsOf({ buyerId }: Props) {
  return (
    <ShortList
      title="Gift cards"
      route="GET /buyers/gift-cards"
      isCostly
      request={{ query: { buyer_id: buyerId } }}
      columns={GIFT_CARDS}
      to={({ id }) => id && `/gift-cards/${id}`}
      empty="No stored gift cards."
    />
  )
}

function used(at: string | null) {
  return at ? <When at={at} /> : <span className="quiet-text">Never used</span>
}

const METHODS: readonly Column<Method>[] = [
  { id: 'method', title: 'Method', cell: (row) => <Instrument of={row} /> },
  { id: 'expiry', title: 'Expires', cell: ({ expiration_date }) => <Expiry of={expiration_date} /> },
  { id: 'count', title: 'Payments', from: 'tablet', isNumber: true, cell: ({ usage_count }) => usage_count },
  { id: 'used', title: 'Last used', isNumber: true, cell: ({ last_used_at }) => used(last_used_at) },
]

const GIFT_CARDS: readonly Column<GiftCard>[] = [
  { id: 'card', title: 'Card', cell: ({ last4 }) => <span className="number">•••• {last4}</span> },
  {
    id: 'balance',
    title: 'Balance',
    cell: ({ balance, currency, balance_error_code }) =>
      balance !== null && currency !== null ? (
        <Money amount={balance} currency={currency} />
      ) : (
        <span className="quiet-text">{plain(balance_error_code ?? 'not known')}</span>
      ),
  },
  { id: 'expiry', title: 'Expires', from: 'tablet', cell: ({ expiration_date }) => expiration_date },
  { id: 'used', title: 'Last used', isNumber: true, cell: ({ last_used_at }) => used(last_used_at) },
]
