import { isExpired, parseExpiration } from '#domain/card.ts'
import { type Context, inTransaction, type Scope, type Tx } from '#platform/database/db.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import * as events from '#resources/events/store.ts'
import type { Vault } from '#vault'
import { retire } from './payment-service-tokens/forget.ts'
import * as paymentServiceTokens from './payment-service-tokens/store.ts'
import { nameOf, showMethod } from './show.ts'
import * as paymentMethods from './store.ts'

/** A decline that says the card itself is no longer good. */
const CARD_IS_GONE = new Set([
  'canceled_payment_method',
  'expired_payment_method',
  'unavailable_payment_method',
  'unknown_payment_method',
])

/** Takes the account updater's new details: applies them at once, or holds them until they are due. */
export async function acceptReplacement(
  tx: Scope<Tx>,
  vault: Vault,
  method: paymentMethods.StoredMethod,
  found: paymentMethods.Replacement,
): Promise<void> {
  const superseded = method.replacement?.card?.vaultToken
  if (superseded) await vault.remove(tx.db, tx, superseded)
  if (afterFinding({ hasNewNumber: found.card !== null }, hasExpired(tx, method)) === 'apply') {
    await apply(tx, vault, method, found)
  } else {
    await paymentMethods.holdReplacement(tx, method.id, found)
  }
  await recordChange(tx, method)
}

/**
 * The card has expired or was declined for good: applies the waiting details. Returns whether there were any.
 */
export function replaceIfDue(scope: Scope, vault: Vault, id: string, reason: Reason): Promise<boolean> {
  return inTransaction(scope, async (tx) => {
    const method = await paymentMethods.lock(tx, id)
    if (!method?.replacement || !isTimeToReplace(true, reason)) return false
    await apply(tx, vault, method, method.replacement)
    await recordChange(tx, method)
    return true
  })
}

/**
 * A stored card as it is to be used now. The job applies waiting details of an expired card within a minute;
 * a payment may be sooner.
 */
export async function replacedIfExpired(
  scope: Scope,
  vault: Vault,
  method: paymentMethods.StoredMethod,
): Promise<paymentMethods.StoredMethod> {
  if (!method.replacement || !hasExpired(scope, method)) return method
  await replaceIfDue(scope, vault, method.id, { kind: 'expired' })
  return (await paymentMethods.find(scope, method.id)) ?? method
}

function hasExpired({ clock }: Context, { expiration_date }: paymentMethods.StoredMethod): boolean {
  const expiration = parseExpiration(expiration_date ?? '')
  return expiration !== undefined && isExpired(expiration, clock())
}

const BATCH = 100

/** Applies waiting details of cards whose last day has passed. */
export async function replaceExpired(context: Context, vault: Vault): Promise<void> {
  for (;;) {
    const due = await paymentMethods.expiredWithReplacement(context, today(context), BATCH)
    for (const { id, merchant_account_id } of due) {
      await replaceIfDue({ ...context, merchantAccountId: merchant_account_id }, vault, id, {
        kind: 'expired',
      })
    }
    if (due.length < BATCH) return
  }
}

async function apply(
  tx: Scope<Tx>,
  vault: Vault,
  method: paymentMethods.StoredMethod,
  replacement: paymentMethods.Replacement,
): Promise<void> {
  await paymentMethods.applyReplacement(tx, method.id, replacement)
  if (!replacement.card) return
  if (method.vault_token) await vault.remove(tx.db, tx, method.vault_token)
  // Payment services gave their tokens for the old number.
  for (const token of await paymentServiceTokens.lockOf(tx, method.id)) await retire(tx, token)
}

/** When the next card with waiting details expires. */
export async function nextReplacementAt(context: Context): Promise<Date | null> {
  const day = await paymentMethods.nextExpiryWithReplacement(context)
  return day && new Date(day.getTime() + DAY_ENDS_LATER_MS)
}

/** A day ends later in the west. */
const DAY_ENDS_LATER_MS = 12 * 3_600_000

/** The last day that has ended everywhere, as in `isExpired`. */
function today({ clock }: Context): string {
  return new Date(clock().getTime() - DAY_ENDS_LATER_MS).toISOString().slice(0, 10)
}

/** The audit entry and the event of a card whose details have changed. */
export async function recordChange(tx: Scope<Tx>, method: paymentMethods.StoredMethod): Promise<void> {
  await auditLogs.record(tx, 'updated', {
    type: auditLogs.OF_BUYERS.paymentMethod,
    id: method.id,
    name: nameOf(method),
  })
  const after = await paymentMethods.find(tx, method.id)
  if (after) await events.publish(tx, ['payment-method.updated'], await showMethod(tx, after))
}

type Found = { readonly hasNewNumber: boolean }
type Reason = { readonly kind: 'expired' } | { readonly kind: 'declined'; readonly code: string }

/** What to do with new card details when they are found. */
function afterFinding({ hasNewNumber }: Found, isExpired: boolean): 'apply' | 'hold' {
  // A new date on the same number cannot harm a payment. A new number replaces one that may still work.
  return !hasNewNumber || isExpired ? 'apply' : 'hold'
}

/** Whether to apply waiting details now. Without such a reason, the existing ones stay. */
export function isTimeToReplace(hasReplacement: boolean, reason: Reason): boolean {
  if (!hasReplacement) return false
  return reason.kind === 'expired' || CARD_IS_GONE.has(reason.code)
}
