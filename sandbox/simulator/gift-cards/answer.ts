import { readFault, type Sleep, sendThrough } from '../faults.ts'
import { BadRequest, type Body, type Call, readAttemptId, readBody, readMoney } from '../requests.ts'
import * as provider from './provider.ts'
import type { Entry } from './store.ts'
import * as store from './store.ts'

/** The address of the provider, which does not exist outside this process. */
export const GIFT_CARDS_URL = 'https://gift-cards.simulator.invalid/'

export type Desk = provider.Office & {
  readonly sleep: Sleep
  readonly goOn: (work: Promise<unknown>) => void
}

/** A provider of gift cards for sandboxes: a card's balance is what its PIN says, less what was redeemed. */
export async function answerGiftCards(desk: Desk, request: Call): Promise<Response> {
  const { pathname, searchParams } = new URL(request.url)
  const [, place = '', id = ''] = pathname.split('/')
  if (request.method === 'GET' && place === 'books') return showBooks(desk, searchParams)
  const apiKey = readApiKey(request)
  if (apiKey === null) return refuse(401, 'unknown_merchant')
  if (request.method === 'GET' && place === 'attempts') return inquire(desk, apiKey, readAttemptId(id))
  if (request.method !== 'POST') return refuse(404, 'unknown_path')
  const body = await readBody(request)
  if (place === 'balances') return showBalance(desk, readCard(body, apiKey))
  const operation = operationOf(desk, place, body, apiKey)
  return operation ? operate(desk, request, operation) : refuse(404, 'unknown_path')
}

type Operation = { readonly attemptId: string; readonly perform: () => Promise<provider.Performed> }

function operationOf(desk: Desk, place: string, body: Body, apiKey: string): Operation | null {
  const attemptId = readAttemptId(body['attempt_id'])
  const attempt = { attemptId, transactionId: text(body, 'transaction_id', 100) }
  switch (place) {
    case 'redemptions': {
      const order = { ...attempt, ...readMoney(body), card: readCard(body, apiKey) }
      return { attemptId, perform: () => provider.redeem(desk, order) }
    }
    case 'activations': {
      const isWorthless = (body['amount'] ?? null) === null && (body['currency'] ?? null) === null
      const money = isWorthless ? { amount: null, currency: null } : readMoney(body)
      const order = { ...attempt, ...money, card: readCard(body, apiKey) }
      return { attemptId, perform: () => provider.activate(desk, order) }
    }
    case 'refunds':
    case 'reversals': {
      const operation: 'refund' | 'reverse' = place === 'refunds' ? 'refund' : 'reverse'
      const order = {
        ...attempt,
        ...readMoney(body),
        operation,
        apiKey,
        redemption: text(body, 'redemption', 100),
        redemptionAttemptId: readAttemptId(body['redemption_attempt_id']),
      }
      return { attemptId, perform: () => provider.giveBack(desk, order) }
    }
    default:
      return null
  }
}

/** Performs the operation behind a network with the fault that the merchant asked for. */
function operate(desk: Desk, request: Call, { attemptId, perform }: Operation): Promise<Response> {
  const fault = readFault(request.headers.get('x-fault'))
  if (fault === 'unknown') throw new BadRequest('x-fault')
  const network = {
    sleep: desk.sleep,
    goOn: desk.goOn,
    signal: request.signal,
    isFirst: (kind: string) => store.isFirstHit(desk.pool, { attemptId, kind, now: desk.clock() }),
    perform: async () => {
      const performed = await perform()
      return { response: respond(performed), isNew: performed.result === 'entry' && performed.isNew }
    },
  }
  return sendThrough(network, fault)
}

function respond(performed: provider.Performed): Response {
  if (performed.result === 'entry') return Response.json(show(performed.entry))
  return refuse(performed.result === 'attempt_closed' ? 409 : 422, performed.result)
}

async function showBalance(desk: Desk, card: provider.Card): Promise<Response> {
  const found = await provider.readBalance(desk, card)
  if (found.result === 'refused') {
    const { code, rawCode, rawMessage } = found
    return Response.json({ status: 'refused', code, raw_code: rawCode, raw_message: rawMessage })
  }
  const { balance, currency, expiresAt } = found
  return Response.json({ status: 'known', balance, currency, expires_at: expiresAt.toISOString() })
}

async function inquire(desk: Desk, apiKey: string, attemptId: string): Promise<Response> {
  const entry = await provider.inquire(desk, attemptId)
  if (entry === 'closed') return refuse(404, 'attempt_closed')
  const isTheirs = entry.merchantHash.equals(provider.merchantHashOf(desk, apiKey))
  return isTheirs ? Response.json(show(entry)) : refuse(403, 'other_merchant')
}

/** The provider's books, for programs that compare them with those of the merchant's system. */
async function showBooks(desk: Desk, query: URLSearchParams): Promise<Response> {
  const entries = await store.list(desk.pool, {
    attemptId: query.get('attempt_id'),
    transactionId: query.get('transaction_id'),
  })
  return Response.json({
    entries: entries.map((entry) => ({
      attempt_id: entry.attemptId,
      transaction_id: entry.transactionId,
      redemption: entry.redemptionReference,
      currency: entry.currency,
      moved: entry.moved,
      given_back: entry.givenBack,
      ...show(entry),
    })),
    effects: Object.fromEntries(entries.map((entry) => [entry.attemptId, hasEffect(entry) ? 1 : 0])),
  })
}

function hasEffect({ status, operation, moved }: Entry): boolean {
  return moved > 0 || (operation === 'activate' && status === 'approved')
}

function show(entry: Entry): object {
  const { operation, status, reference, amount, code, rawCode, rawMessage } = entry
  return {
    operation,
    status,
    reference,
    amount,
    code,
    raw_code: rawCode,
    raw_message: rawMessage,
    ...(operation === 'activate' && { expires_at: provider.inAYear(entry.createdAt).toISOString() }),
  }
}

function readCard(body: Body, apiKey: string): provider.Card {
  const { number, pin = null } = body
  if (typeof number !== 'string' || !/^\d{16,19}$/.test(number)) throw new BadRequest('number')
  // Any text is a PIN: it is hashed, and not stored.
  if (pin !== null && typeof pin !== 'string') throw new BadRequest('pin')
  return { apiKey, number, pin }
}

function text(body: Body, field: string, lengthMax: number): string | null {
  const value = body[field] ?? null
  if (value === null) return null
  // PostgreSQL cannot store a NUL character.
  if (typeof value !== 'string' || value.length > lengthMax || value.includes('\0')) {
    throw new BadRequest(field)
  }
  return value
}

/** Any text is an API key, because this is a sandbox. */
function readApiKey(request: Call): string | null {
  try {
    return decodeURIComponent(request.headers.get('x-api-key') ?? '') || null
  } catch {
    return null
  }
}

function refuse(status: number, error: string): Response {
  return Response.json({ error }, { status })
}
