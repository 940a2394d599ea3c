import type { FastifyInstance } from 'fastify'
import { type Context, inTransaction, type Scope, type Tx } from '#platform/db.ts'
import { errors } from '#platform/errors.ts'
import { isId, serveIncoming } from '#platform/incoming.ts'
import { isStorable } from '#platform/validation.ts'
import type { Engine } from '#processing/engine.ts'
import { TOKEN_SCHEMES, type TokenNotice } from '#processing/token-service.ts'
import * as merchantAccounts from '#resources/merchant-accounts/store.ts'
import type { Vault } from '#vault'
import { expiresOn } from '../../read-card.ts'
import { recordChange } from '../../replace.ts'
import * as paymentMethods from '../../store.ts'
import { dropToken, recordToken } from '../drop.ts'
import { afterNotice } from '../state.ts'
import * as networkTokens from '../store.ts'

/**
 * Takes notifications of the token services, at `/network-tokens/{scheme}/notifications/{requestor id}`. The
 * service signs them; the port knows how. An unknown token is a 404, so that the service sends it again.
 */
export function serveTokenNotifications(app: FastifyInstance, engine: Engine, context: Context): void {
  serveIncoming(app, 'network-tokens', async ({ id, key }, message) => {
    const scheme = TOKEN_SCHEMES.find((one) => one === id)
    if (!engine.tokenService || !scheme || !isStorable(key)) throw errors.notFound()
    const owner = await merchantAccounts.ownerOfNetworkToken(context, 'requestor_id', key)
    if (owner?.scheme !== scheme) throw errors.notFound()
    const scope: Scope = { ...context, merchantAccountId: owner.accountId }
    const requestor = await merchantAccounts.requestorOf(scope, scheme)
    if (!requestor) throw errors.notFound()
    const read = await engine.tokenService.readNotification(message, requestor)
    if (read.outcome === 'rejected') throw errors.refused(read.message)
    if (read.outcome === 'unknown') throw errors.unavailable()
    await inTransaction(scope, (tx) => take(tx, engine.vault, scheme, read.notice))
  })
}

async function take(tx: Scope<Tx>, vault: Vault, scheme: string, notice: TokenNotice): Promise<void> {
  const { clientReference: id } = notice
  const known = isId(id) ? await networkTokens.find(tx, id) : undefined
  if (known?.scheme !== scheme) throw errors.notFound()
  // The card first, then its token: deleting a card takes the locks in this order.
  const method = await paymentMethods.lock(tx, known.payment_method_id)
  const token = await networkTokens.lock(tx, id)
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
      : await networkTokens.change(tx, token, { status, expiration_date })
  await recordToken(tx, status === 'deleted' ? 'deleted' : 'updated', changed)
}

/** The issuer has replaced the card behind the token. Its new number is not told, only what may be shown. */
async function changeCard(
  tx: Scope<Tx>,
  method: paymentMethods.StoredMethod,
  { last4, expirationDate }: NonNullable<TokenNotice['card']>,
): Promise<void> {
  const label = last4 ?? method.label
  const isSameDate = expirationDate === null || expirationDate === method.expiration_date
  if (label === method.label && isSameDate) return
  const dates = expirationDate !== null && {
    expiration_date: expirationDate,
    expires_on: expiresOn(expirationDate),
  }
  await paymentMethods.update(tx, method.id, { label, ...dates, last_replaced_at: tx.clock() })
  await recordChange(tx, method)
}
