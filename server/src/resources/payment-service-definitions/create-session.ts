import type { Context } from '#platform/database/db.ts'
import { errors } from '#platform/http/errors.ts'
import { type Finished, inFinalTransaction, type Once } from '#platform/idempotency/once.ts'
import type { Providers } from '#processing/provider.ts'
import { openSession } from './open-session.ts'
import type { PaymentServiceSession } from './schemas.ts'

/** A session that needs no account at the provider. */
export async function createDefinitionSession(
  context: Context,
  once: Once,
  providers: Providers,
  { id, payload }: { readonly id: string; readonly payload: Readonly<Record<string, unknown>> },
): Promise<Finished<PaymentServiceSession>> {
  const connector = providers.connectors.find(id)
  if (!connector) throw errors.notFound()
  const session = await openSession(providers, connector, { fields: async () => ({}), payload })
  return inFinalTransaction(context, once, async () => session)
}
