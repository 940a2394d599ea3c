import { CARD, STORED_CARD } from '../lab/card.ts'
import { call, type Json, type Place } from '../lab/product.ts'
import type { Order, Payment, Payout, PayoutOrder, Seen, Step } from './money-model.ts'

const SERVICE = {
  display_name: 'Counter',
  payment_service_definition_id: 'mock-card',
  fields: [
    { key: 'merchant_id', value: 'counter' },
    { key: 'extended', value: 'true' },
  ],
  accepted_currencies: ['USD'],
  accepted_countries: ['US'],
}

const SLOW_SERVICE = {
  ...SERVICE,
  display_name: 'Slow counter',
  fields: [...SERVICE.fields, { key: 'asynchronous', value: 'true' }],
}

type Service = { readonly id: string; readonly webhook_url: string }
type GiftCard = { readonly number: string; readonly pin: string; readonly balance: number }

/** Carries out over HTTP the steps that the model predicts. */
export class PaymentCounter {
  readonly #place: Place
  readonly #service: Service
  readonly #slow: Service
  readonly #cards = new Map<string, readonly GiftCard[]>()
  readonly sent: Record<string, number> = {}
  readonly codes: Record<string, number> = {}
  #count = 0

  private constructor(place: Place, service: Service, slow: Service) {
    this.#place = place
    this.#service = service
    this.#slow = slow
  }

  static async open(place: Place): Promise<PaymentCounter> {
    const service = await ask(place, 'POST /payment-services', SERVICE)
    const slow = await ask(place, 'POST /payment-services', SLOW_SERVICE)
    return new PaymentCounter(place, service.body, slow.body)
  }

  async pay({ amount, intent, isSlow, giftCards }: Order): Promise<{ code: number; id: string | undefined }> {
    const cards = giftCards.map(({ balance }) => this.#newCard(balance))
    const paid = giftCards.reduce((sum, card) => sum + card.amount, 0)
    const hasMethod = amount > paid || giftCards.length === 0
    const { code, body } = await this.#send('payments', 'POST /transactions', {
      ...{ amount, intent, currency: 'USD', country: 'US' },
      ...(hasMethod && {
        payment_method: CARD,
        payment_service_id: (isSlow ? this.#slow : this.#service).id,
      }),
      ...(cards.length > 0 && {
        gift_cards: cards.map(({ number, pin }, index) => ({
          number,
          pin,
          amount: giftCards[index]?.amount,
        })),
      }),
    })
    if (code === 201) this.#cards.set(body.id, cards)
    return { code, id: body?.id }
  }

