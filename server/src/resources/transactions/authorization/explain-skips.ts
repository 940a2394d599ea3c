import type { Scope } from '#platform/db.ts'
import { type Need, reasonToSkip } from '#processing/choose-services.ts'
import type { Engine } from '#processing/engine.ts'
import * as paymentServices from '#resources/payment-services/store.ts'
import type { NewEvent } from '../events/store.ts'

/** Why no payment service could take a payment: one event for each service of the account. */
export async function explainSkips(
  scope: Scope,
  { providers }: Engine,
  methods: readonly string[],
  need: Need,
): Promise<NewEvent[]> {
  const services = await paymentServices.listLive(scope)
  const isUsable = (service: paymentServices.StoredService) =>
    service.active && service.status === 'created' && methods.includes(service.method)
  const reasonOf = (service: paymentServices.StoredService) => {
    if (!methods.includes(service.method)) return 'other_method'
    if (!isUsable(service)) return 'inactive'
    return reasonToSkip(service, providers.connectors, need) ?? 'added_since'
  }
  const skipped = services.map(
    (service): NewEvent => ({
      name: 'payment-service-skipped',
      context: {
        payment_service_id: service.id,
        payment_service_display_name: service.display_name,
        payment_service_definition_id: service.payment_service_definition_id,
        reason: reasonOf(service),
      },
    }),
  )
  if (services.some(isUsable)) return skipped
  const method = methods.join(' or ')
  const message = `this merchant account has no active payment service for ${method}`
  return [...skipped, { name: 'payment-service-missing', context: { method, message } }]
}
