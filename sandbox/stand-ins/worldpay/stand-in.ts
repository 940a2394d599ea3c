import { setImmediate } from 'node:timers/promises'
import { writeHelp } from '../page.ts'
import { listenOn } from '../serve.ts'
import { type Body, errorsIn, valueAt } from './check-request.ts'
import { CARDS, jwt, openIssuers, page, showDevice } from './issuers.ts'
import { failure, type Message, Payments, type Reply } from './payments.ts'
import { notEnabled, Payouts } from './payouts.ts'
import { Tokens } from './tokens.ts'

/** An account that everyone may use: there is nothing behind it. */
export const STAND_IN_ACCOUNT = {
  username: 'stand-in-user',
  password: 'stand-in-password',
  entity: 'default',
} as const
export const WEBHOOK_SECRET = 'secret-of-the-stand-in'

const MEDIA = 'application/vnd.worldpay.verifications.customers-v3.hal+json'
const PAYMENTS_MEDIA = 'application/vnd.worldpay.payments-v7+json'
const PAYOUTS_MEDIA = 'application/vnd.worldpay.payouts-v4+json'
const TOKENS_MEDIA = 'application/vnd.worldpay.tokens-v3.hal+json'
const QUERIES_MEDIA = 'application/vnd.worldpay.payment-queries-v1.hal+json'
const OPERATION = /^\/verifications\/customers\/3ds\/(deviceDataInitialization|authentication|verification)$/
const PAY = /^\/cardPayments\/((?:customer|merchant)InitiatedTransactions)$/
const ACTS = {
  settlement: /^\/payments\/settlements\/partials\/(.+)$/,
  refund: /^\/payments\/settlements\/refunds\/partials\/(.+)$/,
  cancellation: /^\/payments\/authorizations\/cancellations\/(.+)$/,
} as const
const TOKEN = /^\/tokens\/network\/(?!cryptograms$)([^/]+)$/
const QUERY = /^\/paymentQueries\/payments(?:\/([^/]+))?$/
/** A firewall that reads requests finds these in them. */
const SUSPICIOUS = /<script|union select|\.\.\/\.\.\//i

type Options = {
  readonly now: () => Date
  /** Whether captures, refunds and cancellations end by themselves. Else they wait for `/_stand-in/finish`. */
  readonly isAutomatic?: boolean
  readonly send?: (message: Message) => Promise<number>
}

/**
 * APIs of Access Worldpay by their published contract: 3DS (v3), with the pages that the buyer's browser sees, Card Payments (v7),
 * Payment Queries (v1), Events (v1), Card Payouts (v4) and network tokens of Tokens (v3). README.md has the rules, with their sources.
 */
