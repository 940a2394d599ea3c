import { writeHelp } from '../page.ts'
import type { Json } from './books.ts'
import { control } from './controls.ts'
import type { Asked, Desk } from './desk.ts'
import { acceptClaim, getDispute, listDisputes, provideEvidence } from './disputes.ts'
import { CERTIFICATE_PATH, EVENT_NAMES, viewWebhook } from './events.ts'
import type { SentFile } from './evidence.ts'
import type { Answer, Api, Idempotency } from './idempotency.ts'
import { completeOrder, createOrder, getOrder } from './orders.ts'
import { decide, type Page, showPage } from './pages.ts'
import {
  captureAuthorization,
  getAuthorization,
  getCapture,
  getRefund,
  reauthorize,
  refundCapture,
  voidAuthorization,
} from './payments.ts'
import { Problem, TokenProblem } from './problem.ts'
import { searchTransactions, showBalances } from './reporting.ts'
import type { AccessTokens } from './tokens.ts'
import {
  createPaymentToken,
  createSetupToken,
  deletePaymentToken,
  getPaymentToken,
  getSetupToken,
} from './vault.ts'

export type State = { readonly desk: Desk; readonly tokens: AccessTokens; readonly idempotency: Idempotency }

type Called = Asked & {
  readonly desk: Desk
  readonly id: string
  readonly query: URLSearchParams
  /** Of a form with files. Null: it was none. */
  readonly files: readonly SentFile[] | null
}
type Made = { readonly first: Answer; readonly later: () => Answer }
type Reading = { readonly read: (called: Called) => Answer }
type Writing = { readonly api: Api; readonly write: (called: Called) => Made }

/** Everything that a bearer token opens. `:id` is one part of the path. */
const ROUTES: readonly (readonly [string, string, Reading | Writing])[] = [
  ['POST', '/v2/checkout/orders', { api: 'orders', write: (c) => createOrder(c.desk, c) }],
  ['GET', '/v2/checkout/orders/:id', { read: (c) => getOrder(c.desk, c.clientId, c.id) }],
  [
    'POST',
    '/v2/checkout/orders/:id/authorize',
    { api: 'orders', write: (c) => completeOrder(c.desk, c, c.id, 'authorize') },
  ],
  [
    'POST',
    '/v2/checkout/orders/:id/capture',
    { api: 'orders', write: (c) => completeOrder(c.desk, c, c.id, 'capture') },
  ],
  ['GET', '/v2/payments/authorizations/:id', { read: (c) => getAuthorization(c.desk, c.clientId, c.id) }],
  [
    'POST',
    '/v2/payments/authorizations/:id/capture',
    { api: 'payments', write: (c) => captureAuthorization(c.desk, c, c.id) },
  ],
  [
    'POST',
    '/v2/payments/authorizations/:id/void',
    { api: 'payments', write: (c) => voidAuthorization(c.desk, c, c.id) },
  ],
  [
    'POST',
    '/v2/payments/authorizations/:id/reauthorize',
    { api: 'payments', write: (c) => reauthorize(c.desk, c, c.id) },
  ],
  ['GET', '/v2/payments/captures/:id', { read: (c) => getCapture(c.desk, c.clientId, c.id) }],
  [
    'POST',
    '/v2/payments/captures/:id/refund',
    { api: 'payments', write: (c) => refundCapture(c.desk, c, c.id) },
  ],
  ['GET', '/v2/payments/refunds/:id', { read: (c) => getRefund(c.desk, c.clientId, c.id) }],
  ['POST', '/v3/vault/setup-tokens', { api: 'vault', write: (c) => createSetupToken(c.desk, c) }],
  ['GET', '/v3/vault/setup-tokens/:id', { read: (c) => getSetupToken(c.desk, c.clientId, c.id) }],
  ['POST', '/v3/vault/payment-tokens', { api: 'vault', write: (c) => createPaymentToken(c.desk, c) }],
  ['GET', '/v3/vault/payment-tokens/:id', { read: (c) => getPaymentToken(c.desk, c.clientId, c.id) }],
  ['DELETE', '/v3/vault/payment-tokens/:id', { read: (c) => deletePaymentToken(c.desk, c, c.id) }],
  ['POST', '/v1/notifications/webhooks', { read: registerWebhook }],
  ['GET', '/v1/notifications/webhooks', { read: listWebhooks }],
  ['GET', '/v1/notifications/webhooks/:id', { read: showWebhook }],
  ['PATCH', '/v1/notifications/webhooks/:id', { read: changeWebhook }],
  ['GET', '/v1/notifications/webhooks-event-types', { read: listEventTypes }],
  ['DELETE', '/v1/notifications/webhooks/:id', { read: deleteWebhook }],
  ['GET', '/v1/customer/disputes', { read: (c) => listDisputes(c.desk, c.clientId, c.query) }],
  ['GET', '/v1/customer/disputes/:id', { read: (c) => getDispute(c.desk, c.clientId, c.id) }],
  ['POST', '/v1/customer/disputes/:id/accept-claim', { read: (c) => acceptClaim(c.desk, c, c.id) }],
  ['POST', '/v1/customer/disputes/:id/provide-evidence', { read: (c) => provideEvidence(c.desk, c, c.id) }],
  ['GET', '/v1/reporting/transactions', { read: (c) => searchTransactions(c.desk, c.clientId, c.query) }],
  ['GET', '/v1/reporting/balances', { read: (c) => showBalances(c.desk, c.clientId) }],
]

