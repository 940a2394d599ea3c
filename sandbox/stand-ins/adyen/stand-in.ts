import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { type Json, objectOf, textOf } from './check-request.ts'
import { control } from './controls.ts'
import { Deliveries } from './deliveries.ts'
import { Desk } from './desk.ts'
import { type Reply, ServiceError, toReply } from './errors.ts'
import { showHelp } from './help.ts'
import { Idempotency } from './idempotency.ts'
import { modify } from './modifications.ts'
import type { Account } from './notifications.ts'
import { html, showPage } from './pages.ts'
import { finishPayment, pay } from './payments.ts'
import { newPspReference } from './state.ts'
import { remove, store } from './tokens.ts'
import { manageWebhooks } from './webhooks.ts'

/** What a service enters to use the stand-in. The values are no secrets: nothing but the stand-in accepts them. */
const DEFAULT_ACCOUNT: Account = {
  apiKey: 'stand-in-api-key',
  restrictedApiKey: 'stand-in-restricted-key',
  merchantAccount: 'StandInShop',
  hmacKey: '44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056',
  reportUser: 'report@Company.StandInCompany',
  reportPassword: 'stand-in-report-password',
}

type Options = {
  readonly now: () => Date
  readonly account?: Partial<Account>
  readonly hasPartialCaptures?: boolean
  readonly isCapturedByHand?: boolean
  /** Whether modifications end by themselves. Else they wait for `/_stand-in/finish`. */
  readonly isAutomatic?: boolean
}

export type StandIn = {
  readonly account: Account
  readonly fetch: (url: string, init?: RequestInit) => Promise<Response>
  /** Only this machine can reach it. */
  readonly listen: (port: number) => Promise<{ readonly origin: string; readonly close: () => Promise<void> }>
}

