import { type Books, newId, type Payment, type Refund, Refusal } from './books.ts'

type Item = { readonly type: string; readonly amount: number; readonly links: object }
type Payout = {
  readonly id: string
  readonly createdAt: Date
  readonly currency: string
  readonly items: readonly Item[]
}

/** What each payment costs, in tenths of the smallest unit. */
const FEE = 205

/** What GoCardless pays out to the bank, and of what. */
export class Payouts {
  readonly #books: Books
  readonly #made: Payout[] = []
  /** What was paid out, by its id and what became of it. */
  readonly #settled = new Set<string>()

  constructor(books: Books) {
    this.#books = books
  }

  /** A payout in each currency, of all that was not paid out before. */
  make(): void {
    const createdAt = this.#books.now()
    const payments = [...this.#books.payments.values()]
    const refunds = [...this.#books.refunds.values()]
    for (const currency of new Set(payments.map((one) => one.currency))) {
      const items = [
        ...payments.filter((one) => one.currency === currency).flatMap((one) => this.#ofPayment(one)),
        ...refunds.filter((one) => one.payment.currency === currency).flatMap((one) => this.#ofRefund(one)),
      ]
      if (items.length > 0) this.#made.unshift({ id: newId('PO'), createdAt, currency, items })
    }
  }

  #ofPayment(payment: Payment): readonly Item[] {
    const { id, amount, status } = payment
    const links = { payment: id }
    const isPaid = status === 'confirmed' || this.#wasConfirmed(id)
    if (status === 'confirmed') payment.status = 'paid_out'
    return [
      ...this.#once(isPaid, `${id} paid`, [
        { type: 'payment_paid_out', amount: amount * 10, links },
        { type: 'gocardless_fee', amount: -FEE, links },
      ]),
      ...this.#once(isPaid && status === 'failed', `${id} failed`, [
        { type: 'payment_failed', amount: amount * -10, links },
        { type: 'gocardless_fee', amount: FEE, links },
      ]),
      ...this.#once(status === 'charged_back', `${id} charged back`, [
        { type: 'payment_charged_back', amount: amount * -10, links },
      ]),
    ]
  }

  #wasConfirmed(id: string): boolean {
    return this.#books.events.some(({ of, action }) => of.id === id && action === 'confirmed')
  }

  #ofRefund({ id, amount, payment, status }: Refund): readonly Item[] {
    const links = { payment: payment.id, refund: id }
    return this.#once(status === 'paid', id, [{ type: 'payment_refunded', amount: amount * -10, links }])
  }

  #once(isDue: boolean, name: string, items: readonly Item[]): readonly Item[] {
    if (!isDue || this.#settled.has(name)) return []
    this.#settled.add(name)
    return items
  }

  find(id: string): Payout {
    const found = this.#made.find((one) => one.id === id)
    if (!found) throw new Refusal(404, 'record_not_found')
    return found
  }

  since(time: string | null): readonly Payout[] {
    const from = time === null ? 0 : Date.parse(time)
    return this.#made.filter(({ createdAt }) => createdAt.getTime() >= from)
  }
}

export function showPayout({ id, createdAt, currency, items }: Payout): object {
  const tenths = items.reduce((sum, { amount }) => sum + amount, 0)
  return {
    id,
    amount: Math.round(tenths / 10),
    deducted_fees: 0,
    currency,
    created_at: createdAt.toISOString(),
    arrival_date: createdAt.toISOString().slice(0, 10),
    payout_type: 'merchant',
    reference: `STANDIN-${id}`,
    status: 'paid',
    metadata: {},
    links: { creditor: 'CRSTANDIN', creditor_bank_account: 'BASTANDIN' },
  }
}

export function showItem({ type, amount, links }: Item): object {
  return { type, amount: (amount / 10).toFixed(1), links, taxes: [] }
}