  async payOut({ amount, isSlow }: PayoutOrder): Promise<{ code: number; id: string | undefined }> {
    const payment_service_id = (isSlow ? this.#slow : this.#service).id
    const order = { amount, currency: 'USD', payment_method: STORED_CARD, payment_service_id }
    const { code, body } = await this.#send('payouts', 'POST /payouts', order)
    return { code, id: body?.id }
  }

  async readPayout(id: string): Promise<Payout> {
    const { status, amount } = (await ask(this.#place, `GET /payouts/${id}`)).body
    return { status, amount }
  }

  /** Sends the notification of the payout's processor. */
  async tellPayout(id: string, isGood: boolean): Promise<number> {
    const { payment_service, payment_service_payout_id } = (await ask(this.#place, `GET /payouts/${id}`)).body
    const { webhook_url } = payment_service.id === this.#slow.id ? this.#slow : this.#service
    const message = { event: `payout.${isGood ? 'succeeded' : 'declined'}`, payment_service_payout_id }
    return (await this.#send('notifications', `POST ${new URL(webhook_url).pathname}`, message)).code
  }

  async follow(id: string, step: Step): Promise<number> {
    if (step.kind === 'finish') return this.#finish(id, step.isGood)
    const { path, body } = await this.#requestFor(id, step)
    const { code, pause } = await this.#send(NAMES[step.kind], `POST /transactions/${id}/${path}`, body)
    // Refused until the provider has decided. Only a short pause means that another request is under way.
    return code === 425 && pause > 1 ? 400 : code
  }

  /** Sends the notification of the processor that answers later. */
  async #finish(id: string, isGood: boolean): Promise<number> {
    const { body: paid } = await ask(this.#place, `GET /transactions/${id}`)
    const { items: captures } = (await ask(this.#place, `GET /transactions/${id}/captures`)).body
    const { items: refunds } = (await ask(this.#place, `GET /transactions/${id}/refunds`)).body
    const { payment_service_transaction_id } = paid
    const waiting = [
      ...captures
        .filter(({ status }: Json) => status === 'pending')
        .map(({ created_at, xid }: Json) => ({
          created_at,
          kind: 'capture',
          named: { payment_service_capture_id: xid },
        })),
      ...refunds
        .filter(
          ({ status, target_type }: Json) => status === 'processing' && target_type === 'payment-method',
        )
        .map(({ created_at, payment_service_refund_id }: Json) => ({
          created_at,
          kind: 'refund',
          named: { payment_service_refund_id },
        })),
    ].toSorted((a, b) => a.created_at.localeCompare(b.created_at))
    const [{ kind, named } = { kind: 'void', named: { payment_service_transaction_id } }] = waiting
    const event = `${kind}.${isGood ? 'succeeded' : 'declined'}`
    const { pathname } = new URL(this.#slow.webhook_url)
    return (await this.#send('notifications', `POST ${pathname}`, { event, ...named })).code
  }

  async #requestFor(
    id: string,
    step: Exclude<Step, { kind: 'finish' }>,
  ): Promise<{ path: string; body?: object }> {
    switch (step.kind) {
      case 'capture':
        return {
          path: 'capture',
          body: { final: step.final, ...(step.amount !== null && { amount: step.amount }) },
        }
      case 'increment':
        return { path: 'authorization/increment', body: { amount: step.amount } }
      case 'refund':
        return {
          path: 'refunds',
          body: {
            ...(step.amount !== null && { amount: step.amount }),
            ...(step.giftCard !== null && {
              target_type: 'gift-card-redemption',
              target_id: await this.#redemptionOf(id, step.giftCard),
            }),
          },
        }
      case 'refund-all':
        return { path: 'refunds/all' }
      default:
        return { path: step.kind }
    }
  }

  /** For a redemption that does not exist, a random id. */
  async #redemptionOf(id: string, index: number): Promise<string> {
    const { body } = await ask(this.#place, `GET /transactions/${id}`)
    return body.gift_card_redemptions[index]?.id ?? '01900000-0000-7000-8000-0000000000ff'
  }

  /** The payment as a caller sees it. */
  async read(id: string): Promise<Seen> {
    const { body } = await ask(this.#place, `GET /transactions/${id}`)
    const giftCards = body.gift_card_redemptions.map((redemption: Json) => {
      const isPaid = redemption.status === 'succeeded'
      // A voided or failed payment has given back all that gift cards had paid.
      const isGone = isPaid && /voided|failed|declined/.test(body.status)
      if (isGone && redemption.refunded_amount !== redemption.amount) {
        throw new Error(`${id}: a gift card did not get back what it paid`)
      }
      return isPaid && !isGone
        ? { paid: redemption.amount, refunded: redemption.refunded_amount }
        : { paid: 0, refunded: 0 }
    })
    return {
      ...{ status: body.status, amount: body.amount, authorized: body.authorized_amount },
      ...{ captured: body.captured_amount, refunded: body.refunded_amount, giftCards },
      capturable: body.capturable_amount,
    }
  }

  /** Compares the captures and refunds with the totals, and the balances of gift cards with the model. */
  async compareParts(id: string, { captured, refunded, giftCards }: Payment): Promise<void> {
    const captures = (await ask(this.#place, `GET /transactions/${id}/captures`)).body.items
    const refunds = (await ask(this.#place, `GET /transactions/${id}/refunds`)).body.items
    const toMethod = refunds.filter((refund: Json) => refund.target_type === 'payment-method')
    const toGiftCards = refunds.filter((refund: Json) => refund.target_type !== 'payment-method')
    compare(`${id}: captures`, sum(captures), captured)
    compare(`${id}: refunds`, sum(toMethod), refunded)
    compare(
      `${id}: refunds to gift cards`,
      sum(toGiftCards),
      giftCards.reduce((total, card) => total + card.refunded, 0),
    )
    for (const [index, { number, pin, balance }] of (this.#cards.get(id) ?? []).entries()) {
      const { body } = await ask(this.#place, 'POST /gift-cards/balances', { items: [{ number, pin }] })
      const { paid = 0, refunded: back = 0 } = giftCards[index] ?? {}
      compare(`${id}: what is on gift card ${index}`, body.items[0].balance, balance - paid + back)
    }
  }

  #newCard(balance: number): GiftCard {
    this.#count += 1
    return { number: `606060${String(this.#count).padStart(10, '0')}`, pin: `0${balance}`, balance }
  }

  async #send(name: string, route: string, body?: object): Promise<Answer> {
    const answer = await ask(this.#place, route, body)
    this.sent[name] = (this.sent[name] ?? 0) + 1
    this.codes[answer.code] = (this.codes[answer.code] ?? 0) + 1
    return answer
  }
}

const NAMES: Readonly<Record<Exclude<Step['kind'], 'finish'>, string>> = {
  capture: 'captures',
  void: 'voids',
  cancel: 'cancellations',
  increment: 'increments',
  refund: 'refunds',
  'refund-all': 'refunds of all',
}

function sum(parts: readonly Json[]): number {
  return parts.filter(({ status }) => status === 'succeeded').reduce((total, { amount }) => total + amount, 0)
}

function compare(what: string, actual: number, expected: number): void {
  if (actual !== expected) throw new Error(`${what} add up to ${actual} and not ${expected}`)
}

/** `pause`: how long to wait before the next try, in seconds. */
type Answer = { readonly code: number; readonly pause: number; readonly body: Json }

async function ask(place: Place, route: string, body?: object): Promise<Answer> {
  const { status, headers, body: told } = await call(place, route, body)
  return { code: status, pause: Number(headers.get('retry-after') ?? 0), body: told }
}
