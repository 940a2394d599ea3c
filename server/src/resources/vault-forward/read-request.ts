import {
  DETAILS_MAX,
  type DetailType,
  type ErrorDetail,
  errors,
  inBody,
  inHeader,
} from '#platform/http/errors.ts'
import { isId } from '#platform/http/incoming.ts'
import type { RelayedRequest, RelayHeader } from '#platform/http/operation.ts'
import type { Outgoing } from '#platform/outgoing/outgoing.ts'
import { ESCAPINGS, type Escaping, escapingOf, PLACE_NAMES, type Place, placesIn } from './places.ts'

export const PREFIX = 'x-vault-forward-'
export const METHODS = ['POST', 'PUT', 'PATCH'] as const
export type ForwardMethod = (typeof METHODS)[number]

const CARDS_MAX = 100
const TIMEOUT_DEFAULT_SECONDS = 30
/** An idempotency key is kept for a request for a minute. */
const TIMEOUT_MAX_SECONDS = 50

export const HEADERS: readonly RelayHeader[] = [
  {
    name: `${PREFIX}url`,
    description: 'Where the request goes. In production its host has to be enabled first.',
    isRequired: true,
    example: 'https://api.example.com/bookings',
  },
  {
    name: `${PREFIX}http-method`,
    description: 'How it is sent: `POST`, `PUT` or `PATCH`.',
    isRequired: true,
    example: 'POST',
  },
  {
    name: `${PREFIX}payment-methods`,
    description: `Ids of stored cards, with commas between them, at most ${CARDS_MAX}. The first one fills the places that end in \`_1\`. With a checkout session at most one.`,
    example: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0005',
  },
  {
    name: `${PREFIX}checkout-session`,
    description:
      'A checkout session whose card or security code is forwarded. Needed where no payment method is named.',
    example: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0008',
  },
  {
    name: `${PREFIX}authentications`,
    description: 'Ids of stored ways to prove who sends the request, with commas between them, at most 5.',
    example: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0053',
  },
  {
    name: `${PREFIX}header-{name}`,
    description:
      'Sent as the header `name`. Its content type is that of the request, unless you give another one here.',
    example: 'Bearer 123',
  },
  {
    name: `${PREFIX}timeout`,
    description: `How many seconds the other side has to answer, from 1 to ${TIMEOUT_MAX_SECONDS}. Left out: ${TIMEOUT_DEFAULT_SECONDS}.`,
    example: '10',
  },
  {
    name: `${PREFIX}escaping`,
    description:
      'How values are written into the body: `json`, `xml`, `form` or `none`. Left out: as the content type needs it.',
    example: 'none',
  },
]

/** A request to pass on, as far as it can be checked without the database. */
export type Forward = {
  readonly url: string
  readonly method: ForwardMethod
  readonly paymentMethodIds: readonly string[]
  readonly sessionId: string | null
  readonly authenticationIds: readonly string[]
  readonly headers: Readonly<Record<string, string>>
  readonly timeoutMs: number
  readonly body: string
  readonly places: readonly Place[]
  readonly escaping: Escaping
}

/** Belong to the connection, or are made anew for the body that is sent. */
export const OURS =
  /^(host|connection|content-length|transfer-encoding|te|trailer|upgrade|expect|keep-alive|accept-encoding|proxy-.*)$/

type Complain = (name: string, type: DetailType, message: string) => void
type Headers = RelayedRequest['headers']

/** Reads all of the request, and names everything that is wrong with it. */
export function readForward(
  { headers, contentType, body }: RelayedRequest,
  outgoing: Pick<Outgoing, 'complaintAbout'>,
): Forward {
  const details: ErrorDetail[] = []
  const complain: Complain = (name, type, message) =>
    void details.push(inHeader(`/${PREFIX}${name}`, type, message))
  refuseUnknown(headers, complain)
  const target = readTarget(headers, outgoing, complain)
  const cards = readCards(headers, complain)
  const sent = forwardedHeaders(headers, contentType, complain)
  const { places, unknown } = placesIn(body)
  details.push(...unknown.map(noSuchPlace), ...places.flatMap((place) => beyond(place, cards.count || 1)))
  const escaping = readEscaping(headers, sent['content-type'] ?? null, complain)
  if (escaping === null && places.length > 0)
    complain(
      'escaping',
      'value_error.missing',
      `say how values are written into a body of this content type: ${ESCAPINGS.join(', ')}`,
    )
  if (details.length > 0) throw errors.invalid(...details.slice(0, DETAILS_MAX))
  const { paymentMethodIds, sessionId, authenticationIds } = cards
  return {
    ...target,
    paymentMethodIds,
    sessionId,
    authenticationIds,
    headers: sent,
    body,
    places,
    escaping: escaping ?? 'none',
  }
}

