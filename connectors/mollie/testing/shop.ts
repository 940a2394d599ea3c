import type { ApprovalRequired, Link, Message } from '#connectors/contract/connector.ts'
import type { AuthorizeOrder, Contact } from '#connectors/contract/orders.ts'
import * as samples from '#connectors/contract/samples.ts'
import { ACCESS_TOKEN, createStandIn, TEST_KEY } from '#sandbox/stand-ins/mollie/stand-in.ts'
import type { MethodRow } from '../methods.ts'
import { mollieContract } from './published-contract.ts'

const HOOK = 'https://switchyard.example.com/notifications'
const RETURN_URL = 'https://switchyard.example.com/return/attempt'

/** A merchant with an account at a stand-in, and what goes over the wire. */
export function openShop(over: Partial<Link> = {}) {
  const now = over.now ?? (() => new Date())
  const standIn = createStandIn({ now })
  const sent: { readonly path: string; readonly body: Record<string, unknown> }[] = []
  const watched = mollieContract.watch((url, init) => standIn.fetch(url, init))
  const fetch: Link['fetch'] = (url, init) => {
    sent.push({ path: new URL(url).pathname, body: JSON.parse(String(init?.body ?? '{}')) })
    return watched(url, init)
  }
  // With the address of a stand-in, a sandbox has settlements.
  const fields = {
    api_key: TEST_KEY,
    webhook_url: HOOK,
    access_token: ACCESS_TOKEN,
    stand_in_url: 'https://api.mollie.com',
  }
  const link: Link = samples.testLink({ fetch, fields, ...over, now })
  const control = async (path: string, body: object = {}) => {
    const init = { method: 'POST', body: JSON.stringify(body) }
    await standIn.fetch(`https://stand-in.invalid/_stand-in/${path}`, init)
  }

  return {
    standIn,
    link,
    sent,
    control,
    effectsOf: async (attemptId: string) =>
      standIn.books.movements.filter(({ key }) => key === attemptId).length,
    decide: async ({ approval }: ApprovalRequired, decision: 'approve' | 'refuse') => {
      const url = 'url' in approval ? String(approval.url) : ''
      const body = new URLSearchParams({ decision: decision === 'approve' ? 'approve' : 'fail' })
      const back = await standIn.fetch(url, { method: 'POST', body })
      return Object.fromEntries(new URL(back.headers.get('location') ?? '').searchParams)
    },
    /** The last message. */
    message: (): Message => messageAbout(standIn.books.waiting.at(-1)?.body ?? ''),
  }
}

export function messageAbout(body: string): Message {
  return { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: Buffer.from(body) }
}

export const BUYER: Contact = {
  first_name: 'Ada',
  last_name: 'Lovelace',
  email_address: 'ada@example.com',
  phone_number: '+31612345678',
  address: {
    line1: 'Damrak 1',
    line2: null,
    house_number_or_name: null,
    city: 'Amsterdam',
    country: 'NL',
    postal_code: '1011 AB',
    state: null,
    state_code: null,
    organization: 'Analytical Engines',
  },
}

/** A payment by a method, with all that any of them asks of the buyer. */
export function orderBy({ method, currencies, countries }: MethodRow) {
  const [currency = ''] = currencies === 'all' ? ['EUR'] : currencies
  const [country = ''] = countries === 'all' ? ['NL'] : countries
  return {
    instrument: { kind: 'redirect', method, country, currency },
    amount: 1299,
    country,
    currency,
    billing: BUYER,
    shipping: BUYER,
    redirectUrl: RETURN_URL,
  } as const satisfies Partial<AuthorizeOrder>
}
