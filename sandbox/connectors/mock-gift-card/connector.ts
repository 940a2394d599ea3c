import type { Link } from '#connectors/contract/connector.ts'
import type {
  BalanceAnswer,
  GiftCardConnector,
  GiftCardInquiry,
  GiftCardOrder,
  GiftCardSyncAnswer,
  GiveBackOrder,
} from '#connectors/contract/gift-card.ts'
import type { AccountManifest } from '#connectors/contract/manifest.ts'
import { FAULTS, GIFT_CARD_OPERATIONS, GIFT_CARD_OPTIONS } from '#connectors/simulators/options.ts'
import { type Reply, send, toActivation, toAnswer, toRefusal, toWire, unknown, withoutEntry } from './wire.ts'

const manifest: AccountManifest = {
  id: 'mock-gift-card',
  displayName: 'Mock gift card',
  fields: [
    {
      key: 'api_key',
      displayName: 'API key',
      isRequired: true,
      format: 'text',
      isSecret: true,
      isVerifiable: false,
    },
  ],
  shownInTranscripts: [
    ...[
      'attempt_id',
      'transaction_id',
      'operation',
      'status',
      'reference',
      'amount',
      'currency',
      'redemption',
    ],
    ...['redemption_attempt_id', 'code', 'raw_code', 'error', 'x-fault'],
    ...['/redemptions', '/refunds', '/reversals', '/attempts/*'],
  ],
  options: GIFT_CARD_OPTIONS,
  isSimulator: true,
}

/** The sandbox's gift cards: the PIN decides the balance. See docs/guide/simulator.md. */
export const mockGiftCard: GiftCardConnector = {
  manifest,
  balance,
  redeem: async (order, link) => {
    const body = {
      attempt_id: order.attemptId,
      transaction_id: order.transactionId,
      amount: order.amount,
      currency: order.currency,
      ...toWire(order.card),
    }
    return toAnswer(await operate(link, 'redeem', 'redemptions', body), 'redeem')
  },
  refund: async (order, link) =>
    toAnswer(await operate(link, 'refund', 'refunds', toGiveBack(order)), 'refund'),
  reverse: async (order, link) =>
    toAnswer(await operate(link, 'reverse', 'reversals', toGiveBack(order)), 'reverse'),
  activate: async (order, link) => {
    const body = {
      attempt_id: order.attemptId,
      amount: order.amount,
      currency: order.currency,
      ...toWire(order.card),
    }
    return toActivation(await operate(link, 'activate', 'activations', body))
  },
  sync,
}

async function balance({ card }: GiftCardOrder, link: Link): Promise<BalanceAnswer> {
  const reply = await send(link, { path: 'balances', body: toWire(card) })
  if (reply.kind !== 'answer') return withoutEntry(reply)
  const { status, balance: left, currency, expires_at: expiresAt } = reply.body
  const isKnown = status === 'known' && typeof left === 'number' && Number.isSafeInteger(left) && left >= 0
  if (isKnown && typeof currency === 'string' && typeof expiresAt === 'string') {
    return { outcome: 'known', balance: left, currency, expiresAt }
  }
  return toRefusal(reply.body) ?? unknown()
}

function operate(link: Link, operation: Operation, path: string, body: object): Promise<Reply> {
  const fault = readFault(link.options)
  // Certain, because nothing is sent.
  if (fault === 'wrong') return Promise.resolve({ kind: 'unsent', option: 'fault' })
  return send(link, { path, body, fault: fault?.on === operation ? fault.kind : null })
}

/** The provider closes an unknown attempt when it is asked about it, so `not_found` is reliable. */
async function sync({ attemptId, operation }: GiftCardInquiry, link: Link): Promise<GiftCardSyncAnswer> {
  const reply = await send(link, { path: `attempts/${encodeURIComponent(attemptId)}` })
  if (reply.kind === 'refusal' && reply.error === '404 attempt_closed') return { outcome: 'not_found' }
  // Other refusals concern the inquiry, not the attempt.
  if (reply.kind !== 'answer') return unknown()
  return operation === 'activate' ? toActivation(reply) : toAnswer(reply, operation)
}

function toGiveBack(order: GiveBackOrder): object {
  return {
    attempt_id: order.attemptId,
    transaction_id: order.transactionId,
    redemption: order.reference,
    redemption_attempt_id: order.redeemAttemptId,
    amount: order.amount,
    currency: order.currency,
  }
}

const OPERATIONS = [...GIFT_CARD_OPERATIONS, 'activate'] as const
type Operation = (typeof OPERATIONS)[number]

/** The block `mock-gift-card` of a request's `connection_options`. */
type Fault = { readonly on: Operation; readonly kind: (typeof FAULTS)[number] }

/** `wrong` if it is not valid: a misspelt fault must not look like a successful payment. */
function readFault({ fault }: Link['options']): Fault | null | 'wrong' {
  if (fault === undefined || fault === null) return null
  return isFault(fault) ? fault : 'wrong'
}

function isFault(value: unknown): value is Fault {
  if (typeof value !== 'object' || value === null) return false
  const { on, kind } = value as Readonly<Record<string, unknown>>
  return OPERATIONS.some((operation) => operation === on) && FAULTS.some((one) => one === kind)
}
