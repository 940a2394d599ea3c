import type { Unknown } from '#connectors/contract/connector.ts'
import type { NetworkTokenConnector } from '#connectors/contract/network-token.ts'
import type { Scope } from '#platform/database/db.ts'
import type { Engine } from '#processing/engine.ts'
import type { Providers } from '#processing/provider.ts'
import { askService, type ServiceAt } from '#processing/service-accounts/ask.ts'
import * as services from '#resources/network-token-services/store.ts'
import type { StoredToken } from './store.ts'

export type TokenServiceAt = ServiceAt<NetworkTokenConnector, services.StoredService>

const SIMULATOR = 'mock-network-token'

type Known = Pick<Providers, 'networkTokens'>

/**
 * Who gives new tokens to cards of the account. An account of a sandbox without a service asks the simulator. Undefined: nobody, or
 * the connector of its service is not offered any more.
 */
export async function findActiveService(
  scope: Scope,
  { networkTokens }: Known,
): Promise<TokenServiceAt | undefined> {
  const service = (await services.findActive(scope)) ?? null
  const connector = networkTokens.find(service?.network_token_service_definition_id ?? SIMULATOR)
  return connector && { service, connector }
}

/** Who has made a token, also if it was replaced or deleted meanwhile. Undefined: its connector is not offered any more. */
export async function findServiceOf(
  scope: Scope,
  { networkTokens }: Known,
  { service_id }: Pick<StoredToken, 'service_id'>,
): Promise<TokenServiceAt | undefined> {
  const service = service_id === null ? null : (await services.findMany(scope, [service_id])).get(service_id)
  if (service === undefined) return undefined
  const connector = networkTokens.find(service?.network_token_service_definition_id ?? SIMULATOR)
  return connector && { service, connector }
}

type Act = 'provision' | 'change' | 'inquire' | 'makeCryptogram'
type OrderOf<Name extends Act> = Parameters<NonNullable<NetworkTokenConnector[Name]>>[0]
type AnswerOf<Name extends Act> = Awaited<ReturnType<NonNullable<NetworkTokenConnector[Name]>>>

/** Asks the service that has made a token, or is to make it. */
export async function askTokenService<const Name extends Act>(
  scope: Scope,
  engine: Engine,
  at: TokenServiceAt,
  { act, order }: { readonly act: Name; readonly order: OrderOf<Name> },
): Promise<AnswerOf<Name> | Unknown> {
  const question = at.connector[act] as
    | ((order: OrderOf<Name>, link: unknown) => Promise<AnswerOf<Name>>)
    | undefined
  const answer = await askService(scope, engine, {
    kind: services.KIND,
    at,
    act,
    ask: async (link): Promise<AnswerOf<Name> | Unknown> =>
      question?.(order, link) ?? { outcome: 'unknown', reason: `it has no ${act}` },
  })
  return answer ?? { outcome: 'unknown', reason: 'the token service was deleted' }
}
