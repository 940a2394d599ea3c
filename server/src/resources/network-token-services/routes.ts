import { type Operation, operationsOf } from '#platform/http/operation.ts'
import { Type } from '#platform/http/type.ts'
import { actsOf } from '#processing/service-accounts/acts.ts'
import { notificationUrl } from '#processing/service-accounts/notifications.ts'
import { shapesOf } from '#processing/service-accounts/shapes.ts'
import type { OperationNeeds } from '#resources/resource.ts'
import { KIND, type StoredService } from './store.ts'

const operation = operationsOf({
  tag: 'Network token services',
  concerns: 'merchant-account',
  scopes: 'network-token-services',
})

const SHAPES = shapesOf({
  type: 'network-token-service',
  definition: 'network_token_service_definition_id',
  title: 'NetworkTokenService',
  active: 'Whether the service makes new tokens. One service of an account can be active.',
  shown: {
    webhook_url: Type.String({
      format: 'uri',
      description: 'Where the provider tells what becomes of its tokens, if it does.',
    }),
  },
  example: {
    id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0044',
    definition: 'mock-network-token',
    name: 'Tokens of the schemes',
    nextName: 'Tokens of the old provider',
    shown: {
      webhook_url:
        'https://pay.example.com/network-token-services/0199f3a0-5d3b-7c00-8a11-3f1f7f1f0044/notifications/bQwH0yT1',
    },
  },
})

type Needs = Pick<OperationNeeds, 'secrets' | 'vault' | 'providers' | 'publicUrl'>

export function networkTokenServiceRoutes(needs: Needs): Operation[] {
  const show = (row: StoredService) => SHAPES.show(row, { webhook_url: notificationUrl(needs, KIND, row.id) })
  const acts = actsOf(KIND, SHAPES, { vault: needs.vault, connectors: needs.providers.networkTokens, show })
  return [
    operation({
      id: 'list_network_token_services',
      route: 'GET /network-token-services',
      summary: 'List network token services',
      description: 'Network token services, newest first. Deleted ones are not listed.',
      ...acts.list,
    }),

    operation({
      id: 'create_network_token_service',
      route: 'POST /network-token-services',
      summary: 'Create network token service',
      description:
        'Connects your own account at a provider that gives cards network tokens. Secret fields are sealed in the vault and never ' +
        'shown again. The service is active unless `active` is false. Only one can be active: a second one is answered with 409.',
      ...acts.create,
    }),

    operation({
      id: 'get_network_token_service',
      route: 'GET /network-token-services/:network_token_service_id',
      summary: 'Get network token service',
      ...acts.get,
    }),

    operation({
      id: 'update_network_token_service',
      route: 'PUT /network-token-services/:network_token_service_id',
      summary: 'Update network token service',
      description:
        'Fields that are left out stay as they are. An empty value clears an optional field. Tokens that it has made are asked for ' +
        'with the new values.',
      ...acts.update,
    }),

    operation({
      id: 'delete_network_token_service',
      route: 'DELETE /network-token-services/:network_token_service_id',
      summary: 'Delete network token service',
      description:
        'It makes no new tokens. Those that it has made are used until they are deleted; then its secrets leave the vault.',
      ...acts.remove,
    }),
  ]
}
