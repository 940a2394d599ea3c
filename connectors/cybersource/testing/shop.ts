import type { Link } from '#connectors/contract/connector.ts'
import type { Contact } from '#connectors/contract/orders.ts'
import * as samples from '#connectors/contract/samples.ts'
import { createStandIn, STAND_IN_ACCOUNT } from '#sandbox/stand-ins/cybersource/stand-in.ts'
import { codeOf } from '../reference.ts'
import { cybersourceContract } from './published-contract.ts'

export const FIELDS = { ...STAND_IN_ACCOUNT, multiple_captures: 'true' }

/** The stand-in decides by the last name. */
export function named(last_name: string, over: Partial<Contact> = {}): Contact {
  return { first_name: null, last_name, email_address: null, phone_number: null, address: null, ...over }
}

/** A merchant with an account at a stand-in, and what goes over the wire. */
export function openShop(over: Partial<Link> = {}) {
  const now = over.now ?? (() => new Date())
  const standIn = createStandIn({ now })
  const sent: { readonly path: string; readonly body: Record<string, unknown>; readonly headers: Headers }[] =
    []
  const watched = cybersourceContract.watch((url, init) => standIn.fetch(url, init))
  const fetch: Link['fetch'] = (url, init) => {
    const headers = new Headers(init?.headers)
    sent.push({ path: new URL(url).pathname, body: JSON.parse(String(init?.body ?? '{}')), headers })
    return watched(url, init)
  }
  const link: Link = samples.testLink({ fetch, fields: FIELDS, ...over, now })
  const movementsOf = (attemptId: string) =>
    standIn.payments.movements.filter(({ code }) => code === codeOf(attemptId))
  const control = async (path: string) => {
    await standIn.fetch(`https://stand-in.invalid/_stand-in/${path}`, { method: 'POST' })
  }
  return { standIn, link, sent, control, movementsOf }
}
