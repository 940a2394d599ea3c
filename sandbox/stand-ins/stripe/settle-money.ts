import type { Books } from './books.ts'
import { type BalanceTransaction, newPayout, type Payout } from './money-objects.ts'

/** The account has balances in these; other currencies are exchanged into the first. */
const BALANCES = ['usd', 'eur', 'gbp']

/** Settlement units for one unit of Stripe's own minor units, as in `exchange_rate`. */
const RATES: Readonly<Record<string, number>> = { jpy: 0.65, cad: 0.72, chf: 1.12, kwd: 0.325, isk: 0.0072 }

type Movement = {
  readonly type: BalanceTransaction['type']
  readonly category: string
  readonly source: string
  /** With its sign, in the currency of the payment. */
  readonly amount: number
  readonly currency: string
  readonly fee?: number
}

/** Source: https://docs.stripe.com/api/balance_transactions/object */
export function settle(books: Books, { type, category, source, amount, currency, fee }: Movement) {
  const isOwn = BALANCES.includes(currency)
  const rate = isOwn ? null : (RATES[currency] ?? 1)
  const settled = isOwn ? currency : 'usd'
  const gross = rate === null ? amount : Math.round(amount * rate)
  const paid = fee ?? (type === 'charge' || type === 'payment' ? Math.round(gross * 0.029) + 30 : 0)
  const transaction: BalanceTransaction = {
    id: books.id('txn'),
    object: 'balance_transaction',
    amount: gross,
    available_on: books.seconds(),
    balance_type: 'payments',
    created: books.seconds(),
    currency: settled,
    description: null,
    exchange_rate: rate,
    fee: paid,
    fee_details:
      paid === 0
        ? []
        : [
            {
              amount: paid,
              application: null,
              currency: settled,
              description: 'Stripe processing fees',
              type: 'stripe_fee',
            },
          ],
    net: gross - paid,
    reporting_category: category,
    source,
    status: 'available',
    type,
  }
  books.transactions.set(transaction.id, transaction)
  return transaction
}

/** Pays out each balance, as Stripe does every day. A balance that is not above zero stays. */
export function payOut(books: Books): Payout[] {
  return BALANCES.flatMap((currency) => {
    const open = [...books.transactions.values()].filter(
      (one) => one.currency === currency && !books.payoutOf.has(one.id) && one.type !== 'payout',
    )
    const amount = open.reduce((sum, { net }) => sum + net, 0)
    if (amount <= 0) return []
    const payout = newPayout({ id: books.id('po'), created: books.seconds(), amount, currency })
    const movement = settle(books, {
      type: 'payout',
      category: 'payout',
      source: payout.id,
      amount: -amount,
      currency,
    })
    payout.balance_transaction = movement.id
    for (const { id } of [...open, movement]) books.payoutOf.set(id, payout.id)
    books.payouts.set(payout.id, payout)
    books.emit('payout.paid', payout)
    books.emit('payout.reconciliation_completed', payout)
    return [payout]
  })
}
