import { createHmac } from 'node:crypto'
import type { LightMyRequestResponse } from 'fastify'
import { expect } from 'vitest'
import { readWhole } from '#processing/provider.ts'
import type { SendOptions, TestService } from './harness.ts'

/** The ids of a merchant account at the token services of all schemes. */
export function requestorIds(account: string): Record<string, string> {
  return Object.fromEntries(
    ['visa', 'mastercard', 'amex', 'discover'].flatMap((scheme) => [
      [`${scheme}_network_tokens_requestor_id`, `${account}-${scheme}-requestor`],
      [`${scheme}_network_tokens_app_id`, `${account}-${scheme}-app`],
    ]),
  )
}

/** A Visa card whose ninth to twelfth digits tell the simulated token service what to do. */
export function cardThatAsks(digits: string): object {
  const start = `41111111${digits}123`
  const sum = [...start].reverse().reduce((total, digit, index) => {
    const doubled = index % 2 === 0 ? Number(digit) * 2 : Number(digit)
    return total + (doubled > 9 ? doubled - 9 : doubled)
  }, 0)
  return { method: 'card', number: `${start}${(10 - (sum % 10)) % 10}`, expiration_date: '12/40' }
}

// biome-ignore lint/suspicious/noExplicitAny: what answers look like is held against their schemas by the harness
type Json = any

export type TokenDesk = {
  readonly store: (card?: object) => Promise<string>
  readonly provision: (methodId: string, options?: SendOptions) => Promise<LightMyRequestResponse>
  /** Stores a card and provisions its token. */
  readonly make: (card?: object) => Promise<Json>
  readonly list: (methodId: string) => Promise<Json[]>
  readonly act: (token: Json, verb: string, body?: object) => Promise<LightMyRequestResponse>
  /** The service's books: each token with its name, and what was done with it. */
  readonly books: (networkTokenId: string) => Promise<{ status: string; done: string[] }[]>
  /** Sends a notification as the token service. */
  readonly notify: (message: object, signedWith?: string) => Promise<LightMyRequestResponse>
}

/** Everything that tests do with network tokens, over HTTP. */
export function openTokenDesk(service: TestService, account: string): TokenDesk {
  const VISA = { method: 'card', number: '4111111111111111', expiration_date: '12/40' }
  const store = async (card: object = VISA) => {
    const response = await service.send('POST /payment-methods', card, { account })
    expect(response.statusCode, response.body).toBe(201)
    return response.json().id
  }
  const provision = (methodId: string, options: SendOptions = {}) =>
    service.send(
      `POST /payment-methods/${methodId}/network-tokens`,
      { merchant_initiated: false, is_subsequent_payment: false },
      { account, ...options },
    )
  return {
    store,
    provision,
    make: async (card) => {
      const response = await provision(await store(card))
      expect(response.statusCode, response.body).toBe(201)
      return response.json()
    },
    list: async (methodId) => {
      const route = `GET /payment-methods/${methodId}/network-tokens`
      const response = await service.send(route, undefined, { account })
      expect(response.statusCode, response.body).toBe(200)
      return response.json().items
    },
    act: ({ payment_method_id, id }, verb, body) => {
      const path = `/payment-methods/${payment_method_id}/network-tokens/${id}`
      const route = verb === 'delete' ? `DELETE ${path}` : `POST ${path}/${verb}`
      return service.send(route, body, { account })
    },
    books: async (networkTokenId) => {
      const url = `https://tokens.simulator.invalid/books?client_reference=${networkTokenId}`
      const { tokens } = (await (await readWhole(await service.providers.fetch(url))).json()) as Json
      return tokens.map(({ status, done }: Json) => ({ status, done }))
    },
    notify: (message, signedWith = `${account}-visa-app`) => {
      const payload = JSON.stringify(message)
      return service.app.inject({
        method: 'POST',
        url: `/network-tokens/visa/notifications/${account}-visa-requestor`,
        payload,
        headers: {
          'content-type': 'application/json',
          'x-signature': createHmac('sha256', signedWith).update(payload).digest('hex'),
        },
      })
    },
  }
}
