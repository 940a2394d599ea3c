import { timingSafeEqual } from 'node:crypto'
import type { Secrets } from '#platform/access/secrets.ts'
import { type Clock, realTime } from '#platform/process/clock.ts'
import { type Addresses, buyerUrl, type Engine } from '#processing/engine.ts'
import * as state from './state.ts'
import type * as transactions from './store/payments.ts'
import type { Row } from './store/payments.ts'

type Key = Pick<Row, 'merchant_account_id' | 'id'>

/** Where the buyer approves. The address cannot be guessed from the payment's id. */
export function approvalUrl(engine: Addresses & Pick<Engine, 'secrets'>, row: Key): string {
  return `${buyerUrl(engine)}/approvals/${row.merchant_account_id}/${row.id}/${keyOf(engine.secrets, row)}`
}

/**
 * Our page to which a provider sends the buyer back after an approval. It asks the provider for the outcome, and leads back to the shop.
 */
export function completionUrl(engine: Addresses & Pick<Engine, 'secrets'>, row: Key): string {
  return `${approvalUrl(engine, row)}/return`
}

export function isApprovalKey(secrets: Engine['secrets'], row: Key, given: string): boolean {
  const expected = Buffer.from(keyOf(secrets, row))
  const actual = Buffer.from(given)
  return expected.length === actual.length && timingSafeEqual(expected, actual)
}

function keyOf(secrets: Engine['secrets'], { merchant_account_id, id }: Key): string {
  return secrets.mac('approval', `${merchant_account_id}/${id}`).toString('base64url')
}

/** How long a buyer may take to approve, and how long the vault keeps the security code meanwhile. */
const APPROVAL_MS = 10 * 60_000

/**
 * When a provider stops waiting for the buyer. It says so in real time, which the clock of a sandbox may be ahead of.
 */
export function approvalEnd(clock: Clock, expiresAt: Date | undefined): Date {
  const leftMs = expiresAt ? expiresAt.getTime() - realTime(clock).getTime() : APPROVAL_MS
  return new Date(clock().getTime() + leftMs)
}

/** An approval after this time is too late, even if the job has not failed the payment yet. */
export function hasExpired({ outcome }: transactions.StoredTransaction, now: Date): boolean {
  return Date.parse(outcome.approval_expires_at ?? '') <= now.getTime()
}

/** How a payment ends that its provider cancelled because the buyer did not approve in time. */
export function timedOut(
  transaction: transactions.StoredTransaction,
  { by, now }: { readonly by: Date; readonly now: Date },
): Pick<transactions.Row, 'error_code' | 'outcome'> | undefined {
  if (!state.isBuyerAsked(transaction) || !hasExpired(transaction, by)) return undefined
  return {
    error_code: 'incomplete_buyer_approval',
    outcome: { approval_url: null, buyer_approval_timedout_at: now.toISOString() },
  }
}

/** A merchant may allow less time, not more. */
export function approvalExpiry(
  now: Date,
  { document }: Pick<transactions.StoredTransaction, 'document'>,
): Date {
  const latest = now.getTime() + APPROVAL_MS
  const asked = Date.parse(document.order.approval_expires_at ?? '')
  return new Date(Number.isNaN(asked) ? latest : Math.min(asked, latest))
}

type SessionKey = Pick<Row, 'merchant_account_id' | 'id'>

/**
 * With this, the buyer's browser opens the provider's session of a payment. It cannot be guessed from the payment's id. It
 * names the merchant account, because the browser does not.
 */
export function sessionToken(secrets: Secrets, { merchant_account_id, id }: SessionKey): string {
  const key = secrets.mac('transaction session', `${merchant_account_id}/${id}`).toString('base64url')
  return `${merchant_account_id}.${key}`
}

/** The merchant account of the payment that the token was made for. Undefined if it was made for another payment, or by others. */
export function accountOf(secrets: Secrets, id: string, token: string): string | undefined {
  const merchant_account_id = token.slice(0, Math.max(0, token.lastIndexOf('.')))
  const expected = Buffer.from(sessionToken(secrets, { merchant_account_id, id }))
  const given = Buffer.from(token)
  const isSame = expected.length === given.length && timingSafeEqual(expected, given)
  return isSame ? merchant_account_id : undefined
}
