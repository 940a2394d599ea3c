import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'
import { listActivity } from './activity.ts'
import { isoCodeOf } from './amounts.ts'
import { answerDispute, readDisputeAnswer } from './answer-dispute.ts'
import { answerLater } from './answer-later.ts'
import { ANTI_FRAUD_URL, answerAntiFraud } from './anti-fraud/answer.ts'
import { readBooks } from './books.ts'
import { networkError, readFault, type Sleep, sendThrough } from './faults.ts'
import { answerGiftCards, GIFT_CARDS_URL, type Desk as GiftCardDesk } from './gift-cards/answer.ts'
import * as levers from './levers.ts'
import { answerTokens, TOKENS_URL } from './network-tokens/answer.ts'
import * as processor from './processor.ts'
import { APPROVED, CANCELED, type Office } from './processor.ts'
import {
  BadRequest,
  type Body,
  type Call,
  callOf,
  flag,
  isReference,
  readAttempt,
  readAttemptId,
  readAuthorization,
  readBody,
  readInstrument,
  readMoney,
  readSettlement,
  readToken,
} from './requests.ts'
import { sumFiles } from './settlement/sums.ts'
import type { Entry } from './store.ts'
import * as store from './store.ts'
import { tokenOf } from './token-text.ts'
import * as tokens from './tokens.ts'
import { answerWallets, WALLETS_URL } from './wallets/answer.ts'

/** The processor's address. Names that end in `.invalid` do not exist (RFC 2606), so no request leaves the process. */
export const SIMULATOR_URL = 'https://processor.simulator.invalid/'

/** A merchant that is not accepted, and one whose calls get no answer. */
const INVALID_MERCHANT = 'invalid'
const UNREACHABLE_MERCHANT = 'unreachable'

export type Simulator = {
  readonly handle: (call: Call) => Promise<Response>
  /** Like `fetch`: ends when the caller gives up. The processor still finishes its work. */
  readonly fetch: (url: string, init?: RequestInit) => Promise<Response>
  /** Resolves when all work that no caller waits for is done. */
  readonly idle: () => Promise<void>
}

export type SimulatorOptions = {
  readonly pool: pg.Pool
  readonly clock: () => Date
  /** A keyed hash that identifies gift cards and tokens. Without one, they are forgotten when the process ends. */
  readonly mac?: GiftCardDesk['mac']
  /** Where the pages for buyers are. */
  readonly publicUrl?: string
  readonly sleep?: Sleep
  /** Is called when the simulator itself fails, for example without its database. Callers see a broken connection. */
  readonly onError?: (error: unknown) => void
}

type Desk = GiftCardDesk & { readonly publicUrl: string; readonly levers: levers.Lookout }

/** A payment processor for sandboxes. It moves no money, but keeps real books. */
export function createSimulator(options: SimulatorOptions): Simulator {
  const { pool, clock, onError = () => {}, publicUrl = 'http://127.0.0.1:3000' } = options
  // This timer must not keep the process alive.
  const sleep = options.sleep ?? ((ms: number) => wait(ms, undefined, { ref: false }))
  const underWay = new Set<Promise<unknown>>()
  const goOn = (work: Promise<unknown>) => {
    const settled = work.catch(onError).finally(() => underWay.delete(settled))
    underWay.add(settled)
  }
  const own = { publicUrl, levers: levers.newLookout(), mac: options.mac ?? ownMac() }
  const desk: Desk = { pool, clock, sleep, goOn, ...own }
  const handle = async (call: Call) => {
    try {
      if (call.url.startsWith(GIFT_CARDS_URL)) return await answerGiftCards(desk, call)
      if (call.url.startsWith(ANTI_FRAUD_URL)) return await answerAntiFraud(desk, call)
      if (call.url.startsWith(WALLETS_URL)) return await answerWallets(desk, call)
      if (call.url.startsWith(TOKENS_URL)) return await answerTokens(desk, call)
      return await answer(desk, call)
    } catch (error) {
      if (error instanceof BadRequest) return refuse(400, 'bad_request', error.field)
      if (!(error instanceof TypeError && error.message === 'fetch failed')) onError(error)
      throw error instanceof TypeError ? error : networkError('ECONNRESET', error)
    }
  }
  return {
    handle,
    fetch: (url, init) => {
      const call = callOf(url, init)
      return Promise.race([handle(call), rejectWhenGivenUp(call.signal)])
    },
    idle: async () => {
      while (underWay.size > 0) await Promise.all(underWay)
    },
  }
}

