import type { FastifyInstance } from 'fastify'
import {
  type NetworkTokenConnector,
  TOKEN_SCHEMES,
  type TokenNotice,
} from '#connectors/contract/network-token.ts'
import { type Context, inTransaction, type Scope, type Tx } from '#platform/database/db.ts'
import { errors } from '#platform/http/errors.ts'
import { isId, serveIncoming } from '#platform/http/incoming.ts'
import { isStorable } from '#platform/http/validation.ts'
import type { Engine } from '#processing/engine.ts'
import { askService } from '#processing/service-accounts/ask.ts'
import { serveServiceNotifications } from '#processing/service-accounts/notifications.ts'
import { findMany, KIND, type StoredService } from '#resources/network-token-services/store.ts'
import type { Vault } from '#vault'
import { expiresOn } from '../../read-card.ts'
import { recordChange } from '../../replace.ts'
import { numberDate } from '../../reveal.ts'
import * as paymentMethods from '../../store.ts'
import { afterNotice } from '../conclude.ts'
import { dropToken, recordToken } from '../drop.ts'
import { findServiceOf } from '../find-service.ts'
import * as networkTokens from '../store.ts'

/**
 * Takes notifications of token services, at the address of each. An unknown token is a 404, so that the service sends it
 * again. The simulator has an address for each scheme, `/network-tokens/{scheme}/notifications/{requestor id}`, for accounts
 * of a sandbox that have no service.
 */
export function serveTokenNotifications(app: FastifyInstance, engine: Engine, context: Context): void {
  serveIncoming(app, 'network-tokens', async ({ id, key }, message) => {
    const scheme = TOKEN_SCHEMES.find((one) => one === id)
    const at = await findServiceOf(context as Scope, engine.providers, { service_id: null })
    const read = at?.connector.readNotification
    if (!at || !read || !scheme || !isStorable(key)) throw errors.notFound()
    const find = async (id: string) => {
      const token = isId(id) ? await networkTokens.findAnywhere(context, id) : undefined
      const isTheirs = token?.scheme === scheme && token.requestor_id === key && token.service_id === null
      return isTheirs ? token : undefined
    }
    const reading = await askService(context as Scope, engine, {
      kind: KIND,
      at,
      act: 'readNotification',
      ask: (link) => readAbout(read, { message, link, find }),
    })
    if (reading?.outcome === 'rejected') throw errors.refused(reading.message)
    if (reading?.outcome !== 'read') throw errors.unavailable()
    const known = reading.notice && (await find(reading.notice.clientReference))
    if (!known || !reading.notice) throw errors.notFound()
    const { notice } = reading
    const scope: Scope = { ...context, merchantAccountId: known.merchant_account_id }
    await inTransaction(scope, (tx) => take(tx, engine.vault, known, notice))
    return null
  })

  // A deleted service is heard as long as it has tokens.
  const kind = { ...KIND, countOpenAt: networkTokens.countMadeBy }
  serveServiceNotifications<StoredService, TokenNotice | null>(app, kind, {
    engine,
    context,
    findMany,
    readerOf: (service) => {
      const connector = engine.providers.networkTokens.find(service.network_token_service_definition_id)
      // Its package may come back. Until then the provider keeps the message.
      if (!connector) throw errors.unavailable()
      const read = connector.readNotification
      const find = (reference: string) => madeBy(context, service, reference)
      return (
        read &&
        (async (message, link) => {
          const told = await readAbout(read, { message, link, find })
          if (told.outcome === 'unknown') throw errors.unavailable()
          return told.outcome === 'read' ? { outcome: 'read', notifications: [told.notice] } : told
        })
      )
    },
    take: async (scope, service, notice) => {
      const known = notice && (await madeBy(context, service, notice.clientReference))
      if (!known) return false
      await inTransaction(scope, (tx) => take(tx, engine.vault, known, notice))
      return true
    },
  })
}

type Reader = NonNullable<NetworkTokenConnector['readNotification']>
type Message = {
  readonly message: Parameters<Reader>[0]
  readonly link: Parameters<Reader>[1]
  readonly find: (reference: string) => Promise<networkTokens.StoredToken | undefined>
}

/** The notice is null if nobody knows the token. */
async function readAbout(read: Reader, { message, link, find }: Message) {
  let isUnknown = false
  try {
    return await read(message, link, async (reference) => {
      const token = await find(reference)
      if (token) return networkTokens.requestorOf(token)
      isUnknown = true
      throw errors.notFound()
    })
  } catch (error) {
    if (!isUnknown) throw error
    return { outcome: 'read', notice: null } as const
  }
}

async function madeBy(
  context: Context,
  { id }: StoredService,
  reference: string,
): Promise<networkTokens.StoredToken | undefined> {
  const token = isId(reference) ? await networkTokens.findAnywhere(context, reference) : undefined
  return token?.service_id === id ? token : undefined
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
