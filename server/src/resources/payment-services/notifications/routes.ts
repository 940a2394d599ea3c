import { orNotFound } from '#platform/http/errors.ts'
import { type Operation, operation, scopeOf } from '#platform/http/operation.ts'
import { Strict, Uuid } from '#platform/http/schemas.ts'
import * as paymentServices from '../store.ts'
import { nameOf, read } from './held/hold.ts'
import * as held from './held/store.ts'
import {
  type PaymentServiceNotification,
  PaymentServiceNotificationFilters,
  PaymentServiceNotifications,
} from './schemas.ts'

export const paymentServiceNotificationRoutes: readonly Operation[] = [
  operation({
    id: 'list_payment_service_notifications',
    route: 'GET /payment-services/:payment_service_id/notifications',
    tag: 'Payment services',
    summary: 'List unmatched notifications',
    description:
      'What the provider told about payments that were not known when it came, newest first, and what became of it. ' +
      'Notifications that fit at once are not listed: what they change has events. Texts of the provider are not kept.',
    scope: 'payment-services.read',
    concerns: 'merchant-account',
    params: Strict({ payment_service_id: Uuid() }),
    query: PaymentServiceNotificationFilters,
    responses: { 200: PaymentServiceNotifications },
    handler: async (call) => {
      const scope = scopeOf(call)
      const service = orNotFound(await paymentServices.find(scope, call.params.payment_service_id))
      const page = await held.list(scope, service.id, call.query)
      return { ...page, items: page.items.map(show) }
    },
  }),
]

function show(row: held.Held): PaymentServiceNotification {
  const { about, reference, attemptId, reconciliationId } = nameOf(read(row))
  return {
    type: 'payment-service-notification',
    id: row.id,
    merchant_account_id: row.merchant_account_id,
    payment_service_id: row.payment_service_id,
    kind: about,
    reference,
    attempt_id: attemptId,
    reconciliation_id: reconciliationId,
    status: row.status,
    received_at: row.created_at.toISOString(),
    ended_at: row.ended_at?.toISOString() ?? null,
  }
}
