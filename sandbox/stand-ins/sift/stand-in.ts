import { createHmac } from 'node:crypto'
import { writeHelp } from '../page.ts'
import { html, listenOn, objectIn, sendTo } from '../serve.ts'
import { complaintAbout } from './check-event.ts'

/** An account that everyone may use: there is nothing behind it. */
export const STAND_IN_ACCOUNT = {
  account_id: '5f053f004025ca08a187fad3',
  api_key: 'standInApiKey0001',
  webhook_secret: 'stand-in-signature-key',
  beacon_key: 'standinbeacon1',
} as const

type Decision = {
  readonly id: string
  readonly category: 'accept' | 'block' | 'watch'
  readonly entity: 'order' | 'user'
}

/** Merchants name decisions as they like. The buyer’s e-mail address says which of them the workflow takes. */
const DECISIONS: readonly Decision[] = [
  { id: 'looks_good_payment_abuse', category: 'accept', entity: 'order' },
  { id: 'block_order_payment_abuse', category: 'block', entity: 'order' },
  { id: 'watch_order_payment_abuse', category: 'watch', entity: 'order' },
  { id: 'block_user_payment_abuse', category: 'block', entity: 'user' },
]
const WORKFLOW: Readonly<Record<string, string>> = {
  reject: 'block_order_payment_abuse',
  watch: 'watch_order_payment_abuse',
  user: 'block_user_payment_abuse',
}
const VALUES = [
  ['reject@…', 'the workflow decides block_order_payment_abuse'],
  ['watch@…', 'the workflow decides watch_order_payment_abuse'],
  ['review@…', 'the order waits in a review queue'],
  ['user@…', 'the workflow decides about the user, not about the order'],
  ['none@…', 'no workflow runs'],
  ['any other', 'the workflow decides looks_good_payment_abuse'],
] as const
const CONTROLS = [
  ['/_stand-in/webhook', '{"url": "…"}: where results of reviews are sent'],
  [
    '/_stand-in/orders/{id}/decide',
    '{"decision": "block_order_payment_abuse"}: a person decides, and the webhook is told',
  ],
] as const

/** What a script in the browser does with what waits for it: it sends each call as the address of a picture. */
const BEACON = `const { origin } = new URL(document.currentScript.src)
for (const call of window._sift || []) new Image().src = origin + '/beacon.gif?' + new URLSearchParams(call.map((part) => ['call', part]))
`

const FOR_BROWSERS: Readonly<Record<string, () => Response>> = {
  '/s.js': () => new Response(BEACON, { headers: { 'content-type': 'text/javascript' } }),
  '/beacon.gif': () => new Response(null, { status: 204 }),
}

type Event = Readonly<Record<string, unknown>>
export type Message = {
  readonly url: string
  readonly headers: Record<string, string>
  readonly body: string
}

type Options = { readonly now: () => Date; readonly send?: (message: Message) => Promise<number> }

/**
 * Sift by its documentation and its official libraries: events with the status of workflows, the list of decisions, signed
 * webhooks. README.md has the rules, with their sources.
 */
