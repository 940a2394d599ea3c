import type pg from 'pg'
import { SIMULATOR_BOOKS } from '#testing/books.ts'
import { CARD, STORED_CARD } from '../lab/card.ts'
import type { Place } from '../lab/product.ts'
import { type KeyedRequest, repeat } from './keyed-request.ts'
import { openAccount, SIMULATED_ACCOUNT } from './provider.ts'

// biome-ignore lint/suspicious/noExplicitAny: each operation knows its own answer
type Json = any

/** An operation that moves money. */
export type MoneyOperation = {
  readonly name: string
  /** Makes what the operation needs. `order` is the external identifier of the payment. */
  readonly prepare: (counter: Counter, order: string) => Promise<KeyedRequest>
  /** Whether an answer says that the outcome is open. Without it, the status says so. */
  readonly isOpen?: (answer: Json) => boolean
  /** Whether an answer says that it was done. */
  readonly isDone: (answer: Json) => boolean
  /** Whether an error says that it was not done. */
  readonly isRefusal?: (text: string) => boolean
  /** How often the provider has done it, by the table with its books. */
  readonly countEffects: (database: pg.Client, order: string, books?: string) => Promise<number>
}

/** A service, and what a merchant enters there for a payment service. Without it, the one of the simulator. */
export type Counter = Place & { readonly account?: object }

const AMOUNT = 1_000
const ADDED = 500
/** The part that a gift card pays; a card pays the rest. */
const PART = 400

const ANTI_FRAUD_SERVICE = {
  display_name: 'Looks twice',
  anti_fraud_service_definition_id: 'mock-anti-fraud',
  reviews_enabled: true,
  fields: [],
}

export const MONEY_OPERATIONS: readonly MoneyOperation[] = [
  {
    name: 'authorize',
    prepare: (place, order) => paymentOf(place, order),
    isDone: ({ status }) => status === 'authorization_succeeded',
    countEffects: countPayments('authorize'),
  },
  {
    name: 'capture',
    prepare: (place, order) => follow(place, order, { step: 'capture', body: { amount: AMOUNT } }),
    isDone: (answer) => (answer.transaction ?? answer).captured_amount === AMOUNT,
    countEffects: countPayments('capture'),
  },
  {
    name: 'void',
    prepare: (place, order) => follow(place, order, { step: 'void' }),
    isDone: (answer) => (answer.transaction ?? answer).status === 'authorization_voided',
    countEffects: countPayments('void'),
  },
  {
    name: 'release',
    prepare: async (place, order) => {
      const part = { amount: AMOUNT - ADDED, final: false }
      const captured = await follow(place, order, { step: 'capture', body: part })
      await repeat(place, captured)
      const route = captured.route.replace(/capture$/, 'void')
      return { route, key: `${order} release`, body: undefined }
    },
    // Nothing can be captured from the moment that the release is recorded.
    isOpen: ({ capturable_amount }) => capturable_amount === 0,
    isDone: ({ capturable_amount }) => capturable_amount === 0,
    countEffects: countPayments('void'),
  },
  {
    name: 'refund',
    prepare: (place, order) =>
      follow(place, order, { step: 'refunds', body: { amount: AMOUNT }, intent: 'capture' }),
    isDone: ({ status }) => status === 'succeeded',
    countEffects: countPayments('refund'),
  },
  {
    name: 'refund of all',
    prepare: async (place, order) => {
      const { id } = await repeat(place, await splitOf(place, order, 'capture'))
      return { route: `/transactions/${id}/refunds/all`, body: {}, key: `${order} refunds` }
    },
    isDone: ({ items }) => items.filter(({ status }: Json) => status === 'succeeded').length === 2,
    countEffects: async (database, order, books) => {
      const toCard = await countPayments('refund')(database, order, books)
      const toGiftCard = await countGiftCards('refund')(database, order, books)
      // Each refund ends on its own. The operation is done when both are.
      return Math.max(toCard, toGiftCard) > 1 ? 2 : Math.min(toCard, toGiftCard)
    },
  },
  {
    name: 'increment',
    prepare: (place, order) =>
      follow(place, order, { step: 'authorization/increment', body: { amount: ADDED } }),
    isDone: (answer) => (answer.transaction ?? answer).authorized_amount === AMOUNT + ADDED,
    countEffects: countPayments('increment'),
  },
  {
    name: 'redeem',
    prepare: async (_place, order) => redemptionOf(order),
    isDone: ({ status }) => /succeeded$/.test(status),
    countEffects: countGiftCards('redeem'),
  },
  {
    name: 'split',
    prepare: (place, order) => splitOf(place, order),
    isDone: ({ status }) => status === 'authorization_succeeded',
    countEffects: countPayments('authorize'),
  },
  {
    name: 'payout',
    prepare: (place, order) => payoutOf(place, order),
    isDone: ({ status }) => status === 'succeeded',
    countEffects: async (database, order) => {
      const { rows } = await database.query(
        `select count(*) from simulator.entries e join payouts p on p.id::text = e.transaction_id
         where p.external_identifier = $1 and e.operation = 'payout' and e.status = 'approved'`,
        [order],
      )
      return Number(rows[0].count)
    },
  },
]

