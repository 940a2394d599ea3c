import type { Context, Scope, Tx } from '#platform/database/db.ts'
import { errors, orNotFound } from '#platform/http/errors.ts'
import { type Finished, inFinalTransaction, type Once } from '#platform/idempotency/once.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import { chooseScheme } from '#resources/card-details/choose-scheme.ts'
import { type CardFacts, lookUp } from '#resources/card-details/store.ts'
import { sealCard } from '#resources/payment-methods/read-card.ts'
import { Masked, type Vault } from '#vault'
import { type ReadMethod, readMethod } from './read-method.ts'
import type { CheckoutSessionFields } from './schemas.ts'
import * as sessions from './store.ts'

/** With the interval of the job that removes it, a security code is gone within 15 minutes. */
const CODE_KEPT_MS = 14 * 60_000

type Entering = { readonly id: string; readonly fields: CheckoutSessionFields }

/**
 * Takes the buyer's payment method straight from the browser: puts number and code into the vault, and
 * removes earlier ones.
 */
export async function enterFields(
  context: Context,
  once: Once,
  vault: Vault,
  { id, fields: { payment_method, postal_code } }: Entering,
): Promise<Finished<void>> {
  const session = orNotFound(await sessions.findForBrowser(context, id))
  const scope: Scope = { ...context, merchantAccountId: session.merchant_account_id }
  const read = await readMethod(scope, session, payment_method)
  const facts =
    read.kind === 'card' ? chooseScheme(await lookUp(scope, read.body.number), read.body.scheme) : undefined
  return inFinalTransaction(scope, once, async (tx) => {
    const before = orNotFound(await sessions.lock(tx, id))
    refuseWhenPaid(before)
    for (const token of sessions.tokensOf(before)) await vault.remove(tx.db, tx, token)
    const entered = await seal(tx, vault, read, facts)
    await sessions.enter(tx, id, entered, { code: await sealCode(tx, vault, read), postalCode: postal_code })
    // Nobody has a token here: that a card came in, and when, is all that can be known of who entered it.
    await auditLogs.record(tx, 'updated', { type: 'checkout-session', id, name: 'fields entered' })
  })
}

/** During a payment, another card could get between the buyer's approval and the charge. */
function refuseWhenPaid({ transaction_id, method }: sessions.StoredSession): void {
  if (!transaction_id) return
  if (method) throw errors.tooEarly('A payment is under way')
  throw errors.invalid({
    location: 'path',
    pointer: '/session_id',
    type: 'value_error.conflict',
    message: 'create another checkout session: this one is paid, or is being paid',
  })
}

async function seal(
  tx: Scope<Tx>,
  vault: Vault,
  { kind, body }: ReadMethod,
  facts: CardFacts | undefined,
): Promise<sessions.Entered> {
  if (kind === 'id') return { method: kind, paymentMethodId: body.id }
  if (kind === 'click-to-pay') return { method: kind, payload: body }
  if (!facts) throw new Error('a card has no facts')
  const card = { number: body.number, expirationDate: body.expiration_date }
  return { method: kind, card: await sealCard(tx, vault, card, facts) }
}

async function sealCode(
  tx: Scope<Tx>,
  vault: Vault,
  { body }: ReadMethod,
): Promise<sessions.SealedCode | null> {
  if (!('security_code' in body) || !body.security_code) return null
  const code = new Masked(body.security_code)
  try {
    const token = await vault.store(tx.db, tx, 'security-code', code)
    return { token, expiresAt: new Date(tx.clock().getTime() + CODE_KEPT_MS) }
  } finally {
    code.clear()
  }
}
