import { createHmac } from 'node:crypto'
import { writeHelp } from '../page.ts'
import { html, listenOn, objectIn, sendTo } from '../serve.ts'

/** A team that everyone may use: there is nothing behind it. */
export const STAND_IN_TEAM = { api_key: 'key-of-the-stand-in' } as const

type Json = Readonly<Record<string, unknown>>
export type Message = {
  readonly url: string
  readonly headers: Record<string, string>
  readonly body: string
}

/** The part of the buyer's e-mail address before the `@` says what Signifyd advises. */
const ACTIONS: Readonly<Record<string, string>> = {
  reject: 'REJECT',
  hold: 'HOLD',
  review: 'HOLD',
  challenge: 'CHALLENGE',
}

/** What a script in the browser does: it sends the session of its element as the address of a picture. */
const SCRIPT = `new Image().src = new URL('beacon.gif?session=' + document.getElementById('sig-api').dataset.orderSessionId, document.getElementById('sig-api').src)
`

type Options = { readonly now: () => Date; readonly send?: (message: Message) => Promise<number> }

/** The checkout flow of Signifyd's Orders API (v3), by its own connector and its documentation. README.md has the rules. */
export function createStandIn({ now, send = ({ url, ...message }) => sendTo(url, message) }: Options) {
  const checkouts = new Map<string, Json>()
  const transactions: Json[] = []
  const seen: string[] = []
  let webhook = ''

  const decisionOf = (orderId: string, checkpointAction: string): Json => ({
    signifydId: String(100_000 + [...checkouts.keys()].indexOf(orderId)),
    checkoutId: orderId,
    orderId,
    decision: {
      createdAt: now().toISOString(),
      checkpointAction,
      checkpointActionReason: 'policy',
      score: 500,
    },
  })

  const take = (event: string, body: Json): Response => {
    const missing = missingIn(event, body)
    if (missing.length > 0) return refused(400, missing)
    const orderId = String(body['orderId'])
    if (event === 'checkouts') {
      checkouts.set(orderId, body)
      return Response.json(decisionOf(orderId, actionFor(body)), { status: 201 })
    }
    const checkout = checkouts.get(orderId)
    if (!checkout) return refused(400, ['checkoutId'])
    transactions.push(body)
    return Response.json(decisionOf(orderId, actionFor(checkout)), { status: 201 })
  }

  const control = async (path: string, given: Json): Promise<Response> => {
    if (path === '/_stand-in/books') return Response.json([...checkouts.values(), ...transactions])
    if (path === '/_stand-in/webhook') {
      webhook = String(given['url'] ?? '')
      return Response.json({ url: webhook })
    }
    const [, id = ''] = /^\/_stand-in\/orders\/([^/]+)\/decide$/.exec(path) ?? []
    if (!checkouts.has(id)) return Response.json({ message: 'there is no such order' }, { status: 404 })
    const body = JSON.stringify(decisionOf(id, String(given['action'])))
    const headers = {
      'content-type': 'application/json',
      'signifyd-topic': 'ORDER_CHECKPOINT_ACTION_UPDATE',
      'signifyd-checkpoint': String(given['checkpoint'] ?? 'MERCHANT_REVIEW'),
      'signifyd-sec-hmac-sha256': createHmac('sha256', STAND_IN_TEAM.api_key).update(body).digest('base64'),
    }
    return Response.json({ delivered: webhook === '' ? null : await send({ url: webhook, headers, body }) })
  }

  const answer = async (request: Request): Promise<Response> => {
    const { pathname, origin, searchParams } = new URL(request.url)
    const text = request.method === 'POST' ? await request.text() : ''
    if (pathname.startsWith('/_stand-in/')) return control(pathname, objectIn(text) ?? {})
    if (pathname === '/') return showHelp(origin)
    if (pathname === '/script-tag.js')
      return new Response(SCRIPT, { headers: { 'content-type': 'text/javascript' } })
    if (pathname === '/beacon.gif') {
      seen.push(searchParams.get('session') ?? '')
      return new Response(null, { status: 204 })
    }
    const [, event] = /^\/v3\/orders\/events\/(checkouts|transactions)$/.exec(pathname) ?? []
    if (!event || request.method !== 'POST') return refused(404, [])
    const expected = `Basic ${Buffer.from(STAND_IN_TEAM.api_key).toString('base64')}`
    if (request.headers.get('authorization') !== expected) return refused(401, [])
    const body = objectIn(text)
    return body ? take(event, body) : refused(400, [])
  }

  return {
    checkouts,
    transactions,
    seen,
    control: (path: string, given: Json = {}) => control(path, given),
    fetch: (input: string | URL | Request, init?: RequestInit) => answer(new Request(input, init)),
    listen: (port: number) => listenOn(port, answer),
  }
}

function missingIn(event: string, body: Json): readonly string[] {
  const purchase = (body['purchase'] ?? {}) as Json
  const needed: readonly (readonly [string, unknown])[] = [
    ['checkoutId', body['checkoutId']],
    ['orderId', body['orderId']],
    ...(event === 'checkouts'
      ? ([
          ['purchase.createdAt', purchase['createdAt']],
          ['purchase.totalPrice', purchase['totalPrice']],
        ] as const)
      : ([['transactions', body['transactions']]] as const)),
  ]
  return needed.flatMap(([name, value]) => (value === undefined || value === '' ? [name] : []))
}

function actionFor({ purchase }: Json): string {
  const [name = ''] = String((purchase as Json | undefined)?.['confirmationEmail'] ?? '')
    .toLowerCase()
    .split('@')
  return ACTIONS[name] ?? 'ACCEPT'
}

function refused(status: number, places: readonly string[]): Response {
  const errors = Object.fromEntries(places.map((place) => [place, ['is missing']]))
  return Response.json({ messages: ['The request was refused'], traceId: 'trace', errors }, { status })
}

function showHelp(origin: string): Response {
  const page = writeHelp({
    provider: 'Signifyd',
    service: 'anti-fraud service',
    fields: { ...STAND_IN_TEAM, stand_in_url: origin },
    values: [
      ...Object.entries(ACTIONS).map(([name, action]) => [`${name}@…`, action] as const),
      ['any other', 'ACCEPT'],
    ],
    controls: [
      ['/_stand-in/webhook', '{"url": "…"}: where decisions are sent'],
      [
        '/_stand-in/orders/{id}/decide',
        '{"action": "REJECT"}: a person decides, and the webhook is told. With "checkpoint", another than MERCHANT_REVIEW',
      ],
    ],
    documentation: 'https://developer.signifyd.com',
  })
  return html(page)
}
