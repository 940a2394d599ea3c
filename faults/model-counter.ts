import type { Place } from './input-shop.ts'
import type { Order, Payment, Step } from './payment-model.ts'

// biome-ignore lint/suspicious/noExplicitAny: what matters of the answers is compared with the model
type Json = any

const CARD = { method: 'card', number: '4111111111111111', expiration_date: '12/40', security_code: '123' }
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

type GiftCard = { readonly number: string; readonly pin: string; readonly balance: number }

/** Does over HTTP what the model foresees. */
export class PaymentCounter {
  readonly #place: Place
  readonly #serviceId: string
  readonly #cards = new Map<string, readonly GiftCard[]>()
  readonly sent: Record<string, number> = {}
  readonly codes: Record<string, number> = {}
  #count = 0

  private constructor(place: Place, serviceId: string) {
    this.#place = place
    this.#serviceId = serviceId
  }

  static async open(place: Place): Promise<PaymentCounter> {
    const { body } = await ask(place, 'POST /payment-services', SERVICE)
    return new PaymentCounter(place, body.id)
  }

  async pay({ amount, intent, giftCards }: Order): Promise<{ code: number; id: string | undefined }> {
    const cards = giftCards.map(({ balance }) => this.#newCard(balance))
    const paid = giftCards.reduce((sum, card) => sum + card.amount, 0)
    const hasMethod = amount > paid || giftCards.length === 0
    const { code, body } = await this.#send('payments', 'POST /transactions', {
      ...{ amount, intent, currency: 'USD', country: 'US' },
      ...(hasMethod && { payment_method: CARD, payment_service_id: this.#serviceId }),
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

  async follow(id: string, step: Step): Promise<number> {
    const { path, body } = await this.#requestFor(id, step)
    const { code } = await this.#send(NAMES[step.kind], `POST /transactions/${id}/${path}`, body)
    return code
  }

  async #requestFor(id: string, step: Step): Promise<{ path: string; body?: object }> {
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

  /** A redemption that is not there has an id that nobody has. */
  async #redemptionOf(id: string, index: number): Promise<string> {
    const { body } = await ask(this.#place, `GET /transactions/${id}`)
    return body.gift_card_redemptions[index]?.id ?? '01900000-0000-7000-8000-0000000000ff'
  }

  /** The payment as a caller sees it. Whether a capture was the last one shows only when there is another. */
  async read(id: string, { isFinal, hasMethod }: Payment): Promise<Payment> {
    const { body } = await ask(this.#place, `GET /transactions/${id}`)
    const giftCards = body.gift_card_redemptions.map((redemption: Json) => {
      const isPaid = redemption.status === 'succeeded'
      // A payment that was voided or has failed gave back all that gift cards had paid.
      const isGone = isPaid && /voided|failed|declined/.test(body.status)
      if (isGone && redemption.refunded_amount !== redemption.amount) {
        throw new Error(`${id}: a gift card did not get back what it paid`)
      }
      return isPaid && !isGone
        ? { paid: redemption.amount, refunded: redemption.refunded_amount }
        : { paid: 0, refunded: 0 }
    })
    return {
      hasMethod,
      ...{ status: body.status, amount: body.amount, authorized: body.authorized_amount },
      ...{ captured: body.captured_amount, refunded: body.refunded_amount, isFinal, giftCards },
    }
  }

  /** The parts have to add up to the whole, and what is on the gift cards to what was on them. */
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

  async #send(name: string, route: string, body?: object): Promise<{ code: number; body: Json }> {
    const answer = await ask(this.#place, route, body)
    this.sent[name] = (this.sent[name] ?? 0) + 1
    this.codes[answer.code] = (this.codes[answer.code] ?? 0) + 1
    return answer
  }
}

const NAMES: Readonly<Record<Step['kind'], string>> = {
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

async function ask(
  { url, token }: Place,
  route: string,
  body?: object,
): Promise<{ code: number; body: Json }> {
  const [method = 'GET', path = ''] = route.split(' ')
  const response = await fetch(url + path, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { code: response.status, body: text === '' ? undefined : JSON.parse(text) }
}
