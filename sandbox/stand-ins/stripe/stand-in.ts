import { randomBytes } from 'node:crypto'
import { writeHelp } from '../page.ts'
import { listenOn } from '../serve.ts'
import { endPending } from './approve.ts'
import { Books } from './books.ts'
import { PAGES } from './confirm.ts'
import { control, Faults, faultError } from './controls.ts'
import { decodeForm } from './form.ts'
import { expanded } from './lists.ts'
import type { Event, StoredFile } from './money-objects.ts'
import { showPage } from './pages.ts'
import type { Params } from './params.ts'
import { ROUTES, type Route } from './routes.ts'
import { invalid, missing, StripeError } from './stripe-error.ts'
import { Deliveries, type SignedMessage } from './webhooks.ts'

export type Options = {
  readonly now: () => Date
  readonly keys?: Keys
  /** An endpoint that exists from the start, as one made in Stripe's dashboard. */
  readonly webhook?: { readonly url: string; readonly secret: string }
  /** How messages to endpoints leave. Without it: over the network. */
  readonly send?: (message: SignedMessage) => Promise<number>
  /** Where buyers find its pages, if that is not the address it listens at. */
  readonly origin?: string
}

export type StandIn = {
  readonly fetch: (input: string | Request, init?: RequestInit) => Promise<Response>
  /** Answers with the address. Port 0: any free one. */
  readonly listen: (port: number) => Promise<{ readonly origin: string; readonly close: () => Promise<void> }>
  /** How often a request with this idempotency key moved, reserved or released money. */
  readonly effectsOf: (key: string) => number
  readonly events: readonly Event[]
  /** What arrived as a file. */
  readonly fileOf: (id: string) => StoredFile | undefined
}

export const TEST_KEY = 'sk_test_stand_in'

/** Stands in for Stripe's API. README.md lists the rules that it follows, with their sources. */
export function createStandIn(options: Options): StandIn {
  const books = new Books(options.now)
  const stage = {
    books,
    keys: options.keys ?? { [TEST_KEY]: 'all' },
    idempotency: new IdempotencyKeys(),
    faults: new Faults(),
    deliveries: new Deliveries(books, options.send ?? overNetwork),
    origin: options.origin ?? PAGES,
  }
  if (options.webhook) {
    books.endpoints.set('we_first', {
      id: 'we_first',
      events: ['*'],
      created: books.seconds(),
      ...options.webhook,
    })
  }
  const fetch: StandIn['fetch'] = (input, init) => answer(stage, new Request(input, init))
  return {
    fetch,
    effectsOf: (key) => books.effectsOf(key),
    events: books.events,
    fileOf: (id) => books.files.get(id),
    listen: async (port) => {
      const { origin, close } = await listenOn(port, fetch)
      if (options.origin === undefined) stage.origin = origin
      // What is not taken waits for the next event, or for the control.
      books.onEvent(() => setImmediate(() => stage.deliveries.deliver().catch(() => 0)))
      return { origin, close }
    },
  }
}

type Stage = {
  readonly books: Books
  readonly keys: Keys
  readonly idempotency: IdempotencyKeys
  readonly faults: Faults
  readonly deliveries: Deliveries
  origin: string
}

async function answer(stage: Stage, request: Request): Promise<Response> {
  const { pathname, search } = new URL(request.url)
  const text = request.method === 'GET' ? search.slice(1) : await textOf(request)
  endPending(stage.books, stage.books.now())
  try {
    if (pathname.startsWith('/_stand-in/')) {
      return Response.json(await control(stage, pathname, text === '' ? {} : JSON.parse(text)))
    }
    if (pathname === '/' && request.method === 'GET') {
      const [key = TEST_KEY] = Object.keys(stage.keys)
      const headers = { 'content-type': 'text/html; charset=utf-8' }
      return new Response(showHelp(key, stage.origin), { headers })
    }
    if (!pathname.startsWith('/v1/')) {
      const page = showPage(
        stage.books,
        pathname,
        request.method === 'POST' ? new URLSearchParams(text) : null,
      )
      const headers = {
        'content-type': 'text/html; charset=utf-8',
        ...(page.location && { location: page.location }),
      }
      return new Response(page.html ?? null, { status: page.status, headers })
    }
    return await answerApi(stage, request, { pathname, text })
  } catch (error) {
    if (!(error instanceof StripeError)) throw error
    return toResponse(stage, keptError(error), {})
  }
}

