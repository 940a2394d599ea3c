import type { LightMyRequestResponse } from 'fastify'
import { expect } from 'vitest'
import type { Scope } from '#platform/database/db.ts'
import { type SendOptions, signToken, type TestService } from './harness.ts'

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
