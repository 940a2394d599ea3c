import { randomUUID } from 'node:crypto'
import type { ApprovalRequired, Connector, Link } from '#connectors/contract/connector.ts'
import type { AuthorizeOrder, Instrument, Operation } from '#connectors/contract/orders.ts'
import {
  authorizeOrder,
  card,
  inquiryAbout,
  SECURITY_CODE,
  testLink,
  tokenizeOrder,
} from '#connectors/contract/samples.ts'
import { secret } from '#connectors/contract/secret.ts'
import type { Bench } from '#connectors/contract/suite.ts'
import { createStandIn, STAND_IN_CLIENT } from '#sandbox/stand-ins/paypal/stand-in.ts'
import { payPalContract } from './published-contract.ts'

const DAY = 24 * 3_600_000
export const RETURN_URL = 'https://switchyard.example.com/return/7'

/** A stand-in on the desk, with a link to it, and a clock that the test moves. */
export function openStandIn(options: { readonly searchedMost?: number } = {}) {
  let now = Date.parse('2026-03-02T10:00:00Z')
  const move = (ms: number) => {
    now += ms
  }
  const clock = { now: () => new Date(now), move }
  const standIn = createStandIn({ now: clock.now, ...options })
  const fetch: Link['fetch'] = payPalContract.watch(standIn.fetch)
  const webhook = standIn.events.register(STAND_IN_CLIENT.id, {
    url: 'https://switchyard.example.com/notifications',
    event_types: [{ name: '*' }],
  })
  const link = testLink({
    fetch,
    now: clock.now,
    fields: {
      client_id: STAND_IN_CLIENT.id,
      client_secret: STAND_IN_CLIENT.secret,
      webhook_id: webhook.id,
      stand_in_url: standIn.url(),
    },
  })
  /** Opens a dispute, or changes one. Returns its id. */
  async function dispute(given: object, path = ''): Promise<string> {
    const init = { method: 'POST', body: JSON.stringify(given) }
    const response = await standIn.fetch(`${standIn.url()}/_stand-in/disputes${path}`, init)
    return ((await response.json()) as { id: string }).id
  }
  return { standIn, link, clock, webhook, messageOf: lastMessage, dispute }

  /** The last event of a type, as PayPal would send it. */
  function lastMessage(type: string) {
    const event = standIn.events.all.findLast((one) => one.type === type)
    if (!event) throw new Error(`the stand-in has told no ${type}`)
    return standIn.events.message(webhook.id, event.body)
  }
}

export type Desk = ReturnType<typeof openStandIn>

export const REDIRECT: Instrument = { kind: 'redirect', method: 'paypal', country: 'US', currency: 'USD' }

/** American Express, because the samples have a security code of four digits. */
export const AMEX = card({
  number: secret('371449635398431'),
  securityCode: secret(SECURITY_CODE),
  scheme: 'amex',
})

/** A network token, or what a wallet's token had in it. */
export const NETWORK_TOKEN = {
  kind: 'network-token',
  source: 'network-token',
  token: secret('4111111111111111'),
  expirationDate: '03/30',
  cryptogram: secret('AgAAAAAAAIR8CQrXcIhbQAAAAAA='),
  eci: '07',
  scheme: 'visa',
  cardholderName: 'Jane Doe',
  cardSource: null,
} as const satisfies Instrument

/** The buyer presses a button on the stand-in's page. Returns the parameters of the address where the browser goes. */
export async function press(
  desk: Desk,
  url: string,
  decision: string,
): Promise<Readonly<Record<string, string>>> {
  const body = new URLSearchParams({ decision })
  const response = await desk.standIn.fetch(url, { method: 'POST', body })
  const location = response.headers.get('location')
  if (location === null) throw new Error(`the page answered ${response.status}`)
  return Object.fromEntries(new URL(location).searchParams)
}

export function pageOf(answer: ApprovalRequired): string {
  if (answer.approval.kind !== 'redirect') throw new Error('the buyer is not sent to an address')
  return answer.approval.url
}

/** A new invoice for each payment: PayPal takes the same one once. */
export function newOrder(over: Partial<AuthorizeOrder>): Partial<AuthorizeOrder> {
  return { reconciliationId: randomUUID().replaceAll('-', '').slice(0, 22), redirectUrl: RETURN_URL, ...over }
}

