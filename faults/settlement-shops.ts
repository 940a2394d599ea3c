import { FILE_FAULTS } from '#sandbox/simulator/settlement/file-faults.ts'
import { CARD } from '../lab/card.ts'
import { dice, mix } from '../lab/dice.ts'
import { mustDo, type Place } from '../lab/product.ts'
import { inTurns, numbers } from '../lab/turns.ts'
import { repeat } from './keyed-request.ts'

/** Requests that are on their way at once. */
const AT_ONCE = 12

/** `share`: how many of a day's payments are at this shop. The first one has files of several commits. */
const SHOPS = [
  { merchantId: 'books', share: 0.7, currency: 'USD', settlementCurrency: null, isTold: false },
  { merchantId: 'tea', share: 0.85, currency: 'EUR', settlementCurrency: 'USD', isTold: true },
  { merchantId: 'toys & games', share: 1, currency: 'GBP', settlementCurrency: null, isTold: true },
] as const

type Shop = (typeof SHOPS)[number] & { readonly serviceId: string }

export type Shops = {
  readonly merchants: readonly { readonly merchantId: string; readonly isTold: boolean }[]
  /** One day of payments, with what becomes of some of those of earlier days. */
  readonly trade: (day: number, payments: number) => Promise<void>
  /** Asks for a fault in the files of each shop, another one each day. Null: for none. */
  readonly spoilFiles: (day: number | null) => Promise<void>
  readonly counts: () => Readonly<Record<string, number>>
}

/** Three shops, each with an account of its own at the processor, whose reports are read. */
export async function openShops(service: Place, seed: number): Promise<Shops> {
  const counts = { payments: 0, captures: 0, refunds: 0, chargebacks: 0 }
  const ask = (route: string, body: object, key: string) => repeat(service, { route, body, key })
  const shops: Shop[] = []
  for (const shop of SHOPS) {
    const { id } = await ask('/payment-services', serviceOf(shop), `service ${shop.merchantId}`)
    shops.push({ ...shop, serviceId: id })
  }
  /** Payments of earlier days that can be refunded. */
  let old: { readonly id: string; readonly order: string }[] = []
  let made: typeof old = []

  async function sell(day: number, number: number): Promise<void> {
    const chance = dice(mix(mix(seed, day), number))
    const draw = chance()
    const shop = shops.find(({ share }) => draw < share) ?? shops[0]
    if (!shop) throw new Error('there is no shop')
    const { currency, serviceId } = shop
    const story = STORIES[Math.floor(chance() * STORIES.length)] ?? PLAIN
    const order = `day ${day}, ${number}`
    const { intent, amount = 1_000 + Math.floor(chance() * 90_000), ...rest } = story.order(chance)
    const body = { intent, amount, currency, country: 'US', payment_method: CARD, ...rest }
    const payment = await ask('/transactions', { ...body, payment_service_id: serviceId }, order)
    counts.payments += 1
    counts.captures += intent === 'capture' ? 1 : 0
    for (const [index, step] of story.steps(amount).entries()) {
      const { kind, ...given } = step
      const isDispute = kind === 'chargebacks'
      const route = isDispute
        ? `/sandbox/payment-services/${serviceId}/chargebacks`
        : `/transactions/${payment.id}/${kind}`
      await ask(
        route,
        isDispute ? { ...given, transaction_id: payment.id } : given,
        `${order}, step ${index}`,
      )
      counts[kind === 'capture' ? 'captures' : kind] += 1
    }
    if (story.isRefundable) made.push({ id: payment.id, order })
  }

  /** Refunds a part of each third payment of the day before. */
  async function giveBack(): Promise<void> {
    const chosen = old.filter((_, index) => index % 3 === 0)
    await inTurns(chosen, AT_ONCE, async ({ id, order }) => {
      await ask(`/transactions/${id}/refunds`, { amount: 100 }, `${order}, later`)
      counts.refunds += 1
    })
  }

  return {
    merchants: SHOPS,
    counts: () => counts,
    trade: async (day, payments) => {
      await inTurns(numbers(payments), AT_ONCE, (number) => sell(day, number))
      await giveBack()
      old = made
      made = []
    },
    spoilFiles: async (day) => {
      for (const [place, { serviceId }] of shops.entries()) {
        // Each shop has a day without a fault, too. The first day of the first shop has the longest file.
        const turn =
          (FILE_FAULTS.indexOf('partial_lines') + (day ?? 0) + place * 3) % (FILE_FAULTS.length + 1)
        const fault = day === null ? undefined : FILE_FAULTS[turn]
        const reporting_fields = [{ key: 'report_fault', value: fault ?? '' }]
        await mustDo(service, `PUT /payment-services/${serviceId}`, { reporting_fields })
      }
    },
  }
}

