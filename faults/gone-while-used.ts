import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { CARD, STORED_CARD } from '../lab/card.ts'
import { dice, mix } from '../lab/dice.ts'
import { openDatabase } from '../lab/open-database.ts'
import { call, type Json } from '../lab/product.ts'
import { compareBooks, settleAll } from './aftermath.ts'
import { type KillableService, killableService } from './killable-service.ts'
import { complaints, type Outcome, type Pace, type Program, type Say } from './program.ts'

/*
 * It was seen to fail for this change: an item that is missing in the vault is a plain `Error`, not `ItemGone`.
 */
const ROUNDS = { full: 400, short: 20 }
const STAGGER_MS_MAX = 25
const HELD_MS_MAX = 40

export const goneWhileUsed: Program = {
  name: 'gone-while-used',
  promise: 18,
  title: 'Deleting what is in use is no fault',
  explanation:
    'Payments with checkout sessions, stored cards and stored gift cards, and checks of credentials, while the session is ' +
    'filled in again or deleted, the card or gift card is deleted, and the service is changed or deleted, at the same ' +
    'moment; and captures and refunds while gift cards of the payment are being redeemed. The vault is held up for a few ' +
    'milliseconds now and then, so that the requests overlap. No request may be answered 5xx; each key has to be free ' +
    'afterwards, or replay its answer; and in the end no attempt is open, and the books agree.',
  run,
}

type Answered = { readonly route: string; readonly status: number; readonly body: Json }

/** One request of a round. Those with a key are sent again afterwards. */
type Request = { readonly route: string; readonly body?: object; readonly key?: string }

type Scene = {
  readonly send: (request: Request) => Promise<Answered>
  /** A new name each time. */
  readonly name: () => string
}

type Round = (scene: Scene) => Promise<readonly Request[]>

const ROUNDS_OF: readonly Round[] = [sessions, storedCards, giftCards, services, redemptions]

async function run({ form, seed, newDatabase }: Pace, say: Say): Promise<Outcome> {
  const databaseUrl = await newDatabase()
  const database = await openDatabase(databaseUrl)
  const service = await killableService({ databaseUrl })
  await service.start()
  const rounds = ROUNDS[form]
  const statuses: Record<string, number> = {}
  const broken: string[] = []
  let names = 0
  const scene: Scene = {
    send: async (request) => {
      const answer = await send(service, request)
      statuses[answer.status] = (statuses[answer.status] ?? 0) + 1
      if (answer.status >= 500) broken.push(...complaints('was answered 5xx', [answer]))
      return answer
    },
    name: () => {
      names += 1
      return `thing-${seed}-${names}`
    },
  }
  for (let index = 0; index < rounds && broken.length === 0; index += 1) {
    if (index % 10 === 0) say(`${index} of ${rounds} rounds`)
    const chance = dice(mix(seed, index))
    const requests = await (ROUNDS_OF[index % ROUNDS_OF.length] as Round)(scene)
    await Promise.all([
      holdUp(database, chance),
      ...requests.map((one) => later(chance, () => scene.send(one))),
    ])
    for (const { key, ...rest } of requests) {
      if (key === undefined) continue
      const again = await scene.send({ ...rest, key })
      const isHeld = again.body?.code === 'concurrent_request'
      if (isHeld) broken.push(...complaints('a key is still held', [again]))
    }
  }
  broken.push(...(await settleAll(database)), ...(await compareBooks(database)))
  const { rows } = await database.query(
    `select count(*) as payments, count(*) filter (where status = 'processing') as stuck from transactions`,
  )
  await service.kill()
  if (Number(rows[0].stuck) > 0) broken.push(`${rows[0].stuck} payments are stuck`)
  return {
    seed,
    did: { rounds },
    acknowledged: Object.fromEntries(
      Object.entries(statuses).map(([code, count]) => [`answered ${code}`, count]),
    ),
    found: { payments: Number(rows[0].payments) },
    broken,
  }
}

/** Requests wait at the vault, so that a row changes after a request has read it and before the number is opened. */
async function holdUp(database: pg.Client, chance: () => number): Promise<void> {
  await database.query('begin')
  await database.query('lock table vault.items in access exclusive mode')
  await sleep(chance() * HELD_MS_MAX)
  await database.query('commit')
}