const PAGES: Readonly<Record<string, 'wallet' | 'card' | 'agreement'>> = {
  '/checkoutnow': 'wallet',
  '/webapps/helios': 'card',
  '/agreements/approve': 'agreement',
}

export async function answer(state: State, request: Request): Promise<Response> {
  const { pathname, searchParams } = new URL(request.url)
  try {
    if (pathname === CERTIFICATE_PATH) {
      return new Response(state.desk.events.certificate(), { headers: { 'content-type': 'text/plain' } })
    }
    if (pathname === '/' && request.method === 'GET') {
      const [client = { id: '', secret: '' }] = state.desk.books.clients
      return toResponse({ status: 200, html: showHelp(client, state.desk.url()) })
    }
    const page = PAGES[pathname]
    if (page) return toResponse(await answerPage(state.desk, page, request, searchParams))
    if (pathname === '/v1/oauth2/token' && request.method === 'POST') {
      const form = new URLSearchParams(await request.text())
      return Response.json(state.tokens.give(request.headers.get('authorization'), form))
    }
    if (pathname.startsWith('/_stand-in/')) {
      const body = request.method === 'POST' ? await bodyOf(request) : {}
      return json(control(state.desk, pathname.slice('/_stand-in/'.length), body))
    }
    return json(await answerApi(state, request, pathname, searchParams))
  } catch (error) {
    if (error instanceof Problem || error instanceof TokenProblem) return json(error)
    throw error
  }
}

async function answerApi(
  { desk, tokens, idempotency }: State,
  request: Request,
  pathname: string,
  query: URLSearchParams,
): Promise<Answer> {
  const clientId = tokens.check(request.headers.get('authorization'))
  const found = findRoute(request.method, pathname)
  if (!found) throw new Problem(404, 'INVALID_RESOURCE_ID')
  const key = request.headers.get('paypal-request-id')
  const { body, files } = await contentOf(request)
  const called = { desk, clientId, key, body, files, id: found.id, query }
  if ('read' in found.route) return found.route.read(called)
  const { api, write } = found.route
  requirePayments(desk, clientId)
  return idempotency.once({ api, clientId, path: pathname, key }, () => write(called))
}

function findRoute(method: string, pathname: string): { route: Reading | Writing; id: string } | null {
  const parts = pathname.split('/')
  for (const [verb, pattern, route] of ROUTES) {
    const wanted = pattern.split('/')
    const fits =
      wanted.length === parts.length && wanted.every((part, at) => part === ':id' || part === parts[at])
    if (verb === method && fits) return { route, id: parts[wanted.indexOf(':id')] ?? '' }
  }
  return null
}

function requirePayments({ books }: Desk, clientId: string): void {
  const client = books.clients.find(({ id }) => id === clientId)
  if (!client?.features.includes('payments')) throw new Problem(403, 'PERMISSION_DENIED')
}

/** A form with files has its JSON in `input`. */
async function contentOf(request: Request): Promise<Pick<Called, 'body' | 'files'>> {
  if (!request.headers.get('content-type')?.startsWith('multipart/form-data'))
    return { body: await bodyOf(request), files: null }
  const form = await request.formData().catch(() => null)
  const input = form?.get('input')
  const files = form?.getAll('evidence-file') ?? []
  const isRead = typeof input === 'string' && files.every((file) => typeof file !== 'string')
  if (!isRead) throw new Problem(400, 'MISSING_OR_INVALID_REQUEST_BODY')
  const sent = files.map((file) => (typeof file === 'string' ? [] : { name: file.name, bytes: file.size }))
  return { body: JSON.parse(input), files: sent.flat() }
}

