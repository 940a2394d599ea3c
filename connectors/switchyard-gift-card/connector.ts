import type { Link, Unknown } from '#connectors/contract/connector.ts'
import type {
  ActivateAnswer,
  BalanceAnswer,
  GiftCardAnswer,
  GiftCardConnector,
  GiftCardInquiry,
  GiftCardOrder,
  GiftCardRefused,
  GiftCardSyncAnswer,
  GiveBackOrder,
  IssueAnswer,
} from '#connectors/contract/gift-card.ts'
import { manifest } from './manifest.ts'
import { type Entry, send, toEntry, toRefusal, toWire, unknown, withoutEntry } from './wire.ts'

/** Five years, the shortest validity that the law allows in the United States (12 CFR 1005.20(e)). */
const VALID_MONTHS_DEFAULT = 60
const VALID_MONTHS_MAX = 600

/** Gift cards that merchants sell themselves. The issuer and its ledger run inside the service. */
export const switchyardGiftCard: GiftCardConnector = {
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
    return plain(toEntry(await send(link, 'redemptions', body), 'redeem'))
  },
  refund: async (order, link) => plain(toEntry(await send(link, 'refunds', toGiveBack(order)), 'refund')),
  reverse: async (order, link) => plain(toEntry(await send(link, 'reversals', toGiveBack(order)), 'reverse')),
  activate: async (order, link) => {
    const validMonths = readValidMonths(link)
    if (validMonths === null) return WRONG_VALIDITY
    const body = {
      attempt_id: order.attemptId,
      amount: order.amount,
      currency: order.currency,
      valid_months: validMonths,
      ...toWire(order.card),
    }
    return withExpiry(toEntry(await send(link, 'activations', body), 'activate'))
  },
  issue: async (order, link) => {
    const validMonths = readValidMonths(link)
    if (validMonths === null) return WRONG_VALIDITY
    const body = {
      attempt_id: order.attemptId,
      amount: order.amount,
      currency: order.currency,
      theme: order.theme,
      external_identifier: order.externalIdentifier,
      valid_months: validMonths,
    }
    return withUrl(toEntry(await send(link, 'cards', body), 'issue'))
  },
  sync,
}

async function balance({ card }: GiftCardOrder, link: Link): Promise<BalanceAnswer> {
  const reply = await send(link, 'balances', toWire(card))
  if (reply.kind !== 'answer') return withoutEntry(reply)
  const { status, balance: left, currency, expires_at: expiresAt } = reply.body
  const isKnown = status === 'known' && typeof left === 'number' && Number.isSafeInteger(left) && left >= 0
  if (isKnown && typeof currency === 'string' && typeof expiresAt === 'string') {
    return { outcome: 'known', balance: left, currency, expiresAt }
  }
  return toRefusal(reply.body) ?? unknown()
}

/** The issuer closes an unknown attempt when it is asked about it, so `not_found` is reliable. */
async function sync({ attemptId, operation }: GiftCardInquiry, link: Link): Promise<GiftCardSyncAnswer> {
  const reply = await send(link, `attempts/${encodeURIComponent(attemptId)}`)
  if (reply.kind === 'refusal' && reply.error === '404 attempt_closed') return { outcome: 'not_found' }
  // Other refusals concern the inquiry, not the attempt.
  if (reply.kind !== 'answer') return unknown()
  const entry = toEntry(reply, operation)
  if (operation === 'activate') return withExpiry(entry)
  return operation === 'issue' ? withUrl(entry) : plain(entry)
}

type Read = Entry | GiftCardRefused | Unknown

function plain(entry: Read): GiftCardAnswer {
  return entry.outcome === 'approved' ? { outcome: 'approved', reference: entry.reference } : entry
}

function withExpiry(entry: Read): ActivateAnswer {
  if (entry.outcome !== 'approved') return entry
  const { outcome, reference, expiresAt } = entry
  return { outcome, reference, expiresAt }
}

/** A card without an address cannot be shown, so such an answer does not count. */
function withUrl(entry: Read): IssueAnswer {
  if (entry.outcome !== 'approved') return entry
  const { outcome, reference, url } = entry
  return url === null ? unknown() : { outcome, reference, url }
}

/** Null if the merchant's value is no number of months. */
function readValidMonths({ fields }: Link): number | null {
  const text = fields['valid_months'] ?? ''
  if (text === '') return VALID_MONTHS_DEFAULT
  const months = /^\d{1,3}$/.test(text) ? Number(text) : 0
  return months >= 1 && months <= VALID_MONTHS_MAX ? months : null
}

const WRONG_VALIDITY: GiftCardRefused = {
  outcome: 'refused',
  code: 'invalid_service_configuration',
  rawCode: 'valid_months',
  rawMessage: `valid_months must be a whole number from 1 to ${VALID_MONTHS_MAX}`,
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
