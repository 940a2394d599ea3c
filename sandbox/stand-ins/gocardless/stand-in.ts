import { createHmac } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { writeApproval, writeHelp, writeMessage } from '../page.ts'
import { html, listenOn, objectIn, sendTo } from '../serve.ts'
import { Api } from './api.ts'
import {
  type BillingRequest,
  type Body,
  Books,
  DECISIONS,
  type Event,
  found,
  isObject,
  newId,
  Refusal,
} from './books.ts'
import { decide, finish, step, stepRefund } from './pay.ts'
import { Payouts } from './payouts.ts'
import { showError, showEvent } from './views.ts'

/** What nothing but the stand-in accepts. */
export const STAND_IN_ACCOUNT = {
  access_token: 'sandbox_standInForGoCardless',
  webhook_secret: 'secretOfTheStandInForGoCardless',
} as const

export type Message = { readonly url: string; readonly body: string; readonly signature: string }
type Options = {
  readonly now: () => Date
  /** Whether banks act by themselves. Else they wait for `/_stand-in/finish`. */
  readonly isAutomatic?: boolean
  readonly send?: (message: Message) => Promise<number>
}
type Reply = { readonly status: number; readonly body: object }

export type StandIn = ReturnType<typeof createStandIn>

/** GoCardless's API by its published types, in memory. README.md has the rules, with their sources. */
export function createStandIn({ now, isAutomatic = false, send = overNetwork }: Options) {
  const books = new Books(now)
  const payouts = new Payouts(books)
  const api = new Api(books, payouts)
  const mail = new Mail(books, send)

  async function handle(incoming: Request): Promise<Response> {
    const { pathname, origin } = new URL(incoming.url)
    if (pathname === '/') return html(help(origin))
    const reply = pathname.startsWith('/flow/')
      ? await showFlow(incoming, books, api)
      : await answer(incoming)
    if (isAutomatic && incoming.method === 'POST') finish(books)
    return reply
  }

  async function answer(incoming: Request): Promise<Response> {
    const { status, body } = await reply(incoming).catch((error: unknown): Reply => {
      if (error instanceof Refusal) return { status: error.status, body: showError(error) }
      throw error
    })
    return Response.json(body, { status })
  }

  async function reply(incoming: Request): Promise<Reply> {
    const { pathname, searchParams, origin } = new URL(incoming.url)
    const asked = parse(incoming.method === 'GET' ? '' : await incoming.text())
    if (pathname.startsWith('/_stand-in/')) return { status: 200, body: await control(pathname, asked) }
    checkHeaders(incoming.headers)
    const [, resource = '', id, ...rest] = pathname.split('/')
    if (incoming.method === 'GET') {
      return {
        status: 200,
        body: id === undefined ? api.list(resource, searchParams) : api.show(resource, id),
      }
    }
    const key = incoming.headers.get('idempotency-key')
    if (rest.join('/') === 'actions/cancel') return { status: 200, body: api.cancel(resource, id ?? '', key) }
    const content = asked[resource]
    if (id !== undefined || !isObject(content)) throw new Refusal(400, 'invalid_document_structure')
    return { status: 201, body: await api.make(resource, { content, key, origin }) }
  }

  /** What time, banks and people do at GoCardless. Not part of its API. */
  async function control(path: string, body: Body): Promise<object> {
    const [, , what, id = '', name = ''] = path.split('/')
    if (what === 'webhook') mail.url = String(body['url'] ?? '')
    if (what === 'requests')
      decide(books, found(books.requests, id), DECISIONS.find((one) => one === name) ?? 'cancel')
    if (what === 'payments') step(books, found(books.payments, id), name)
    if (what === 'refunds')
      stepRefund(books, found(books.refunds, id), name === 'bounced' ? 'bounced' : 'paid')
    if (what === 'finish') finish(books)
    if (what === 'payouts') payouts.make()
    if (what === 'deliver') await mail.deliver()
    if (what === 'take') return messageOf(books.waiting.splice(0))
    return { movements: books.movements, waiting: books.waiting.length }
  }

  return {
    books,
    fetch: (input: string | URL | Request, init?: RequestInit) => handle(new Request(input, init)),
    listen: (port: number) =>
      listenOn(port, handle, { onAnswered: () => void setImmediate().then(() => mail.deliver()) }),
  }
}

/** Messages to the webhook endpoint. */
class Mail {
  url = ''
  readonly #books: Books
  readonly #send: (message: Message) => Promise<number>

  constructor(books: Books, send: (message: Message) => Promise<number>) {
    this.#books = books
    this.#send = send
  }

