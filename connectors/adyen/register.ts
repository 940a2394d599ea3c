import type { Link, RegisterAnswer } from '#connectors/contract/connector.ts'
import { HMAC_KEY } from './notification.ts'
import { isObject, type Json, managementOf } from './wire.ts'

/**
 * Sets up a standard webhook for the merchant account, and has Adyen make a key for its signatures. Adyen shows a key once,
 * so a second call keeps the webhook and gets a new key. https://docs.adyen.com/api-explorer/Management/3
 */
export async function registerNotifications(url: string, link: Link): Promise<RegisterAnswer> {
  const found = await findWebhook(url, link)
  if ('outcome' in found) return found
  const settings = { url, active: true, communicationFormat: 'json' }
  const { id: known } = found
  const made = known
    ? await manage(link, 'PATCH', `/${encodeURIComponent(known)}`, settings)
    : await manage(link, 'POST', '', { type: 'standard', ...settings })
  if ('outcome' in made) return made
  const { id } = made.body
  if (typeof id !== 'string' || id === '' || made.body['url'] !== url) return UNREADABLE
  const given = await manage(link, 'POST', `/${encodeURIComponent(id)}/generateHmac`)
  if ('outcome' in given) return given
  const { hmacKey } = given.body
  if (typeof hmacKey !== 'string' || !HMAC_KEY.test(hmacKey)) return UNREADABLE
  return { outcome: 'registered', fields: { hmac_key: hmacKey } }
}

const PAGES_MAX = 20

/** The webhook that an earlier call has made, or no id. */
async function findWebhook(
  url: string,
  link: Link,
): Promise<{ readonly id: string | null } | RegisterAnswer> {
  for (let page = 1; page <= PAGES_MAX; page++) {
    const listed = await manage(link, 'GET', `?pageNumber=${page}&pageSize=100`)
    if ('outcome' in listed) return listed
    const { data = [], pagesTotal } = listed.body
    if (!Array.isArray(data) || typeof pagesTotal !== 'number') return UNREADABLE
    const ours = data.find((one) => isObject(one) && one['url'] === url && one['type'] === 'standard')
    if (ours) return typeof ours['id'] === 'string' ? { id: ours['id'] } : UNREADABLE
    if (page >= pagesTotal) break
  }
  return { id: null }
}

const UNREADABLE: RegisterAnswer = { outcome: 'unreachable', message: 'Adyen gave no readable answer' }

async function manage(
  link: Link,
  method: 'GET' | 'POST' | 'PATCH',
  path: string,
  body?: object,
): Promise<{ readonly body: Json } | RegisterAnswer> {
  const account = encodeURIComponent(link.fields['merchant_account'] ?? '')
  try {
    const response = await link.fetch(`${managementOf(link)}/merchants/${account}/webhooks${path}`, {
      method,
      headers: { 'x-api-key': link.fields['api_key'] ?? '', 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    if (response.status >= 400 && response.status < 500) return rejected(response.status)
    const answer: unknown = await response.json()
    return response.ok && isObject(answer) ? { body: answer } : UNREADABLE
  } catch {
    return UNREADABLE
  }
}

function rejected(status: number): RegisterAnswer {
  const message = {
    401: 'Adyen does not accept api_key',
    403: 'api_key may not change webhooks of merchant_account: give it the role Management API, Webhooks read and write',
    404: 'Adyen knows no such merchant_account',
    429: null,
  }[status]
  if (message === null) return UNREADABLE
  return { outcome: 'rejected', message: message ?? 'Adyen does not accept this address for its messages' }
}
