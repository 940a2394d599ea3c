import type { ApprovalRequired, Link, Message } from '#connectors/contract/connector.ts'
import type { AuthorizeOrder } from '#connectors/contract/orders.ts'
import * as samples from '#connectors/contract/samples.ts'
import { secret } from '#connectors/contract/secret.ts'
import { createStandIn, SECRET_KEY } from '#sandbox/stand-ins/checkout/stand-in.ts'
import { bodyOf, sign } from '#sandbox/stand-ins/checkout/workflows.ts'

const SIGNATURE_KEY = 'key-of-the-webhook'
export const RETURN_URL = 'https://switchyard.example.com/return/attempt'

/** Checkout.com wants a security code of three digits. */
export function card(number = samples.CARD_NUMBER) {
  return samples.card({ number: secret(number), securityCode: secret('100') })
}

export const CARD_ORDER: Partial<AuthorizeOrder> = { instrument: card(), redirectUrl: RETURN_URL }

export const FIELDS = {
  secret_key: SECRET_KEY,
  signature_key: SIGNATURE_KEY,
  verification_currency: 'USD',
  estimated_authorizations: 'true',
  processing_channel_id: 'pc_hpswyyx23geezflc2ocz3exn4y',
  currency_account_id: 'ca_qcc7x4nxxk6efeogm7yczdnsxu',
}

function signed(body: string): Message {
  return { headers: { 'cko-signature': sign(body, SIGNATURE_KEY) }, body: Buffer.from(body) }
}

/** A merchant with an account at a stand-in, and what goes over the wire. */
export function openShop(over: Partial<Link> = {}) {
  const now = over.now ?? (() => new Date())
  const standIn = createStandIn({ now })
  const sent: {
    readonly path: string
    readonly key: string | null
    readonly body: Record<string, unknown>
  }[] = []
  const fetch: Link['fetch'] = (url, init) => {
    const { pathname, search } = new URL(url)
    const key = new Headers(init?.headers).get('cko-idempotency-key')
    sent.push({ path: `${pathname}${search}`, key, body: JSON.parse(String(init?.body ?? '{}')) })
    return standIn.fetch(url, init)
  }
  const link: Link = samples.testLink({ fetch, fields: FIELDS, ...over, now })
  const control = async (path: string, body: object = {}) => {
    const url = `https://stand-in.invalid/_stand-in/${path}`
    const response = await standIn.fetch(url, { method: 'POST', body: JSON.stringify(body) })
    if (!response.ok) throw new Error(`the stand-in refuses ${path}`)
    return (await response.json()) as Record<string, string>
  }

  return {
    standIn,
    link,
    sent,
    control,
    effectsOf: async (attemptId: string) =>
      standIn.books.movements.filter(({ key }) => key === attemptId).length,
    /** The webhook about the last event of this type. */
    message: (
      type: string,
      changed: (body: Record<string, unknown>) => unknown = (body) => body,
    ): Message => {
      const event = standIn.workflows.events.findLast((one) => one.type === type)
      if (!event) throw new Error(`there was no ${type}`)
      return signed(JSON.stringify(changed(structuredClone(bodyOf(event)))))
    },
    signed,
    /** The buyer decides on the page. Returns the parameters of the address that the browser goes to. */
    decide: async (approval: ApprovalRequired['approval'], decision: 'approve' | 'refuse') => {
      const url = approval.kind === 'redirect' ? approval.url : ''
      const response = await standIn.fetch(url, { method: 'POST', body: new URLSearchParams({ decision }) })
      return Object.fromEntries(new URL(response.headers.get('location') ?? '').searchParams)
    },
  }
}
