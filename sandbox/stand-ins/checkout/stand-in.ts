import { setImmediate } from 'node:timers/promises'
import { writeApproval, writeHelp, writeMessage } from '../page.ts'
import { html, listenOn, sendTo } from '../serve.ts'
import { act, finish, listActions } from './act.ts'
import { Books, isPayout, type Json, newId, type Payment, Refusal, type Reply } from './books.ts'
import { isObject, operationFor, problemsWith } from './contract.ts'
import { control } from './controls.ts'
import { authenticate, pay, show } from './pay.ts'
import { payOut, showPayout } from './payout.ts'
import { Reports } from './reports.ts'
import { ACCESS_KEY, VaultServices } from './vault-services.ts'
import { type Message, Workflows } from './workflows.ts'

/** Keys that nothing but the stand-in accepts. */
export const SECRET_KEY = 'sk_sbox_standinforcheckoutstandinaa'
export const RESTRICTED_KEY = 'sk_sbox_restrictedrestrictedrestric'

type Options = {
  readonly now: () => Date
  /** Whether captures, voids and refunds end by themselves. Else they wait for `/_stand-in/finish`. */
  readonly isAutomatic?: boolean
  readonly send?: (message: Message) => Promise<number>
}

export type StandIn = ReturnType<typeof createStandIn>

/** Checkout.com's API as far as its pages and libraries go, in memory. README.md has each rule and its source. */
export function createStandIn({
  now,
  isAutomatic = false,
  send = ({ url, ...message }) => sendTo(url, message),
}: Options) {
  const books = new Books(now)
  const workflows = new Workflows(books, send)
  const vault = new VaultServices(now)
  const reports = new Reports(books)
  const idempotency = new Idempotency(now)
  /** Requests and answers that are not as the contract says. */
  const violations: string[] = []

  async function handle(request: Request): Promise<Response> {
    const { pathname, origin } = new URL(request.url)
    if (pathname === '/') return html(showHelp(origin))
    if (pathname.startsWith('/3ds/')) return showPage(books, pathname.split('/')[2] ?? '', request)
    const text = request.method === 'GET' ? '' : await request.text()
    const reply = await answer(request, text).catch((error: unknown) => {
      if (!(error instanceof Refusal)) throw error
      const { status, codes } = error
      const body = { request_id: newId('req'), error_type: 'request_invalid', error_codes: codes }
      return { status, body: codes.length > 0 ? body : null }
    })
    const problems = problemsOf(request.method, pathname, reply)
    violations.push(...problems)
    if (isAutomatic && reply.status < 300) void setImmediate().then(() => finish(books))
    return toResponse(reply)
  }

  async function answer(request: Request, text: string): Promise<Reply> {
    const { pathname, origin, searchParams } = new URL(request.url)
    if (pathname === '/connect/token') return vault.giveToken(request, text)
    const body = parse(text)
    if (pathname.startsWith('/_stand-in/')) {
      return {
        status: 200,
        body: await control(books, { workflows, vault, reports }, pathname, isObject(body) ? body : {}),
      }
    }
    const operation = operationFor(request.method, pathname)
    if (!operation) throw new Refusal(404)
    if (vault.isTheirs(pathname)) vault.checkToken(request, pathname)
    else checkKey(request, pathname)
    if (operation.takes === 'nothing') return look(request, pathname, searchParams, origin)
    const problems = problemsWith(body, operation.takes)
    if (problems.length > 0) throw new Refusal(422, problems.map(codeOf))
    const key = request.headers.get('cko-idempotency-key')
    return idempotency.once(pathname.startsWith('/workflows') ? null : key, async () => {
      // Other requests come in meanwhile, among them twins.
      await setImmediate()
      const asked = body as Json
      if (vault.isTheirs(pathname)) return vault.serve(request.method, pathname, asked)
      const made = post(books, pathname, asked, { key, origin })
      return made ?? workflows.serve('POST', pathname, asked) ?? act(books, pathname, asked, key)
    })
  }

  function look(request: Request, pathname: string, query: URLSearchParams, origin: string): Reply {
    const { method, headers } = request
    const [, resource, id = '', part] = pathname.split('/')
    if (method === 'DELETE' && resource === 'instruments') {
      if (!books.stored.delete(id)) throw new Refusal(404)
      books.movements.push({
        kind: 'Delete',
        key: headers.get('cko-idempotency-key'),
        amount: 0,
        payment: null,
      })
      return { status: 204, body: null }
    }
    if (vault.isTheirs(pathname)) return vault.serve(method, pathname, {})
    if (resource === 'reports') return reports.serve(pathname, query, origin)
    const managed = workflows.serve(method, pathname, {})
    if (managed) return managed
    if (id === '') return { status: 200, body: list(books, query, origin) }
    const payment = books.find(id)
    return { status: 200, body: part === 'actions' ? listActions(payment) : shown(payment, origin) }
  }

  return {
    fetch: (url: string, init?: RequestInit) => handle(new Request(url, init)),
    books,
    workflows,
    vault,
    violations,
    /** Only this machine can reach it. */
    listen: (port: number) =>
      listenOn(port, handle, {
        onAnswered: () => void setImmediate().then(() => workflows.deliver()),
      }),
  }
}

