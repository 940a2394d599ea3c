import { setTimeout as sleep } from 'node:timers/promises'
import { CARD, STORED_CARD } from '../lab/card.ts'
import { dice, mix } from '../lab/dice.ts'
import type { Place } from '../lab/product.ts'
import { type KeyedRequest, repeat, type Sent, sendOnce } from './keyed-request.ts'
import { openAccount, type Provider, SIMULATED_ACCOUNT } from './provider.ts'
import { openTokenTrade, type TokenTrade } from './token-trade.ts'

/** How often a shop looks whether a step has ended. */
const LOOK_MS = 50

// biome-ignore lint/suspicious/noExplicitAny: answers are compared with the database, field by field
type Json = any
type Totals = { authorized: number; captured: number; refunded: number; voided: boolean }

/** Shops that pay, capture, void, refund, increment and pay out until the town closes. Some also ask for tokens. */
export type Town = {
  /** Sells until the town closes. */
  readonly trade: (shop: number) => Promise<void>
  readonly close: () => void
  /** Resolves when that many more requests were answered. */
  readonly answers: (count: number) => Promise<void>
  /** How many shops get no answer for so long. A shop that is still late is not counted twice. */
  readonly countLate: (ms: number) => Promise<number>
  /** The longest time for which a shop had to repeat one request. */
  readonly longestMs: () => number
  readonly counts: () => Exchanges
  /** How often each status was answered. */
  readonly statuses: () => Readonly<Record<string, number>>
  /** The payment in the answer to each key. */
  readonly paid: ReadonlyMap<string, string>
  /** The totals that answers acknowledged for each payment, where they are certain. */
  readonly acknowledged: ReadonlyMap<string, Totals>
  /** The payout in the answer to each key, and its status where it is certain. */
  readonly paidOut: ReadonlyMap<string, PaidOut>
  readonly tokens: TokenTrade
  /** Answers that no caller should get. */
  readonly broken: readonly string[]
}

type PaidOut = { readonly id: string; readonly status: string | null }

type Exchanges = {
  readonly sent: number
  readonly answered: number
  /** Sent, and never answered. */
  readonly cut: number
  readonly refused: number
}

type Options = {
  readonly tokenChance?: number
  readonly provider?: Pick<Provider, 'isSlow' | 'can'>
  /** What the shops enter for their payment service. */
  readonly account?: object
}

const SIMULATED = { isSlow: false, can: { payouts: true, tokens: true, faults: true } }

/** Each shop repeats a request with its idempotency key until it is answered, as clients do. */
export async function openTown(
  service: Place,
  seed: number,
  { tokenChance = 0, provider = SIMULATED, account = SIMULATED_ACCOUNT }: Options = {},
): Promise<Town> {
  const paid = new Map<string, string>()
  const acknowledged = new Map<string, Totals>()
  const paidOut = new Map<string, PaidOut>()
  const broken: string[] = []
  const counts = { sent: 0, answered: 0, cut: 0, refused: 0 }
  const statuses: Record<string, number> = {}
  /** How many answers each shop got. */
  const served: number[] = []
  let longestMs = 0
  let isOpen = true
  const askFor = async (request: KeyedRequest) => {
    const onSent = (sent: Sent) => {
      counts.sent += 1
      if (typeof sent === 'string') counts[sent] += 1
      else statuses[sent.status] = (statuses[sent.status] ?? 0) + 1
    }
    const begin = performance.now()
    const answer = await repeat(service, request, { onSent })
    longestMs = Math.max(longestMs, performance.now() - begin)
    counts.answered += 1
    return answer
  }
  const ask = (route: string, body: object | undefined, key: string) => askFor({ route, body, key })
  const tokens = openTokenTrade(service, askFor, broken)
  const made = await openAccount(service, account)
  const onlooker = { service, isOpen: () => isOpen }

  /** One payment from beginning to end. Uncertain steps do not count as acknowledged. */
  async function sell(shop: number, number: number): Promise<void> {
    const chance = dice(mix(mix(seed, shop), number))
    const order = `shop-${shop}-${number}`
    const askAsShop: typeof ask = async (route, body, key) => {
      const answer = await ask(route, body, key)
      served[shop] = (served[shop] ?? 0) + 1
      return answer
    }
    const [intent, ...steps] = STORIES[Math.floor(chance() * STORIES.length)] ?? ['authorize']
    const money = { amount: 1_000 + number, external_identifier: order, payment_service_id: made.id }
    const trouble = provider.can.faults ? troubleWith(steps, chance) : {}
    const body = { ...CARD_ORDER, ...money, intent, ...trouble }
    const payment = await askAsShop('/transactions', body, order)
    paid.set(order, payment.id)
    const { now, refunded } = await walk(payment, steps, async (step) => {
      const answer = await askAsShop(`/transactions/${payment.id}/${step}`, BODIES[step], `${order} ${step}`)
      return provider.isSlow ? look(onlooker, routeOf(payment.id, step, answer)) : answer
    })
    const again = await askAsShop('/transactions', body, order)
    if (again.id !== payment.id) broken.push(`${order} was paid by ${payment.id}, and then by ${again.id}`)
    const counter = { ask: askAsShop, serviceId: made.id, paidOut, broken }
    if (provider.can.payouts && chance() < PAYOUT_CHANCE) await payOut(counter, `${order} payout`, chance)
    if (chance() < tokenChance) await tokens.make(`${order} token`, chance)
    if (/processing|pending/.test(now.status)) return
    acknowledged.set(payment.id, totalsOf(now, refunded))
  }

  return {
    paid,
    acknowledged,
    paidOut,
    tokens,
    broken,
    counts: () => counts,
    statuses: () => statuses,
    answers: async (count) => {
      for (const goal = counts.answered + count; counts.answered < goal && broken.length === 0; )
        await sleep(2)
    },
    countLate: lateAmong(served),
    longestMs: () => Math.round(longestMs),
    close: () => {
      isOpen = false
    },
    trade: async (shop) => {
      served[shop] = 0
      for (let number = 0; isOpen; number += 1) {
        await sell(shop, number).catch((error: Error) => {
          broken.push(error.message)
          isOpen = false
        })
      }
    },
  }
}

