import { randomBytes } from 'node:crypto'
import { type Json, textOf } from './check-request.ts'
import type { Deliveries } from './deliveries.ts'
import type { Desk } from './desk.ts'
import type { Reply } from './errors.ts'
import { newPspReference, type Webhook } from './state.ts'

type Asked = {
  readonly method: string
  readonly path: string
  readonly apiKey: string | null
  readonly body: Json
}

/**
 * The webhooks of the merchant account, by the Management API v3. The stand-in sends to one address: that of the webhook
 * that was changed last. https://docs.adyen.com/api-explorer/Management/3/overview
 */
export function manageWebhooks(desk: Desk, deliveries: Deliveries, asked: Asked): Reply {
  const { account, state } = desk
  const { method, path, apiKey, body } = asked
  if (apiKey === account.restrictedApiKey) return problem(403, '00_403', 'Forbidden')
  if (apiKey !== account.apiKey) return problem(401, '00_401', 'Unauthorized')
  const [, merchant, id, verb] = /^merchants\/([^/]+)\/webhooks(?:\/([^/]+))?(?:\/(\w+))?$/.exec(path) ?? []
  if (merchant !== account.merchantAccount) return problem(403, '00_403', 'Forbidden')
  if (id === undefined) return method === 'GET' ? list(state.webhooks, body) : create(desk, deliveries, body)
  const found = state.webhooks.find((one) => one.id === id)
  if (!found) return problem(404, '00_404', 'Not Found')
  if (method === 'PATCH' && verb === undefined) {
    Object.assign(found, body)
    deliveries.aim(found.active ? found.url : '')
    return { status: 200, body: found }
  }
  if (method !== 'POST' || verb !== 'generateHmac') return problem(404, '00_404', 'Not Found')
  desk.hmacKey = randomBytes(32).toString('hex').toUpperCase()
  return { status: 200, body: { hmacKey: desk.hmacKey } }
}

function list(webhooks: readonly Webhook[], { pageNumber = '1', pageSize = '10' }: Json): Reply {
  const size = Number(pageSize)
  const from = (Number(pageNumber) - 1) * size
  const pagesTotal = Math.max(1, Math.ceil(webhooks.length / size))
  const data = webhooks.slice(from, from + size)
  return { status: 200, body: { data, itemsTotal: webhooks.length, pagesTotal } }
}

function create({ state }: Desk, deliveries: Deliveries, body: Json): Reply {
  const url = textOf(body['url'])
  const isWhole = textOf(body['type']) !== '' && typeof body['active'] === 'boolean' && URL.canParse(url)
  if (!isWhole || !['http', 'json', 'soap'].includes(textOf(body['communicationFormat']))) {
    return problem(422, '31_004', 'Invalid request')
  }
  const webhook = { ...body, id: `WBHK${newPspReference()}`, url, active: body['active'] === true }
  state.webhooks.push(webhook)
  if (webhook.active) deliveries.aim(url)
  return { status: 200, body: webhook }
}

/** The Management API has errors of another form than Checkout: RestServiceError. */
function problem(status: number, errorCode: string, title: string): Reply {
  return { status, body: { type: 'https://docs.adyen.com/errors', errorCode, title, detail: title, status } }
}