export function createStandIn({ now, send = ({ url, ...message }) => sendTo(url, message) }: Options) {
  const orders = new Map<string, Event>()
  /** What became of them, as it was told. */
  const outcomes: Event[] = []
  /** What browsers have sent. */
  const seen: string[][] = []
  let webhook = ''
  let runs = 0
  const seconds = () => Math.floor(now().getTime() / 1_000)

  const take = (event: Event): Response => {
    const complaint = complaintAbout(event, STAND_IN_ACCOUNT.api_key)
    if (complaint) return Response.json({ ...complaint, time: seconds() }, { status: 400 })
    if (event['$type'] !== '$create_order') {
      const { $api_key: _key, ...told } = event
      outcomes.push(told)
      return Response.json({ status: 0, error_message: 'OK', time: seconds() })
    }
    orders.set(String(event['$order_id']), event)
    runs += 1
    const workflow_statuses = statusesOf(event, `run${String(runs).padStart(9, '0')}`)
    return Response.json({
      status: 0,
      error_message: 'OK',
      time: seconds(),
      score_response: { status: 0, error_message: 'OK', workflow_statuses },
    })
  }

  const decideAs = async (orderId: string, decisionId: unknown): Promise<Response> => {
    if (!orders.has(orderId)) return Response.json({ message: 'there is no such order' }, { status: 404 })
    const body = JSON.stringify({
      entity: { type: 'order', id: orderId },
      decision: { id: decisionId },
      time: now().getTime(),
    })
    const status = webhook === '' ? null : await send({ url: webhook, headers: signed(body), body })
    return Response.json({ delivered: status })
  }

  const control = async (path: string, given: Event): Promise<Response> => {
    if (path === '/_stand-in/books')
      return Response.json([...[...orders.values()].map(({ $api_key: _, ...event }) => event), ...outcomes])
    if (path === '/_stand-in/webhook') {
      webhook = String(given['url'] ?? '')
      return Response.json({ url: webhook })
    }
    const [, id = ''] = /^\/_stand-in\/orders\/([^/]+)\/decide$/.exec(path) ?? []
    return id === '' ? new Response(null, { status: 404 }) : decideAs(id, given['decision'])
  }

  const answer = async (request: Request): Promise<Response> => {
    const { pathname, searchParams } = new URL(request.url)
    const text = request.method === 'POST' ? await request.text() : ''
    if (pathname.startsWith('/_stand-in/')) return control(pathname, objectIn(text) ?? {})
    if (pathname === '/' && request.method === 'GET') return showHelp(new URL(request.url).origin)
    if (pathname === '/beacon.gif') seen.push(searchParams.getAll('call'))
    if (pathname in FOR_BROWSERS) return FOR_BROWSERS[pathname]?.() ?? new Response()
    if (pathname === '/v205/events' && request.method === 'POST') {
      const event = objectIn(text)
      return event
        ? take(event)
        : Response.json({ status: 56, error_message: 'Invalid JSON in body' }, { status: 400 })
    }
    if (pathname === `/v3/accounts/${STAND_IN_ACCOUNT.account_id}/decisions` && request.method === 'GET') {
      const expected = `Basic ${Buffer.from(`${STAND_IN_ACCOUNT.api_key}:`).toString('base64')}`
      const isKnown = request.headers.get('authorization') === expected
      return isKnown ? list(searchParams) : Response.json({ error: 'not_authorized' }, { status: 401 })
    }
    return Response.json({ error: 'not_found' }, { status: 404 })
  }

  return {
    orders,
    outcomes,
    seen,
    fetch: (input: string | URL | Request, init?: RequestInit) => answer(new Request(input, init)),
    control: (path: string, given: Event = {}) => control(path, given),
    listen: (port: number) => listenOn(port, answer),
  }
}

function list(params: URLSearchParams): Response {
  const [from, limit] = [Number(params.get('from') ?? 0), Number(params.get('limit') ?? 100)]
  const kind = params.get('entity_type')
  const all = DECISIONS.filter(({ entity }) => kind === null || entity === kind)
  const data = all.slice(from, from + limit).map(({ id, category, entity }) => ({
    id,
    name: id,
    category,
    entity_type: entity,
    abuse_type: 'payment_abuse',
  }))
  return Response.json({ data, has_more: from + limit < all.length, total_results: all.length })
}

function statusesOf(event: Event, id: string): readonly object[] {
  const [name = ''] = String(event['$user_email'] ?? '')
    .toLowerCase()
    .split('@')
  if (name === 'none') return []
  const decisionId = WORKFLOW[name] ?? 'looks_good_payment_abuse'
  const { entity = 'order' } = DECISIONS.find((one) => one.id === decisionId) ?? {}
  const step =
    name === 'review'
      ? { app: 'review_queue', name: 'risky orders', state: 'running', config: { buttons: [] } }
      : { app: 'decision', name: decisionId, state: 'running', config: { decision_id: decisionId } }
  const subject = entity === 'order' ? event['$order_id'] : event['$user_id']
  const before = { app: 'event_processor', name: 'Event', state: 'finished' }
  return [
    {
      id,
      state: 'running',
      abuse_types: ['payment_abuse'],
      entity: { type: entity, id: subject },
      history: [step, before],
    },
  ]
}

function signed(body: string): Record<string, string> {
  const mac = createHmac('sha256', STAND_IN_ACCOUNT.webhook_secret).update(body).digest('hex')
  return { 'content-type': 'application/json', 'x-sift-science-signature': `sha256=${mac}` }
}

function showHelp(origin: string): Response {
  const fields = { ...STAND_IN_ACCOUNT, stand_in_url: origin }
  const page = writeHelp({
    provider: 'Sift',
    service: 'anti-fraud service',
    fields,
    values: VALUES,
    controls: CONTROLS,
    documentation: 'https://developers.sift.com/docs',
  })
  return html(page)
}
