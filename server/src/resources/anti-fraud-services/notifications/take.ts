import type { FastifyInstance } from 'fastify'
import type { ReviewNotification } from '#connectors/contract/anti-fraud.ts'
import type { Context, Scope } from '#platform/database/db.ts'
import { errors } from '#platform/http/errors.ts'
import { isId } from '#platform/http/incoming.ts'
import type { Engine } from '#processing/engine.ts'
import { serveServiceNotifications } from '#processing/service-accounts/notifications.ts'
import { findMany, KIND, type StoredService } from '../store.ts'

type Read = Extract<ReviewNotification, { outcome: 'read' }>
type Needs = {
  readonly engine: Engine
  readonly context: Context
  /** Returns whether it knows the transaction. */
  readonly take: (scope: Scope, engine: Engine, service: StoredService, read: Read) => Promise<boolean>
}

/** Takes the results of reviews from providers. */
export function serveAntiFraudNotifications(app: FastifyInstance, { engine, context, take }: Needs): void {
  const { antiFraud } = engine.providers
  serveServiceNotifications<StoredService, Read>(app, KIND, {
    engine,
    context,
    findMany,
    readerOf: (service) => {
      const connector = antiFraud.find(service.anti_fraud_service_definition_id)
      // Its package may come back. Until then the provider keeps the message.
      if (!connector) throw errors.unavailable()
      const read = connector.readNotification
      return read && (async (message, link) => toReading(await read(message, link)))
    },
    take: async (scope, service, read) => {
      const told = { ...read, transactionId: read.transactionId.toLowerCase() }
      return isId(told.transactionId) && take(scope, engine, service, told)
    },
  })
}

/** A provider of this kind tells of one review at a time. */
function toReading(notification: ReviewNotification) {
  if (notification.outcome === 'rejected') return notification
  const notifications = notification.outcome === 'read' ? [notification] : []
  return { outcome: 'read', notifications } as const
}