/** Takes one step after the other, as long as they are possible. Returns the payment as it was last told of. */
async function walk(
  payment: Json,
  steps: readonly string[],
  take: (step: string) => Promise<Json>,
): Promise<{ readonly now: Json; readonly refunded: number }> {
  let now = payment
  let refunded = 0
  for (const step of steps) {
    if (!isPossible(step, now)) break
    const told = await take(step)
    if (step !== 'refunds') now = told.transaction ?? told
    else if (told.status === 'processing') now = told
    else refunded += told.status === 'succeeded' ? told.amount : 0
  }
  return { now, refunded }
}

type Onlooker = { readonly service: Place; readonly isOpen: () => boolean }

/** What becomes of a step whose outcome comes later. Undecided if the town closes meanwhile. */
async function look({ service, isOpen }: Onlooker, route: string): Promise<Json> {
  for (;;) {
    const sent = await sendOnce(service, { method: 'GET', route, key: '' })
    const told = typeof sent === 'string' || sent.status !== 200 ? null : JSON.parse(sent.text)
    if (told && !/processing|pending/.test(told.status)) return told
    if (!isOpen()) return { status: 'processing' }
    await sleep(LOOK_MS)
  }
}

function routeOf(paymentId: string, step: string, { id }: Json): string {
  return step === 'refunds' ? `/refunds/${id}` : `/transactions/${paymentId}`
}

type Counter = {
  readonly ask: (route: string, body: object, key: string) => Promise<Json>
  readonly serviceId: string
  readonly paidOut: Map<string, PaidOut>
  readonly broken: string[]
}

async function payOut(counter: Counter, order: string, chance: () => number): Promise<void> {
  const body = {
    amount: 1_000 + Math.floor(chance() * 1_000),
    currency: 'USD',
    payment_method: STORED_CARD,
    payment_service_id: counter.serviceId,
    external_identifier: order,
    ...troubleWith(['payouts'], chance),
  }
  const { id, status } = await counter.ask('/payouts', body, order)
  counter.paidOut.set(order, { id, status: status === 'pending' ? null : status })
  const again = await counter.ask('/payouts', body, order)
  if (again.id !== id) counter.broken.push(`${order} was paid out by ${id}, and then by ${again.id}`)
}

/** Compares the numbers of answers that each shop has got so far. */
function lateAmong(served: readonly number[]): Town['countLate'] {
  const lateAt: number[] = []
  return async (ms) => {
    const before = [...served]
    const waiting = () =>
      before.flatMap((count, shop) => (count === served[shop] && count !== lateAt[shop] ? [shop] : []))
    const deadline = performance.now() + ms
    while (waiting().length > 0 && performance.now() < deadline) await sleep(2)
    const late = waiting()
    for (const shop of late) lateAt[shop] = before[shop] ?? 0
    return late.length
  }
}

function totalsOf({ status, authorized_amount, captured_amount }: Json, refunded: number): Totals {
  return {
    authorized: authorized_amount,
    captured: captured_amount,
    refunded,
    voided: status === 'authorization_voided',
  }
}

const CARD_ORDER = { currency: 'USD', payment_method: CARD }

/** How many payments are followed by a payout. */
const PAYOUT_CHANCE = 0.3

const STORIES = [
  ['authorize', 'capture', 'refunds'],
  ['authorize', 'void'],
  ['authorize', 'authorization/increment', 'capture'],
  ['capture', 'refunds'],
] as const
const BODIES: Readonly<Record<string, object | undefined>> = {
  capture: { amount: 900 },
  refunds: { amount: 300 },
  'authorization/increment': { amount: 500 },
}

/** After a step that failed, or whose outcome is unknown, later steps are not possible. */
function isPossible(step: string, { status, captured_amount }: Json): boolean {
  return step === 'refunds' ? captured_amount > 0 : status === 'authorization_succeeded'
}

/** The answer to one step of every tenth payment, and to every tenth payout, is lost. */
function troubleWith(steps: readonly string[], chance: () => number): object {
  if (chance() > 0.1) return {}
  const named = steps.flatMap((step) => FAULTY[step] ?? [])
  const possible = named.includes('payout') ? named : ['authorize', ...named]
  const on = possible[Math.floor(chance() * possible.length)]
  return { connection_options: { 'mock-card': { fault: { on, kind: 'lose-answer' } } } }
}

const FAULTY: Readonly<Record<string, string>> = {
  capture: 'capture',
  void: 'void',
  refunds: 'refund',
  'authorization/increment': 'increment',
  payouts: 'payout',
}