/** What was begun for an order: one payment, one payout or one token, in any state. */
export async function begunFor(
  database: pg.Client,
  order: string,
): Promise<{ id: string; status: string }[]> {
  const { rows } = await database.query(
    `select id, status from transactions where external_identifier = $1
     union all select id, status from payouts where external_identifier = $1
     union all select token.id, replace(token.status, 'provisioning', 'processing') from network_tokens token
       join payment_methods method on method.id = payment_method_id where method.external_identifier = $1
     union all select token.id, token.status from payment_service_tokens token
       join payment_methods method on method.id = payment_method_id where method.external_identifier = $1`,
    [order],
  )
  return rows
}

/** Outcomes of reviews, sent by an anti-fraud service. They have no idempotency key, and may be repeated. */
export const REVIEWS: readonly MoneyOperation[] = [
  {
    name: 'accept',
    prepare: (place, order) => reviewOf(place, order, 'accept'),
    isDone: () => true,
    countEffects: countPayments('capture'),
  },
  {
    name: 'reject',
    prepare: (place, order) => reviewOf(place, order, 'reject'),
    isDone: () => true,
    countEffects: countPayments('void'),
  },
  {
    name: 'reject gift cards',
    prepare: (place, order) => reviewOf(place, order, 'reject', redemptionOf(order)),
    isDone: () => true,
    countEffects: countGiftCards('reverse'),
  },
]

async function reviewOf(
  place: Counter,
  order: string,
  decision: string,
  given?: KeyedRequest,
): Promise<KeyedRequest> {
  const { webhook_url } = await repeat(place, {
    route: '/anti-fraud-services',
    body: ANTI_FRAUD_SERVICE,
    key: 'anti-fraud service',
  })
  const payment = given ?? (await paymentOf(place, order, 'capture'))
  const buyer = { billing_details: { email_address: 'review@example.com' } }
  const { id } = await repeat(place, { ...payment, body: { ...payment.body, buyer } })
  return {
    route: new URL(webhook_url).pathname,
    body: { transaction_id: id, decision },
    key: `${order} review`,
  }
}

function orderOf(order: string) {
  return { amount: AMOUNT, currency: 'USD', country: 'US', external_identifier: order }
}

async function paymentOf(place: Counter, order: string, intent = 'authorize'): Promise<KeyedRequest> {
  const { id: payment_service_id } = await openAccount(place, place.account)
  const body = { ...orderOf(order), intent, payment_method: CARD, payment_service_id }
  return { route: '/transactions', body, key: order }
}

async function payoutOf(place: Counter, order: string): Promise<KeyedRequest> {
  const { country: _, ...money } = orderOf(order)
  const { id: payment_service_id } = await openAccount(place, place.account)
  const body = { ...money, payment_method: STORED_CARD, payment_service_id }
  return { route: '/payouts', body, key: order }
}

/** A gift card pays for everything. */
function redemptionOf(order: string): KeyedRequest {
  const gift_cards = [{ ...giftCardOf(order), amount: AMOUNT }]
  return { route: '/transactions', body: { ...orderOf(order), gift_cards }, key: order }
}

