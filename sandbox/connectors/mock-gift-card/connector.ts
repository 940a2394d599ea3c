import type { Link } from '#connectors/contract/connector.ts'
import type {
  BalanceAnswer,
  GiftCardConnector,
  GiftCardInquiry,
  GiftCardOrder,
  GiftCardSyncAnswer,
  GiveBackOrder,
} from '#connectors/contract/gift-card.ts'
import { manifest } from './manifest.ts'
import { type Operation, readFault } from './options.ts'
import { type Reply, send, toActivation, toAnswer, toRefusal, toWire, unknown, withoutEntry } from './wire.ts'

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
