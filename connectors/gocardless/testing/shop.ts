import { createHmac } from 'node:crypto'
import type { ApprovalRequired, Link, Message } from '#connectors/contract/connector.ts'
import type { AuthorizeOrder, Contact } from '#connectors/contract/orders.ts'
import * as samples from '#connectors/contract/samples.ts'
import { createStandIn, STAND_IN_ACCOUNT } from '#sandbox/stand-ins/gocardless/stand-in.ts'
import type { MethodRow } from '../methods.ts'
import { goCardlessContract } from './published-contract.ts'

const RETURN_URL = 'https://switchyard.example.com/return/attempt'

/** A merchant with an account at a stand-in, and what goes over the wire. */
export function openShop(over: Partial<Link> = {}) {
  const now = over.now ?? (() => new Date())
  const standIn = createStandIn({ now })
  // biome-ignore lint/suspicious/noExplicitAny: the contract says what requests look like
  type Sent = { readonly method: string; readonly path: string; readonly body: any }
  const sent: Sent[] = []
  const watched = goCardlessContract.watch((url, init) => standIn.fetch(url, init))
  const fetch: Link['fetch'] = (url, init) => {
    const { pathname } = new URL(url)
    sent.push({ method: init?.method ?? 'GET', path: pathname, body: JSON.parse(String(init?.body ?? '{}')) })
    return watched(url, init)
  }
  const link: Link = samples.testLink({ fetch, fields: STAND_IN_ACCOUNT, ...over, now })
  // biome-ignore lint/suspicious/noExplicitAny: each control answers something else
  const control = async (path: string): Promise<any> => {
    const init = { method: 'POST', body: '{}' }
    return (await standIn.fetch(`https://stand-in.invalid/_stand-in/${path}`, init)).json()
  }
  /** All that waits, in one message. */
  const message = async (): Promise<Message> => {
    const { body, signature } = await control('take')
    const problems = goCardlessContract.problemsOfWebhook('events', JSON.parse(body))
    if (problems.length > 0) throw new Error(problems.join('\n'))
    return { headers: { 'webhook-signature': signature }, body: Buffer.from(body) }
  }

  return {
    standIn,
    link,
    sent,
    control,
    message,
    sign: (body: string): Message => {
      const signature = createHmac('sha256', STAND_IN_ACCOUNT.webhook_secret).update(body).digest('hex')
      return { headers: { 'webhook-signature': signature }, body: Buffer.from(body) }
    },
    effectsOf: async (attemptId: string) =>
      standIn.books.movements.filter(({ key, attempt }) => (attempt ?? key) === attemptId).length,
    decide: async ({ approval }: ApprovalRequired, decision: string) => {
      const url = 'url' in approval ? String(approval.url) : ''
      const back = await standIn.fetch(url, { method: 'POST', body: new URLSearchParams({ decision }) })
      return Object.fromEntries(new URL(back.headers.get('location') ?? '').searchParams)
    },
  }
}

export type Shop = ReturnType<typeof openShop>

const BUYER: Contact = {
  first_name: 'Ada',
  last_name: 'Lovelace',
  email_address: 'ada@example.com',
  phone_number: '+447700900123',
  address: {
    line1: 'Old Street',
    line2: 'Floor 2',
    house_number_or_name: '12',
    city: 'London',
    country: 'GB',
    postal_code: 'EC1V 9BD',
    state: null,
    state_code: null,
    organization: 'Analytical Engines',
  },
}

export function orderBy({ method, currencies, countries }: MethodRow) {
  const [currency = ''] = currencies === 'all' ? ['EUR'] : currencies
  const [country = ''] = countries === 'all' ? ['AU'] : countries
  return {
    instrument: { kind: 'redirect', method, country, currency },
    amount: 1299,
    country,
    currency,
    intent: 'capture',
    billing: BUYER,
    redirectUrl: RETURN_URL,
  } as const satisfies Partial<AuthorizeOrder>
}
