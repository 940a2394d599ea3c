import { setImmediate } from 'node:timers/promises'
import { writeApproval, writeHelp, writeMessage } from '../page.ts'
import { html, listenOn, objectIn, sendTo } from '../serve.ts'
import {
  type Act,
  type Body,
  Books,
  type Message,
  type Payment,
  Refusal,
  type Reply,
  textOf,
} from './books.ts'
import { cancel, capture, decide, dispute, finish, pay, refund, release } from './pay.ts'
import { Settlements } from './settle.ts'
import { showAct, showChargebacks, showError, showList, showPayment } from './views.ts'

/** Reads settlements, which the key may not. */
export const ACCESS_TOKEN = 'access_standInForMollie'
/** A key that nothing but the stand-in accepts. */
export const TEST_KEY = 'test_standInForMollieStandInForMollie'

type Options = {
  readonly now: () => Date
  /** Whether captures and refunds end by themselves. Else they wait for `/_stand-in/finish`. */
  readonly isAutomatic?: boolean
  readonly send?: (message: Message) => Promise<number>
}

export type StandIn = ReturnType<typeof createStandIn>

const KEYS_LIVE_MS = 3_600_000

/** Mollie's Payments API (v2) by its published contract, in memory. README.md has the rules, with their sources. */
export function createStandIn({ now, isAutomatic = false, send = overNetwork }: Options) {
  const books = new Books(now)
  const keys = new Keys(now)
  const settlements = new Settlements(books)

  async function handle(request: Request): Promise<Response> {
    const { pathname, origin } = new URL(request.url)
    if (pathname === '/') return html(help(origin))
    if (pathname.startsWith('/checkout/')) return showCheckout(books, request)
    const reply = await answer(request).catch((error: unknown): Reply => {
      if (!(error instanceof Refusal)) throw error
      const { status, message, field } = error
      return { status, body: showError(status, message, field) }
    })
    if (isAutomatic && reply.status < 300 && request.method === 'POST') finish(books, true)
    const headers = { 'content-type': 'application/hal+json' }
    return reply.body === null
      ? new Response(null, { status: reply.status })
      : Response.json(reply.body, { status: reply.status, headers })
  }

  async function answer(request: Request): Promise<Reply> {
    const { pathname, origin, searchParams } = new URL(request.url)
    const asked = parse(request.method === 'GET' ? '' : await request.text())
    if (pathname.startsWith('/_stand-in/')) {
      if (pathname.endsWith('/deliver')) await deliver()
      if (pathname.endsWith('/settlements')) settlements.settle()
      return { status: 200, body: control(books, pathname, asked) }
    }
    const isReport = pathname.startsWith('/v2/settlements')
    if (request.headers.get('authorization') !== `Bearer ${isReport ? ACCESS_TOKEN : TEST_KEY}`)
      throw new Refusal(401, 'Missing authentication, or failed to authenticate')
    if (isReport) return { status: 200, body: settlements.serve(pathname, searchParams, origin) }
    const key = request.headers.get('idempotency-key')
    const serve = () =>
      route(books, `${request.method} ${pathname}`, { asked, key, origin, query: searchParams })
    return key === null || request.method === 'GET' ? serve() : keys.once(key, serve)
  }

  /** Sends what waits. What is not taken with a 2xx is sent again, later. */
  async function deliver(): Promise<void> {
    for (const message of books.waiting.splice(0)) {
      const status = await send(message).catch(() => 0)
      if (status < 200 || status > 299) books.waiting.push(message)
    }
  }

  return {
    books,
    fetch: (input: string | URL | Request, init?: RequestInit) => handle(new Request(input, init)),
    listen: (port: number) =>
      listenOn(port, handle, { onAnswered: () => void setImmediate().then(() => deliver()) }),
  }
}

/** Mollie remembers keys for an hour. */
class Keys {
  readonly #now: () => Date
  readonly #known = new Map<string, { readonly at: number; reply: Reply | null }>()

  constructor(now: () => Date) {
    this.#now = now
  }

  async once(key: string, serve: () => Reply): Promise<Reply> {
    const at = this.#now().getTime()
    const earlier = this.#known.get(key)
    if (earlier && at - earlier.at < KEYS_LIVE_MS) {
      if (earlier.reply === null) throw new Refusal(409, 'A request with the same key is under way')
      return earlier.reply
    }
    const entry = { at, reply: null as Reply | null }
    this.#known.set(key, entry)
    // Other requests come in meanwhile, among them twins.
    await setImmediate()
    try {
      entry.reply = serve()
      return entry.reply
    } catch (error) {
      this.#known.delete(key)
      throw error
    }
  }
}

type Asked = {
  readonly asked: Body
  readonly key: string | null
  readonly origin: string
  readonly query: URLSearchParams
}

