import { type Act, type Books, newId, type Payment, Refusal, type Sum, toAmount } from './books.ts'
import { showAct, showChargebacks, showList, showPayment } from './views.ts'

/** Everything is settled in euro. */
const CURRENCY = 'EUR'
/** Euro for one unit of any other currency. */
const RATE = 0.25
/** What each payment and each capture costs, in cents. */
const COST = 29

type Item = { readonly payment: Payment; readonly act?: Act }
type Settlement = {
  readonly id: string
  readonly settledAt: Date
  readonly payments: readonly Item[]
  readonly captures: readonly Item[]
  readonly refunds: readonly Item[]
  readonly chargebacks: readonly Item[]
}
const LISTS = ['payments', 'captures', 'refunds', 'chargebacks'] as const
type List = (typeof LISTS)[number]

/** What Mollie pays out to the bank, and of what. */
export class Settlements {
  readonly #books: Books
  readonly #made: Settlement[] = []
  /** Ids of what was settled. */
  readonly #settled = new Set<string>()

  constructor(books: Books) {
    this.#books = books
  }

  /** Settles all that was not settled before. */
  settle(): void {
    const all = [...this.#books.payments.values()]
    const isHeld = ({ asked }: Payment) => asked['captureMode'] === 'manual'
    const acts = (of: (payment: Payment) => readonly Act[], done: string) =>
      all.flatMap((payment) =>
        of(payment)
          .filter(({ status }) => status === done)
          .map((act): Item => ({ payment, act })),
      )
    const paid = all.filter((payment) => payment.status === 'paid' && !isHeld(payment))
    this.#made.unshift({
      id: newId('stl'),
      settledAt: this.#books.now(),
      payments: this.#fresh(
        paid.map((payment): Item => ({ payment })),
        ({ payment }) => payment.id,
      ),
      captures: this.#fresh(acts(({ captures }) => captures, 'succeeded')),
      refunds: this.#fresh(acts(({ refunds }) => refunds, 'refunded')),
      chargebacks: this.#fresh(
        all.flatMap((payment) => payment.chargebacks.map((): Item => ({ payment }))),
        ({ payment }) => `${payment.id}-chargeback`,
      ),
    })
  }

  #fresh(items: readonly Item[], idOf = ({ act }: Item) => act?.id ?? ''): readonly Item[] {
    const fresh = items.filter((item) => !this.#settled.has(idOf(item)))
    for (const item of fresh) this.#settled.add(idOf(item))
    return fresh
  }

  serve(path: string, query: URLSearchParams, origin: string): object {
    const [, , , id, list] = path.split('/')
    if (id === undefined) return showList('settlements', this.#made.map(show))
    const found = this.#made.find((one) => one.id === id)
    if (!found) throw new Refusal(404, `No settlement exists with token ${id}.`)
    if (list === undefined) return show(found)
    const name = LISTS.find((one) => one === list)
    if (!name) throw new Refusal(404, 'The resource does not exist')
    const items = found[name]
    const from = query.get('from')
    const start = from === null ? 0 : items.findIndex((item) => idOf(name, item) === from)
    const limit = Number(query.get('limit') ?? 50)
    const next = items[start + limit]
    return showList(
      name,
      items.slice(start, start + limit).map((item) => showItem(name, item, { query, origin })),
      next ? `settlements/${id}/${name}?from=${idOf(name, next)}` : null,
    )
  }
}

function idOf(name: List, { payment, act }: Item): string {
  return name === 'chargebacks' ? String(payment.chargebacks[0]?.id) : (act?.id ?? payment.id)
}

type Asked = { readonly query: URLSearchParams; readonly origin: string }

function showItem(name: List, item: Item, { query, origin }: Asked): object {
  const { payment, act } = item
  const shown =
    name === 'chargebacks'
      ? showChargebacks(payment)[0]
      : act
        ? showAct(name === 'captures' ? 'capture' : 'refund', act, payment)
        : showPayment(payment, origin)
  const isEmbedded = query.get('embed') === 'payment'
  return {
    ...shown,
    mode: 'live',
    settlementAmount: toAmount({ minor: signOf(name) * settledOf(item), currency: CURRENCY }),
    ...(isEmbedded && { _embedded: { payment: showPayment(payment, origin) } }),
  }
}

function signOf(name: List): 1 | -1 {
  return name === 'payments' || name === 'captures' ? 1 : -1
}

function settledOf({ payment, act }: Item): number {
  const { minor, currency }: Sum = act?.sum ?? payment.sum
  return currency === CURRENCY ? minor : Math.round(minor * RATE)
}

function show(settlement: Settlement): object {
  const { id, settledAt, payments, captures } = settlement
  const gross = LISTS.flatMap((name) => settlement[name].map((item) => signOf(name) * settledOf(item)))
  const paid = [...payments, ...captures]
  const byMethod = Map.groupBy(paid, ({ payment }) => String(payment.asked['method']))
  const costs = [...byMethod].map(([method, items]) => {
    const amount = toAmount({ minor: items.length * COST, currency: CURRENCY })
    return {
      description: method,
      method,
      count: items.length,
      rate: { fixed: toAmount({ minor: COST, currency: CURRENCY }) },
      amountNet: amount,
      amountVat: null,
      amountGross: amount,
    }
  })
  const sum = gross.reduce((whole, one) => whole + one, 0) - paid.length * COST
  const [year = '', month = ''] = settledAt.toISOString().split('-')
  return {
    resource: 'settlement',
    id,
    reference: `1234567.${id}`,
    status: 'paidout',
    createdAt: settledAt.toISOString(),
    settledAt: settledAt.toISOString(),
    amount: toAmount({ minor: sum, currency: CURRENCY }),
    balanceId: 'bal_standin',
    periods: { [year]: { [month]: { costs, revenue: [] } } },
    _links: { self: { href: `https://api.mollie.com/v2/settlements/${id}`, type: 'application/hal+json' } },
  }
}
