import type { Connector, SessionAnswer } from '#connectors/contract/connector.ts'
import { ApiError } from '#platform/http/errors.ts'
import type { Providers } from '#processing/provider.ts'
import { inquire } from './inquire.ts'
import type { PaymentServiceSession } from './schemas.ts'

type Order = {
  readonly fields: () => Promise<Readonly<Record<string, string>>>
  readonly payload: Readonly<Record<string, unknown>>
}

/** Opens a session at the provider. A refusal of the provider is an answer, not an error. */
export async function openSession(
  providers: Providers,
  connector: Connector,
  { fields, payload }: Order,
): Promise<PaymentServiceSession> {
  const { session, manifest } = connector
  if (!session) {
    throw new ApiError('bad_request', { message: `${manifest.id} does not support the operation session` })
  }
  return inquire(providers, await fields(), async (link) =>
    showSession(await session({ payload, payment: null }, link)),
  )
}

function showSession(answer: SessionAnswer): PaymentServiceSession {
  const hasSucceeded = answer.outcome === 'succeeded'
  return {
    type: 'payment-service-session',
    status: answer.outcome,
    code: hasSucceeded ? null : answer.code,
    status_code: answer.statusCode,
    response_body: hasSucceeded ? { ...answer.body } : null,
  }
}
