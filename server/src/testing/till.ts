import { createHmac } from 'node:crypto'
import type { LightMyRequestResponse } from 'fastify'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { readWhole } from '#processing/provider.ts'
import type { SendOptions, TestService } from './harness.ts'

export const CARD = {
  method: 'card',
  number: '4111111111111111',
  expiration_date: '12/40',
  security_code: '737',
}

/** A card that gets money: without the code, which payouts do not take. */
export const PAYOUT_CARD = { method: 'card', number: CARD.number, expiration_date: CARD.expiration_date }

// biome-ignore lint/suspicious/noExplicitAny: what answers look like is held against their schemas by the harness
type Json = any
type Webhook = { readonly webhook_url: string }
type Sums = {
  readonly authorized: number
  readonly captured: number
  readonly refunded: number
  readonly voided: number
}

export type Till = {
  /** Pays, and answers with the transaction. */
  readonly pay: (body?: object, options?: SendOptions) => Promise<Json>
  /** Pays out, through the first service of the account unless another one is named. */
  readonly payOut: (body?: object, options?: SendOptions) => Promise<Json>
  readonly get: (id: string, options?: SendOptions) => Promise<Json>
  /** Does something with a transaction: `capture`, `void`, `refunds` and so on. */
  readonly act: (
    id: string,
    operation: string,
    body?: object,
    options?: SendOptions,
  ) => Promise<LightMyRequestResponse>
  /** A payment service of the simulator with these fields. */
  readonly addService: (fields: Record<string, string>, options?: SendOptions) => Promise<Json>
  /** Sends a notification as the processor. */
  readonly notify: (service: Webhook, message: object, secret?: string) => Promise<LightMyRequestResponse>
  /** The processor's books about a transaction. Null if it does not know the transaction. */
  readonly books: (id: string) => Promise<Sums | null>
  /** The events about a transaction, its captures and its refunds, oldest first. */
  readonly told: (id: string) => Promise<string[]>
  /** The names in the transaction's own history, oldest first. */
  readonly history: (id: string) => Promise<string[]>
  /** The audit log about a resource, oldest first: the action and its actor. */
  readonly audited: (id: string) => Promise<string[]>
}

/** Sends a payment, and gives the whole response, also if it is refused. */
export function order(
  service: TestService,
  body: object = {},
  options?: SendOptions,
): Promise<LightMyRequestResponse> {
  const given = { amount: 1299, currency: 'USD', payment_method: CARD, ...body }
  return service.send('POST /transactions', given, options)
}

/** The same for a payout, through the first service of the account unless another one is named. */
export async function orderPayout(
  service: TestService,
  body: object = {},
  options?: SendOptions,
): Promise<LightMyRequestResponse> {
  const given = { amount: 1299, currency: 'USD', payment_method: PAYOUT_CARD, ...body }
  const payment_service_id = 'payment_service_id' in body ? undefined : await firstServiceOf(service, options)
  return service.send('POST /payouts', { payment_service_id, ...given }, options)
}

/** Everything that tests do with payments, over HTTP. */
export function openTill(service: TestService): Till {
  const act: Till['act'] = (id, operation, body, options) =>
    service.send(`POST /transactions/${id}/${operation}`, body, options)
  return {
    act,
    pay: async (body, options) =>
      ok(await order(service, { amount: 1000, country: 'US', ...body }, options), 201),
    payOut: async (body, options) => ok(await orderPayout(service, { amount: 1000, ...body }, options), 201),
    get: async (id, options) => ok(await service.send(`GET /transactions/${id}`, undefined, options), 200),
    addService: async (fields, options) => {
      const given = Object.entries({ merchant_id: 'shop', ...fields }).map(([key, value]) => ({ key, value }))
      const body = {
        display_name: 'Till',
        payment_service_definition_id: 'mock-card',
        fields: given,
        accepted_currencies: ['USD', 'EUR'],
        accepted_countries: ['US', 'NL'],
      }
      return ok(await service.send('POST /payment-services', body, options), 201)
    },
    notify: (to, message, secret) => notify(service, to, message, secret),
    books: async (id) => {
      const response = await service.providers.fetch(
        `https://processor.simulator.invalid/books?transaction_id=${id}`,
      )
      const { sums } = (await (await readWhole(response)).json()) as { sums: Json[] }
      if (!sums[0]) return null
      const { captured, refunded, voided } = sums[0]
      return { authorized: sums[0].authorized ?? 0, captured, refunded, voided }
    },
    told: async (id) => {
      const found = await sql<{ name: string }>`
        select name from events where target_id = ${id} or target->>'transaction_id' = ${id} order by id
      `.execute(service.context.db)
      return found.rows.map(({ name }) => name)
    },
    history: async (id) => {
      const list = ok(await service.send(`GET /transactions/${id}/events`), 200)
      return list.items.map(({ name }: Json) => name).toReversed()
    },
    audited: async (id) => {
      const found = await sql<{ entry: string }>`
        select action || ' by ' || actor_name as entry from audit_logs
        where resource_id = ${id} and action <> 'revealed' order by created_at, id
      `.execute(service.context.db)
      return found.rows.map(({ entry }) => entry)
    },
  }
}

/** The oldest service of the account, which the sandbox made. */
async function firstServiceOf(
  service: TestService,
  { account = 'default' }: SendOptions = {},
): Promise<string> {
  const { items } = ok(await service.send('GET /payment-services?limit=100', undefined, { account }), 200)
  return items.at(-1).id
}

function ok(response: LightMyRequestResponse, status: number): Json {
  expect(response.statusCode, response.body).toBe(status)
  return response.json()
}

function notify(
  { app }: TestService,
  { webhook_url }: Webhook,
  message: object,
  secret?: string,
): Promise<LightMyRequestResponse> {
  const payload = JSON.stringify(message)
  return app.inject({
    method: 'POST',
    url: new URL(webhook_url).pathname,
    payload,
    headers: {
      'content-type': 'application/json',
      ...(secret && { 'x-signature': createHmac('sha256', secret).update(payload).digest('hex') }),
    },
  })
}
