import type { LightMyRequestResponse } from 'fastify'
import { expect } from 'vitest'
import { freshNumber } from './gift-card-shop.ts'
import { type SendOptions, signToken, type TestService } from './harness.ts'
import { CARD } from './till.ts'

// biome-ignore lint/suspicious/noExplicitAny: what answers look like is held against their schemas by the harness
type Json = any

export type TypedGiftCard = { readonly number: string; readonly pin: string }

export type GiftCardCounter = {
  readonly send: (route: string, body?: unknown, options?: SendOptions) => Promise<LightMyRequestResponse>
  /** Pays with the given gift cards, each with its amount. A card pays the rest. */
  readonly ask: (
    giftCards: readonly object[],
    body?: object,
    options?: SendOptions,
  ) => Promise<LightMyRequestResponse>
  /** The same, for a request that must be accepted. */
  readonly pay: (giftCards: readonly object[], body?: object, options?: SendOptions) => Promise<Json>
  readonly get: (id: string) => Promise<Json>
  /** Does something with a transaction: `capture`, `void`, `refunds` and so on. */
  readonly act: (
    id: string,
    operation: string,
    body?: object,
    options?: SendOptions,
  ) => Promise<LightMyRequestResponse>
  /** The names of the transaction's events, oldest first. */
  readonly history: (id: string) => Promise<string[]>
  readonly balanceOf: (card: TypedGiftCard | { readonly id: string }) => Promise<number>
  /** Stores a gift card, and returns its id. */
  readonly store: (card: object, options?: SendOptions) => Promise<string>
  /** The attempts of a payment, oldest first. */
  readonly attemptsOf: (id: string) => Promise<{ kind: string; state: string; amount: number }[]>
}

/** A card of the simulated provider that no other test uses. */
export function giftCardWith(balance: number): TypedGiftCard {
  return { number: freshNumber(), pin: `0${balance}` }
}

/** A card that the simulated provider refuses: 0 is `invalid_gift_card`, 6 is `insufficient_funds` and so on. */
export function refusedGiftCard(code: number): TypedGiftCard {
  return { number: freshNumber(), pin: `1${String(code).padStart(4, '0')}` }
}

/** Everything that tests do with gift cards in payments, over HTTP. */
export async function openGiftCardCounter(service: TestService): Promise<GiftCardCounter> {
  // Tests move the clock by days.
  const token = await signToken(service.admin, { exp: Math.floor(Date.now() / 1000) + 400 * 86_400 })
  const send: GiftCardCounter['send'] = (route, body, options) =>
    service.send(route, body, { token, ...options })
  const ok = async (response: Promise<LightMyRequestResponse>, status: number): Promise<Json> => {
    const { statusCode, body } = await response
    expect(statusCode, body).toBe(status)
    return JSON.parse(body)
  }
  const ask: GiftCardCounter['ask'] = (giftCards, body = {}, options = {}) => {
    const paid = giftCards.reduce((sum, card) => sum + ((card as { amount?: number }).amount ?? 0), 0)
    const { amount = paid } = body as { amount?: number }
    const method = amount > paid ? { payment_method: CARD } : {}
    const order = { amount, currency: 'USD', country: 'US', ...method, gift_cards: giftCards, ...body }
    return send('POST /transactions', order, options)
  }
  return {
    send,
    ask,
    pay: (giftCards, body, options) => ok(ask(giftCards, body, options), 201),
    get: (id) => ok(send(`GET /transactions/${id}`), 200),
    act: (id, operation, body, options) => send(`POST /transactions/${id}/${operation}`, body, options),
    history: async (id) => {
      const { items } = await ok(send(`GET /transactions/${id}/events`), 200)
      return items.map(({ name }: Json) => name).toReversed()
    },
    balanceOf: async (card) => {
      const { items } = await ok(send('POST /gift-cards/balances', { items: [card] }), 200)
      return items[0].balance
    },
    store: async (card, options) => (await ok(send('POST /gift-cards', card, options), 201)).id,
    attemptsOf: (id) =>
      service.database.db
        .selectFrom('attempts')
        .select(['kind', 'state', 'amount'])
        .where('transaction_id', '=', id)
        .orderBy('created_at')
        .orderBy('id')
        .execute(),
  }
}