async function later<Result>(chance: () => number, work: () => Promise<Result>): Promise<Result> {
  await sleep(chance() * STAGGER_MS_MAX)
  return work()
}

const payment = (payment_method: object, key: string): Request => ({
  route: 'POST /transactions',
  body: { amount: 1299, currency: 'USD', country: 'US', payment_method },
  key,
})

async function sessions({ send, name }: Scene): Promise<Request[]> {
  const { id } = (await send({ route: 'POST /checkout/sessions', body: {} })).body
  const fields = { route: `PUT /checkout/sessions/${id}/fields`, body: { payment_method: CARD } }
  await send(fields)
  const method = { method: 'checkout-session', id }
  return [
    payment(method, name()),
    payment(method, name()),
    fields,
    payment(method, name()),
    { route: `DELETE /checkout/sessions/${id}` },
  ]
}

async function storedCards({ send, name }: Scene): Promise<Request[]> {
  const { id } = (await send({ route: 'POST /payment-methods', body: STORED_CARD })).body
  const method = { method: 'id', id }
  return [
    payment(method, name()),
    payment(method, name()),
    { route: `DELETE /payment-methods/${id}` },
    payment(method, name()),
  ]
}

async function giftCards({ send, name }: Scene): Promise<Request[]> {
  const { id } = (await send({ route: 'POST /gift-cards', body: freshGiftCard() })).body
  const body = { amount: 100, currency: 'USD', gift_cards: [{ id, amount: 100 }] }
  const pay = () => ({ route: 'POST /transactions', body, key: name() })
  return [
    pay(),
    pay(),
    { route: 'POST /gift-cards/balances', body: { items: [{ id }] }, key: name() },
    { route: `DELETE /gift-cards/${id}` },
  ]
}

/** In a merchant account of its own, so that no other round uses the service. */
async function services({ send, name }: Scene): Promise<Request[]> {
  const body = {
    display_name: name(),
    payment_service_definition_id: 'mock-card',
    accepted_currencies: ['JPY'],
    accepted_countries: ['JP'],
    fields: [
      { key: 'merchant_id', value: 'shop' },
      { key: 'webhook_secret', value: 'first' },
    ],
  }
  const { id } = (await send({ route: 'POST /payment-services', body })).body
  const change = (value: string) => ({
    route: `PUT /payment-services/${id}`,
    body: { fields: [{ key: 'webhook_secret', value }] },
  })
  const verify = {
    payment_service_definition_id: 'mock-card',
    payment_service_id: id,
    fields: [{ key: 'merchant_id', value: 'shop' }],
  }
  const pay = { ...payment(CARD, name()).body, currency: 'JPY', country: 'JP', payment_service_id: id }
  return [
    { route: 'POST /payment-services/verify', body: verify, key: name() },
    change('second'),
    { route: 'POST /transactions', body: pay, key: name() },
    { route: 'POST /payment-services/verify', body: verify, key: name() },
    { route: `DELETE /payment-services/${id}` },
  ]
}

/** Refunds and captures of a payment whose gift cards are still being redeemed by the request that pays. */
async function redemptions({ send, name }: Scene): Promise<Request[]> {
  const order = name()
  const parts = [freshGiftCard(), freshGiftCard(), freshGiftCard()].map((card) => ({ ...card, amount: 50 }))
  const body = { amount: 150, currency: 'USD', gift_cards: parts, external_identifier: order }
  const pay = { route: 'POST /transactions', body, key: name() }
  const paying = send(pay)
  let id: string | undefined
  while (id === undefined) {
    id = (await send({ route: `GET /transactions?external_identifier=${order}` })).body.items[0]?.id
  }
  const follow = (operation: string) => ({
    route: `POST /transactions/${id}/${operation}`,
    body: {},
    key: name(),
  })
  const requests = [follow('capture'), follow('refunds/all'), follow('capture')]
  await Promise.all([paying, ...requests.map(send)])
  return [pay]
}

let giftCardNumber = 0

function freshGiftCard(): { readonly number: string; readonly pin: string } {
  giftCardNumber += 1
  return { number: `606060${String(giftCardNumber).padStart(10, '0')}`, pin: '0500' }
}

async function send(service: KillableService, { route, body, key }: Request): Promise<Answered> {
  const answer = await call(service, route, body, key === undefined ? {} : { 'idempotency-key': key })
  return { route, ...answer }
}