/** Adyen's Checkout API as far as its pages go, in memory. README.md has each rule and its source. */
export function createStandIn({ now, ...options }: Options): StandIn {
  const account = { ...DEFAULT_ACCOUNT, ...options.account }
  const { hasPartialCaptures = true, isCapturedByHand = false } = options
  const desk = new Desk({ account, now, hasPartialCaptures, isCapturedByHand })
  const deliveries = new Deliveries(desk.state.outbox)
  desk.onNotice = () => deliveries.wake()
  const idempotency = new Idempotency(now)

  async function handle(request: Request): Promise<Response> {
    const { pathname, origin, searchParams } = new URL(request.url)
    const path = pathname.slice(1)
    if (path === '' && request.method === 'GET') return html(showHelp(account, origin))
    if (path.startsWith('shopper/')) return showPage(desk, path.slice('shopper/'.length), request)
    if (path.startsWith('reports/download/')) return download(desk, path, request)
    const isInAddress = request.method === 'GET' || request.method === 'DELETE'
    const body = isInAddress ? Object.fromEntries(searchParams) : await jsonOf(request)
    if (path.startsWith('v3/')) {
      const asked = { method: request.method, path: path.slice('v3/'.length), body: body ?? {} }
      const apiKey = request.headers.get('x-api-key')
      return toResponse(manageWebhooks(desk, deliveries, { ...asked, apiKey }))
    }
    if (path.startsWith('_stand-in/')) {
      const asked = { method: request.method, path: path.slice('_stand-in/'.length), body: body ?? {} }
      return toResponse(await control(desk, deliveries, asked))
    }
    const key = request.headers.get('idempotency-key')
    const reply = await answer(path, { request, body, key, origin })
    return toResponse(
      reply,
      key !== null && [200, 201, 422].includes(reply.status) ? { 'idempotency-key': key } : {},
    )
  }

  async function answer(
    path: string,
    {
      request,
      body,
      key,
      origin,
    }: { request: Request; body: Json | null; key: string | null; origin: string },
  ): Promise<Reply> {
    try {
      checkCaller(account, request, path)
      if (body === null) throw new ServiceError(400, '702', 'Unexpected input')
      // Only requests with POST have keys.
      return await idempotency.once(request.method === 'POST' ? key : null, async () => {
        // Other requests come in meanwhile, among them twins.
        await setImmediate()
        return serve(path, { method: request.method, body, key, origin })
      })
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      return toReply(error, newPspReference())
    }
  }

  /** An error of a request is an answer, too, and is kept under its key. */
  function serve(
    path: string,
    asked: { method: string; body: Json; key: string | null; origin: string },
  ): Reply {
    try {
      const { body } = asked
      if (
        textOf(body['merchantAccount']) !== account.merchantAccount &&
        !path.endsWith('/payments/details')
      ) {
        throw new ServiceError(403, '901', 'Invalid Merchant Account', 'security')
      }
      const reply = perform(desk, path.replace(/^(checkout\/)?v7[12]\//, ''), asked)
      if (options.isAutomatic) finishLast()
      return reply
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      return toReply(error, newPspReference())
    }
  }

  function finishLast(): void {
    for (const payment of desk.state.payments.values()) {
      for (const modification of payment.modifications) desk.finish(payment, modification)
    }
  }

  return {
    account,
    fetch: (url, init) => handle(new Request(url, init)),
    listen: (port) => listen(handle, port, () => deliveries.stop()),
  }
}

function perform(
  desk: Desk,
  operation: string,
  asked: {
    readonly method: string
    readonly body: Json
    readonly key: string | null
    readonly origin: string
  },
): Reply {
  const [, token] = /^storedPaymentMethods\/([^/]+)$/.exec(operation) ?? []
  if (token !== undefined && asked.method === 'DELETE') return remove(desk, token, asked)
  switch (operation) {
    case 'paymentMethods':
      return { status: 200, body: { paymentMethods: [{ name: 'Cards', type: 'scheme' }] } }
    case 'storedPaymentMethods':
      return store(desk, asked)
    case 'payments':
      return pay(desk, asked)
    case 'payments/details':
      return finishPayment(desk, asked)
    default:
      return modify(desk, operation, asked)
  }
}

/** 401 for a wrong key, 403 for one that may not do this. */
function checkCaller(account: Account, request: Request, path: string): void {
  const key = request.headers.get('x-api-key')
  const isDeletion = request.method === 'DELETE' && path.includes('/storedPaymentMethods/')
  if (!/^(checkout\/)?v7[12]\//.test(path) || (request.method !== 'POST' && !isDeletion)) {
    throw new ServiceError(404, '000', 'Not Found', 'internal')
  }
  if (key === account.restrictedApiKey) throw new ServiceError(403, '010', 'Not allowed', 'security')
  if (key !== account.apiKey)
    throw new ServiceError(401, '000', 'HTTP Status Response - Unauthorized', 'security')
}

/** A file of a report, for the report user alone. https://docs.adyen.com/reporting/automatically-get-reports */
function download({ state, account }: Desk, path: string, request: Request): Response {
  const proof = Buffer.from(`${account.reportUser}:${account.reportPassword}`).toString('base64')
  if (request.headers.get('authorization') !== `Basic ${proof}`)
    return new Response('Unauthorized', { status: 401 })
  const [, merchantAccount, name] = /^reports\/download\/MerchantAccount\/([^/]+)\/([^/]+)$/.exec(path) ?? []
  const file =
    merchantAccount === account.merchantAccount ? state.reports.find((one) => one.name === name) : null
  if (!file) return new Response('Not found', { status: 404 })
  const headers = { 'content-type': 'text/csv', 'last-modified': file.publishedAt.toUTCString() }
  return new Response(request.method === 'HEAD' ? null : file.text, { headers })
}

async function jsonOf(request: Request): Promise<Json | null> {
  try {
    const text = await request.text()
    const value: unknown = text === '' ? {} : JSON.parse(text)
    return typeof value === 'object' && value !== null ? objectOf(value) : null
  } catch {
    return null
  }
}

function toResponse({ status, body }: Reply, headers: Record<string, string> = {}): Response {
  if (status === 204) return new Response(null, { status, headers })
  return Response.json(body, { status, headers })
}

type Handle = (request: Request) => Promise<Response>

async function listen(handle: Handle, port: number, stop: () => void) {
  const server: Server = createServer((incoming, outgoing) => {
    void relay(handle, incoming, outgoing)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  const { port: own } = server.address() as AddressInfo
  const close = async () => {
    stop()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return { origin: `http://127.0.0.1:${own}`, close }
}

async function relay(handle: Handle, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  const hasBody = incoming.method !== 'GET' && incoming.method !== 'HEAD'
  const url = `http://${incoming.headers.host ?? '127.0.0.1'}${incoming.url ?? '/'}`
  const headers = Object.entries(incoming.headers).map(
    ([name, value]) => [name, String(value)] as [string, string],
  )
  try {
    const response = await handle(
      new Request(url, {
        method: incoming.method ?? 'GET',
        headers,
        ...(hasBody && { body: Buffer.concat(chunks) }),
      }),
    )
    outgoing.writeHead(response.status, Object.fromEntries(response.headers))
    outgoing.end(Buffer.from(await response.arrayBuffer()))
  } catch {
    outgoing.writeHead(500, { 'content-type': 'application/json' })
    outgoing.end('{"status":500,"errorCode":"000","errorType":"internal","message":"internal error"}')
  }
}
