import { setTimeout as sleep } from 'node:timers/promises'
import { CARD } from '../../lab/card.ts'
import { dice, mix } from '../../lab/dice.ts'
import type { Place } from '../../lab/product.ts'
import { sendOnce } from '../keyed-request.ts'

const BUYERS = 20
/** Twenty buyers with these pauses pay about 25 times a second. */
const PAUSE_MS_MAX = 1_500
const REPEAT_MS = 200
const PATIENCE_MS = 240_000
const PASSING = [409, 425, 503, 504]

/** What a buyer was told. The amount is different for each order, so the processor's books show who was charged. */
type Told = { readonly id: string; readonly status: string; readonly amount: number }

/** They pay until they are told to stop, and repeat a payment with its key until one of the services has answered it. */
export type Buyers = {
  /** By order. */
  readonly told: ReadonlyMap<string, Told>
  /** How often each status was answered, and how many requests got no answer. */
  readonly answers: () => Readonly<Record<string, number>>
  /** Resolves when that many more payments have succeeded. */
  readonly pay: (count: number) => Promise<void>
  /** The longest time without a success since then, in milliseconds. */
  readonly longestPause: (since: number) => number
  readonly stop: () => Promise<void>
  /** Answers that no buyer should get. */
  readonly broken: readonly string[]
}

export function openBuyers(places: readonly Place[], seed: number, serviceId: string): Buyers {
  const told = new Map<string, Told>()
  const answers: Record<string, number> = {}
  const broken: string[] = []
  const successes: number[] = []
  let isOpen = true
  let orders = 0

  async function pay(chance: () => number): Promise<void> {
    orders += 1
    const order = `order-${orders}`
    const amount = 1_000 + orders
    const body = {
      amount,
      currency: 'USD',
      payment_method: CARD,
      external_identifier: order,
      payment_service_id: serviceId,
    }
    const begin = performance.now()
    for (let turn = Math.floor(chance() * places.length); ; turn += 1) {
      const place = places[turn % places.length]
      if (!place) throw new Error('there is no service to pay at')
      const sent = await sendOnce(place, { route: '/transactions', body, key: order })
      const status = typeof sent === 'string' ? sent : sent.status
      answers[status] = (answers[status] ?? 0) + 1
      if (typeof sent !== 'string' && sent.status < 300) {
        const payment = JSON.parse(sent.text)
        told.set(order, { id: payment.id, status: payment.status, amount })
        successes.push(performance.now())
        return
      }
      const isPassing = typeof sent === 'string' || PASSING.includes(sent.status)
      if (!isPassing || performance.now() - begin > PATIENCE_MS) {
        broken.push(`${order} was answered ${status}${typeof sent === 'string' ? '' : `: ${sent.text}`}`)
        isOpen = false
        return
      }
      await sleep(REPEAT_MS)
    }
  }

  async function shop(buyer: number): Promise<void> {
    const chance = dice(mix(seed, buyer))
    while (isOpen) {
      await sleep(chance() * PAUSE_MS_MAX)
      await pay(chance)
    }
  }

  const shopping = Array.from({ length: BUYERS }, (_, buyer) => shop(buyer))
  return {
    told,
    broken,
    answers: () => answers,
    pay: async (count) => {
      const begin = performance.now()
      for (const goal = successes.length + count; successes.length < goal; await sleep(20)) {
        if (broken.length > 0) return
        if (performance.now() - begin > PATIENCE_MS) throw new Error('no payment succeeds any more')
      }
    },
    longestPause: (since) => {
      const first = successes.findLastIndex((at) => at <= since)
      const times = [...successes.slice(Math.max(0, first)), performance.now()]
      return Math.max(...times.slice(1).map((at, index) => at - (times[index] ?? at)))
    },
    stop: async () => {
      isOpen = false
      await Promise.all(shopping)
    },
  }
}