async function answer(desk: Desk, request: Call): Promise<Response> {
  const { pathname, searchParams } = new URL(request.url)
  const path = pathname.split('/').slice(1)
  const route = `${request.method} ${path.map((part, index) => (index === 1 ? ':id' : part)).join('/')}`
  if (path[0] === 'books') return answerBooks(desk, `${request.method} ${path.join('/')}`, searchParams)
  if (path[0] === 'approvals') return answerApproval(desk, request, path)
  const merchant = readMerchant(request)
  if (merchant === null) return refuse(401, 'unknown_merchant')
  const { merchantId } = merchant
  const id = path[1] ?? ''
  switch (route) {
    case 'GET merchant':
      if (merchantId === UNREACHABLE_MERCHANT) throw networkError('ECONNREFUSED')
      return Response.json({ merchant: 'active' })
    case 'GET attempts/:id':
      return inquire(desk, merchantId, readAttemptId(id))
    case 'GET activity':
      return listActivity(desk.pool, { ...merchant, query: searchParams }, (entry) => show(desk, entry))
    case 'POST settle':
      return settle(desk, request, merchant)
    case 'POST sessions': {
      const session = await openSession(desk, merchantId, await readBody(request))
      return session ? Response.json(session) : refuse(404, 'unknown_reference')
    }
    case 'GET levers':
      return Response.json({ levers: await levers.list(desk.pool, merchantId) })
    case 'POST levers': {
      const armed = await levers.arm(desk, merchantId, await readBody(request))
      return armed === 'too_many' ? refuse(409, armed) : Response.json(armed)
    }
    case 'POST disarm':
      return Response.json({ disarmed: await levers.disarm(desk.pool, merchantId) })
    default: {
      const told = await answerLater(desk, request, { route, id, merchantId, query: searchParams })
      if (told) return told
      const perform = await operationOf(desk, request, { route, id, merchant })
      return perform ? operate(desk, request, perform) : refuse(404, 'unknown_path')
    }
  }
}

/** For programs that compare the processor's books with others. They need no merchant. */
async function answerBooks(desk: Desk, route: string, query: URLSearchParams): Promise<Response> {
  if (route === 'GET books') return Response.json(await readBooks(desk.pool, query, desk.clock()))
  if (route === 'GET books/files') {
    return Response.json({ files: await sumFiles(desk.pool, query.get('merchant_id')) })
  }
  return refuse(404, 'unknown_path')
}

/** For the page of the buyer, whose address has a key. */
async function answerApproval(desk: Desk, request: Call, path: readonly string[]): Promise<Response> {
  const [, reference = '', key = ''] = path
  const found = await findApproval(desk, reference, key)
  if (!found) return refuse(404, 'unknown_path')
  const entry =
    request.method === 'POST'
      ? await decideApproval(desk, found, flag(await readBody(request), 'approve'))
      : found
  const { operation, product, amount, currency, merchantId: merchant, returnUrl: return_url } = entry
  const status = entry.facts?.permittedAt === undefined ? entry.status : 'permitted'
  return Response.json({ operation, product, status, amount, currency, merchant, return_url })
}

type Operation = {
  readonly attemptId: string
  readonly perform: () => Promise<processor.Performed>
  /** What a lever does to the call on its way. */
  readonly fault?: Exclude<ReturnType<typeof readFault>, 'unknown'>
}

/** The calls that levers can hit. */
const LEVERS: Readonly<Record<string, levers.LeverOperation>> = {
  'POST authorizations': 'authorize',
  'POST payouts': 'payout',
  'POST authorizations/:id/captures': 'capture',
  'POST authorizations/:id/refunds': 'refund',
  'POST authorizations/:id/increments': 'increment',
  'POST authorizations/:id/voids': 'void',
  'POST authorizations/:id/cancels': 'cancel',
  'POST cancels': 'cancel',
  'POST tokens': 'tokenize',
}

type Asked = { readonly route: string; readonly id: string; readonly merchant: processor.Merchant }

async function operationOf(desk: Desk, request: Call, asked: Asked): Promise<Operation | null> {
  if (request.method !== 'POST') return null
  const body = await readBody(request)
  const { attemptId } = readAttempt(body)
  const operation = LEVERS[asked.route]
  const { merchantId } = asked.merchant
  const hit = operation ? await levers.take(desk, { merchantId, operation, attemptId }) : null
  const found = performanceOf(desk, body, { ...asked, refusal: hit?.effect === 'refuse' ? hit.code : null })
  return found && (hit && hit.effect !== 'refuse' ? { ...found, fault: hit.effect } : found)
}

