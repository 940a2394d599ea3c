import { type Canaries, CHALLENGED, FRICTIONLESS } from './canaries.ts'
import type { KillableService } from './killable-service.ts'

// biome-ignore lint/suspicious/noExplicitAny: what answers look like is not what is being tested
type Json = any
type Answer = { readonly status: number; readonly json: Json }
export type Ask = (route: string, body?: object | string) => Promise<Answer>

export type Teller = {
  readonly ask: Ask
  /** Everything that callers were told, with its headers. */
  readonly said: readonly string[]
}

/** Sends requests with a key each, and keeps what comes back. */
export function openTeller({ url, token }: KillableService): Teller {
  const said: string[] = []
  const ask: Ask = async (route, body) => {
    const [method = '', path = ''] = route.split(' ')
    const response = await fetch(url + path, {
      method,
      redirect: 'manual',
      headers: {
        authorization: `Bearer ${token}`,
        ...(method === 'POST' && { 'idempotency-key': crypto.randomUUID() }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    said.push(`${JSON.stringify([...response.headers])} ${text}`)
    return { status: response.status, json: parsed(text) }
  }
  return { ask, said }
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const ORDER = { amount: 1299, currency: 'USD', country: 'US' }
const REFUSED_AMOUNTS = [200_009, 200_011, 300_005, 300_013, 400_009]
const FAULTS = ['lose-answer', 'garbage', 'unreachable', 'twice']

/** Every way in which card data comes in: good requests, refused ones, broken ones, and ones whose answer is lost. */
export async function useCards(ask: Ask, canaries: Canaries): Promise<void> {
  const pay = (body: object) =>
    ask('POST /transactions', { ...ORDER, payment_method: canaries.card(), ...body })
  const [simulator] = (await ask('GET /payment-services')).json.items
  await ask(`PUT /payment-services/${simulator.id}`, { fields: [{ key: 'extended', value: 'true' }] })
  await followUps(ask, pay)
  for (const amount of REFUSED_AMOUNTS) await pay({ amount })
  for (const kind of FAULTS) {
    for (const on of ['authorize', 'capture', 'refund']) {
      const connection_options = { 'mock-card': { fault: { on, kind } } }
      const { json } = await pay({ connection_options })
      await ask(`POST /transactions/${json?.id}/capture`, { amount: 900 })
      await ask(`POST /transactions/${json?.id}/refunds`, { amount: 100 })
    }
  }
  await throughPages(ask, canaries)
  await breakRequests(ask, canaries)
}

async function followUps(ask: Ask, pay: (body: object) => Promise<Answer>): Promise<void> {
  const { json: captured } = await pay({ store: true, metadata: { order: 'first' } })
  await ask(`POST /transactions/${captured.id}/authorization/increment`, { amount: 500 })
  await ask(`POST /transactions/${captured.id}/capture`, { amount: 900 })
  await ask(`POST /transactions/${captured.id}/refunds`, { amount: 100 })
  await ask(`POST /transactions/${captured.id}/refunds/all`, {})
  await ask(`POST /transactions/${captured.id}/sync`)
  const { json: voided } = await pay({})
  await ask(`POST /transactions/${voided.id}/void`)
  const { json: pending } = await pay({ amount: 600_002 })
  await ask(`POST /transactions/${pending.id}/cancel`)
  for (const path of ['', '/events', '/captures', '/refunds', '/actions'])
    await ask(`GET /transactions/${captured.id}${path}`)
  await ask('GET /transactions?limit=50')
}

/** Checkout sessions, 3-D Secure with and without a challenge. */
async function throughPages(ask: Ask, canaries: Canaries): Promise<void> {
  const { json: session } = await ask('POST /checkout/sessions', {})
  await ask(`PUT /checkout/sessions/${session.id}/fields`, { payment_method: canaries.card() })
  await ask(`POST /checkout/sessions/${session.id}/card-details`, canaries.card())
  await ask('POST /transactions', {
    ...ORDER,
    payment_method: { method: 'checkout-session', id: session.id },
  })
  const { json: left } = await ask('POST /checkout/sessions', {})
  await ask(`PUT /checkout/sessions/${left.id}/fields`, { payment_method: canaries.card() })
  const redirect_url = 'https://shop.example.com/back'
  for (const number of [FRICTIONLESS, CHALLENGED, CHALLENGED]) {
    const payment_method = { ...canaries.card(), number, redirect_url }
    const { json } = await ask('POST /transactions', { ...ORDER, payment_method })
    const approval = json?.payment_method?.approval_url
    if (!approval) continue
    const { pathname, search } = new URL(approval)
    await ask(`GET ${pathname}${search}`)
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    await fetch(approval, { method: 'POST', body: 'decision=approve', redirect: 'manual', headers })
  }
}

/** An error that repeats what it was given is as bad as a line in a log. */
async function breakRequests(ask: Ask, canaries: Canaries): Promise<void> {
  const card = canaries.card()
  const { number, security_code } = card
  for (const broken of [
    { ...card, number: `${number}0000` },
    { ...card, number: `${number.slice(0, -1)}${(Number(number.at(-1)) + 1) % 10}` },
    { ...card, expiration_date: '01/20' },
    { ...card, security_code: `${security_code}1` },
    { ...card, buyer_id: number },
    { ...card, external_identifier: { nested: number } },
    { ...card, [number]: security_code },
    [card],
    JSON.stringify(card).slice(0, -5),
    `${JSON.stringify(card)} ${number}`,
  ]) {
    await ask('POST /payment-methods', broken)
    await ask(
      'POST /transactions',
      typeof broken === 'string' ? broken : { ...ORDER, payment_method: broken },
    )
  }
  await ask('POST /transactions', { ...ORDER, payment_method: card, payment_service_id: number })
  await ask('POST /transactions', { ...ORDER, payment_method: card, metadata: { [number]: [number] } })
  for (const path of [`/payment-methods/${number}`, `/nowhere/${number}`, `/payment-methods?${number}=1`])
    await ask(`GET ${path}`)
  await ask(`GET /card-details?bin=${number}`)
}

/** Looked up, stored, paid with, refused, refunded, and paid with while the answer is lost. */
export async function useGiftCards(ask: Ask, canaries: Canaries): Promise<void> {
  const card = canaries.giftCard()
  await ask('POST /gift-cards/balances', { items: [card, { ...canaries.giftCard(), pin: '10001' }] })
  const { json: stored } = await ask('POST /gift-cards', canaries.giftCard())
  await ask('POST /gift-cards/balances', { items: [{ id: stored.id }] })
  await ask('POST /gift-cards', { ...canaries.giftCard(), pin: '10001' })
  await ask('POST /gift-cards', { ...card, [card.number]: card.pin })
  const pay = (gift_cards: object[], rest: object = {}) =>
    ask('POST /transactions', {
      ...ORDER,
      intent: 'capture',
      payment_method: canaries.card(),
      gift_cards,
      ...rest,
    })
  const { json: paid } = await pay([{ ...canaries.giftCard(), amount: 300 }])
  await ask(`POST /transactions/${paid?.id}/refunds/all`, {})
  await pay([{ id: stored.id, amount: 200 }])
  await pay([{ ...canaries.giftCard(), amount: 300 }], { amount: 200_011 })
  for (const kind of FAULTS)
    await pay([{ ...canaries.giftCard(), amount: 300 }], {
      connection_options: { 'mock-gift-card': { fault: { on: 'redeem', kind } } },
    })
}