/** A card pays one part, and a gift card the other. */
async function splitOf(place: Counter, order: string, intent?: string): Promise<KeyedRequest> {
  const payment = await paymentOf(place, order, intent)
  return { ...payment, body: { ...payment.body, gift_cards: [{ ...giftCardOf(order), amount: PART }] } }
}

type Step = { readonly step: string; readonly body?: object; readonly intent?: string }

/** Makes a payment, and returns a request on it. */
async function follow(place: Counter, order: string, { step, body, intent }: Step): Promise<KeyedRequest> {
  const { id } = await repeat(place, await paymentOf(place, order, intent))
  return { route: `/transactions/${id}/${step}`, body, key: `${order} ${step}` }
}

/** A number that no other payment uses, with enough on it to pay twice: a second redemption would succeed. */
function giftCardOf(order: string) {
  const digits = [...order].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 10 ** 10, 7)
  return { number: `606060${String(digits).padStart(10, '0')}`, pin: `0${2 * AMOUNT}` }
}

function countPayments(operation: string): MoneyOperation['countEffects'] {
  return (database, order, books = SIMULATOR_BOOKS) => countIn(database, books, { operation, order })
}

function countGiftCards(operation: string): MoneyOperation['countEffects'] {
  return (database, order) => countIn(database, 'simulator.gift_card_entries', { operation, order })
}

type Counted = { readonly operation: string; readonly order: string }

async function countIn(database: pg.Client, books: string, { operation, order }: Counted): Promise<number> {
  const { rows } = await database.query(
    `select count(*) from ${books} e join transactions t on t.id::text = e.transaction_id
     where t.external_identifier = $1 and e.operation = $2 and e.status = 'approved'`,
    [order, operation],
  )
  return Number(rows[0].count)
}

/** Tokens move no money, but one that we do not know of could be charged. `order` is the card's external identifier. */
export const TOKEN_OPERATIONS: readonly MoneyOperation[] = [
  {
    name: 'network token',
    prepare: async (place, order) => {
      await haveRequestorIds(place)
      const route = `/payment-methods/${await storeCard(place, order)}/network-tokens`
      return { route, body: { merchant_initiated: false, is_subsequent_payment: false }, key: order }
    },
    isDone: ({ status }) => status === 'active',
    // A request that never reached the token service is answered with this refusal.
    isRefusal: (text) => text.includes('The token service refuses: service_network_error.'),
    countEffects: async (database, order) => {
      const { rows } = await database.query(
        `select count(*) from simulator.network_tokens theirs
         join network_tokens ours on ours.id::text = theirs.client_reference
         join payment_methods method on method.id = ours.payment_method_id
         where method.external_identifier = $1`,
        [order],
      )
      return Number(rows[0].count)
    },
  },
  {
    name: 'payment service token',
    prepare: (place, order) => serviceTokenOf(place, order),
    isDone: ({ status }) => status === 'succeeded',
    countEffects: async (database, order) => {
      const { rows } = await database.query(
        `select count(*) from simulator.entries e join payment_service_tokens ours on ours.id::text = e.transaction_id
         join payment_methods method on method.id = ours.payment_method_id
         where method.external_identifier = $1 and e.operation = 'tokenize' and e.status = 'approved'`,
        [order],
      )
      return Number(rows[0].count)
    },
  },
]

async function serviceTokenOf(place: Counter, order: string): Promise<KeyedRequest> {
  const account = { ...(place.account ?? SIMULATED_ACCOUNT), payment_method_tokenization_enabled: true }
  const body = {
    payment_service_id: (await openAccount(place, account, 'storing service')).id,
    redirect_url: 'https://shop.example.com/stored',
  }
  const route = `/payment-methods/${await storeCard(place, order)}/payment-service-tokens`
  return { route, body, key: order }
}

async function storeCard(place: Place, order: string): Promise<string> {
  const body = { ...STORED_CARD, external_identifier: order }
  return (await repeat(place, { route: '/payment-methods', body, key: `${order} card` })).id
}

/** The ids of the merchant account at the token service. */
async function haveRequestorIds(place: Place): Promise<void> {
  const body = { visa_network_tokens_requestor_id: 'requestor', visa_network_tokens_app_id: 'app' }
  await repeat(place, { method: 'PUT', route: '/merchant-accounts/default', body, key: 'requestor ids' })
}