function performanceOf(
  desk: Desk,
  body: Body,
  { route, id, merchant, refusal }: Asked & { readonly refusal: string | null },
): Operation | null {
  const attempt = { ...readAttempt(body), ...merchant, refusal }
  const { attemptId } = attempt
  const about = { ...attempt, reference: id }
  switch (route) {
    case 'POST authorizations': {
      const order = { ...readAuthorization(body), ...merchant, refusal }
      return { attemptId, perform: () => processor.authorize(desk, order) }
    }
    case 'POST payouts': {
      const money = { ...readMoney(body), isFunded: flag(body, 'funded') }
      const order = { ...attempt, ...money, instrument: readInstrument(body) }
      return { attemptId, perform: () => processor.payOut(desk, order) }
    }
    case 'POST tokens': {
      const order = { ...attempt, instrument: readInstrument(body) }
      return { attemptId, perform: () => tokens.tokenize(desk, order) }
    }
    case 'POST forgotten-tokens': {
      const order = { ...attempt, token: readToken(body) }
      return { attemptId, perform: () => tokens.forget(desk, order) }
    }
    case 'POST authorizations/:id/captures': {
      const order = {
        ...about,
        ...readMoney(body),
        operation: 'capture',
        isFinal: flag(body, 'final'),
      } as const
      return { attemptId, perform: () => processor.followUp(desk, order) }
    }
    case 'POST authorizations/:id/refunds':
    case 'POST authorizations/:id/increments': {
      const operation = route.endsWith('refunds') ? 'refund' : 'increment'
      const order = { ...about, ...readMoney(body), operation } as const
      return { attemptId, perform: () => processor.followUp(desk, order) }
    }
    case 'POST disputes/:id/answers': {
      const order = { ...about, ...readDisputeAnswer(body) }
      const fault = order.wish === 'lose-answer' ? order.wish : null
      return { attemptId, perform: () => answerDispute(desk, order), ...(fault && { fault }) }
    }
    case 'POST authorizations/:id/voids':
      return { attemptId, perform: () => processor.followUp(desk, { ...about, operation: 'void' }) }
    case 'POST authorizations/:id/cancels':
      return { attemptId, perform: () => processor.cancel(desk, about) }
    case 'POST cancels':
      return { attemptId, perform: () => processor.cancel(desk, { ...attempt, reference: null }) }
    default:
      return null
  }
}

/** Performs the operation behind a network with the fault that the merchant asked for. */
function operate(desk: Desk, request: Call, operation: Operation): Promise<Response> {
  const { attemptId, perform } = operation
  const asked = readFault(request.headers.get('x-fault'))
  if (asked === 'unknown') throw new BadRequest('x-fault')
  const fault = asked ?? operation.fault ?? null
  const network = {
    sleep: desk.sleep,
    goOn: desk.goOn,
    signal: request.signal,
    isFirst: (kind: string) => store.isFirstHit(desk.pool, { attemptId, kind, now: desk.clock() }),
    perform: async () => {
      const performed = await perform()
      return { response: respond(desk, performed), isNew: performed.result === 'entry' && performed.isNew }
    },
  }
  return sendThrough(network, fault)
}

function respond(desk: Desk, performed: processor.Performed): Response {
  switch (performed.result) {
    case 'entry':
      return Response.json(show(desk, performed.entry))
    case 'attempt_closed':
      return refuse(409, performed.result)
    case 'attempt_reused':
      return refuse(422, performed.result)
    case 'unknown_reference':
      return refuse(404, performed.result)
  }
}

async function inquire(desk: Desk, merchantId: string, attemptId: string): Promise<Response> {
  const entry = await processor.inquire(desk, attemptId)
  if (entry === 'closed') return refuse(404, 'attempt_closed')
  return entry.merchantId === merchantId ? Response.json(show(desk, entry)) : refuse(403, 'other_merchant')
}

async function settle(desk: Desk, request: Call, merchant: processor.Merchant): Promise<Response> {
  const order = { ...readSettlement(await readBody(request)), ...merchant }
  const entry = await processor.settle(desk, order)
  if (entry === null) return refuse(404, 'unknown_reference')
  if (entry === 'ended') return refuse(409, 'already_ended')
  // The merchant may have missed the answer, and so not know the reference.
  return Response.json({ ...show(desk, entry), attempt_id: entry.attemptId })
}