/** A bench for the contract suite. `isWallet`: buyers with an account, else cards. */
export async function openBench(connector: Connector): Promise<Bench> {
  const isWallet = connector.manifest.method === 'paypal'
  const desk = openStandIn()
  const { standIn, link, clock } = desk
  const instrument = isWallet ? REDIRECT : AMEX
  const declined = isWallet ? await declinedToken(connector, desk) : AMEX
  const finish = async (operation: Operation, reference: string) => {
    if (operation === 'tokenize') {
      await press(desk, `${standIn.url()}/agreements/approve?approval_session_id=${reference}`, 'approve')
      return undefined
    }
    const page = `${standIn.url()}/${isWallet ? 'checkoutnow' : 'webapps/helios'}?token=${reference}`
    return { by: 'return' as const, returned: await press(desk, page, 'approve') }
  }
  return {
    link,
    get approved() {
      return newOrder({ instrument })
    },
    get declined() {
      return newOrder({ instrument: declined, billing: { ...NO_DETAILS, first_name: 'CCREJECT-IF' } })
    },
    tokenized: { instrument, redirectUrl: RETURN_URL },
    effectsOf: async (attemptId) =>
      [...standIn.books.effects]
        .filter(([key]) => key === attemptId || key.startsWith(`${attemptId}-`))
        .reduce((sum, [, count]) => sum + count, 0),
    finish,
    ...(connector.trial?.movesMoney && { movesMoney: connector.trial.movesMoney }),
    buyer: {
      get asked() {
        return newOrder({ instrument, ...(!isWallet && { threeDSecure: 'provider' as const }) })
      },
      decide: (answer, decision) =>
        press(desk, pageOf(answer), decision === 'approve' ? 'approve' : isWallet ? 'cancel' : 'failed'),
    },
    notify: async () => {
      const order = await paid(connector, desk, instrument)
      const capture = [...standIn.books.captures.values()].at(-1)
      return {
        about: 'authorization',
        message: desk.messageOf('PAYMENT.CAPTURE.COMPLETED'),
        sign: (body) => standIn.events.message(desk.webhook.id, JSON.parse(body)),
        reference: capture?.id ?? '',
        attemptId: order.attemptId,
        reconciliationId: order.reconciliationId,
      }
    },
    reports: {
      link: { ...link, stream: streamOver(link.fetch) },
      publish: async () => {
        await paid(connector, desk, instrument)
        clock.move(2 * DAY)
        return undefined
      },
    },
  }
}

const NO_DETAILS = {
  first_name: null,
  last_name: null,
  email_address: null,
  phone_number: null,
  address: null,
}

export function streamOver(fetch: Link['fetch']) {
  return async (url: string, init?: RequestInit) => {
    const { status, headers, body } = await fetch(url, init)
    if (!body) throw new Error('the answer has no body')
    return { status, headers, body: body as AsyncIterable<Uint8Array> }
  }
}

/** A payment in one step, from the order to the buyer's return. */
async function paid(connector: Connector, desk: Desk, instrument: Instrument): Promise<AuthorizeOrder> {
  const order = authorizeOrder(newOrder({ instrument, intent: 'capture' }))
  const first = await connector.authorize?.(order, desk.link)
  if (first?.outcome === 'approval_required') {
    const returned = await press(desk, pageOf(first), 'approve')
    await connector.complete?.({ ...order, reference: first.reference, returned }, desk.link)
  }
  return order
}

/** A stored account at PayPal that cannot pay. */
async function declinedToken(connector: Connector, desk: Desk): Promise<Instrument> {
  const order = tokenizeOrder({ instrument: REDIRECT, redirectUrl: RETURN_URL })
  const first = await connector.tokenize?.(order, desk.link)
  if (first?.outcome !== 'approval_required') throw new Error('the stand-in does not ask the buyer')
  await press(desk, pageOf(first), 'declined')
  const sentAt = desk.clock.now()
  const answer = await connector.sync?.(
    inquiryAbout('tokenize', order, { reference: first.reference, sentAt }),
    desk.link,
  )
  if (answer?.outcome !== 'approved' || !answer.token) throw new Error('the stand-in gave no token')
  return { kind: 'provider-token', method: 'paypal', token: answer.token.value, securityCode: null }
}
