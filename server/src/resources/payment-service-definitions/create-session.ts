import { type Context, inFinalTransaction } from '#platform/db.ts'
import { errors } from '#platform/errors.ts'
import type { Providers } from '#processing/provider.ts'
import { openSession } from './open-session.ts'
import type { PaymentServiceSession } from './schemas.ts'

/** A session that needs no account at the provider. */
export async function createDefinitionSession(
  context: Context,
  providers: Providers,
  definitionId: string,
  payload: Readonly<Record<string, unknown>>,
): Promise<PaymentServiceSession> {
  const connector = providers.connectors.find(definitionId)
  if (!connector) throw errors.notFound()
  const session = await openSession(providers, connector, { fields: async () => ({}), payload })
  return inFinalTransaction(context, async () => session)
}