function show(desk: Desk, entry: Entry): object {
  const isToken = entry.operation === 'tokenize' && entry.status === 'approved'
  const { operation, status, reference, amount, code, description, facts } = entry
  return {
    operation,
    status,
    reference,
    amount,
    code,
    description,
    response_code: operation === 'authorize' && code !== null ? isoCodeOf(code, description ?? '') : null,
    avs: facts?.avs ?? null,
    cvv: facts?.cvv ?? null,
    advice_code: facts?.adviceCode ?? null,
    scheme_transaction_id: status === 'approved' ? (facts?.schemeTransactionId ?? null) : null,
    do_not_retry: facts?.isRetriable === false,
    approval_url: approvalUrlOf(desk, entry),
    permitted: status === 'pending' && facts?.permittedAt !== undefined,
    token: isToken ? tokenOf(desk, reference) : null,
    // The account of an invented buyer. A card has its last digits.
    label: isToken ? (entry.last4 ?? `buyer-${reference.slice(-6)}@example.com`) : null,
  }
}

/** Any name is a merchant, because this is a sandbox. */
function readMerchant(request: Call): processor.Merchant | null {
  try {
    const merchantId = decodeURIComponent(request.headers.get('x-merchant-id') ?? '')
    const isTaken = merchantId !== '' && merchantId !== INVALID_MERCHANT && !merchantId.includes('\0')
    const product = store.PRODUCTS.find((one) => one === request.headers.get('x-product')) ?? 'card'
    return isTaken ? { merchantId, product } : null
  } catch {
    return null
  }
}

function refuse(status: number, error: string, field?: string): Response {
  return Response.json({ error, ...(field !== undefined && { field }) }, { status })
}

function rejectWhenGivenUp(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}

function ownMac(): Desk['mac'] {
  const key = randomBytes(32)
  return (input) => createHmac('sha256', key).update(input).digest()
}

/**
 * What the processor's script in a browser would need: the merchant's client id and, for a payment that waits for its buyer, the
 * order. Null if the merchant has no such payment.
 */
async function openSession({ pool }: Office, merchantId: string, body: Body): Promise<object | null> {
  const { reference = null, payload = {} } = body
  if (typeof payload !== 'object' || payload === null) throw new BadRequest('payload')
  const session = { client_id: merchantId, fields: Object.keys(payload) }
  if (reference === null) return session
  if (typeof reference !== 'string' || !isReference(reference)) throw new BadRequest('reference')
  const entry = await store.findByReference(pool, reference)
  if (entry?.merchantId !== merchantId || entry.status !== 'pending') return null
  const { amount, currency } = entry
  return { ...session, order_id: reference, amount, currency }
}

type Place = Office & { readonly publicUrl: string }

/** The page on which the buyer approves. Null if the processor waits for no buyer. */
function approvalUrlOf(place: Place, { status, reference, returnUrl, facts }: Entry): string | null {
  if (status !== 'pending' || returnUrl === null || facts?.permittedAt !== undefined) return null
  return `${place.publicUrl}/simulator/approvals/${reference}/${keyOf(place, reference)}`
}

/** What the page shows. Null if its address is wrong. */
async function findApproval(office: Office, reference: string, key: string): Promise<Entry | null> {
  if (!isReference(reference) || !isKeyOf(office, reference, key)) return null
  const entry = await store.findByReference(office.pool, reference)
  return entry?.returnUrl ? entry : null
}

/** Takes the buyer's decision. A second one changes nothing. */
function decideApproval(office: Office, { reference }: Entry, isApproved: boolean): Promise<Entry> {
  return store.inTransaction(office.pool, async (tx) => {
    const entry = await store.lock(tx, reference)
    if (!entry) throw new Error('an approval has no entry')
    if (entry.status !== 'pending' || entry.facts?.permittedAt !== undefined) return entry
    if (isApproved && entry.product === 'debit') return store.permit(tx, entry, office.clock())
    return store.end(tx, entry, isApproved ? APPROVED : CANCELED, office.clock())
  })
}

function isKeyOf(office: Office, reference: string, key: string): boolean {
  const [given, right] = [Buffer.from(key), Buffer.from(keyOf(office, reference))]
  return given.length === right.length && timingSafeEqual(given, right)
}

function keyOf({ mac }: Pick<Office, 'mac'>, reference: string): string {
  return mac(`approval/${reference}`).toString('base64url')
}
