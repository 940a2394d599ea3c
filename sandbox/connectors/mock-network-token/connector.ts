import { createHmac, timingSafeEqual } from 'node:crypto'
import type { ErrorCode } from '#connectors/contract/codes.ts'
import type { Link, Message, Unknown } from '#connectors/contract/connector.ts'
import {
  type ChangeOrder,
  type CryptogramAnswer,
  type CryptogramOrder,
  type NetworkTokenConnector,
  type ProvisionOrder,
  type Requestor,
  TOKEN_SCHEMES,
  type TokenAnswer,
  type TokenAttempt,
  type TokenNotice,
  type TokenReading,
} from '#connectors/contract/network-token.ts'
import { refused } from '#connectors/contract/refuse.ts'
import { secret } from '#connectors/contract/secret.ts'

const URL_OF_SERVICE = 'https://tokens.simulator.invalid'

/** The sandbox's token service. The simulator behind it has books of its own. See docs/guide/simulator.md. */
export const mockNetworkToken: NetworkTokenConnector = {
  manifest: {
    id: 'mock-network-token',
    displayName: 'Mock network tokens',
    fields: [],
    isSimulator: true,
  },
  schemes: TOKEN_SCHEMES,
  needsRequestor: true,
  canSuspend: true,
  provision: calm(provision),
  change: calm(change),
  inquire: calm(async ({ attemptId, requestor }: TokenAttempt, link) =>
    toAnswer(await exchange(link, requestor, `attempts/${attemptId}`)),
  ),
  makeCryptogram: calm(makeCryptogram),
  readNotification: async (message, link, requestorOf) => {
    const notice = noticeOf(message.body)
    if (typeof notice === 'string') return rejected(`Correct ${notice} of the message.`)
    const requestor = await requestorOf(notice.clientReference)
    if (!isSigned(message, requestor))
      return rejected('Sign the body with the app id: the signature is wrong.')
    return noteNotice({ notice, requestor }, link)
  },
}

/** What cannot be read may have been done. */
function calm<Order, Result>(ask: (order: Order, link: Link) => Promise<Result>) {
  return async (order: Order, link: Link): Promise<Result | Unknown> =>
    ask(order, link).catch(() => ({
      outcome: 'unknown',
      reason: 'the token service gave no readable answer',
    }))
}

async function provision(order: ProvisionOrder, link: Link): Promise<TokenAnswer> {
  const reply = await exchange(link, order.requestor, 'tokens', {
    attempt_id: order.attemptId,
    client_reference: order.clientReference,
    scheme: order.scheme,
    number: order.number.use(String),
    expiration_date: order.expirationDate,
    security_code: order.securityCode?.use(String) ?? null,
    merchant_initiated: order.isMerchantInitiated,
    subsequent_payment: order.isSubsequentPayment,
  })
  return toAnswer(reply)
}

async function change(order: ChangeOrder, link: Link): Promise<TokenAnswer> {
  const { requestor, reference, operation, attemptId } = order
  const reply = await exchange(link, requestor, `tokens/${reference}/${operation}`, { attempt_id: attemptId })
  return toAnswer(reply)
}

async function makeCryptogram(
  { requestor, reference, scheme, isMerchantInitiated }: CryptogramOrder,
  link: Link,
): Promise<CryptogramAnswer> {
  const path = `tokens/${reference}/cryptograms`
  const { status, body } = await exchange(link, requestor, path, { merchant_initiated: isMerchantInitiated })
  const { cryptogram, error } = body
  if (status === 201 && typeof cryptogram === 'string' && cryptogram !== '') {
    const eci = scheme === 'mastercard' ? '06' : '07'
    return { outcome: 'made', cryptogram: secret(cryptogram), eci }
  }
  if (status === 422 && typeof error === 'string') return { outcome: 'refused', code: error }
  return { outcome: 'unknown', reason: `the token service answered ${status}` }
}

type Body = Readonly<Record<string, unknown>>
type Reply = { readonly status: number; readonly body: Body }