/** Text is a file. */
function toResponse({ status, body }: Reply): Response {
  if (typeof body === 'string') return new Response(body, { headers: { 'content-type': 'text/csv' } })
  return body === null ? new Response(null, { status }) : Response.json(body, { status })
}

/** Answers are compared with the contract, too. */
function problemsOf(method: string, path: string, { status, body }: Reply): readonly string[] {
  const shape = operationFor(method, path)?.answers.get(String(status))
  if (path.startsWith('/_stand-in/') || shape === undefined || shape === 'nothing') return []
  return problemsWith(body, shape).map(({ place, what }) => `${method} ${path} ${status}: ${place} ${what}`)
}

/** As in `source_number_required`. */
function codeOf({ place, what }: { readonly place: string; readonly what: string }): string {
  return `${place.replace(/^source\./, '').replaceAll(/[^a-z0-9]+/gi, '_')}_${what}`
}

function checkKey(request: Request, path: string): void {
  const key = request.headers.get('authorization')?.replace(/^Bearer /, '')
  if (key === RESTRICTED_KEY && path !== '/payments') throw new Refusal(403)
  if (key === RESTRICTED_KEY && request.method === 'GET') throw new Refusal(403)
  if (key !== SECRET_KEY && key !== RESTRICTED_KEY) throw new Refusal(401)
}

function shown(payment: Payment, origin: string): Json {
  return isPayout(payment) ? showPayout(payment, origin) : show(payment, origin)
}

function list({ payments }: Books, query: URLSearchParams, origin: string): Json {
  const reference = query.get('reference')
  if (reference === null) throw new Refusal(422, ['reference_required'])
  const limit = Number(query.get('limit') ?? 10)
  const skip = Number(query.get('skip') ?? 0)
  const found = [...payments.values()].filter(({ request }) => request['reference'] === reference).reverse()
  const data = found.slice(skip, skip + limit).map((payment) => shown(payment, origin))
  return { limit, skip, total_count: found.length, data }
}

type Asked = { readonly key: string | null; readonly origin: string }

function post(books: Books, pathname: string, asked: Json, { key, origin }: Asked): Reply | null {
  if (pathname === '/payments/search') return { status: 200, body: search(books, asked, origin) }
  if (pathname !== '/payments') return null
  return asked['destination'] ? payOut(books, asked, key) : pay(books, asked, key, origin)
}

/** Payments of a time, the newest first. A query in words is not understood. */
function search({ payments, now }: Books, asked: Json, origin: string): Json {
  const limit = Number(asked['limit'] ?? 10)
  const [from = 0, to = now().getTime()] = ['from', 'to'].map((name) =>
    typeof asked[name] === 'string' ? Date.parse(asked[name]) : undefined,
  )
  const found = [...payments.values()]
    .filter(({ requestedOn }) => Date.parse(requestedOn) >= from && Date.parse(requestedOn) <= to)
    .reverse()
  const data = found.slice(0, limit).map((payment) => shown(payment, origin))
  return { limit, skip: 0, total_count: found.length, data }
}

