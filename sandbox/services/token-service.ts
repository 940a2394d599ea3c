import { createHmac } from 'node:crypto'
import type { ErrorCode } from '#connectors/contract/codes.ts'
import type { Link, Message } from '#connectors/contract/connector.ts'
import { parseExpiration, passesLuhn } from '#domain/card.ts'
import { isSameKey } from '#platform/http/incoming.ts'
import { refusal } from '#processing/attempts/conclude.ts'
import { askProvider, type Line } from '#processing/provider.ts'
import type {
  ChangeOrder,
  CryptogramAnswer,
  ProvisionOrder,
  Requestor,
  TokenAnswer,
  TokenNotice,
  TokenService,
} from '#processing/token-service.ts'
import { Masked } from '#vault'

const URL_OF_SERVICE = 'https://tokens.simulator.invalid'

/** The sandbox's token service. The simulator behind it has books of its own. See docs/guide/simulator.md. */
export function simulatedTokenService(line: Line): TokenService {
  const asking = <Order, Result>(ask: (order: Order, link: Link) => Promise<Result>) => {
    return (order: Order) => askProvider(line, ask, order, { fields: {}, options: {} })
  }
  return {
    provision: asking(provision),
    change: asking(change),
    inquire: asking(async ({ attemptId, requestor }, link) =>
      toAnswer(await exchange(link, requestor, `attempts/${attemptId}`)),
    ),
    makeCryptogram: asking(makeCryptogram),
    readNotification: async (message, requestorOf) => {
      const notice = noticeOf(message.body)
      if (typeof notice === 'string') return rejected(`Correct ${notice} of the message.`)
      const requestor = await requestorOf(notice.clientReference)
      if (!isSigned(message, requestor))
        return rejected('Sign the body with the app id: the signature is wrong.')
      return asking(noteNotice)({ notice, requestor })
    },
  }
}

async function provision(order: ProvisionOrder, link: Link): Promise<TokenAnswer> {
  const reply = await exchange(link, order.requestor, 'tokens', {
    attempt_id: order.attemptId,
    client_reference: order.clientReference,
    scheme: order.requestor.scheme,
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
  asked: Parameters<TokenService['makeCryptogram']>[0],
  link: Link,
): Promise<CryptogramAnswer> {
  const { requestor, reference, isMerchantInitiated } = asked
  const path = `tokens/${reference}/cryptograms`
  const { status, body } = await exchange(link, requestor, path, { merchant_initiated: isMerchantInitiated })
  const { cryptogram, error } = body
  if (status === 201 && typeof cryptogram === 'string' && cryptogram !== '') {
    const eci = requestor.scheme === 'mastercard' ? '06' : '07'
    return { outcome: 'made', cryptogram: new Masked(cryptogram), eci }
  }
  if (status === 422 && typeof error === 'string') return { outcome: 'refused', code: error }
  return { outcome: 'unknown', reason: `the token service answered ${status}` }
}

type Body = Readonly<Record<string, unknown>>
type Reply = { readonly status: number; readonly body: Body }

/** Throws if no JSON object comes back: then the outcome is unknown. */
async function exchange(link: Link, requestor: Requestor, path: string, body?: object): Promise<Reply> {
  const response = await link.fetch(`${URL_OF_SERVICE}/${path}`, {
    method: body ? 'POST' : 'GET',
    headers: {
      'x-requestor-id': encodeURIComponent(requestor.requestorId),
      'x-app-id': encodeURIComponent(requestor.appId),
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: (await response.json()) as Body }
}

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
    return { ...refusal(REFUSALS[code] ?? 'unknown_error'), facts: { rawCode: code } }
  }
  if (status === 404 && body['error'] === 'attempt_closed') return { outcome: 'not_found' }
  if (status === 409 && body['error'] === 'attempt_closed') return { outcome: 'not_found' }
  return { outcome: 'unknown', reason: `the token service answered ${status}` }
}

function tokenOf(body: Body) {
  const { number, expiration_date, token_status, payment_account_reference } = body
  const isNumber = typeof number === 'string' && passesLuhn(number)
  const isDated = typeof expiration_date === 'string' && parseExpiration(expiration_date) !== undefined
  if (!isNumber || !isDated || typeof payment_account_reference !== 'string') return undefined
  return {
    number: new Masked(number),
    expirationDate: expiration_date,
    paymentAccountReference: payment_account_reference,
    status: token_status === 'inactive' ? ('inactive' as const) : ('active' as const),
  }
}

type Read = Awaited<ReturnType<TokenService['readNotification']>>

function rejected(message: string): Read {
  return { outcome: 'rejected', message }
}

/** The sandbox's service signs with the app id, so that anyone who has set up the account can play its part. */
function isSigned({ headers, body }: Message, { appId }: Requestor): boolean {
  const expected = createHmac('sha256', appId).update(body).digest('hex')
  return isSameKey(expected, headers['x-signature'] ?? '')
}

type Noted = { readonly notice: TokenNotice; readonly requestor: Requestor }

/** The simulator notes the change in its books, too. */
async function noteNotice({ notice, requestor }: Noted, link: Link): Promise<Read> {
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
  return value === null || (typeof value === 'string' && parseExpiration(value) !== undefined)
}

function parse(body: Buffer): Body {
  try {
    const said: unknown = JSON.parse(body.toString())
    return typeof said === 'object' && said !== null ? (said as Body) : {}
  } catch {
    return {}
  }
}
