import type { NetworkTokenConnector, TokenScheme } from '#connectors/contract/network-token.ts'
import { type Operation, operationsOf } from '#platform/http/operation.ts'
import type { Providers } from '#processing/provider.ts'
import { definitionActsOf } from '#processing/service-accounts/acts.ts'

const operation = operationsOf({
  tag: 'Network token service definitions',
  scope: 'network-token-service-definitions.read',
  concerns: 'instance',
})

const gives = (scheme: TokenScheme, name: string) => ({
  isIn: ({ schemes }: NetworkTokenConnector) => schemes.includes(scheme),
  description: `Whether cards of ${name} can get tokens.`,
})

export function networkTokenServiceDefinitionRoutes({
  providers,
}: {
  readonly providers: Providers
}): Operation[] {
  const acts = definitionActsOf(providers.networkTokens, {
    type: 'network-token-service-definition',
    title: 'NetworkTokenService',
    about: 'The schemes whose cards can get tokens, and what can be done with these.',
    features: {
      amex: gives('amex', 'American Express'),
      discover: gives('discover', 'Discover'),
      mastercard: gives('mastercard', 'Mastercard'),
      visa: gives('visa', 'Visa'),
      suspensions: {
        isIn: ({ canSuspend }) => canSuspend,
        description: 'Whether tokens can be suspended and resumed. All can be deleted.',
      },
      own_requestor: {
        isIn: ({ needsRequestor }) => needsRequestor,
        description: 'Whether the merchant account needs its own ids at the schemes.',
      },
      notifications: {
        isIn: ({ readNotification }) => readNotification !== undefined,
        description: 'Whether the provider tells what becomes of a token.',
      },
    },
    example: {
      id: 'mock-network-token',
      display_name: 'Mock network tokens',
      supported_features: {
        amex: true,
        discover: true,
        mastercard: true,
        visa: true,
        suspensions: true,
        own_requestor: true,
        notifications: true,
      },
    },
  })
  return [
    operation({
      id: 'list_network_token_service_definitions',
      route: 'GET /network-token-service-definitions',
      summary: 'List network token service definitions',
      description: 'The providers for which a network token service can be created, and what each supports.',
      ...acts.list,
    }),

    operation({
      id: 'get_network_token_service_definition',
      route: 'GET /network-token-service-definitions/:network_token_service_definition_id',
      summary: 'Get network token service definition',
      ...acts.get,
    }),
  ]
}
