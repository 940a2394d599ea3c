import type { Vault } from '../../../../vault/client.ts'
import { inFinalTransaction, type Scope } from '../../platform/db.ts'
import { errors } from '../../platform/errors.ts'
import type { Providers } from '../../processing/provider.ts'
import { openSession } from '../payment-service-definitions/open-session.ts'
import type { PaymentServiceSession } from '../payment-service-definitions/schemas.ts'
import { definitionOf } from './find-definition.ts'
import { openFields } from './open-fields.ts'
import * as paymentServices from './store.ts'

type Needs = { readonly vault: Vault; readonly providers: Providers }

/** A session at the provider, with the merchant's own account there. */
export async function createServiceSession(
  scope: Scope,
  { vault, providers }: Needs,
  id: string,
  payload: Readonly<Record<string, unknown>>,
): Promise<PaymentServiceSession> {
  const service = await paymentServices.find(scope, id)
  if (!service) throw errors.notFound()
  const session = await openSession(providers, definitionOf(providers.connectors, service), {
    fields: () => openFields(scope, vault, service),
    payload,
  })
  return inFinalTransaction(scope, async () => session)
}