export function createStandIn({ now, isAutomatic = false, send = overNetwork }: Options) {
  const issuers = openIssuers({ now })
  const payments = new Payments(now, send)
  const payouts = new Payouts(payments, now)
  const tokens = new Tokens()
  const asked: { readonly operation: string; readonly body: Body }[] = []

  const answer = async (request: Request): Promise<Response> => {
    const { pathname, origin } = new URL(request.url)
    if (pathname === '/' && request.method === 'GET') return showHelp(origin)
    if (pathname === '/_stand-in/books')
      return Response.json({
        asked: asked.map(({ operation, body }) => masked(operation, body)),
        movements: payments.movements,
      })
    if (pathname.startsWith('/_stand-in/'))
      return Response.json(await control({ payments, payouts }, pathname, parse(await request.text()) ?? {}))
    if (pathname === '/ddc') return showDevice(await formOf(request))
    if (pathname === '/challenge') return issuers.showChallenge(await formOf(request))
    if (pathname === '/decide') return issuers.decide(await formOf(request))
    const looked = lookUp({ payments, payouts, tokens }, request)
    if (looked) return looked
    const found = operationOf(pathname)
    if (!found) return toResponse(failure(404, 'resourceNotFound'), MEDIA)
    const { operation, media } = found
    const refusal = refuse(request, { method: 'POST', media })
    if (refusal) return toResponse(refusal, media)
    const text = await request.text()
    // It is before the API, and answers with a page.
    if (SUSPICIOUS.test(text)) return page('<p>Access Denied</p>', 403)
    const body = parse(text)
    if (!body) return toResponse(failure(400, 'bodyIsNotJson'), media)
    const validationErrors = errorsIn(operation, body)
    if (validationErrors.length > 0)
      return toResponse(failure(400, 'bodyDoesNotMatchSchema', { validationErrors }), media)
    const reply = serve({ ...found, body, origin })
    if (isAutomatic && reply.status === 202) payments.finish()
    return toResponse(reply, media)
  }

  const serve = ({
    operation,
    media,
    linkData,
    body,
    origin,
  }: Found & { readonly body: Body; readonly origin: string }): Reply => {
    if (linkData !== null) return payments.act(operation as keyof typeof ACTS, linkData, body)
    if (operation === 'cryptogram') return tokens.prove(body)
    if (valueAt(body, 'merchant.entity') !== STAND_IN_ACCOUNT.entity) return wrongEntity(media)
    asked.push({ operation, body })
    if (media === PAYMENTS_MEDIA) return payments.pay(body)
    if (media === PAYOUTS_MEDIA) return payouts.pay(body)
    if (media === TOKENS_MEDIA) return tokens.provision(body)
    const { transactionReference } = body
    return {
      status: 200,
      body: { outcome: 'initialized', transactionReference, ...tell(operation, body, origin) },
    }
  }

  const tell = (operation: string, body: Body, origin: string): object => {
    if (operation === 'deviceDataInitialization')
      return { deviceDataCollection: { jwt: jwt(), url: `${origin}/ddc` } }
    return operation === 'authentication' ? issuers.authenticate(body, origin) : issuers.verify(body)
  }

  return {
    asked,
    payments,
    tokens,
    challenges: issuers.challenges as ReadonlyMap<string, object>,
    /** What the pages do, without a browser. */
    decide: (reference: string, decision: 'approve' | 'refuse') => {
      issuers.decide(new URLSearchParams({ reference, decision }))
      return { TransactionId: reference, Response: '', MD: '' }
    },
    fetch: (input: string | URL | Request, init?: RequestInit) => answer(new Request(input, init)),
    listen: (port: number) =>
      listenOn(port, answer, { onAnswered: () => void setImmediate().then(() => payments.deliver()) }),
  }
}

type Books = { readonly payments: Payments; readonly payouts: Payouts; readonly tokens: Tokens }

/** What is asked about by its address alone. */
function lookUp({ payments, payouts, tokens }: Books, request: Request): Response | null {
  const { pathname, searchParams } = new URL(request.url)
  const answer = (media: string, serve: () => Reply | null, method = 'GET'): Response => {
    const reply = refuse(request, { method, media }) ?? serve()
    return reply ? toResponse(reply, media) : new Response(null, { status: 204 })
  }
  const [, queried] = QUERY.exec(pathname) ?? []
  if (queried) return answer(QUERIES_MEDIA, () => payments.show(queried))
  if (QUERY.test(pathname))
    return answer(QUERIES_MEDIA, () => payments.list(searchParams.get('transactionReference')))
  if (pathname === '/payouts/query')
    return answer(PAYOUTS_MEDIA, () => payouts.find(searchParams, STAND_IN_ACCOUNT.entity))
  const [, token] = TOKEN.exec(pathname) ?? []
  if (!token) return null
  return request.method === 'DELETE'
    ? answer(TOKENS_MEDIA, () => tokens.remove(token), 'DELETE')
    : answer(TOKENS_MEDIA, () => tokens.show(token))
}

/** What time and other people do at Worldpay. Not part of its APIs. */
async function control(
  { payments, payouts }: { readonly payments: Payments; readonly payouts: Payouts },
  pathname: string,
  body: Body,
): Promise<object> {
  const [, , what, id = ''] = pathname.split('/')
  if (what === 'webhook') payments.webhook = { url: String(body['url']), secret: WEBHOOK_SECRET }
  if (what === 'finish') payouts.finish(payments.finish())
  if (what === 'fail') payments.fail()
  if (what === 'return-refund') payments.returnRefund(id)
  return what === 'deliver' ? { waiting: await payments.deliver() } : {}
}

type Found = { readonly operation: string; readonly media: string; readonly linkData: string | null }