  /** Sends what waits. What is not taken with a 2xx is sent again, later. */
  async deliver(): Promise<void> {
    const { waiting } = this.#books
    if (this.url === '' || waiting.length === 0) return
    const events = waiting.splice(0)
    const status = await this.#send({ url: this.url, ...messageOf(events) }).catch(() => 0)
    if (status < 200 || status > 299) waiting.push(...events)
  }
}

function checkHeaders(headers: Headers): void {
  if (headers.get('authorization') !== `Bearer ${STAND_IN_ACCOUNT.access_token}`)
    throw new Refusal(401, 'access_token_not_found')
  if (headers.get('gocardless-version') !== '2015-07-06') throw new Refusal(400, 'missing_version_header')
}

/** The page on which the buyer decides. */
async function showFlow(incoming: Request, books: Books, { flows }: Api): Promise<Response> {
  const flow = flows.get(new URL(incoming.url).pathname.split('/')[2] ?? '')
  const one = flow && books.requests.get(flow.request)
  if (!flow || !one) return html(writeMessage('GoCardless', 'There is no such page.'), 404)
  if (incoming.method === 'POST') {
    const chosen = new URLSearchParams(await incoming.text()).get('decision')
    decide(books, one, DECISIONS.find((decision) => decision === chosen) ?? 'cancel')
    return new Response(null, { status: 303, headers: { location: flow.back } })
  }
  if (one.status !== 'pending') return html(writeMessage('GoCardless', `The request is ${one.status}.`))
  const { payment_request: payment, metadata } = one.asked
  const isDebit = !isObject(payment)
  const whole = isDebit ? (metadata as Body)['amount'] : payment['amount']
  const isForLater = whole === undefined
  const debit = isForLater ? 'Permit debits by this shop?' : 'Permit this debit?'
  const question = isDebit ? debit : 'Pay from your account?'
  const amount = `${isForLater ? '' : `${(Number(whole) / 100).toFixed(2)} `}${currencyOf(one)}`
  return html(writeApproval({ provider: 'GoCardless', question, amount, form: BUTTONS }))
}

function currencyOf({ asked }: BillingRequest): string {
  const { mandate_request: mandate, payment_request: payment } = asked
  return String(((payment ?? mandate) as Body)['currency'])
}

function messageOf(events: readonly Event[]): Omit<Message, 'url'> {
  const body = JSON.stringify({ events: events.map(showEvent), meta: { webhook_id: newId('WB') } })
  const { webhook_secret: secret } = STAND_IN_ACCOUNT
  return { body, signature: createHmac('sha256', secret).update(body).digest('hex') }
}

const BUTTONS = `<form method="post">
<button name="decision" value="approve">Permit</button>
<button name="decision" value="refuse">Permit, and the bank refuses days later</button>
<button name="decision" value="return">Permit, and the bank sends the money back after it has paid</button>
<button name="decision" value="cancel">Cancel</button>
</form>`

function overNetwork({ url, body, signature }: Message): Promise<number> {
  return sendTo(url, {
    headers: { 'content-type': 'application/json', 'webhook-signature': signature },
    body,
  })
}

function parse(text: string): Body {
  const body = text === '' ? {} : objectIn(text)
  if (!body) throw new Refusal(400, 'invalid_document_structure')
  return body
}

function help(origin: string): string {
  return writeHelp({
    provider: 'GoCardless',
    fields: { ...STAND_IN_ACCOUNT, stand_in_url: origin },
    values: [
      ['Permit', 'The debit is made, and confirmed.'],
      ['Permit, and the bank refuses days later', 'The debit is made, and fails for insufficient funds.'],
      ['Permit, and the bank sends the money back', 'The debit is confirmed, and fails after that.'],
      ['Cancel', 'The buyer has cancelled.'],
    ],
    controls: [
      ['/_stand-in/webhook', 'names the address for messages: {"url": "…"}.'],
      ['/_stand-in/requests/BRQ…/approve', 'decides as the buyer: approve, refuse, return or cancel.'],
      ['/_stand-in/finish', 'banks do what was decided, and refunds arrive.'],
      ['/_stand-in/payments/PM…/charge-back', 'or submit, confirm, fail, retry, cancel-chargeback.'],
      ['/_stand-in/refunds/RF…/bounced', 'a refund comes back.'],
      ['/_stand-in/payouts', 'pays out what was not paid out yet.'],
      ['/_stand-in/deliver', 'sends the messages that wait.'],
    ],
    documentation: 'https://developer.gocardless.com',
  })
}
