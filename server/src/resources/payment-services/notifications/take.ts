import type { FastifyInstance } from 'fastify'
import type { Message, Notification } from '../../../../../connectors/contract/connector.ts'
import type { Context, Scope } from '../../../platform/db.ts'
import { errors } from '../../../platform/errors.ts'
import { isId, isSameKey, serveIncoming } from '../../../platform/incoming.ts'
import type { Engine } from '../../../processing/engine.ts'
import { askProvider } from '../../../processing/provider.ts'
import * as attempts from '../../transactions/attempts/store.ts'
import { notificationKey } from '../notification-key.ts'
import { openFields } from '../open-fields.ts'
import * as paymentServices from '../store.ts'

type Read = Extract<Notification, { outcome: 'read' }>
type Needs = {
  readonly engine: Engine
  readonly context: Context
  /** Says whether it knew what the notification is about. */
  readonly take: (scope: Scope, engine: Engine, paymentServiceId: string, read: Read) => Promise<boolean>
}

/**
 * Where providers tell us how things ended. The address holds a key that cannot be guessed, and the connector checks
 * the message itself. What is not known yet is answered with 404, so that the provider sends it again.
 */
export function serveNotifications(app: FastifyInstance, { engine, context, take }: Needs): void {
  serveIncoming(app, 'payment-services', async ({ id, key }, message) => {
    const service = await findService(id, key)
    const scope = { ...context, merchantAccountId: service.merchant_account_id }
    const notification = await read(scope, service, message)
    if (notification.outcome === 'rejected') throw errors.refused(notification.message)
    if (notification.outcome === 'ignored') return
    if (!(await take(scope, engine, service.id, notification))) throw errors.notFound()
  })

  async function findService(id: string, key: string): Promise<paymentServices.WorkingService> {
    if (!isId(id) || !isSameKey(notificationKey(engine.secrets, id), key)) throw errors.notFound()
    const service = (await paymentServices.findMany(context, [id])).get(id)
    if (!service || (service.deleted_at !== null && !(await isAwaited(service)))) throw errors.notFound()
    return service
  }

  /** A service that was deleted is still told how things ended that had begun. */
  async function isAwaited(service: paymentServices.WorkingService): Promise<boolean> {
    const scope = { ...context, merchantAccountId: service.merchant_account_id }
    return (await attempts.countOpenAt(scope, service.id)) > 0
  }

  async function read(
    scope: Scope,
    service: paymentServices.WorkingService,
    message: Message,
  ): Promise<Notification> {
    const connector = engine.providers.connectors.find(service.payment_service_definition_id)
    if (!connector?.readNotification)
      return { outcome: 'rejected', message: 'Notifications are not expected.' }
    const fields = await openFields(scope, engine.vault, service)
    const answer = await askProvider(engine.providers, connector.readNotification, message, {
      fields,
      options: {},
    })
    if (answer.outcome === 'unknown') throw errors.unavailable()
    return answer
  }
}
