import { setImmediate } from 'node:timers/promises'
import { writeHelp } from '../page.ts'
import { listenOn } from '../serve.ts'
import { checkAmount, type Json, objectOf, textOf } from './check-request.ts'
import { control } from './controls.ts'
import { answerDispute, DISPUTES_PATH } from './defend.ts'
import { Deliveries } from './deliveries.ts'
import { type Asked, Desk } from './desk.ts'
import { type Reply, ServiceError, toReply } from './errors.ts'
import { checkLines } from './methods.ts'
import type { Account } from './notifications.ts'
import { html, showPage } from './pages.ts'
import { finishPayment, pay } from './payments.ts'
import { type Modification, newPspReference } from './state.ts'
import { remove, store } from './tokens.ts'
import { manageWebhooks } from './webhooks.ts'

/** What a service enters to use the stand-in. The values are no secrets: nothing but the stand-in accepts them. */
const DEFAULT_ACCOUNT: Account = {
  apiKey: 'stand-in-api-key',
  restrictedApiKey: 'stand-in-restricted-key',
  merchantAccount: 'StandInShop',
  hmacKey: '44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056',
  reportUser: 'report@Company.StandInCompany',
  reportPassword: 'stand-in-report-password',
}

type Options = {
  readonly now: () => Date
  readonly account?: Partial<Account>
  readonly hasPartialCaptures?: boolean
  readonly isCapturedByHand?: boolean
  /** Whether modifications end by themselves. Else they wait for `/_stand-in/finish`. */
  readonly isAutomatic?: boolean
}

export type StandIn = {
  readonly account: Account
  readonly fetch: (url: string, init?: RequestInit) => Promise<Response>
  /** Only this machine can reach it. */
  readonly listen: (port: number) => Promise<{ readonly origin: string; readonly close: () => Promise<void> }>
}

