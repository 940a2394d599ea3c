import type { Schemas } from '../../api/schema.d.ts'
import type { Search } from '../address.ts'
import { useMay } from '../api/me.ts'
import { type RowOf, ShortList } from '../parts/list/list.tsx'
import { type Column, column } from '../parts/list/table.tsx'
import { Instrument, instrumentText } from '../payment-methods/instrument.tsx'
import { markOf, methodName } from './words.ts'

export type Row = RowOf<'GET /transactions'>

type Props = {
  /** A filter of the list of transactions, such as `buyer_id`. */
  readonly filter: Search
  readonly title?: string
  readonly empty: string
  /** One more column, such as the part that a gift card paid. */
  readonly extra?: Column<Row>
}

/** The newest payments of a buyer, a card or a link. Nothing for a person who may not see payments. */
export function PaymentsOf({ filter, title = 'Payments', empty, extra }: Props) {
  const may = useMay()
  if (!may('transactions.read')) return null
  return (
    <ShortList
      title={title}
      route="GET /transactions"
      request={{ query: { ...filter, limit: 10 } }}
      columns={extra ? [...COLUMNS.slice(0, 1), extra, ...COLUMNS.slice(1)] : COLUMNS}
      to={({ id }) => `/transactions/${id}`}
      empty={empty}
      all={{ to: '/transactions', search: filter }}
    />
  )
}

const COLUMNS: readonly Column<Row>[] = [
  column('amount', 'Amount', { money: (row) => row }),
  column('status', 'Status', { status: markOf }),
  column('paid_with', 'Paid with', { from: 'tablet', cell: (row) => <PaidWith of={row} /> }),
  column('reference', 'Reference', { from: 'desktop', look: 'clip mono', text: 'external_identifier' }),
  column('created_at', 'Created', { isTime: true, text: 'created_at' }),
]

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