const KNOWN = new Set(HEADERS.map(({ name }) => name.slice(PREFIX.length)))

function refuseUnknown(headers: Headers, complain: Complain): void {
  const message = `leave it out: there is no such header. One for the other side begins with ${PREFIX}header-`
  for (const name of Object.keys(headers))
    if (!KNOWN.has(name) && !name.startsWith('header-')) complain(name, 'value_error.extra', message)
}

function readTarget(headers: Headers, outgoing: Pick<Outgoing, 'complaintAbout'>, complain: Complain) {
  const { url, 'http-method': given, timeout = String(TIMEOUT_DEFAULT_SECONDS) } = headers
  const complaint = url && outgoing.complaintAbout(url)
  if (!url) complain('url', 'value_error.missing', 'say where the request goes')
  else if (complaint) complain('url', 'value_error.url', complaint)
  const method = METHODS.find((one) => one === given)
  if (!method)
    complain(
      'http-method',
      given ? 'type_error.enum' : 'value_error.missing',
      `say how it is sent: ${METHODS.join(', ')}`,
    )
  const seconds = /^\d{1,4}$/.test(timeout) ? Number(timeout) : 0
  if (seconds < 1 || seconds > TIMEOUT_MAX_SECONDS)
    complain('timeout', 'type_error.integer', `must be a number of seconds from 1 to ${TIMEOUT_MAX_SECONDS}`)
  return { url: url ?? '', method: method ?? 'POST', timeoutMs: seconds * 1_000 } as const
}

function readCards(headers: Headers, complain: Complain) {
  const read = (
    name: 'payment-methods' | 'checkout-session' | 'authentications',
    max: number,
    tooMany: string,
  ) => {
    const ids = headers[name]?.split(',').map((id) => id.trim().toLowerCase()) ?? []
    if (!ids.every(isId)) complain(name, 'type_error.uuid', 'must be ids, with commas between them')
    if (ids.length > max) complain(name, 'value_error.list.max_items', tooMany)
    return ids
  }
  const [sessionId = null] = read('checkout-session', 1, 'name one checkout session')
  const paymentMethodIds =
    sessionId === null
      ? read('payment-methods', CARDS_MAX, `name at most ${CARDS_MAX} payment methods`)
      : read('payment-methods', 1, 'name at most one payment method beside a checkout session')
  const count = sessionId === null ? paymentMethodIds.length : 1
  if (count === 0)
    complain('payment-methods', 'value_error.missing', 'name a payment method or a checkout session')
  const authenticationIds = read('authentications', 5, 'name at most 5 authentications')
  return { paymentMethodIds, sessionId, authenticationIds, count }
}

/** Null: the body's type does not tell, and neither does the caller. */
function readEscaping(
  { escaping }: Headers,
  contentType: string | null,
  complain: Complain,
): Escaping | null {
  if (escaping === undefined) return escapingOf(contentType)
  const known = ESCAPINGS.find((one) => one === escaping)
  if (!known) complain('escaping', 'type_error.enum', `must be one of ${ESCAPINGS.join(', ')}`)
  return known ?? 'none'
}

function noSuchPlace(word: string): ErrorDetail {
  const message =
    `there is no place {{ ${word} }}: a place is a name and the position of the card, such as {{ CARD_NUMBER_1 }}. ` +
    `The names are ${PLACE_NAMES.join(', ')}`
  return inBody('', 'value_error.not_found', message)
}

function beyond({ text, position }: Place, count: number): ErrorDetail[] {
  if (position <= count) return []
  const named = count === 1 ? 'one card' : `${count} cards`
  return [inBody('', 'value_error.not_found', `{{ ${text} }} has no value: the request names ${named}`)]
}

function forwardedHeaders(
  headers: Headers,
  contentType: string | null,
  complain: Complain,
): Record<string, string> {
  const sent: Record<string, string> = { ...(contentType !== null && { 'content-type': contentType }) }
  for (const [given, value] of Object.entries(headers)) {
    if (!given.startsWith('header-')) continue
    const name = given.slice('header-'.length)
    if (name === '') complain(given, 'value_error.missing', 'name a header')
    else if (OURS.test(name))
      complain(given, 'value_error.extra', 'leave it out: it is set when the request is sent')
    else if (placesIn(value).places.length > 0)
      complain(given, 'value_error.conflict', 'a header takes no card data: put the place into the body')
    else sent[name] = value
  }
  // What is packed could not be searched for card numbers.
  return { ...sent, 'accept-encoding': 'identity' }
}