/** Parts with a file, as the form that they stand for. */
async function textOf(request: Request): Promise<string> {
  if (!isMultipart(request)) return request.text()
  const form = new URLSearchParams()
  for (const [name, value] of await request.formData()) {
    if (typeof value === 'string') {
      form.append(name, value)
      continue
    }
    form.append(`${name}[name]`, value.name)
    form.append(`${name}[content]`, Buffer.from(await value.arrayBuffer()).toString('base64'))
  }
  return form.toString()
}

/** Stripe takes parts for files alone. Source: https://docs.stripe.com/api/files/create */
function isMultipart({ url, headers }: Request): boolean {
  const isParts = headers.get('content-type')?.startsWith('multipart/form-data') === true
  return isParts && new URL(url).pathname === '/v1/files'
}

async function answerApi(
  stage: Stage,
  request: Request,
  { pathname, text }: { readonly pathname: string; readonly text: string },
): Promise<Response> {
  const endpoint = `${request.method} ${pathname}`
  const route = ROUTES.find(({ method, path }) => method === request.method && path.test(pathname))
  const resource = route?.resource ?? ''
  checkAccess(stage.keys, request.headers.get('authorization'), {
    resource,
    isWrite: request.method !== 'GET',
  })
  if (!route) throw missing('endpoint', endpoint, 'path')
  const type = request.headers.get('content-type') ?? ''
  const isForm = type.startsWith('application/x-www-form-urlencoded') || isMultipart(request)
  if (text !== '' && request.method === 'POST' && !isForm) {
    throw invalid('parameter_invalid_empty', 'The content type must be application/x-www-form-urlencoded.')
  }
  const params = decodeForm(text)
  const key = request.method === 'POST' ? request.headers.get('idempotency-key') : null
  if (key === null) return toResponse(stage, carryOut(stage, route, { pathname, params, key }), {})
  const kept = stage.idempotency.begin(key, { endpoint, params: JSON.stringify(params) }, stage.books.now())
  if (kept) return toResponse(stage, kept, { 'idempotent-replayed': 'true', 'idempotency-key': key })
  // Work takes time at a provider: twins that arrive now meet a request in progress.
  await new Promise((done) => setImmediate(done))
  return toResponse(stage, carryOutOnce(stage, route, { pathname, params, key }), { 'idempotency-key': key })
}

type Work = { readonly pathname: string; readonly params: Params; readonly key: string | null }

/** Keeps the answer for the key, unless the request was refused before it began. */
function carryOutOnce(stage: Stage, route: Route, work: Work & { readonly key: string }): Kept {
  try {
    const answer = carryOut(stage, route, work)
    stage.idempotency.keep(work.key, answer)
    return answer
  } catch (error) {
    if (!(error instanceof StripeError)) throw error
    if (error.isValidation) stage.idempotency.forget(work.key)
    else stage.idempotency.keep(work.key, keptError(error))
    throw error
  }
}

function carryOut({ books, faults }: Stage, route: Route, { pathname, params, key }: Work): Kept {
  const fault = faults.take(`${route.method} ${pathname}`)
  if (fault && fault !== 'error_after') throw faultError(fault)
  const [, id = ''] = route.path.exec(pathname) ?? []
  const object = expanded(books, route.run(books, { id, params, key }), params)
  if (fault) throw faultError(fault)
  return { status: 200, text: JSON.stringify(object) }
}

function keptError({ status, body }: StripeError): Kept {
  return { status, text: JSON.stringify({ error: body }) }
}

function toResponse({ origin }: Stage, { status, text }: Kept, headers: Record<string, string>): Response {
  return new Response(text.replaceAll(PAGES, origin), {
    status,
    headers: {
      'content-type': 'application/json',
      'request-id': `req_${randomBytes(7).toString('hex')}`,
      ...headers,
    },
  })
}

async function overNetwork({ url, headers, body }: SignedMessage): Promise<number> {
  return (await fetch(url, { method: 'POST', headers, body, redirect: 'manual' })).status
}

/** `all`, or the resources of a restricted key, each with what it may do. */
type Access = 'all' | 'expired' | Readonly<Record<string, 'read' | 'write'>>

type Keys = Readonly<Record<string, Access>>

