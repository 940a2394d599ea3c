import type { Scope } from '#platform/database/db.ts'
import { errors } from '#platform/http/errors.ts'
import { type Finished, inFinalTransaction, type Once } from '#platform/idempotency/once.ts'
import type { Providers } from '#processing/provider.ts'
import { definitionOf } from '#processing/service-accounts/find-definition.ts'
import { openFields } from '#processing/service-accounts/open-fields.ts'
import { openSession } from '#resources/payment-service-definitions/open-session.ts'
import type { PaymentServiceSession } from '#resources/payment-service-definitions/schemas.ts'
import type { Vault } from '#vault'
import * as paymentServices from './store.ts'

type Needs = { readonly vault: Vault; readonly providers: Providers }

/** A session at the provider, with the merchant's own account there. */
export async function createServiceSession(
  scope: Scope,
  once: Once,
  { vault, providers }: Needs,
  { id, payload }: { readonly id: string; readonly payload: Readonly<Record<string, unknown>> },
): Promise<Finished<PaymentServiceSession>> {
  const service = await paymentServices.find(scope, id)
  if (!service) throw errors.notFound()
  const connector = definitionOf(providers.connectors, service.payment_service_definition_id)
  const session = await openSession(providers, connector, {
    fields: () => openFields(scope, vault, service, paymentServices.KIND),
    payload,
  })
  return inFinalTransaction(scope, once, async () => session)
}
