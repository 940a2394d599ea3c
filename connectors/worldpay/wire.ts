import type { Link, Unknown } from '#connectors/contract/connector.ts'
import type { SetUpFailed } from '#connectors/contract/three-d-secure.ts'

const HOSTS = { sandbox: 'https://try.access.worldpay.com', production: 'https://access.worldpay.com' }
const MEDIA = 'application/vnd.worldpay.verifications.customers-v3.hal+json'

export type Wire = Readonly<Record<string, unknown>>
export type Answered = { readonly outcome: 'answered'; readonly body: Wire } | SetUpFailed | Unknown
/** The firewall before the API has refused the request, or the account may not do this. */
type Blocked = { readonly outcome: 'blocked' }

/** Asks one of the three operations. What is refused is told by its place, never by its value: that may be a card's. */
export async function post(operation: string, body: object, link: Link): Promise<Answered | Blocked> {
  let response: Response
  try {
    response = await link.fetch(`${hostOf(link)}/verifications/customers/3ds/${operation}`, {
      method: 'POST',
      headers: { 'content-type': MEDIA, accept: MEDIA, authorization: authorizationOf(link.fields) },
      body: JSON.stringify(body),
    })
  } catch {
    return { outcome: 'unknown', reason: 'Worldpay could not be reached' }
  }
  const { status } = response
  if (status === 403) return { outcome: 'blocked' }
  if (status === 401)
    return failed('303', 'Worldpay refused the credentials. Enter the username and the password again')
  const told = await readJson(response)
  if (status === 400) return failed('203', `Worldpay refused ${refusedIn(told)}`)
  if (status !== 200 || !isRecord(told))
    return { outcome: 'unknown', reason: `Worldpay answered ${status} without an outcome` }
  return { outcome: 'answered', body: told }
}

export function authorizationOf({ username = '', password = '' }: Link['fields']): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
}

/** In a sandbox, merchants may name the address of a stand-in. */
export function hostOf({ fields, environment }: Pick<Link, 'fields' | 'environment'>): string {
  const given = fields['stand_in_url']
  return environment === 'sandbox' && given ? given.replace(/\/+$/, '') : HOSTS[environment]
}

/** What is left to say of a request without anything that buyers enter. */
export function orFailed(answer: Answered | Blocked): Answered {
  if (answer.outcome !== 'blocked') return answer
  return failed(
    '303',
    'Worldpay answered 403. Ask Worldpay whether the username may use 3DS, and whether its firewall lets your addresses in',
  )
}

/** By the error codes of EMV 3-D Secure. */
function failed(code: string, description: string): SetUpFailed {
  return { outcome: 'setup_error', code, description, component: 'S' }
}

const PLACES_MAX = 5

/** Where the request is wrong, by the first places that Worldpay names. */
export function placesIn(told: unknown): readonly string[] {
  const errors = isRecord(told) ? (told['validationErrors'] ?? [told]) : undefined
  const places = (Array.isArray(errors) ? errors : []).flatMap((error) => {
    const place = isRecord(error) ? textOf(error, 'jsonPath') : null
    return place !== null && /^[$\w.[\]]{1,80}$/.test(place) ? [place] : []
  })
  return places.slice(0, PLACES_MAX)
}

function refusedIn(told: unknown): string {
  const places = placesIn(told)
  if (places.includes('$.merchant.entity'))
    return '$.merchant.entity. Enter the entity as Worldpay has made it'
  if (places.length > 0) return `${places.join(', ')} of the request. Tell us: it is ours to mend`
  const name = isRecord(told) ? textOf(told, 'errorName') : null
  return `the request${name !== null && /^\w{1,60}$/.test(name) ? ` (${name})` : ''}. Tell us: it is ours to mend`
}

export function isRecord(value: unknown): value is Wire {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Null: there is none, or it is empty. */
export function textOf(body: Wire, name: string): string | null {
  const value = body[name]
  return typeof value === 'string' && value !== '' ? value : null
}

export async function readJson(response: Response): Promise<unknown> {
  try {
    return await response.json()
  } catch {
    return undefined
  }
}
