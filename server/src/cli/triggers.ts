import type { EventName } from '#domain/event-names.ts'

// biome-ignore lint/suspicious/noExplicitAny: what answers look like is held against their schemas by tests
type Json = any
/** Calls an operation, and answers with its body. Throws if it is refused. */
export type Ask = (route: string, body?: object) => Promise<Json>
type Scenario = (ask: Ask) => Promise<unknown>

const CARD = { method: 'card', number: '4111111111111111', expiration_date: '12/40' }

/** The simulator decides by the amount: see docs/guide/simulator.md. */
function pay(ask: Ask, amount: number, body: object = {}): Promise<Json> {
  const payment_method = { ...CARD, security_code: '123' }
  return ask('POST /transactions', { amount, currency: 'USD', country: 'US', payment_method, ...body })
}

const follow =
  (operation: string, amount = 1299): Scenario =>
  async (ask) => {
    const { id } = await pay(ask, amount)
    await ask(`POST /transactions/${id}/${operation}`, {})
  }

const refund =
  (amount: number): Scenario =>
  async (ask) => {
    const { id } = await pay(ask, amount, { intent: 'capture' })
    await ask(`POST /transactions/${id}/refunds`, {})
  }

const payOut =
  (amount: number): Scenario =>
  async (ask) => {
    const payment_service_id = await simulatedService(ask)
    await ask('POST /payouts', { amount, currency: 'USD', payment_service_id, payment_method: CARD })
  }

async function simulatedService(ask: Ask): Promise<string> {
  const { items } = await ask('GET /payment-services?limit=100')
  const isSimulated = (service: Json) =>
    service.payment_service_definition_id === 'mock-card' && service.active
  const found = items.find(isSimulated)
  if (!found) throw new Error('This merchant account has no active payment service of the simulator.')
  return found.id
}

const makeBuyer = (ask: Ask) => ask('POST /buyers', { display_name: 'Triggered' })
const makeKey = (ask: Ask) =>
  ask('POST /api-key-pairs', { display_name: 'Triggered', role_ids: ['reporting'] })
const makeLink = (ask: Ask) => ask('POST /payment-links', { amount: 1299, currency: 'USD', country: 'US' })

/**
 * How each event comes about: by operations of the API, as a shop would call them. Events that need time, a person or a
 * failure of the installation are not here.
 */
export const TRIGGERS: Readonly<Partial<Record<EventName, Scenario>>> = {
  'api-key-pair.created': makeKey,
  'api-key-pair.updated': async (ask) =>
    ask(`PUT /api-key-pairs/${(await makeKey(ask)).id}`, { active: false }),
  'api-key-pair.deleted': async (ask) => ask(`DELETE /api-key-pairs/${(await makeKey(ask)).id}`),
  'buyer.created': makeBuyer,
  'buyer.updated': async (ask) =>
    ask(`PUT /buyers/${(await makeBuyer(ask)).id}`, { display_name: 'Triggered again' }),
  'buyer.deleted': async (ask) => ask(`DELETE /buyers/${(await makeBuyer(ask)).id}`),
  'payment-method.deleted': async (ask) =>
    ask(`DELETE /payment-methods/${(await ask('POST /payment-methods', CARD)).id}`),
  'transaction.authorized': (ask) => pay(ask, 1299),
  'transaction.declined': (ask) => pay(ask, 200011),
  'transaction.failed': (ask) => pay(ask, 400001),
  'transaction.captured': follow('capture'),
  'transaction.capture-failed': follow('capture', 500001),
  'transaction.voided': follow('void'),
  'transaction.void-declined': follow('void', 510002),
  'transaction.void-failed': follow('void', 510001),
  'capture.succeeded': follow('capture'),
  'capture.declined': follow('capture', 500002),
  'capture.failed': follow('capture', 500001),
  'refund.succeeded': refund(1299),
  'refund.declined': refund(520002),
  'refund.failed': refund(520003),
  'payout.succeeded': payOut(1299),
  'payout.declined': payOut(530001),
  'payout.failed': payOut(530002),
  'payment-link.created': makeLink,
  'payment-link.updated': async (ask) => ask(`POST /payment-links/${(await makeLink(ask)).id}/expire`),
}
