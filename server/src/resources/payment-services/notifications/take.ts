import type { FastifyInstance } from 'fastify'
import type { Notification } from '#connectors/contract/connector.ts'
import type { Context, Scope } from '#platform/db.ts'
import type { Engine } from '#processing/engine.ts'
import { serveServiceNotifications } from '#processing/service-accounts/notifications.ts'
import { findMany, KIND, type WorkingService } from '../store.ts'

type Read = Extract<Notification, { outcome: 'read' }>
export type PayoutRead = Extract<Read, { about: 'payout' }>
type DisputeRead = Extract<Read, { about: 'chargeback' | 'chargeback_reversal' }>
type LateFailureRead = Extract<Read, { about: 'late_failure' }>
export type PaymentRead = Extract<Read, { about: 'authorization' | 'capture' | 'void' | 'refund' }>
type Needs = {
  readonly engine: Engine
  readonly context: Context
  readonly take: {
    readonly payment: Take<PaymentRead>
    readonly payout: Take<PayoutRead>
    readonly dispute: Take<DisputeRead>
    readonly lateFailure: Take<LateFailureRead>
  }
}
/** Returns whether it knows the subject of the notification. */
type Take<About extends Read> = (
  scope: Scope,
  engine: Engine,
  paymentServiceId: string,
  read: About,
) => Promise<boolean>

/** Takes outcomes from providers. */
export function serveNotifications(app: FastifyInstance, { engine, context, take }: Needs): void {
  const { connectors } = engine.providers
  serveServiceNotifications<WorkingService, Read>(app, KIND, {
    engine,
    context,
    findMany,
    readerOf: (service) => connectors.find(service.payment_service_definition_id)?.readNotification,
    take: async (scope, service, read) => {
      switch (read.about) {
        case 'payout':
          return take.payout(scope, engine, service.id, read)
        case 'chargeback':
        case 'chargeback_reversal':
          return take.dispute(scope, engine, service.id, read)
        case 'late_failure':
          return take.lateFailure(scope, engine, service.id, read)
        default:
          return take.payment(scope, engine, service.id, read)
      }
    },
  })
}
