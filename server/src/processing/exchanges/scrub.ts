import { maskNumbers } from '#platform/observability/mask.ts'
import { type Rules, type ShownBody, scrubBody, scrubForm } from './scrub-body.ts'
import { maskOf, shownText } from './scrub-text.ts'

export type ShownRequest = {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: ShownBody | null
}

export type ShownResponse = {
  readonly status_code: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: ShownBody | null
}

const URL_MAX = 2_000
const HEADERS_MAX = 40

/** Headers that any provider may use, and that say nothing about a payment or an account. */
const PLAIN_HEADERS = new Set([
  'accept',
  'content-length',
  'content-type',
  'date',
  'idempotency-key',
  'prefer',
  'request-id',
  'retry-after',
  'x-request-id',
])
/** Not shown even if a connector's list names them. */
const SECRET_HEADERS = /^(proxy-)?authorization$|cookie|api-?key|secret|password|signature/

/** What we sent, with only what the connector allows to show. Pure, and tested with hostile input. */
export function scrubRequest(url: string, init: RequestInit | undefined, rules: Rules): ShownRequest {
  const headers = new Headers(init?.headers)
  const method = (init?.method ?? 'GET').toUpperCase()
  return {
    method: /^[A-Z]{1,10}$/.test(method) ? method : '***',
    url: scrubUrl(url, rules),
    headers: Object.fromEntries(
      [...headers]
        .slice(0, HEADERS_MAX)
        .map(([name, value]) => [name, scrubHeader(name, value, rules) ?? '***']),
    ),
    body: scrubBody(init?.body, headers.get('content-type'), rules),
  }
}

/** What came back. Its headers are many, and most say nothing: those that are not allowed are left out. */
export function scrubResponse(
  { status, headers }: Pick<Response, 'status' | 'headers'>,
  body: Buffer | null,
  rules: Rules,
): ShownResponse {
  const shown = [...headers].flatMap(([name, value]) => {
    const text = scrubHeader(name, value, rules)
    return text === null ? [] : [[name, text] as const]
  })
  return {
    status_code: status,
    headers: Object.fromEntries(shown.slice(0, HEADERS_MAX)),
    body: body && scrubBody(body.toString('utf8'), headers.get('content-type'), rules),
  }
}

function scrubHeader(name: string, value: string, { allowed, secrets }: Rules): string | null {
  if (SECRET_HEADERS.test(name)) return null
  return PLAIN_HEADERS.has(name) || allowed.isShown(name, undefined, value) ? shownText(value, secrets) : null
}

/** Without user name, password and fragment. A part of the path is shown if its word is, or the word before it allows. */
function scrubUrl(text: string, rules: Rules): string {
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol)) return maskOf(text)
  const { allowed, secrets } = rules
  const parts = url.pathname.split('/').map(decoded)
  const path = parts.map((part, at) => {
    if (part === '' || allowed.isWord(part)) return part
    const before = parts[at - 1]
    return before !== undefined && allowed.isNamer(before) ? shownText(part, secrets) : maskOf(part)
  })
  const query = Object.entries(scrubForm(url.searchParams, rules)).flatMap(([name, value]) =>
    [value].flat().map((one) => `${name}=${one}`),
  )
  const shown = `${url.origin}${path.join('/')}${query.length > 0 ? `?${query.join('&')}` : ''}`
  return maskNumbers(shownOrigin(shown, secrets)).slice(0, URL_MAX)
}

/** An account's name may be a part of the host. A secret must not be. */
function shownOrigin(url: string, secrets: readonly string[]): string {
  return secrets.reduce((rest, secret) => rest.replaceAll(secret, '***'), url)
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
