import type { Act, Payment } from './plan.ts'

/** Sends a request to the API, with a token. */
export type Send = (
  route: string,
  body: object,
) => Promise<{ readonly status: number; readonly body: Answer }>

type Answer = {
  readonly id?: string
  readonly status?: string
  readonly captured_amount?: number
  readonly authorized_amount?: number
  readonly refunded_amount?: number
  readonly payment_method?: { readonly id?: string | null } | null
  readonly message?: string
  readonly details?: readonly { readonly pointer?: string; readonly message: string }[]
}

type Made = { readonly id: string; readonly amount: number; captured: number }
type Known = { readonly id: string; methodId: string | null }

/** After so many refused requests without one that succeeds, the shop gives up: something is wrong with the service. */
const REFUSALS_MAX = 20

/** A made-up shop, which does what the plan says through the API. */
export class Shop {
  readonly #send: Send
  readonly #made = new Map<number, Made>()
  readonly #buyers = new Map<number, Promise<Known>>()
  readonly counts = { payments: 0, approved: 0, captures: 0, refunds: 0, voids: 0 }
  /** How many requests were refused, by what they were answered. */
  readonly refusals = new Map<string, number>()
  #refusedInARow = 0

  constructor(send: Send) {
    this.#send = send
  }

  isShut(): boolean {
    return this.#refusedInARow >= REFUSALS_MAX
  }

  /** A request that is refused is counted. What would follow from it is left out. */
  async do(act: Act): Promise<void> {
    try {
      await this.#try(act)
    } catch (error) {
      this.#refusedInARow += 1
      const reason = error instanceof Error ? error.message : String(error)
      this.refusals.set(reason, (this.refusals.get(reason) ?? 0) + 1)
    }
  }

  async #try(act: Act): Promise<void> {
    if (act.kind === 'pay') return this.#pay(act.payment)
    const made = this.#made.get(act.payment.number)
    if (!made) return
    if (act.kind === 'capture') return this.#capture(made, act.share)
    if (act.kind === 'refund') return this.#refund(made, act.share)
    await this.#post(`/transactions/${made.id}/void`, {})
    this.counts.voids += 1
  }

  async #pay(payment: Payment): Promise<void> {
    const { market, amount, intent, number } = payment
    const buyer = payment.buyer === null ? null : await this.#buyerOf(payment.buyer, payment)
    const isRenewal = payment.isRenewal && buyer?.methodId != null
    const paid = await this.#post('/transactions', {
      amount,
      currency: market.currency,
      country: market.country,
      intent,
      external_identifier: `fill-${number}`,
      payment_method: buyer?.methodId ? { method: 'id', id: buyer.methodId } : cardOf(payment),
      ...(buyer && { buyer_id: buyer.id }),
      ...(buyer && !buyer.methodId && { store: true }),
      ...(isRenewal && {
        merchant_initiated: true,
        is_subsequent_payment: true,
        payment_source: 'recurring',
      }),
    })
    this.counts.payments += 1
    const isApproved = ['authorization_succeeded', 'capture_succeeded'].includes(paid.status ?? '')
    if (!isApproved || paid.id === undefined) return
    this.counts.approved += 1
    if (buyer && !buyer.methodId) buyer.methodId = paid.payment_method?.id ?? null
    this.#made.set(number, { id: paid.id, amount, captured: paid.captured_amount ?? 0 })
  }

  async #capture(made: Made, share: number): Promise<void> {
    const amount = Math.max(1, Math.floor(made.amount * share))
    const after = await this.#post(`/transactions/${made.id}/capture`, { amount })
    made.captured = after.captured_amount ?? 0
    this.counts.captures += 1
  }

  async #refund(made: Made, share: number): Promise<void> {
    const amount = Math.floor(made.captured * share)
    if (amount === 0) return
    const { status } = await this.#send(`POST /transactions/${made.id}/refunds`, { amount })
    // The buyer may have disputed the payment meanwhile. Then there is nothing to refund.
    if (status < 400) this.counts.refunds += 1
  }

  #buyerOf(index: number, { market }: Payment): Promise<Known> {
    const known = this.#buyers.get(index)
    if (known !== undefined) return known
    const making = this.#post('/buyers', {
      display_name: `Buyer ${index + 1}`,
      billing_details: { address: { country: market.country } },
    }).then(({ id = '' }) => ({ id, methodId: null }))
    this.#buyers.set(index, making)
    // The next payment of this buyer tries again.
    making.catch(() => this.#buyers.delete(index))
    return making
  }

  async #post(path: string, body: object): Promise<Answer> {
    const answer = await this.#send(`POST ${path}`, body)
    if (answer.status >= 400) throw new Error(`${nameOf(path)}: ${answer.status} ${reasonOf(answer.body)}`)
    this.#refusedInARow = 0
    return answer.body
  }
}

/** Without the id, so that refusals for the same reason are counted together. */
function nameOf(path: string): string {
  return `POST ${path.replace(/^\/transactions\/[^/]+/, '/transactions/{id}')}`
}

function reasonOf({ message, details = [] }: Answer): string {
  const [first] = details
  return first ? `${message}: ${first.pointer ?? ''} ${first.message}` : (message ?? 'without a reason')
}

function cardOf({ card, isChecked }: Payment): object {
  const redirect = isChecked && { redirect_url: 'https://shop.example.com/back' }
  return { method: 'card', ...card, ...redirect }
}
