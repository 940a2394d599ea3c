import type { EventName } from '#domain/event-names.ts'
import * as events from '#resources/events/store.ts'
import * as merchantAccounts from '#resources/merchant-accounts/store.ts'
import { adminKeyFile, type Config, readConfig } from '../config.ts'
import type { Foundation } from '../open-foundation.ts'
import { choose, defineCommand, UsageError } from './command.ts'
import { withFoundation } from './foundation.ts'
import { refuseProduction, sender, workshop } from './sandbox.ts'
import { oneLine, type Terminal } from './terminal.ts'

// biome-ignore lint/suspicious/noExplicitAny: what answers look like is held against their schemas by tests
type Json = any
/** Calls an operation, and answers with its body. Throws if it is refused. */
type Ask = (route: string, body?: object) => Promise<Json>
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

const NAMES = Object.keys(TRIGGERS)

export const command = defineCommand({
  name: 'trigger',
  about:
    'Makes an event happen in a sandbox, as a shop would: it pays, captures, refunds and so on, and prints the event.\n' +
    `EVENT is one of ${NAMES.join(', ')}.`,
  options: {
    'merchant-account': { type: 'string', value: 'ID', about: 'In which account. Default "default".' },
  },
  parameters: ['EVENT'],
  example: 'switchyard trigger transaction.captured',
  run: async (terminal, options, [name = '']) => {
    const config = refuseProduction(readConfig(terminal.env))
    const account = options['merchant-account'] ?? 'default'
    if (!Object.hasOwn(TRIGGERS, name))
      throw new UsageError(`"${name}" cannot be triggered. ${choose(name, NAMES)}`)
    await withFoundation(terminal, config, (foundation) =>
      trigger(terminal, config, foundation, { name: name as keyof typeof TRIGGERS, account }),
    )
  },
})

type Wanted = { readonly name: keyof typeof TRIGGERS; readonly account: string }

async function trigger(
  terminal: Terminal,
  config: Config,
  foundation: Foundation,
  { name, account }: Wanted,
): Promise<void> {
  const { context, sealer } = foundation
  if (!(await merchantAccounts.exists(context, account)))
    throw new UsageError(`There is no merchant account "${account}".`)
  const services = await workshop(terminal, config, foundation)
  const { buildApp } = await import('../app.ts')
  const app = buildApp({ ...services, role: 'all', isStopping: () => false })
  const since = context.clock()
  try {
    const send = await sender(app, adminKeyFile(config.dataDir), account)
    await TRIGGERS[name]?.(asking(send))
    const told = await events.listSince(context, { since, merchantAccountId: undefined, limit: 1_000 })
    const event = told.find((candidate) => candidate.name === name)
    if (!event) throw new Error(`The payment went another way: no event ${name} was told.`)
    const { id, target, created_at } = event
    terminal.print(JSON.stringify({ id, name, created_at: created_at.toISOString(), target }))
  } finally {
    await app.close()
    services.outgoing.close()
    // No worker may be running, and an unsealed entry would look like an intrusion.
    await sealer.seal(context)
  }
  terminal.say('A running worker delivers it to your webhook subscriptions.')
}

/** Throws if an operation is refused. */
function asking(send: Awaited<ReturnType<typeof sender>>): Ask {
  return async (route, given) => {
    const { status, body } = await send(route, given)
    if (status < 400) return body
    const reasons = body.details?.map((detail) => detail.message).join('; ') || body.message
    throw new Error(`${route} was answered with ${status}: ${oneLine(reasons ?? '')}`)
  }
}
