import { setImmediate } from 'node:timers/promises'
import { type Body, type Books, found, isObject, newId, Refusal } from './books.ts'
import { cancelMandate, cancelPayment, cancelRequest, pay, refund, request } from './pay.ts'
import { type Payouts, showItem, showPayout } from './payouts.ts'
import { listed, showEvent, showMandate, showPayment, showRefund, showRequest } from './views.ts'

const FLOW_LIVES_MS = 7 * 86_400_000

type Making = { readonly content: Body; readonly key: string | null; readonly origin: string }
type Made = { readonly id: string; readonly shown: object }

/** What the API shows, makes and cancels. */
export class Api {
  readonly #books: Books
  readonly #payouts: Payouts
  /** What a key has made. Null while it is made. */
  readonly #keys = new Map<string, string | null>()
  readonly flows = new Map<string, { readonly request: string; readonly back: string }>()

  constructor(books: Books, payouts: Payouts) {
    this.#books = books
    this.#payouts = payouts
  }

  /** A key makes one object. Whoever comes again hears its id. */
  async make(resource: string, making: Making): Promise<object> {
    const { key } = making
    const before = key === null ? undefined : this.#keys.get(key)
    if (before === null) throw new Refusal(409, 'idempotency_key_in_use')
    if (before !== undefined) throw new Refusal(409, 'idempotent_creation_conflict', null, before)
    if (key !== null) this.#keys.set(key, null)
    // Other requests come in meanwhile, among them twins.
    await setImmediate()
    try {
      const { id, shown } = this.#made(resource, making)
      if (key !== null) this.#keys.set(key, id)
      return { [resource]: shown }
    } catch (error) {
      if (key !== null) this.#keys.delete(key)
      throw error
    }
  }

  #made(resource: string, { content, key, origin }: Making): Made {
    const books = this.#books
    switch (resource) {
      case 'billing_requests': {
        const one = request(books, content)
        return { id: one.id, shown: showRequest(one) }
      }
      case 'billing_request_flows':
        return this.#makeFlow(content, origin)
      case 'payments': {
        const one = pay(books, content, key)
        return { id: one.id, shown: showPayment(books, one) }
      }
      case 'refunds': {
        const one = refund(books, content, key)
        return { id: one.id, shown: showRefund(one) }
      }
      default:
        throw new Refusal(404, 'path_not_found')
    }
  }

  #makeFlow(content: Body, origin: string): Made {
    const links = isObject(content['links']) ? content['links'] : {}
    const one = found(this.#books.requests, String(links['billing_request']))
    if (one.status !== 'pending') throw new Refusal(422, 'billing_request_not_pending')
    const back = content['redirect_uri']
    if (typeof back !== 'string' || !URL.canParse(back)) throw new Refusal(422, 'invalid', 'redirect_uri')
    const id = newId('BRF')
    this.flows.set(id, { request: one.id, back })
    const now = this.#books.now()
    const shown = {
      id,
      authorisation_url: `${origin}/flow/${id}`,
      created_at: now.toISOString(),
      expires_at: new Date(now.getTime() + FLOW_LIVES_MS).toISOString(),
      redirect_uri: back,
      links: { billing_request: one.id },
    }
    return { id, shown }
  }

  cancel(resource: string, id: string, key: string | null): object {
    const books = this.#books
    const isRepeated = key !== null && books.movements.some((one) => one.kind === 'cancel' && one.key === key)
    if (resource === 'billing_requests') {
      const one = found(books.requests, id)
      return { [resource]: showRequest(isRepeated ? one : cancelRequest(books, one, key)) }
    }
    if (resource === 'mandates') {
      const one = found(books.mandates, id)
      return { [resource]: showMandate(isRepeated ? one : cancelMandate(books, one, key)) }
    }
    const one = found(books.payments, id)
    return { [resource]: showPayment(books, isRepeated ? one : cancelPayment(books, one, key)) }
  }

  show(resource: string, id: string): object {
    const books = this.#books
    switch (resource) {
      case 'billing_requests':
        return { [resource]: showRequest(found(books.requests, id)) }
      case 'mandates':
        return { [resource]: showMandate(found(books.mandates, id)) }
      case 'payments':
        return { [resource]: showPayment(books, found(books.payments, id)) }
      case 'refunds':
        return { [resource]: showRefund(found(books.refunds, id)) }
      case 'payouts':
        return { [resource]: showPayout(this.#payouts.find(id)) }
      default:
        throw new Refusal(404, 'path_not_found')
    }
  }

  list(resource: string, query: URLSearchParams): object {
    return listed(
      resource,
      this.#all(resource, (name) => query.get(name)),
      query,
    )
  }

  /** Newest first. */
  #all(resource: string, about: (name: string) => string | null): readonly object[] {
    const { requests, payments, refunds, events } = this.#books
    switch (resource) {
      case 'billing_requests':
        return [...requests.values()].toReversed().map(showRequest)
      case 'payments':
        return [...payments.values()]
          .filter(({ mandate }) => about('mandate') === null || mandate === about('mandate'))
          .toReversed()
          .map((one) => showPayment(this.#books, one))
      case 'refunds':
        return [...refunds.values()]
          .filter(({ payment }) => payment.id === about('payment'))
          .toReversed()
          .map(showRefund)
      case 'events':
        return events
          .filter(({ of, action }) => of.id === about('payment') && action === about('action'))
          .map(showEvent)
      case 'payouts':
        return this.#payouts.since(about('created_at[gte]')).map(showPayout)
      case 'payout_items':
        return this.#payouts.find(about('payout') ?? '').items.map(showItem)
      default:
        throw new Refusal(404, 'path_not_found')
    }
  }
}