type Order = {
  readonly intent: 'authorize' | 'capture'
  readonly amount?: number
  readonly connection_options?: object
}
type Step = {
  readonly kind: 'capture' | 'refunds' | 'chargebacks'
  readonly amount: number
  readonly final?: boolean
}
type Story = {
  readonly order: (chance: () => number) => Order
  readonly steps: (amount: number) => readonly Step[]
  /** A later day may refund a part of it. */
  readonly isRefundable?: boolean
}

const oneOf = (first: number, count: number) => (chance: () => number) => first + Math.floor(chance() * count)
const disputedAmount = oneOf(610_001, 6)
const reversedAmount = oneOf(611_001, 6)
const failingAmount = oneOf(620_001, 2)
const sale = (): Order => ({ intent: 'capture' })
const hold = (): Order => ({ intent: 'authorize' })

const PLAIN: Story = { order: sale, steps: () => [], isRefundable: true }

/** What the amounts of the last four mean is in docs/guide/simulator.md. */
const STORIES: readonly Story[] = [
  PLAIN,
  { order: sale, steps: () => [{ kind: 'refunds', amount: 300 }] },
  { order: hold, steps: (amount) => [{ kind: 'capture', amount }], isRefundable: true },
  {
    order: hold,
    steps: (amount) => [
      { kind: 'capture', amount: amount - 700, final: false },
      { kind: 'capture', amount: 700 },
    ],
  },
  // The answer to the capture is lost: the file may tell of it before we know its outcome.
  {
    order: () => ({
      intent: 'authorize',
      connection_options: { 'mock-card': { fault: { on: 'capture', kind: 'lose-answer' } } },
    }),
    steps: (amount) => [{ kind: 'capture', amount }],
  },
  { order: sale, steps: () => [{ kind: 'chargebacks', amount: 500 }] },
  { order: (chance) => ({ intent: 'capture', amount: disputedAmount(chance) }), steps: () => [] },
  { order: (chance) => ({ intent: 'capture', amount: reversedAmount(chance) }), steps: () => [] },
  { order: (chance) => ({ intent: 'capture', amount: failingAmount(chance) }), steps: () => [] },
  {
    order: () => ({ intent: 'capture', amount: 700_000 }),
    steps: () => [{ kind: 'refunds', amount: 630_001 }],
  },
]

function serviceOf({ merchantId, currency, settlementCurrency, isTold }: (typeof SHOPS)[number]): object {
  const fields = { merchant_id: merchantId, extended: 'true', dispute_notifications: String(isTold) }
  const reporting = settlementCurrency === null ? {} : { settlement_currency: settlementCurrency }
  return {
    display_name: merchantId,
    payment_service_definition_id: 'mock-card',
    fields: pairs(fields),
    reporting_fields: pairs(reporting),
    settlement_reporting_enabled: true,
    accepted_currencies: [currency],
    accepted_countries: ['US'],
  }
}

function pairs(values: Readonly<Record<string, string>>): object[] {
  return Object.entries(values).map(([key, value]) => ({ key, value }))
}