/** Sources: https://docs.stripe.com/keys and https://docs.stripe.com/api/errors */
function checkAccess(
  keys: Keys,
  authorization: string | null,
  needed: { readonly resource: string; readonly isWrite: boolean },
): string {
  const key = authorization?.replace(/^Bearer /, '') ?? ''
  const access = keys[key]
  const shown = `${key.slice(0, 8)}****`
  if (access === undefined) throw denied(401, undefined, `Invalid API Key provided: ${shown}`)
  if (access === 'expired') throw denied(401, 'api_key_expired', `Expired API Key provided: ${shown}`)
  if (access === 'all') return key
  const granted = access[needed.resource]
  if (granted === 'write' || (granted === 'read' && !needed.isWrite)) return key
  const level = needed.isWrite ? 'write' : 'read'
  throw denied(
    403,
    undefined,
    `The provided key '${shown}' does not have the required permissions for this endpoint. Having the '${needed.resource}_${level}' permission would allow this request to continue.`,
  )
}

function denied(status: number, code: string | undefined, message: string): StripeError {
  const body = { type: 'invalid_request_error', message, ...(code !== undefined && { code }) } as const
  return new StripeError(status, body, { isValidation: true })
}

function showHelp(secretKey: string, origin: string): string {
  return writeHelp({
    provider: 'Stripe',
    documentation: 'https://docs.stripe.com/testing',
    fields: { secret_key: secretKey, stand_in_url: origin },
    values: [
      ['4242 4242 4242 4242', 'is approved. Any expiry date to come, any security code.'],
      ['4000 0000 0000 0002', 'is declined; …9995 for want of money, …0069 as expired, …0127 for its code.'],
      ['4000 0027 6000 3184', '3-D Secure: the buyer is asked on a page.'],
      ['4000 0000 0000 0259', 'is paid, and disputed at once.'],
      ['4000 0000 0000 5126', 'is paid; its refund succeeds, and fails at finish.'],
      ['SM11AA', 'the code that verifies a bank account (ACH).'],
    ],
    controls: [
      ['/_stand-in/finish', 'ends all debits and refunds that are open.'],
      ['/_stand-in/finish/INTENT', 'lets the buyer approve, or fail with {"outcome": "failed"}.'],
      ['/_stand-in/refunds/REFUND/fail', 'a refund turns out to have failed.'],
      ['/_stand-in/payment_intents/INTENT/dispute', 'opens a dispute.'],
      ['/_stand-in/payment_intents/INTENT/expire', 'gives up a hold.'],
      ['/_stand-in/disputes/DISPUTE/close', 'ends it: {"outcome": "won"} or "lost".'],
      ['/_stand-in/payouts', 'pays out all balances, which makes a report.'],
      [
        '/_stand-in/faults',
        'trouble for the next request: {"endpoint": "POST /v1/refunds", "fault": "error"}.',
      ],
    ],
  })
}

type Kept = { readonly status: number; readonly text: string }

type Entry = {
  readonly endpoint: string
  readonly params: string
  readonly createdAt: number
  answer: Kept | null
}

/** "At least 24 hours": a client may not rely on a minute more. */
const KEPT_FOR_MS = 24 * 60 * 60 * 1_000

/**
 * The rules of Stripe for `Idempotency-Key`. The first answer comes again, also a 500. Other parameters or another
 * endpoint are refused. A twin that arrives while the first one runs gets 409. Validation failures are not kept.
 * Sources: https://docs.stripe.com/api/idempotent_requests and https://docs.stripe.com/error-low-level
 */
class IdempotencyKeys {
  readonly #entries = new Map<string, Entry>()

  /** The kept answer, or null if the caller is to carry out the request and then call `keep` or `forget`. */
  begin(key: string, request: Pick<Entry, 'endpoint' | 'params'>, now: Date): Kept | null {
    if (key.length > 255) {
      throw idempotencyError(400, 'Idempotency keys can have 255 characters at most.')
    }
    const entry = this.#entries.get(key)
    if (!entry || now.getTime() - entry.createdAt >= KEPT_FOR_MS) {
      this.#entries.set(key, { ...request, createdAt: now.getTime(), answer: null })
      return null
    }
    if (entry.endpoint !== request.endpoint) {
      throw idempotencyError(400, `This key was first used for ${entry.endpoint}. Use another key.`)
    }
    if (entry.params !== request.params) {
      throw idempotencyError(400, 'This key was first used with other parameters. Use another key.')
    }
    if (!entry.answer) {
      throw idempotencyError(409, 'Another request with this key is in progress.', 'idempotency_key_in_use')
    }
    return entry.answer
  }

  keep(key: string, answer: Kept): void {
    const entry = this.#entries.get(key)
    if (entry) entry.answer = answer
  }

  forget(key: string): void {
    this.#entries.delete(key)
  }
}

function idempotencyError(status: number, message: string, code?: string): StripeError {
  const body = { type: 'idempotency_error', message, ...(code !== undefined && { code }) } as const
  return new StripeError(status, body, { isValidation: true })
}