/** The page of the buyer's bank. It works without script. */
async function showPage(books: Books, id: string, request: Request): Promise<Response> {
  const payment = books.payments.get(id)
  if (!payment) return html(writeMessage('Checkout.com', 'This payment is not known.'), 404)
  if (request.method !== 'POST') return html(pageFor(payment))
  const isApproved = new URLSearchParams(await request.text()).get('decision') === 'approve'
  authenticate(books, payment, isApproved)
  const back = payment.request[payment.approved ? 'success_url' : 'failure_url']
  if (typeof back !== 'string') return html(writeMessage('Checkout.com', 'You can go back to the shop.'))
  const location = new URL(back)
  location.searchParams.set('cko-session-id', newId('sid'))
  location.searchParams.set('cko-payment-id', id)
  return new Response(null, { status: 303, headers: { location: location.href } })
}

function pageFor({ id, amount, currency }: Payment): string {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency })
  const { maximumFractionDigits: digits = 2 } = format.resolvedOptions()
  return writeApproval({
    provider: 'Checkout.com',
    question: 'Approve this payment?',
    amount: `${(amount / 10 ** digits).toFixed(digits)} ${currency}`,
    form: `<form method="post" action="/3ds/${id}">
<button name="decision" value="approve">Approve</button>
<button name="decision" value="refuse">Refuse</button>
</form>`,
  })
}

function parse(text: string): unknown {
  try {
    return text === '' ? {} : JSON.parse(text)
  } catch {
    return null
  }
}

function showHelp(origin: string): string {
  return writeHelp({
    provider: 'Checkout.com',
    documentation: 'https://www.checkout.com/docs/testing/test-cards',
    fields: { secret_key: SECRET_KEY, stand_in_url: origin },
    values: [
      ['4242 4242 4242 4242', 'is approved. Any expiry date to come, any security code of three digits.'],
      ['4544 2491 6767 3670', 'is declined for want of money; 4024 0071 8186 9214 without a reason.'],
      ['4485 0403 7153 6584', '3-D Secure: the buyer is asked on a page. It gets no payouts.'],
      [
        ACCESS_KEY.client_id,
        `is the client_id of the account updater and of network tokens, ${ACCESS_KEY.client_secret} its client_secret.`,
      ],
      [
        '4111 1111 0001 1116',
        'has a new number; 4111 1111 0002 1115 a new date; 4111 1111 0003 1114 was closed.',
      ],
    ],
    controls: [
      ['/_stand-in/finish', 'ends captures, voids, refunds and payouts that are open.'],
      ['/_stand-in/next', 'decides what comes next: {"response_code": "20087"}.'],
      [
        '/_stand-in/payments/ID/approve',
        'lets the buyer approve; refuse, or expire: the buyer does not come back.',
      ],
      ['/_stand-in/payments/ID/return', 'sends a payout back.'],
      ['/_stand-in/payments/ID/dispute', 'opens a dispute; amount if you like.'],
      ['/_stand-in/disputes/ID/win', 'ends it; also cancel and lose.'],
      ['/_stand-in/settle', 'pays you out, and makes the report of it.'],
      ['/_stand-in/deliver', 'sends the webhooks that wait.'],
      ['/_stand-in/public-key', 'has new card numbers encrypted by it: {"public_key": "-----BEGIN …"}.'],
    ],
  })
}

/** Newer pages say 72 hours. The stand-in forgets earlier, so that nothing relies on more than 24. */
const KEPT_MS = 24 * 3_600_000

/**
 * The answer to a key is repeated, whatever comes with the key later, if it was a success. A twin that comes while the first is
 * under way gets 429. https://www.checkout.com/docs/developer-resources/api/idempotency
 */
class Idempotency {
  readonly #kept = new Map<string, { readonly at: number; readonly reply: Reply | null }>()
  readonly #now: () => Date

  constructor(now: () => Date) {
    this.#now = now
  }

  async once(key: string | null, work: () => Promise<Reply>): Promise<Reply> {
    if (key === null) return work()
    const at = this.#now().getTime()
    const kept = this.#kept.get(key)
    if (kept && at - kept.at < KEPT_MS) {
      if (kept.reply === null) throw new Refusal(429, ['duplicate_request'])
      return kept.reply
    }
    this.#kept.set(key, { at, reply: null })
    try {
      const reply = await work()
      this.#kept.set(key, { at, reply })
      return reply
    } catch (error) {
      this.#kept.delete(key)
      throw error
    }
  }
}
