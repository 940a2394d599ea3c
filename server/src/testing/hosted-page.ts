import { expect } from 'vitest'
import type { TestService } from './harness.ts'
import { CARD } from './till.ts'

// biome-ignore lint/suspicious/noExplicitAny: the page's own types are compared where they are used
type Json = any

export type HostedPage = {
  readonly sessionId: string
  /** The address of the page, without its origin. */
  readonly path: string
}

let secrets = 0

/** A secret that no other form has. */
export function newSecret(): string {
  secrets += 1
  return `secret-of-a-browser-${secrets}`
}

/** A checkout session with a page. */
export async function openHostedPage(
  service: TestService,
  order: object = {},
  settings: object = {},
): Promise<HostedPage> {
  const given = { amount: 2598, currency: 'USD', country: 'US', ...order }
  const session = await service.send('POST /checkout/sessions', given)
  expect(session.statusCode, session.body).toBe(201)
  const { id } = session.json()
  const page = await service.send(`PUT /checkout/sessions/${id}/page`, settings)
  expect(page.statusCode, page.body).toBe(200)
  return { sessionId: id, path: new URL(page.json().url).pathname }
}

/** Pays as the page does: what it shows, with a typed card, unless the form says otherwise. */
export async function payOnPage(service: TestService, path: string, form: object = {}) {
  const { amount = 0, currency = 'USD' } = await stateOf(service, path)
  const payload = { tries: 0, attempt: newSecret(), amount, currency, payment_method: CARD, ...form }
  return service.app.inject({ method: 'POST', url: `${path}/payments`, payload })
}

/** How the order stands, as the page is told. */
export async function stateOf(service: TestService, path: string, query = ''): Promise<Json> {
  return (await service.app.inject({ method: 'GET', url: `${path}/state${query}` })).json()
}
