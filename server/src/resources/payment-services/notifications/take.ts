import type { FastifyInstance } from 'fastify'
import type { Notification } from '#connectors/contract/connector.ts'
import type { Context, Scope } from '#platform/db.ts'
import type { Engine } from '#processing/engine.ts'
import { serveServiceNotifications } from '#processing/service-accounts/notifications.ts'
import { findMany, KIND, type WorkingService } from '../store.ts'

type Read = Extract<Notification, { outcome: 'read' }>
type Needs = {
  readonly engine: Engine
  readonly context: Context
  /** Returns whether it knows the subject of the notification. */
  readonly take: (scope: Scope, engine: Engine, paymentServiceId: string, read: Read) => Promise<boolean>
}

/** Takes outcomes from providers. */
export function serveNotifications(app: FastifyInstance, { engine, context, take }: Needs): void {
  const { connectors } = engine.providers
  serveServiceNotifications<WorkingService, Read>(app, KIND, {
    engine,
    context,
    findMany,
    readerOf: (service) => connectors.find(service.payment_service_definition_id)?.readNotification,
    take: (scope, service, read) => take(scope, engine, service.id, read),
  })
}