function route(books: Books, what: string, { asked, key, origin, query }: Asked): Reply {
  const [method = '', path = ''] = what.split(' ')
  const [, version, resource, id, part, ...rest] = path.split('/')
  if (version !== 'v2' || resource !== 'payments' || rest.length > 0)
    throw new Refusal(404, 'The resource does not exist')
  const shown = (payment: Payment, status = 200): Reply => ({ status, body: showPayment(payment, origin) })
  if (id === undefined) {
    if (method === 'POST') return shown(pay(books, asked, key), 201)
    return { status: 200, body: list(books, origin, query) }
  }
  const payment = books.find(id)
  switch (`${method} ${part ?? ''}`) {
    case 'GET ':
      return shown(payment)
    case 'DELETE ':
      return shown(cancel(books, payment, key))
    case 'POST release-authorization':
      return release(books, payment, key)
    case 'POST captures':
      return { status: 201, body: showAct('capture', capture(books, payment, { asked, key }), payment) }
    case 'POST refunds':
      return { status: 201, body: showAct('refund', refund(books, payment, { asked, key }), payment) }
    case 'GET captures':
      return listed('capture', payment.captures, payment)
    case 'GET refunds':
      return listed('refund', payment.refunds, payment)
    case 'GET chargebacks':
      return { status: 200, body: showList('chargebacks', showChargebacks(payment)) }
    default:
      throw new Refusal(405, 'The method is not allowed')
  }
}

/** Newest first, from the payment that is named. */
function list(books: Books, origin: string, query: URLSearchParams): object {
  const all = [...books.payments.values()].toReversed()
  const from = query.get('from')
  const start = from === null ? 0 : all.indexOf(books.find(from))
  const limit = Number(query.get('limit') ?? 50)
  if (!Number.isInteger(limit) || limit < 1 || limit > 250)
    throw new Refusal(400, 'The limit is invalid', 'limit')
  const items = all.slice(start, start + limit).map((one) => showPayment(one, origin))
  const next = all[start + limit]
  return showList('payments', items, next ? `payments?from=${next.id}&limit=${limit}` : null)
}

function listed(resource: 'capture' | 'refund', acts: readonly Act[], payment: Payment): Reply {
  const items = acts.map((one) => showAct(resource, one, payment))
  return { status: 200, body: showList(`${resource}s`, items) }
}

async function showCheckout(books: Books, request: Request): Promise<Response> {
  const payment = books.payments.get(new URL(request.url).pathname.split('/')[2] ?? '')
  if (!payment) return html(writeMessage('Mollie', 'There is no such payment.'), 404)
  if (request.method === 'POST') {
    const form = new URLSearchParams(await request.text())
    decide(books, payment, String(form.get('decision')))
    return new Response(null, { status: 303, headers: { location: String(payment.asked['redirectUrl']) } })
  }
  if (payment.status !== 'open') return html(writeMessage('Mollie', `The payment is ${payment.status}.`))
  const amount = `${textOf(payment.sum)} ${payment.sum.currency}`
  return html(writeApproval({ provider: 'Mollie', question: 'Approve this payment?', amount, form: BUTTONS }))
}

/** What time, banks and people do at Mollie. Not part of its API. */
function control(books: Books, path: string, body: Body): object {
  const [, , what, id = '', step = ''] = path.split('/')
  if (what === 'finish') finish(books, body['success'] !== false)
  if (what === 'payments' && ['chargeback', 'reverse'].includes(step)) dispute(books, books.find(id), step)
  else if (what === 'payments') decide(books, books.find(id), step)
  if (what === 'take') return { messages: books.waiting.splice(0) }
  return { movements: books.movements, waiting: books.waiting.length }
}

const BUTTONS = `<form method="post">
<button name="decision" value="approve">Approve</button>
<button name="decision" value="fail">Fail</button>
<button name="decision" value="cancel">Cancel</button>
</form>`

function overNetwork({ url, body }: Message): Promise<number> {
  return sendTo(url, { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body })
}

function parse(text: string): Body {
  const body = text === '' ? {} : objectIn(text)
  if (!body) throw new Refusal(400, 'The body is no JSON')
  return body
}

function help(origin: string): string {
  return writeHelp({
    provider: 'Mollie',
    fields: { api_key: TEST_KEY, stand_in_url: origin, access_token: ACCESS_TOKEN },
    values: [
      ['Approve', 'The payment is paid. Klarna, asked to hold the money, is authorized.'],
      ['Fail', 'The payment fails for insufficient funds.'],
      ['Cancel', 'The buyer has cancelled.'],
    ],
    controls: [
      ['/_stand-in/finish', 'carries out captures and refunds; with {"success": false} they fail.'],
      ['/_stand-in/payments/ID/approve', 'decides as the buyer: approve, fail, cancel, expire or pend.'],
      ['/_stand-in/payments/ID/chargeback', 'takes the payment back; reverse gives it back.'],
      ['/_stand-in/settlements', 'pays out what was not settled yet.'],
      ['/_stand-in/deliver', 'sends the messages that wait.'],
    ],
    documentation: 'https://docs.mollie.com',
  })
}
