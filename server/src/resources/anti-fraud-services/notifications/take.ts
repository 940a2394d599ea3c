import type { FastifyInstance } from 'fastify'
import type { ReviewNotification } from '../../../../../connectors/contract/anti-fraud.ts'
import type { Message } from '../../../../../connectors/contract/connector.ts'
import type { Context, Scope } from '../../../platform/db.ts'
import { errors } from '../../../platform/errors.ts'
import { isId, isSameKey, serveIncoming } from '../../../platform/incoming.ts'
import type { Engine } from '../../../processing/engine.ts'
import { askProvider } from '../../../processing/provider.ts'
import { notificationKey } from '../notification-key.ts'
import { openServiceFields } from '../open-fields.ts'
import * as antiFraudServices from '../store.ts'

type Read = Extract<ReviewNotification, { outcome: 'read' }>
type Needs = {
  readonly engine: Engine
  readonly context: Context
  /** Says whether it knew the transaction. */
  readonly take: (
    scope: Scope,
    engine: Engine,
    service: antiFraudServices.StoredService,
    read: Read,
  ) => Promise<boolean>
}

/**
 * Where providers tell us what came of a review. The address holds a key that cannot be guessed, and the connector
 * checks the message itself. What is not known is answered with 404, so that the provider sends it again.
 */
export function serveAntiFraudNotifications(app: FastifyInstance, { engine, context, take }: Needs): void {
  serveIncoming(app, 'anti-fraud-services', async ({ id, key }, message) => {
    const service = await findService(id, key)
    const scope = { ...context, merchantAccountId: service.merchant_account_id }
    const notification = await read(scope, service, message)
    if (notification.outcome === 'rejected') throw errors.refused(notification.message)
    if (notification.outcome === 'ignored') return
    const told = { ...notification, transactionId: notification.transactionId.toLowerCase() }
    if (!isId(told.transactionId) || !(await take(scope, engine, service, told))) throw errors.notFound()
  })

  /** One that was deleted is not heard any more: the secrets that its messages are checked with are gone. */
  async function findService(id: string, key: string): Promise<antiFraudServices.StoredService> {
    if (!isId(id) || !isSameKey(notificationKey(engine.secrets, id), key)) throw errors.notFound()
    const service = (await antiFraudServices.findMany(context, [id])).get(id)
    if (!service || service.deleted_at !== null) throw errors.notFound()
    return service
  }

  async function read(
    scope: Scope,
    service: antiFraudServices.StoredService,
    message: Message,
  ): Promise<ReviewNotification> {
    const connector = engine.providers.antiFraud.find(service.anti_fraud_service_definition_id)
    if (!connector?.readNotification)
      return { outcome: 'rejected', message: 'Notifications are not expected.' }
    const fields = await openServiceFields(scope, engine.vault, service)
    const link = { fields, options: {} }
    const answer = await askProvider(engine.providers, connector.readNotification, message, link)
    if (answer.outcome === 'unknown') throw errors.unavailable()
    return answer
  }
}
