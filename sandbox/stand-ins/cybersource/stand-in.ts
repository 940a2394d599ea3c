import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { writeHelp } from '../page.ts'
import { html, listenOn, objectIn } from '../serve.ts'
import type { Json } from './check-request.ts'
import { type Act, Payments, type Reply, refusal } from './payments.ts'

/** An account that everyone may use: there is nothing behind it. */
export const STAND_IN_ACCOUNT = {
  merchant_id: 'nobodys_shop',
  key_id: '08c94330-f618-42a3-b09d-e1e43be5efda',
  shared_secret: 'c3RhbmQtaW4tZm9yLWN5YmVyc291cmNlLW5vdGhpbmc=',
} as const

const PATHS: readonly (readonly [RegExp, Act])[] = [
  [/^\/pts\/v2\/payments$/, 'authorize'],
  [/^\/pts\/v2\/payments\/([^/]+)\/captures$/, 'capture'],
  [/^\/pts\/v2\/payments\/([^/]+)\/reversals$/, 'reversal'],
  [/^\/pts\/v2\/payments\/([^/]+)\/refunds$/, 'refund'],
  [/^\/pts\/v2\/captures\/([^/]+)\/refunds$/, 'refund'],
]
const TRANSACTION = /^\/tss\/v2\/transactions\/([^/]+)$/

export type StandIn = ReturnType<typeof createStandIn>
type Options = { readonly now: () => Date }

/** The REST API of CyberSource by its published contract: payments, and the search for them. README.md has the rules and their sources. */
export function createStandIn({ now }: Options) {
  const payments = new Payments(now)
  const asked: { readonly path: string; readonly body: Json }[] = []

  const answer = async (request: Request): Promise<Response> => {
    const url = new URL(request.url)
    const { pathname, origin } = url
    if (pathname === '/' && request.method === 'GET') return showHelp(origin)
    if (pathname === '/_stand-in/books') return Response.json({ asked, movements: payments.movements })
    if (pathname.startsWith('/_stand-in/')) return Response.json(control(payments, pathname))
    const text = await request.text()
    if (!isSigned(request, url, { text, now })) {
      return Response.json({ response: { rmsg: 'Authentication Failed' } }, { status: 401 })
    }
    const body = objectIn(text || '{}')
    if (!body) return Response.json(refusal('INVALID_DATA'), { status: 400 })
    const { status, body: told } = serve(`${request.method} ${pathname}`, body)
    return Response.json(told, { status })
  }

  const serve = (asking: string, body: Json): Reply => {
    const [method, path = ''] = asking.split(' ')
    if (asking === 'POST /tss/v2/searches') return payments.search(body)
    const [, shown] = TRANSACTION.exec(path) ?? []
    if (method === 'GET' && shown) return payments.show(shown)
    const [pattern, act] = PATHS.find(([one]) => method === 'POST' && one.test(path)) ?? []
    if (!pattern || !act) return { status: 404, body: refusal('NOT_FOUND') }
    asked.push({ path, body: masked(body) })
    return payments.serve(act, pattern.exec(path)?.[1] ?? null, body)
  }

  return {
    payments,
    asked,
    fetch: (input: string | URL | Request, init?: RequestInit) => answer(new Request(input, init)),
    listen: (port: number) => listenOn(port, answer),
  }
}

/** What time and other people do at CyberSource. Not part of its API. */
function control(payments: Payments, pathname: string): object {
  const [, , what, id = ''] = pathname.split('/')
  if (what === 'hide') payments.isHiding = true
  if (what === 'show') payments.reveal()
  if (what === 'time-out') payments.isTimingOut = true
  if (what === 'accept' || what === 'reject') payments.review(id, what)
  return {}
}

const TOLERANCE_MS = 15 * 60_000

type Sent = { readonly text: string; readonly now: () => Date }

/** HTTP signature with the shared secret, over the host, the date, the target, the digest of the body, and the merchant. */
function isSigned({ method, headers }: Request, url: URL, { text, now }: Sent): boolean {
  const { merchant_id, key_id, shared_secret } = STAND_IN_ACCOUNT
  const parameters = Object.fromEntries(
    [...(headers.get('signature') ?? '').matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [
      name,
      value,
    ]),
  ) as Record<string, string | undefined>
  const date = headers.get('v-c-date') ?? ''
  const isOld = !(Math.abs(Date.parse(date) - now().getTime()) < TOLERANCE_MS)
  const digest = `SHA-256=${createHash('sha256').update(text).digest('base64')}`
  const isRead = method === 'GET'
  const names = ['host', 'v-c-date', 'request-target', ...(isRead ? [] : ['digest']), 'v-c-merchant-id']
  const values: Readonly<Record<string, string>> = {
    host: url.host,
    'v-c-date': date,
    'request-target': `${method.toLowerCase()} ${url.pathname}${url.search}`,
    digest,
    // The key is one of a portfolio, too: it signs in its own name, whatever merchant it sends for.
    'v-c-merchant-id': merchant_id,
  }
  const isWhole =
    parameters['keyid'] === key_id &&
    parameters['algorithm'] === 'HmacSHA256' &&
    parameters['headers'] === names.join(' ') &&
    (headers.get('v-c-merchant-id') ?? '') !== '' &&
    (isRead || headers.get('digest') === digest)
  if (isOld || !isWhole) return false
  const expected = createHmac('sha256', Buffer.from(shared_secret, 'base64'))
    .update(names.map((name) => `${name}: ${values[name]}`).join('\n'))
    .digest()
  const given = Buffer.from(parameters['signature'] ?? '', 'base64')
  return given.length === expected.length && timingSafeEqual(given, expected)
}

const SECRETS: readonly string[] = [
  'number',
  'securityCode',
  'cryptogram',
  'cavv',
  'xid',
  'ucafAuthenticationData',
]

/** The books show no number of a card. */
function masked(body: Json): Json {
  return JSON.parse(JSON.stringify(body, (name, value: unknown) => (SECRETS.includes(name) ? '***' : value)))
}

function showHelp(origin: string): Response {
  return html(
    writeHelp({
      provider: 'CyberSource',
      service: 'payment service',
      fields: { ...STAND_IN_ACCOUNT, multiple_captures: 'true', stand_in_url: origin },
      values: [
        [
          'the last name INSUFFICIENT_FUND',
          'declines the payment for that reason; so does any other reason.',
        ],
        ['AVS_FAILED, CV_FAILED', 'approves the payment at the issuer, and stops it.'],
        ['DECISION_PROFILE_REVIEW', 'holds it for a person; DECISION_PROFILE_REJECT stops it.'],
        ['PARTIAL', 'approves half of it, if a part is allowed.'],
        ['the code 999', 'does not match, and neither does the postcode 00000.'],
      ],
      controls: [
        ['/_stand-in/hide', 'hides new requests from the search, until /_stand-in/show.'],
        ['/_stand-in/time-out', 'lets the processor not answer the next payment.'],
        ['/_stand-in/accept/ID', 'accepts a payment in review; reject gives its money back.'],
      ],
      documentation: 'https://developer.cybersource.com/api-reference-assets/index.html',
    }),
  )
}