/** Throws if no JSON object comes back: then the outcome is unknown. */
async function exchange(
  link: Link,
  requestor: Requestor | null,
  path: string,
  body?: object,
): Promise<Reply> {
  const response = await link.fetch(`${URL_OF_SERVICE}/${path}`, {
    method: body ? 'POST' : 'GET',
    headers: {
      'x-requestor-id': encodeURIComponent(requestor?.requestorId ?? ''),
      'x-app-id': encodeURIComponent(requestor?.appId ?? ''),
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: (await response.json()) as Body }
}

const DATE = /^(0[1-9]|1[0-2])\/\d{2}$/

/** The service's words for a refusal, and ours. */
const REFUSALS: Readonly<Record<string, ErrorCode>> = {
  issuer_takes_no_part: 'unsupported_payment_method',
  unknown_token: 'unknown_service_resource',
  token_not_active: 'unexpected_state',
}

function toAnswer({ status, body }: Reply): TokenAnswer {
  const { reference, code } = body
  if (status === 200 && body['status'] === 'approved' && typeof reference === 'string') {
    const token = body['operation'] === 'provision' ? tokenOf(body) : null
    if (token === undefined) return { outcome: 'unknown', reason: 'the token could not be read' }
    return { outcome: 'approved', reference, facts: {}, networkToken: token }
  }
  if (status === 200 && body['status'] === 'refused' && typeof code === 'string') {
    return refused(REFUSALS[code] ?? 'unknown_error', { rawCode: code })
  }
  if (status === 404 && body['error'] === 'attempt_closed') return { outcome: 'not_found' }
  if (status === 409 && body['error'] === 'attempt_closed') return { outcome: 'not_found' }
  return { outcome: 'unknown', reason: `the token service answered ${status}` }
}

function tokenOf(body: Body) {
  const { number, expiration_date, token_status, payment_account_reference } = body
  const isNumber = typeof number === 'string' && /^\d{12,19}$/.test(number)
  const isDated = typeof expiration_date === 'string' && DATE.test(expiration_date)
  if (!isNumber || !isDated || typeof payment_account_reference !== 'string') return undefined
  return {
    number: secret(number),
    expirationDate: expiration_date,
    paymentAccountReference: payment_account_reference,
    status: token_status === 'inactive' ? ('inactive' as const) : ('active' as const),
  }
}

function rejected(message: string): TokenReading {
  return { outcome: 'rejected', message }
}

/** The sandbox's service signs with the app id, so that anyone who has set up the account can play its part. */
function isSigned({ headers, body }: Message, requestor: Requestor | null): boolean {
  const given = headers['x-signature'] ?? ''
  if (!requestor || !/^[0-9a-f]{64}$/i.test(given)) return false
  return timingSafeEqual(
    Buffer.from(given, 'hex'),
    createHmac('sha256', requestor.appId).update(body).digest(),
  )
}

type Noted = { readonly notice: TokenNotice; readonly requestor: Requestor | null }

/** The simulator notes the change in its books, too. */
async function noteNotice({ notice, requestor }: Noted, link: Link): Promise<TokenReading> {
  const { status } = await exchange(link, requestor, 'notices', {
    client_reference: notice.clientReference,
    status: notice.status,
    expiration_date: notice.expirationDate,
  })
  // An unknown token is for the caller to refuse.
  if (status !== 200 && status !== 404) return { outcome: 'unknown', reason: `answered ${status}` }
  return { outcome: 'read', notice }
}

const STATUSES: Readonly<Record<string, TokenNotice['status']>> = {
  'token.suspended': 'suspended',
  'token.resumed': 'active',
  'token.deleted': 'deleted',
  'token.updated': null,
}

/** The notice, or the name of the field that is wrong. */
function noticeOf(body: Buffer): TokenNotice | string {
  const said = parse(body)
  const { event, network_token_id, expiration_date = null, card = null } = said
  if (typeof event !== 'string' || !Object.hasOwn(STATUSES, event)) return 'event'
  if (typeof network_token_id !== 'string' || !/^[\w-]{1,100}$/.test(network_token_id))
    return 'network_token_id'
  if (!isDateOrNull(expiration_date)) return 'expiration_date'
  const behind = card as Body | null
  if (typeof behind !== 'object') return 'card'
  const { last4 = null, expiration_date: cardDate = null } = behind ?? {}
  if (last4 !== null && (typeof last4 !== 'string' || !/^\d{4}$/.test(last4))) return 'card.last4'
  if (!isDateOrNull(cardDate)) return 'card.expiration_date'
  return {
    clientReference: network_token_id,
    status: STATUSES[event] ?? null,
    expirationDate: expiration_date,
    card: behind && { last4, expirationDate: cardDate },
  }
}

function isDateOrNull(value: unknown): value is string | null {
  return value === null || (typeof value === 'string' && DATE.test(value))
}

function parse(body: Buffer): Body {
  try {
    const said: unknown = JSON.parse(body.toString())
    return typeof said === 'object' && said !== null ? (said as Body) : {}
  } catch {
    return {}
  }
}