function operationOf(pathname: string): Found | null {
  const [, authentication] = OPERATION.exec(pathname) ?? []
  if (authentication) return { operation: authentication, media: MEDIA, linkData: null }
  const [, payment] = PAY.exec(pathname) ?? []
  if (payment) return { operation: payment, media: PAYMENTS_MEDIA, linkData: null }
  if (pathname === '/payouts/fastAccess') {
    return { operation: 'fastAccess', media: PAYOUTS_MEDIA, linkData: null }
  }
  if (pathname === '/tokens/network')
    return { operation: 'networkToken', media: TOKENS_MEDIA, linkData: null }
  if (pathname === '/tokens/network/cryptograms')
    return { operation: 'cryptogram', media: TOKENS_MEDIA, linkData: null }
  for (const [operation, path] of Object.entries(ACTS)) {
    const [, linkData] = path.exec(pathname) ?? []
    if (linkData) return { operation, media: PAYMENTS_MEDIA, linkData }
  }
  return null
}

function refuse(
  request: Request,
  { method, media }: { readonly method: string; readonly media: string },
): Reply | null {
  const { username, password } = STAND_IN_ACCOUNT
  const expected = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
  if (request.headers.get('authorization') !== expected) return failure(401, 'accessDenied')
  if (request.method !== method) return failure(405, 'methodNotAllowed', { allowedMethods: [method] })
  const needed = method === 'POST' ? ['content-type', 'accept'] : ['accept']
  const wrong = needed.find((name) => request.headers.get(name) !== media)
  return wrong ? failure(400, 'headerHasInvalidValue', { headerName: wrong }) : null
}

function wrongEntity(media: string): Reply {
  if (media === PAYMENTS_MEDIA) return failure(400, 'entityIsNotConfigured')
  if (media === PAYOUTS_MEDIA) return notEnabled()
  if (media === TOKENS_MEDIA) return failure(403, 'accessDenied')
  const jsonPath = '$.merchant.entity'
  const validationErrors = [{ errorName: 'fieldHasInvalidValue', jsonPath, message: 'Unknown entity' }]
  return failure(400, 'bodyDoesNotMatchSchema', { validationErrors })
}

function toResponse({ status, body }: Reply, media: string): Response {
  return Response.json(body, { status, headers: { 'content-type': media } })
}

async function overNetwork({ url, headers, body }: Message): Promise<number> {
  const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual' })
  await response.arrayBuffer()
  return response.status
}

async function formOf(request: Request): Promise<URLSearchParams> {
  return new URLSearchParams(await request.text())
}

function parse(text: string): Body | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Body) : undefined
  } catch {
    return undefined
  }
}

const SECRETS: readonly string[] = ['cardNumber', 'tokenNumber', 'cvc', 'cryptogram']

/** The books show no number of a card. */
function masked(operation: string, body: Body): unknown {
  const text = JSON.stringify({ operation, body }, (name, value: unknown) =>
    SECRETS.includes(name) ? '***' : value,
  )
  return JSON.parse(text)
}

function showHelp(origin: string): Response {
  return page(
    writeHelp({
      provider: 'Worldpay',
      service: '3-D Secure service, payment service, or network token service',
      fields: {
        ...STAND_IN_ACCOUNT,
        stand_in_url: origin,
        narrative: 'My shop',
        webhook_secret: WEBHOOK_SECRET,
      },
      values: [
        ...Object.entries(CARDS).map(([number, says]) => [number, `3-D Secure: ${says}`] as const),
        ['any other card', '3-D Secure: authenticated'],
        ['the name REFUSED51', 'refuses the payment with the code 51; any other number, too.'],
        [
          'of payouts, the names',
          'REFUSED51 (refused), PENDING and REVIEW (open until they are finished), STANDARD (the slower way), ERROR, UNSURE.',
        ],
        ['the code 999', 'does not match, and neither does the postcode 00000.'],
      ],
      controls: [
        ['/_stand-in/webhook', 'says where messages go: {"url": "…"}.'],
        [
          '/_stand-in/finish',
          'ends captures, refunds, cancellations and payouts that are open; after /_stand-in/fail they fail.',
        ],
        ['/_stand-in/return-refund/REFERENCE', 'sends a refund back.'],
        ['/_stand-in/deliver', 'sends the messages that wait.'],
      ],
      documentation: 'https://docs.worldpay.com/access/products',
    }),
  )
}
