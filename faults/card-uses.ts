import { type Canaries, CHALLENGED, FRICTIONLESS } from './canaries.ts'
import type { KillableService } from './killable-service.ts'

// biome-ignore lint/suspicious/noExplicitAny: what answers look like is not what is being tested
type Json = any
type Answer = { readonly status: number; readonly json: Json }
export type Ask = (route: string, body?: object | string) => Promise<Answer>

export type Teller = {
  readonly ask: Ask
  /** Fails if the request is refused: then its way in was not tried. */
  readonly mustDo: Ask
  readonly mustRefuse: Ask
  /** All answers, with their headers. */
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
  const must =
    (isRight: (status: number) => boolean): Ask =>
    async (route, body) => {
      const answer = await ask(route, body)
      if (!isRight(answer.status))
        throw new Error(`${route} was answered ${answer.status}: ${JSON.stringify(answer.json)}`)
      return answer
    }
  return {
    ask,
    said,
    mustDo: must((status) => status < 300),
    mustRefuse: must((status) => status >= 400 && status < 500),
  }
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
export async function useCards(
  { ask, mustDo, mustRefuse }: Omit<Teller, 'said'>,
  canaries: Canaries,
): Promise<void> {
  const pay = (body: object) =>
    mustDo('POST /transactions', { ...ORDER, payment_method: canaries.card(), ...body })
  const [simulator] = (await mustDo('GET /payment-services')).json.items
  await mustDo(`PUT /payment-services/${simulator.id}`, { fields: [{ key: 'extended', value: 'true' }] })
  await followUps(mustDo, pay)
  for (const amount of REFUSED_AMOUNTS) await pay({ amount })
  for (const kind of FAULTS) {
    for (const on of ['authorize', 'capture', 'refund']) {
      const connection_options = { 'mock-card': { fault: { on, kind } } }
      const { json } = await pay({ connection_options })
      // The payment may have been declined, so the capture may be refused.
      await ask(`POST /transactions/${json?.id}/capture`, { amount: 900 })
      await ask(`POST /transactions/${json?.id}/refunds`, { amount: 100 })
    }
  }
  await throughPages(mustDo, canaries)
  await breakRequests(mustRefuse, canaries)
}

async function followUps(mustDo: Ask, pay: (body: object) => Promise<Answer>): Promise<void> {
  const { json: captured } = await pay({ store: true, metadata: { order: 'first' } })
  await mustDo(`POST /transactions/${captured.id}/authorization/increment`, { amount: 500 })
  await mustDo(`POST /transactions/${captured.id}/capture`, { amount: 900 })
  await mustDo(`POST /transactions/${captured.id}/refunds`, { amount: 100 })
  await mustDo(`POST /transactions/${captured.id}/refunds/all`, {})
  await mustDo(`POST /transactions/${captured.id}/sync`)
  const { json: voided } = await pay({})
  await mustDo(`POST /transactions/${voided.id}/void`)
  const { json: pending } = await pay({ amount: 600_002 })
  await mustDo(`POST /transactions/${pending.id}/cancel`)
  for (const path of ['', '/events', '/captures', '/refunds', '/actions'])
    await mustDo(`GET /transactions/${captured.id}${path}`)
  await mustDo('GET /transactions?limit=50')
}

/** Checkout sessions, 3-D Secure with and without a challenge. */
async function throughPages(mustDo: Ask, canaries: Canaries): Promise<void> {
  const { json: session } = await mustDo('POST /checkout/sessions', {})
  await mustDo(`PUT /checkout/sessions/${session.id}/fields`, { payment_method: canaries.card() })
  const bin = canaries.card().number.slice(0, 8)
  await mustDo(`POST /checkout/sessions/${session.id}/card-details`, { bin })
  await mustDo('POST /transactions', {
    ...ORDER,
    payment_method: { method: 'checkout-session', id: session.id },
  })
  const { json: left } = await mustDo('POST /checkout/sessions', {})
  await mustDo(`PUT /checkout/sessions/${left.id}/fields`, { payment_method: canaries.card() })
  const redirect_url = 'https://shop.example.com/back'
  await mustDo('POST /transactions', {
    ...ORDER,
    payment_method: { ...canaries.card(), number: FRICTIONLESS, redirect_url },
  })
  for (const number of [CHALLENGED, CHALLENGED]) {
    const payment_method = { ...canaries.card(), number, redirect_url }
    const { json } = await mustDo('POST /transactions', { ...ORDER, payment_method })
    const approval = json?.payment_method?.approval_url
    if (!approval) throw new Error(`3-D Secure gave no approval address: ${JSON.stringify(json)}`)
    const { pathname, search } = new URL(approval)
    await mustDo(`GET ${pathname}${search}`)
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    await fetch(approval, { method: 'POST', body: 'decision=approve', redirect: 'manual', headers })
  }
}

/** An error that repeats what it was given is as bad as a line in a log. */
async function breakRequests(mustRefuse: Ask, canaries: Canaries): Promise<void> {
  const card = canaries.card()
  const { number, security_code } = card
  for (const broken of [
    // Longer than any number of a card.
    { ...card, number: `${number}00000` },
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
    await mustRefuse('POST /payment-methods', broken)
    await mustRefuse(
      'POST /transactions',
      typeof broken === 'string' ? broken : { ...ORDER, payment_method: broken },
    )
  }
  await mustRefuse('POST /transactions', { ...ORDER, payment_method: card, payment_service_id: number })
  await mustRefuse('POST /transactions', { ...ORDER, payment_method: card, metadata: { [number]: [number] } })
  for (const path of [`/payment-methods/${number}`, `/nowhere/${number}`, `/payment-methods?${number}=1`])
    await mustRefuse(`GET ${path}`)
  await mustRefuse(`GET /card-details?bin=${number}`)
}

/** Looked up, stored, paid with, refused, refunded, and paid with while the answer is lost. */
export async function useGiftCards(
  { mustDo, mustRefuse }: Omit<Teller, 'said'>,
  canaries: Canaries,
): Promise<void> {
  const card = canaries.giftCard()
  await mustDo('POST /gift-cards/balances', { items: [card, { ...canaries.giftCard(), pin: '10001' }] })
  const { json: stored } = await mustDo('POST /gift-cards', canaries.giftCard())
  await mustDo('POST /gift-cards/balances', { items: [{ id: stored.id }] })
  await mustRefuse('POST /gift-cards', { ...canaries.giftCard(), pin: '10001' })
  await mustRefuse('POST /gift-cards', { ...card, [card.number]: card.pin })
  const pay = (gift_cards: object[], rest: object = {}) =>
    mustDo('POST /transactions', {
      ...ORDER,
      intent: 'capture',
      payment_method: canaries.card(),
      gift_cards,
      ...rest,
    })
  const { json: paid } = await pay([{ ...canaries.giftCard(), amount: 300 }])
  await mustDo(`POST /transactions/${paid?.id}/refunds/all`, {})
  await pay([{ id: stored.id, amount: 200 }])
  await pay([{ ...canaries.giftCard(), amount: 300 }], { amount: 200_011 })
  for (const kind of FAULTS)
    await pay([{ ...canaries.giftCard(), amount: 300 }], {
      connection_options: { 'mock-gift-card': { fault: { on: 'redeem', kind } } },
    })
}
