import type { Schemas } from '../../api/schema.d.ts'
import { send, useRead, useReadAll } from '../api/client.ts'
import { pagesOf } from '../service-accounts/pages.tsx'
import { schemesIn } from '../service-accounts/schemes.ts'

type Service = Schemas['NetworkTokenService']

export const pages = pagesOf<Service>({
  path: '/network-token-services',
  title: 'Network token services',
  one: 'network token service',
  about: 'The active service gives stored cards tokens of their schemes.',
  none: 'Connect your account at a provider that gives cards network tokens.',
  scope: 'network-token-services',
  definitionScope: 'network-token-service-definitions',
  settings: () => [],
  facts: () => [],
  note: ({ supported_features }) => schemesIn(supported_features as Record<string, unknown>),
  definitionOf: ({ network_token_service_definition_id: id }) => id,
  whenActive: 'It makes new tokens from now on. Only one service can be active at a time.',
  whenInactive: 'It makes no new tokens. Those that it has made are still used.',
  whenDeleted:
    'It makes no new tokens. Those that it has made are used until they are deleted; then the stored credentials are destroyed. To stop new tokens only, deactivate it instead.',
  useAll: () => useReadAll('GET /network-token-services'),
  useOne: (id) =>
    useRead('GET /network-token-services/{network_token_service_id}', {
      path: { network_token_service_id: id },
    }),
  useDefinitions: (isWanted) => useReadAll('GET /network-token-service-definitions', { isWanted }),
  create: (definitionId, settings, idempotencyKey) =>
    send('POST /network-token-services', {
      body: {
        ...settings,
        network_token_service_definition_id: definitionId,
      } as unknown as Schemas['CreateNetworkTokenService'],
      idempotencyKey,
    }),
  update: (id, settings) =>
    send('PUT /network-token-services/{network_token_service_id}', {
      path: { network_token_service_id: id },
      body: settings as Schemas['UpdateNetworkTokenService'],
    }),
  remove: (id) =>
    send('DELETE /network-token-services/{network_token_service_id}', {
      path: { network_token_service_id: id },
    }),
})
