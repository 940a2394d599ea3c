import type { FastifyInstance } from 'fastify'
import type { Dispute, LateFailure, Message, Notification, Outcome } from '#connectors/contract/connector.ts'
import type { Context, Scope } from '#platform/db.ts'
import type { Engine } from '#processing/engine.ts'
import { serveServiceNotifications, takeMessage } from '#processing/service-accounts/notifications.ts'
import { findMany, KIND, type WorkingService } from '../store.ts'

/** What the kinds of notifications are about decides which slice takes them. */
export type Takers = {
  readonly payment: Take<Outcome>
  readonly payout: Take<Outcome>
  readonly dispute: Take<Dispute>
  readonly lateFailure: Take<LateFailure>
}
/** Returns whether it knows the subject of the notification. */
type Take<About extends Notification> = (
  scope: Scope,
  engine: Engine,
  paymentServiceId: string,
  told: About,
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
  serveServiceNotifications<WorkingService, Notification>(app, KIND, {
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
  return takeMessage<WorkingService, Notification>(scope, KIND, deskOf(engine, takers), subject)
}

function deskOf(engine: Engine, takers: Takers) {
  return {
    engine,
    readerOf: ({ payment_service_definition_id }: WorkingService) =>
      engine.providers.connectors.find(payment_service_definition_id)?.readNotification,
    take: async (scope: Scope, { id }: WorkingService, told: Notification): Promise<boolean> => {
      switch (told.about) {
        case 'payout':
          return takers.payout(scope, engine, id, told)
        case 'chargeback':
        case 'chargeback_reversal':
          return takers.dispute(scope, engine, id, told)
        case 'late_failure':
          return takers.lateFailure(scope, engine, id, told)
        case 'approvable':
        case 'report':
          return false
        default:
          return takers.payment(scope, engine, id, told)
      }
    },
  }
}