/** Adyen's Checkout API as far as its pages go, in memory. README.md has each rule and its source. */
export function createStandIn({ now, ...options }: Options): StandIn {
  const account = { ...DEFAULT_ACCOUNT, ...options.account }
  const { hasPartialCaptures = true, isCapturedByHand = false } = options
  const desk = new Desk({ account, now, hasPartialCaptures, isCapturedByHand })
  const deliveries = new Deliveries(desk.state.outbox)
  desk.onNotice = () => deliveries.wake()
  const idempotency = new Idempotency(now)

  async function handle(request: Request): Promise<Response> {
    const { pathname, origin, searchParams } = new URL(request.url)
    const path = pathname.slice(1)
    if (path === '' && request.method === 'GET') return html(showHelp(account, origin))
    if (path.startsWith('shopper/')) return showPage(desk, path.slice('shopper/'.length), request)
    if (path.startsWith('reports/download/')) return download(desk, path, request)
    const isInAddress = request.method === 'GET' || request.method === 'DELETE'
    const body = isInAddress ? Object.fromEntries(searchParams) : await jsonOf(request)
    if (path.startsWith('v3/')) {
      const asked = { method: request.method, path: path.slice('v3/'.length), body: body ?? {} }
      const apiKey = request.headers.get('x-api-key')
      return toResponse(manageWebhooks(desk, deliveries, { ...asked, apiKey }))
    }
    if (path.startsWith('_stand-in/')) {
      const asked = { method: request.method, path: path.slice('_stand-in/'.length), body: body ?? {} }
      return toResponse(await control(desk, deliveries, asked))
    }
    const key = request.headers.get('idempotency-key')
    const reply = await answer(path, { request, body, key, origin })
    return toResponse(
      reply,
      key !== null && [200, 201, 422].includes(reply.status) ? { 'idempotency-key': key } : {},
    )
  }

  async function answer(
    path: string,
    {
      request,
      body,
      key,
      origin,
    }: { request: Request; body: Json | null; key: string | null; origin: string },
  ): Promise<Reply> {
    try {
      checkCaller(account, request, path)
      if (body === null) throw new ServiceError(400, '702', 'Unexpected input')
      // Only requests with POST have keys.
      return await idempotency.once(request.method === 'POST' ? key : null, async () => {
        // Other requests come in meanwhile, among them twins.
        await setImmediate()
        return serve(path, { method: request.method, body, key, origin })
      })
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      return toReply(error, newPspReference())
    }
  }

  /** An error of a request is an answer, too, and is kept under its key. */
  function serve(
    path: string,
    asked: { method: string; body: Json; key: string | null; origin: string },
  ): Reply {
    try {
      const { body } = asked
      if (path.startsWith(DISPUTES_PATH)) return answerDispute(desk, path.slice(DISPUTES_PATH.length), body)
      if (
        textOf(body['merchantAccount']) !== account.merchantAccount &&
        !path.endsWith('/payments/details')
      ) {
        throw new ServiceError(403, '901', 'Invalid Merchant Account', 'security')
      }
      const reply = perform(desk, path.replace(/^(checkout\/)?v7[12]\//, ''), asked)
      if (options.isAutomatic) finishLast()
      return reply
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      return toReply(error, newPspReference())
    }
  }

  function finishLast(): void {
    for (const payment of desk.state.payments.values()) {
      for (const modification of payment.modifications) desk.finish(payment, modification)
    }
  }

  return {
    account,
    fetch: (url, init) => handle(new Request(url, init)),
    listen: (port) => listenOn(port, handle, { onClose: () => deliveries.stop() }),
  }
}

function perform(
  desk: Desk,
  operation: string,
  asked: {
    readonly method: string
    readonly body: Json
    readonly key: string | null
    readonly origin: string
  },
): Reply {
  const [, token] = /^storedPaymentMethods\/([^/]+)$/.exec(operation) ?? []
  if (token !== undefined && asked.method === 'DELETE') return remove(desk, token, asked)
  switch (operation) {
    case 'paymentMethods':
      return { status: 200, body: { paymentMethods: [{ name: 'Cards', type: 'scheme' }] } }
    case 'storedPaymentMethods':
      return store(desk, asked)
    case 'payments':
      return pay(desk, asked)
    case 'payments/details':
      return finishPayment(desk, asked)
    default:
      return modify(desk, operation, asked)
  }
}

/** 401 for a wrong key, 403 for one that may not do this. */
function checkCaller(account: Account, request: Request, path: string): void {
  const key = request.headers.get('x-api-key')
  const isDeletion = request.method === 'DELETE' && path.includes('/storedPaymentMethods/')
  const isKnown = /^(checkout\/)?v7[12]\//.test(path) || path.startsWith(DISPUTES_PATH)
  if (!isKnown || (request.method !== 'POST' && !isDeletion)) {
    throw new ServiceError(404, '000', 'Not Found', 'internal')
  }
  if (key === account.restrictedApiKey) throw new ServiceError(403, '010', 'Not allowed', 'security')
  if (key !== account.apiKey)
    throw new ServiceError(401, '000', 'HTTP Status Response - Unauthorized', 'security')
}

/** A file of a report, for the report user alone. https://docs.adyen.com/reporting/automatically-get-reports */
function download({ state, account }: Desk, path: string, request: Request): Response {
  const proof = Buffer.from(`${account.reportUser}:${account.reportPassword}`).toString('base64')
  if (request.headers.get('authorization') !== `Basic ${proof}`)
    return new Response('Unauthorized', { status: 401 })
  const [, merchantAccount, name] = /^reports\/download\/MerchantAccount\/([^/]+)\/([^/]+)$/.exec(path) ?? []
  const file =
    merchantAccount === account.merchantAccount ? state.reports.find((one) => one.name === name) : null
  if (!file) return new Response('Not found', { status: 404 })
  const headers = { 'content-type': 'text/csv', 'last-modified': file.publishedAt.toUTCString() }
  return new Response(request.method === 'HEAD' ? null : file.text, { headers })
}

async function jsonOf(request: Request): Promise<Json | null> {
  try {
    const text = await request.text()
    const value: unknown = text === '' ? {} : JSON.parse(text)
    return typeof value === 'object' && value !== null ? objectOf(value) : null
  } catch {
    return null
  }
}

function toResponse({ status, body }: Reply, headers: Record<string, string> = {}): Response {
  if (status === 204) return new Response(null, { status, headers })
  return Response.json(body, { status, headers })
}

function showHelp(account: Account, origin: string): string {
  return writeHelp({
    provider: 'Adyen',
    documentation: 'https://docs.adyen.com/development-resources/testing',
    fields: {
      api_key: account.apiKey,
      merchant_account: account.merchantAccount,
      hmac_key: account.hmacKey,
      stand_in_url: origin,
    },
    values: [
      ['4111 1111 4555 1142', 'is approved. Any expiry date to come, any security code of three digits.'],
      ['holder DECLINED, NOT_ENOUGH_BALANCE, CVC_DECLINED …', 'the holder’s name chooses the refusal.'],
      ['holder PENDING', 'the payment waits until finish.'],
      ['5454 5454 5454 5454', '3-D Secure: the buyer is asked on a page.'],
      ['4212 3456 7890 1237', '3-D Secure with a posted form.'],
      ['e-mail address with +denied before the @', 'a refusal before any page.'],
    ],
    controls: [
      ['/_stand-in/webhook', 'sends webhooks to {"url": "…"} from now on.'],
      ['/_stand-in/finish', 'ends all that waits, or what {"pspReference": "…"} names.'],
      ['/_stand-in/captures/ID/fail', 'a capture turns out to have failed; also refunds/ID/fail.'],
      ['/_stand-in/payments/ID/expire', 'an authorization ends unused.'],
      ['/_stand-in/disputes', 'opens a chargeback of {"pspReference": "…"}.'],
      ['/_stand-in/disputes/ID/reverse', 'the chargeback is won; second: it is lost again.'],
      ['/_stand-in/reports', 'closes the batch and publishes its settlement report.'],
      ['/_stand-in/deliver', 'sends webhooks that wait now.'],
    ],
  })
}

const DAY_MS = 86_400_000
/** Adyen promises 31 days in an older page. The stand-in forgets earlier, so that nothing relies on more than a week. */
const KEPT_MS = 7 * DAY_MS
const KEY_LENGTH_MAX = 64

type Kept = { readonly at: Date; readonly reply: Reply | null }

/**
 * The first answer to a key is repeated, whatever comes with the key later. A twin that comes while the first is under
 * way gets the error 704. Answers with the status 400, 401, 403 and 500 are not kept: only 200, 201 and 422 name the
 * header in the API reference. https://docs.adyen.com/development-resources/api-idempotency
 */
class Idempotency {
  readonly #kept = new Map<string, Kept>()
  readonly #now: () => Date

  constructor(now: () => Date) {
    this.#now = now
  }

  async once(key: string | null, work: () => Promise<Reply>): Promise<Reply> {
    if (key === null) return work()
    if (key.length > KEY_LENGTH_MAX) throw new ServiceError(422, '703', 'The idempotency key is too long')
    const kept = this.#kept.get(key)
    if (kept && this.#now().getTime() - kept.at.getTime() < KEPT_MS) {
      if (kept.reply === null) throw new ServiceError(422, '704', 'request already processed or in progress')
      return kept.reply
    }
    const at = this.#now()
    this.#kept.set(key, { at, reply: null })
    const reply = await work().catch((error: unknown) => {
      this.#kept.delete(key)
      throw error
    })
    if ([200, 201, 422].includes(reply.status)) this.#kept.set(key, { at, reply })
    else this.#kept.delete(key)
    return reply
  }
}

const KINDS: Readonly<Record<string, Modification['kind']>> = {
  captures: 'CAPTURE',
  cancels: 'CANCELLATION',
  refunds: 'REFUND',
  reversals: 'CANCEL_OR_REFUND',
  amountUpdates: 'AUTHORISATION_ADJUSTMENT',
}

const REFUND_REASONS = ['FRAUD', 'CUSTOMER REQUEST', 'RETURN', 'DUPLICATE', 'OTHER']

/** POST /payments/{pspReference}/captures and the like. Adyen answers that it has the request, never more. */
function modify(desk: Desk, path: string, asked: Asked): Reply {
  const [, paymentPspReference = '', what = ''] = /^payments\/([^/]+)\/(\w+)$/.exec(path) ?? []
  const kind = KINDS[what]
  if (!kind) throw new ServiceError(404, '000', 'Not Found')
  const payment = desk.state.payments.get(decodeURIComponent(paymentPspReference))
  if (!payment) throw new ServiceError(422, '167', 'Original pspReference required for this operation')
  const { body, key } = asked
  const hasAmount = kind !== 'CANCELLATION' && kind !== 'CANCEL_OR_REFUND'
  const amount = hasAmount ? checkAmount(body['amount'], { mayBeZero: false }) : payment.amount
  const isPart = (kind === 'CAPTURE' || kind === 'REFUND') && amount.value < payment.amount.value
  checkLines(payment.method, isPart, body)
  const reason = body['merchantRefundReason']
  if (reason !== undefined && !REFUND_REASONS.includes(textOf(reason))) {
    throw new ServiceError(422, '702', 'The field merchantRefundReason has an unknown value')
  }
  const reference = textOf(body['reference']) || payment.reference
  const pspReference = newPspReference()
  payment.modifications.push({ pspReference, kind, reference, key, amount, status: 'received' })
  return {
    status: 201,
    body: {
      merchantAccount: desk.account.merchantAccount,
      paymentPspReference: payment.pspReference,
      pspReference,
      reference,
      status: 'received',
      ...(hasAmount && { amount }),
      ...(reason !== undefined && { merchantRefundReason: reason }),
      ...(body['capturePspReference'] !== undefined && { capturePspReference: body['capturePspReference'] }),
    },
  }
}
