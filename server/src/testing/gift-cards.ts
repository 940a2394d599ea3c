import type { LightMyRequestResponse } from 'fastify'
import { afterAll, afterEach, expect } from 'vitest'
import type { Scope } from '#platform/database/db.ts'
import { giftCardDisagreements } from './gift-card-books.ts'
import { type SendOptions, signToken, startTestService, type TestService } from './harness.ts'
import { holdProcessorLine, type ProcessorLine } from './processor-line.ts'
import { CARD, openTill, type Till } from './till.ts'

type GiftCardTill = {
  readonly service: TestService
  readonly counter: GiftCardCounter
  readonly till: Till
  readonly line: ProcessorLine
}

/**
 * A service for the tests of a file, with all that payments with cards and gift cards need. After each test the line to
 * the processor is repaired, and the books of gift cards must balance.
 */
export async function openGiftCardTill(): Promise<GiftCardTill> {
  const service = await startTestService()
  const { timeoutMs } = service.providers
  const line = holdProcessorLine(service)
  afterEach(async () => {
    line.repair()
    Object.assign(service.providers, { timeoutMs })
    expect(await giftCardDisagreements(service.database.pool)).toEqual([])
  })
  afterAll(() => service.close())
  return { service, line, counter: openGiftCardCounter(service), till: openTill(service) }
}

// biome-ignore lint/suspicious/noExplicitAny: what answers look like is held against their schemas by the harness
type Json = any

export type TypedGiftCard = { readonly number: string; readonly pin: string }

export type GiftCardCounter = Pick<Till, 'get' | 'act' | 'history'> & {
  readonly send: (route: string, body?: unknown, options?: SendOptions) => Promise<LightMyRequestResponse>
  /** Pays with the given gift cards, each with its amount. A card pays the rest. */
  readonly ask: (
    giftCards: readonly object[],
    body?: object,
    options?: SendOptions,
  ) => Promise<LightMyRequestResponse>
  /** The same, for a request that must be accepted. */
  readonly pay: (giftCards: readonly object[], body?: object, options?: SendOptions) => Promise<Json>
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
export function openGiftCardCounter(service: TestService): GiftCardCounter {
  const { send } = service
  const { get, act, history } = openTill(service)
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
    get,
    act,
    history,
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

/** A merchant account whose gift cards do what their PINs say; see `testGiftCard`. */
export type GiftCardShop = {
  readonly account: string
  readonly serviceId: string
  readonly scope: Scope
  readonly send: (route: string, body?: unknown, options?: SendOptions) => Promise<LightMyRequestResponse>
  /** Stores a card, and returns the answer. */
  readonly store: (card?: object) => Promise<Record<string, unknown> & { readonly id: string }>
  readonly buyer: (externalIdentifier: string) => Promise<string>
  /** A token for a page. */
  readonly embed: (pinned?: object) => Promise<string>
}

let numbers = 0

/** A number that no other test uses. */
export function freshNumber(): string {
  numbers += 1
  return `606060${String(numbers).padStart(10, '0')}`
}

export async function openGiftCardShop(service: TestService, account = 'gifts'): Promise<GiftCardShop> {
  const send: GiftCardShop['send'] = (route, body, options) =>
    service.send(route, body, { account, ...options })
  const make = async (route: string, body: object) => {
    const made = await send(route, body)
    expect(made.statusCode, made.body).toBe(201)
    return made.json()
  }
  await service.send('POST /merchant-accounts', { id: account, display_name: account })
  const { id: serviceId } = await make('POST /gift-card-services', {
    display_name: 'Test cards',
    gift_card_service_definition_id: 'test-gift-card',
    fields: [
      { key: 'account', value: 'shop' },
      { key: 'api_key', value: 'canary-key-of-a-provider' },
    ],
  })
  return {
    account,
    serviceId,
    scope: { ...service.context, merchantAccountId: account },
    send,
    store: (card = {}) => make('POST /gift-cards', { number: freshNumber(), pin: 'holds 500', ...card }),
    buyer: async (externalIdentifier) =>
      (await make('POST /buyers', { external_identifier: externalIdentifier })).id,
    embed: (pinned = {}) =>
      signToken(service.admin, {
        scopes: ['embed'],
        embed: { merchant_account_id: account, ...pinned },
      }),
  }
}

/** What is wrong with a request, as pointer and type. */
export function complaintsOf(response: LightMyRequestResponse): [string, string][] {
  expect(response.statusCode, response.body).toBe(400)
  return response
    .json()
    .details.map(({ pointer, type }: { pointer: string; type: string }) => [pointer, type])
}