async function bodyOf(request: Request): Promise<Json> {
  const text = await request.text()
  if (text === '') return {}
  try {
    const body: unknown = JSON.parse(text)
    // Changes come as a list.
    if (Array.isArray(body) && request.method === 'PATCH') return { changes: body }
    if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body as Json
  } catch {}
  throw new Problem(400, 'MALFORMED_REQUEST_JSON')
}

async function answerPage(
  desk: Desk,
  kind: 'wallet' | 'card' | 'agreement',
  request: Request,
  query: URLSearchParams,
): Promise<Page> {
  const id = query.get('token') ?? query.get('approval_session_id') ?? ''
  if (request.method !== 'POST') return showPage(desk, kind, id)
  const form = new URLSearchParams(await request.text())
  return decide(desk, kind, id, form.get('decision') ?? '')
}

function toResponse(page: Page): Response {
  if ('location' in page) return new Response(null, { status: 303, headers: { location: page.location } })
  return new Response(page.html, {
    status: page.status,
    headers: { 'content-type': 'text/html; charset=utf-8' },
  })
}

function json({ status, body }: Answer): Response {
  return body === null ? new Response(null, { status }) : Response.json(body, { status })
}

function registerWebhook({ desk, clientId, body }: Called): Answer {
  return { status: 201, body: viewWebhook(desk.url(), desk.events.register(clientId, body)) }
}

function listWebhooks({ desk, clientId }: Called): Answer {
  const mine = [...desk.events.webhooks.values()].filter((webhook) => webhook.clientId === clientId)
  return { status: 200, body: { webhooks: mine.map((webhook) => viewWebhook(desk.url(), webhook)) } }
}

function listEventTypes(): Answer {
  return { status: 200, body: { event_types: EVENT_NAMES.map((name) => ({ name })) } }
}

function showWebhook({ desk, clientId, id }: Called): Answer {
  const webhook = desk.events.webhooks.get(id)
  if (webhook?.clientId !== clientId) throw new Problem(404, 'INVALID_RESOURCE_ID')
  return { status: 200, body: viewWebhook(desk.url(), webhook) }
}

/** The events alone can change here. */
function changeWebhook(called: Called): Answer {
  showWebhook(called)
  const { events } = called.desk
  const webhook = events.webhooks.get(called.id)
  for (const { op, path, value } of (called.body['changes'] ?? []) as Json[]) {
    if (op !== 'replace' || path !== '/event_types' || !webhook)
      throw new Problem(400, 'INVALID_PARAMETER_VALUE')
    events.register(called.clientId, { url: webhook.url, event_types: value }, webhook.id)
  }
  return showWebhook(called)
}

function deleteWebhook(called: Called): Answer {
  showWebhook(called)
  called.desk.events.webhooks.delete(called.id)
  return { status: 204, body: null }
}

function showHelp(client: { readonly id: string; readonly secret: string }, origin: string): string {
  return writeHelp({
    provider: 'PayPal',
    documentation: 'https://developer.paypal.com/tools/sandbox/card-testing',
    fields: { client_id: client.id, client_secret: client.secret, stand_in_url: origin },
    values: [
      ['4868 7191 9682 9038', 'is approved. Any expiry date to come, a security code of three digits.'],
      ['holder CCREJECT-IF, CCREJECT-EC …', 'the holder’s name chooses the decline.'],
      ['a card that ends in 2370, 0015 or 1091', '3-D Secure: the buyer is asked on a page.'],
      ['method paypal', 'the buyer approves on a page, and chooses how it ends.'],
    ],
    controls: [
      ['/_stand-in/behave', 'the next ones wait: {"captures": "pending"}; also authorizations and refunds.'],
      ['/_stand-in/captures/ID', 'ends one that waits, or fails it afterwards: {"status": "FAILED"}.'],
      ['/_stand-in/authorizations/ID', 'the same for an authorization: {"status": "DENIED"}.'],
      ['/_stand-in/refunds/ID', 'the same for a refund: {"status": "FAILED"}.'],
    ],
  })
}
