import type { FastifyInstance } from 'fastify'
import { type Context, inTransaction, type Scope, type Tx } from '#platform/database/db.ts'
import { errors } from '#platform/http/errors.ts'
import { isId, serveIncoming } from '#platform/http/incoming.ts'
import { isStorable } from '#platform/http/validation.ts'
import type { Engine } from '#processing/engine.ts'
import { TOKEN_SCHEMES, type TokenNotice } from '#processing/token-service.ts'
import type { Vault } from '#vault'
import { expiresOn } from '../../read-card.ts'
import { recordChange } from '../../replace.ts'
import { numberDate } from '../../reveal.ts'
import * as paymentMethods from '../../store.ts'
import { afterNotice } from '../conclude.ts'
import { dropToken, recordToken } from '../drop.ts'
import * as networkTokens from '../store.ts'

/**
 * Takes notifications of the token services, at `/network-tokens/{scheme}/notifications/{requestor id}`. The
 * service signs them; the port knows how. An unknown token is a 404, so that the service sends it again.
 */
export function serveTokenNotifications(app: FastifyInstance, engine: Engine, context: Context): void {
  serveIncoming(app, 'network-tokens', async ({ id, key }, message) => {
    const scheme = TOKEN_SCHEMES.find((one) => one === id)
    if (!engine.tokenService || !scheme || !isStorable(key)) throw errors.notFound()
    const find = async (id: string) => {
      const token = isId(id) ? await networkTokens.findAnywhere(context, id) : undefined
      if (token?.scheme !== scheme || token.requestor_id !== key) throw errors.notFound()
      return token
    }
    const read = await engine.tokenService.readNotification(message, async (clientReference) =>
      networkTokens.requestorOf(await find(clientReference)),
    )
    if (read.outcome === 'rejected') throw errors.refused(read.message)
    if (read.outcome === 'unknown') throw errors.unavailable()
    const known = await find(read.notice.clientReference)
    const scope: Scope = { ...context, merchantAccountId: known.merchant_account_id }
    await inTransaction(scope, (tx) => take(tx, engine.vault, known, read.notice))
    return null
  })
}

async function take(
  tx: Scope<Tx>,
  vault: Vault,
  known: networkTokens.StoredToken,
  notice: TokenNotice,
): Promise<void> {
  // The card first, then its token: deleting a card takes the locks in this order.
  const method = await paymentMethods.lock(tx, known.payment_method_id)
  const token = await networkTokens.lock(tx, known.id)
  if (token?.status === 'deleted') return
  if (!networkTokens.isLive(token) || !method) throw errors.notFound()
  await changeToken(tx, vault, token, notice)
  if (notice.card) await changeCard(tx, method, notice.card)
}

async function changeToken(
  tx: Scope<Tx>,
  vault: Vault,
  token: networkTokens.LiveToken,
  notice: TokenNotice,
): Promise<void> {
  const status = afterNotice(token, notice.status)
  const expiration_date = notice.expirationDate ?? token.expiration_date
  if (status === token.status && expiration_date === token.expiration_date) return
  const changed =
    status === 'deleted'
      ? await dropToken(tx, vault, token)
      : await networkTokens.update(tx, token, { status, expiration_date })
  await recordToken(tx, status === 'deleted' ? 'deleted' : 'updated', changed)
}

/**
 * The issuer has replaced the card behind the token. Its new number is not told, only what may be shown. The number in
 * the vault keeps its own date.
 */
async function changeCard(
  tx: Scope<Tx>,
  method: paymentMethods.StoredMethod,
  { last4, expirationDate }: NonNullable<TokenNotice['card']>,
): Promise<void> {
  const ofNumber = { label: method.number_label ?? method.label, date: numberDate(method) }
  const label = last4 ?? method.label
  const isOther = label !== ofNumber.label
  const date = expirationDate ?? (isOther ? method.expiration_date : ofNumber.date)
  if (label === method.label && date === method.expiration_date) return
  await paymentMethods.update(tx, method.id, {
    label,
    ...(date !== null && { expiration_date: date, expires_on: expiresOn(date) }),
    number_label: isOther ? ofNumber.label : null,
    number_expiration_date: isOther ? ofNumber.date : null,
    last_replaced_at: tx.clock(),
  })
  await recordChange(tx, method)
}
