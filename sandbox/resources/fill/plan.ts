import { Dice, type Weighted } from './dice.ts'
import { type Card, drawCard, drawCheckedCard, drawDisputedCard, MARKETS, type Market } from './market.ts'

/** What happens at a moment of the history. `payment` is the number of a payment in the plan. */
export type Act =
  | { readonly kind: 'pay'; readonly at: Date; readonly payment: Payment }
  | {
      readonly kind: 'capture' | 'void' | 'refund'
      readonly at: Date
      readonly payment: Payment
      readonly share: number
    }

export type Payment = {
  readonly number: number
  readonly market: Market
  readonly amount: number
  readonly intent: 'authorize' | 'capture'
  readonly card: Card
  readonly isChecked: boolean
  /** A buyer who has an account at the shop, and a card that is stored with the first payment. */
  readonly buyer: number | null
  /** The shop charges the stored card of a subscriber, who is not there. */
  readonly isRenewal: boolean
}

export type Wish = {
  readonly seed: number
  readonly days: number
  readonly payments: number
  /** The first midnight of the history. */
  readonly start: Date
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** How many people shop at each hour of their day. */
const HOURS: Weighted<number> = [
  [0, 2], [1, 1], [2, 1], [3, 1], [4, 1], [5, 1], [6, 2], [7, 4], [8, 6], [9, 7], [10, 8], [11, 9],
  [12, 11], [13, 9], [14, 8], [15, 8], [16, 8], [17, 9], [18, 10], [19, 12], [20, 13], [21, 11], [22, 7], [23, 4],
] // biome-ignore format: a table of hours

/** Amounts that the simulator refuses, by how often banks give the reason. */
const DECLINES: Weighted<number> = [
  [200011, 45],
  [200012, 22],
  [200017, 8],
  [200009, 6],
  [200010, 5],
  [200005, 4],
  [200013, 4],
  [300013, 3],
  [300014, 3],
]

/** A plausible history, the same for the same wish. In order of time. */
export function planHistory(wish: Wish): Act[] {
  const dice = new Dice(wish.seed)
  const buyers = drawBuyers(dice, wish)
  const acts: Act[] = []
  const days = dayWeights(dice, wish)
  const end = wish.start.getTime() + wish.days * DAY_MS
  for (let number = 0; number < wish.payments; number += 1) {
    const payment = drawPayment(dice, wish, { number, buyers })
    // On the hour, so that the clock has fewer stops.
    const hour = (dice.pick(HOURS) - payment.market.zone + 24) % 24
    acts.push(...livesOf(payment, new Date(dice.pick(days) + hour * HOUR_MS), dice))
  }
  return acts
    .filter(({ at }) => at.getTime() < end)
    .toSorted(
      (one, other) => one.at.getTime() - other.at.getTime() || one.payment.number - other.payment.number,
    )
}

/** More on weekends, and a little more each week. */
function dayWeights(dice: Dice, { start, days }: Wish): Weighted<number> {
  return Array.from({ length: days }, (_, day) => {
    const at = start.getTime() + day * DAY_MS
    const isWeekend = [0, 6].includes(new Date(at).getUTCDay())
    return [at, (isWeekend ? 1.35 : 1) * (1 + 0.5 * (day / days)) * (0.85 + 0.3 * dice.roll())] as const
  })
}

type Buyer = { readonly market: Market; readonly card: Card; readonly isSubscriber: boolean }

/** Buyers come back: each has some eight payments. */
function drawBuyers(dice: Dice, { payments, start }: Wish): readonly Buyer[] {
  return Array.from({ length: Math.max(1, Math.ceil(payments / 12)) }, () => {
    const market = dice.pick(MARKETS)
    return { market, card: drawCard(dice, market, start), isSubscriber: dice.isBelow(0.25) }
  })
}

type Place = { readonly number: number; readonly buyers: readonly Buyer[] }

function drawPayment(dice: Dice, { start }: Wish, { number, buyers }: Place): Payment {
  const index = dice.isBelow(0.65) ? dice.between(0, buyers.length - 1) : null
  const buyer = index === null ? undefined : buyers[index]
  const market = buyer?.market ?? dice.pick(MARKETS)
  const isChecked = !buyer && dice.isBelow(0.2)
  const isDisputed = !buyer && !isChecked && dice.isBelow(0.02)
  const plain = isDisputed ? drawDisputedCard(dice, start) : drawCard(dice, market, start)
  const card = isChecked ? drawCheckedCard(dice, market, start) : plain
  return {
    number,
    market,
    amount: dice.isBelow(0.08) ? dice.pick(DECLINES) : drawAmount(dice, market),
    intent: dice.isBelow(0.4) ? 'capture' : 'authorize',
    card: buyer?.card ?? card,
    isChecked,
    buyer: index,
    isRenewal: buyer?.isSubscriber === true && dice.isBelow(0.7),
  }
}

/** Most are small, some are large: 5 to 600 euros, in the smallest unit of the currency. */
function drawAmount(dice: Dice, { rate, minor }: Market): number {
  const euros = 5 + 595 * dice.roll() ** 3
  const units = Math.max(1, Math.round(euros * rate))
  return minor === 1 ? units : units * minor - 1
}

/** A payment and what follows: it is captured when the goods are sent, voided, or forgotten; some is sent back. */
function livesOf(payment: Payment, at: Date, dice: Dice): Act[] {
  const later = (least: number, most: number, from = at) =>
    new Date(from.getTime() + dice.between(least, most) * HOUR_MS)
  const acts: Act[] = [{ kind: 'pay', at, payment }]
  let capturedAt: Date | null = payment.intent === 'capture' ? at : null
  if (payment.intent === 'authorize') {
    const fate = dice.pick([
      ['capture', 91],
      ['void', 5],
      ['forget', 4],
    ] as const)
    const share = dice.isBelow(0.06) ? 0.5 : 1
    if (fate === 'capture') capturedAt = later(1, 72)
    if (capturedAt) acts.push({ kind: 'capture', at: capturedAt, payment, share })
    if (fate === 'void') acts.push({ kind: 'void', at: later(1, 24), payment, share: 1 })
  }
  if (capturedAt && dice.isBelow(0.07)) {
    acts.push({ kind: 'refund', at: later(24, 480, capturedAt), payment, share: dice.isBelow(0.4) ? 0.4 : 1 })
  }
  return acts
}
