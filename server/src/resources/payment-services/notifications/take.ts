import type { FastifyInstance } from 'fastify'
import type { Message, Notification } from '#connectors/contract/connector.ts'
import type { Context, Scope } from '#platform/db.ts'
import type { Engine } from '#processing/engine.ts'
import { serveServiceNotifications, takeMessage } from '#processing/service-accounts/notifications.ts'
import { findMany, KIND, type WorkingService } from '../store.ts'

type Read = Extract<Notification, { outcome: 'read' }>
export type PayoutRead = Extract<Read, { about: 'payout' }>
type DisputeRead = Extract<Read, { about: 'chargeback' | 'chargeback_reversal' }>
type LateFailureRead = Extract<Read, { about: 'late_failure' }>
export type PaymentRead = Extract<Read, { about: 'authorization' | 'capture' | 'void' | 'refund' }>

/** What the kinds of notifications are about decides which slice takes them. */
export type Takers = {
  readonly payment: Take<PaymentRead>
  readonly payout: Take<PayoutRead>
  readonly dispute: Take<DisputeRead>
  readonly lateFailure: Take<LateFailureRead>
}
/** Returns whether it knows the subject of the notification. */
type Take<About extends Read> = (
  scope: Scope,
  engine: Engine,
  paymentServiceId: string,
  read: About,
) => Promise<boolean>

/** Takes outcomes from providers. */
export function serveNotifications(
  app: FastifyInstance,
  {
    engine,
    context,
    takers,
  }: { readonly engine: Engine; readonly context: Context; readonly takers: Takers },
): void {
  serveServiceNotifications<WorkingService, Read>(app, KIND, {
    context,
    findMany,
    ...deskOf(engine, takers),
  })
}

/** Reads a message as if the provider had sent it to us, and takes it. */
export function takeServiceMessage(
  scope: Scope,
  { engine, takers }: { readonly engine: Engine; readonly takers: Takers },
  subject: { readonly service: WorkingService; readonly message: Message },
): ReturnType<typeof takeMessage> {
  return takeMessage<WorkingService, Read>(scope, KIND, deskOf(engine, takers), subject)
}

function deskOf(engine: Engine, takers: Takers) {
  return {
    engine,
    readerOf: ({ payment_service_definition_id }: WorkingService) =>
      engine.providers.connectors.find(payment_service_definition_id)?.readNotification,
    take: async (scope: Scope, { id }: WorkingService, read: Read): Promise<boolean> => {
      switch (read.about) {
        case 'payout':
          return takers.payout(scope, engine, id, read)
        case 'chargeback':
        case 'chargeback_reversal':
          return takers.dispute(scope, engine, id, read)
        case 'late_failure':
          return takers.lateFailure(scope, engine, id, read)
        default:
          return takers.payment(scope, engine, id, read)
      }
    },
  }
}
