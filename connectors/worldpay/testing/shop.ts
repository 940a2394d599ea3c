import type { Link, Message } from '#connectors/contract/connector.ts'
import type { AuthorizeOrder, Contact } from '#connectors/contract/orders.ts'
import * as samples from '#connectors/contract/samples.ts'
import { createStandIn, STAND_IN_ACCOUNT, WEBHOOK_SECRET } from '#sandbox/stand-ins/worldpay/stand-in.ts'
import { worldpayContract } from './published-contract.ts'

export const FIELDS = { ...STAND_IN_ACCOUNT, narrative: 'My shop', webhook_secret: WEBHOOK_SECRET }

/** The test environment decides by the name of the holder. */
export function named(first_name: string, over: Partial<Contact> = {}): Contact {
  return { first_name, last_name: null, email_address: null, phone_number: null, address: null, ...over }
}

/** A merchant with an account at a stand-in, and what goes over the wire. */
export function openShop(over: Partial<Link> = {}) {
  const now = over.now ?? (() => new Date())
  const standIn = createStandIn({ now })
  const sent: { readonly path: string; readonly body: Record<string, unknown> }[] = []
  const watched = worldpayContract.watch((url, init) => standIn.fetch(url, init))
  const fetch: Link['fetch'] = (url, init) => {
    const { pathname, search } = new URL(url)
    sent.push({ path: `${pathname}${search}`, body: JSON.parse(String(init?.body ?? '{}')) })
    return watched(url, init)
  }
  const link: Link = samples.testLink({ fetch, fields: FIELDS, ...over, now })
  const control = async (path: string, body: object = {}) => {
    const url = `https://stand-in.invalid/_stand-in/${path}`
    await standIn.fetch(url, { method: 'POST', body: JSON.stringify(body) })
  }
  void control('webhook', { url: 'https://switchyard.example.com/notifications' })

  return {
    standIn,
    link,
    sent,
    control,
    effectsOf: async (attemptId: string) =>
      standIn.payments.movements.filter(({ reference }) => reference === attemptId).length,
    /** The last message of this type. */
    message: (type: string): Message => {
      const found = standIn.payments.waiting.findLast(
        ({ body }) => JSON.parse(body).eventDetails.type === type,
      )
      if (!found) throw new Error(`there was no ${type}`)
      return { headers: found.headers, body: Buffer.from(found.body) }
    },
  }
}

export const DECLINED: Partial<AuthorizeOrder> = { billing: named('REFUSED51') }
