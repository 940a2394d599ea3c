import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { checkAccess, type Keys } from './access.ts'
import { endPending } from './approve.ts'
import { Books } from './books.ts'
import { PAGES } from './confirm.ts'
import { control } from './controls.ts'
import { Faults, faultError } from './faults.ts'
import { decodeForm } from './form.ts'
import { showHelp } from './help.ts'
import { IdempotencyKeys, type Kept } from './idempotency.ts'
import { expanded } from './lists.ts'
import type { Event } from './money-objects.ts'
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
    listen: async (port) => {
      const { server, origin } = await serve(fetch, port)
      if (options.origin === undefined) stage.origin = origin
      // What is not taken waits for the next event, or for the control.
      books.onEvent(() => setImmediate(() => stage.deliveries.deliver().catch(() => 0)))
      return { origin, close: () => new Promise((done) => server.close(() => done())) }
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
  const text = request.method === 'GET' ? search.slice(1) : await request.text()
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
  if (text !== '' && request.method === 'POST' && !type.startsWith('application/x-www-form-urlencoded')) {
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

async function serve(
  fetch: StandIn['fetch'],
  port: number,
): Promise<{ readonly server: Server; readonly origin: string }> {
  const server = createServer(async (incoming, outgoing) => {
    const response = await fetch(await toRequest(incoming)).catch(() => new Response(null, { status: 500 }))
    outgoing.writeHead(response.status, Object.fromEntries(response.headers))
    outgoing.end(await response.text())
  })
  await once(server.listen(port, '127.0.0.1'), 'listening')
  return { server, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

async function toRequest(incoming: IncomingMessage): Promise<Request> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  const { method = 'GET', headers, url = '/' } = incoming
  const given = Object.entries(headers).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] as [string, string]] : [],
  )
  const hasBody = method !== 'GET' && method !== 'HEAD'
  return new Request(new URL(url, PAGES), {
    method,
    headers: given,
    ...(hasBody && { body: Buffer.concat(chunks) }),
  })
}

async function overNetwork({ url, headers, body }: SignedMessage): Promise<number> {
  return (await fetch(url, { method: 'POST', headers, body, redirect: 'manual' })).status
}
