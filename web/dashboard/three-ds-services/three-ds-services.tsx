import type { Schemas } from '../../api/schema.d.ts'
import { send, useRead, useReadAll } from '../api/client.ts'
import { pagesOf } from '../service-accounts/pages.tsx'

type Service = Schemas['ThreeDSService']

export const pages = pagesOf<Service>({
  path: '/three-ds-services',
  title: '3-D Secure services',
  one: '3-D Secure service',
  about: 'The active service asks issuers whether the buyer is the holder of the card.',
  none: 'Connect your account at a provider of a 3-D Secure server.',
  scope: 'three-ds-services',
  definitionScope: 'three-ds-service-definitions',
  settings: () => [],
  facts: () => [],
  note: ({ supported_features }) =>
    'device_data' in supported_features && supported_features.device_data
      ? 'Every buyer passes the approval page'
      : 'Challenges only',
  definitionOf: ({ three_ds_service_definition_id: id }) => id,
  whenActive: 'It authenticates new payments. Only one service can be active at a time.',
  whenInactive: 'New payments are no longer authenticated by it. Buyers who are approving can go on.',
  whenDeleted:
    'New payments are no longer authenticated by it, and the stored credentials are destroyed once no buyer can be approving any more. To stop new authentications only, deactivate it instead.',
  useAll: () => useReadAll('GET /three-ds-services'),
  useOne: (id) =>
    useRead('GET /three-ds-services/{three_ds_service_id}', { path: { three_ds_service_id: id } }),
  useDefinitions: (isWanted) => useReadAll('GET /three-ds-service-definitions', { isWanted }),
  create: (definitionId, settings, idempotencyKey) =>
    send('POST /three-ds-services', {
      body: {
        ...settings,
        three_ds_service_definition_id: definitionId,
      } as unknown as Schemas['CreateThreeDSService'],
      idempotencyKey,
    }),
  update: (id, settings) =>
    send('PUT /three-ds-services/{three_ds_service_id}', {
      path: { three_ds_service_id: id },
      body: settings as Schemas['UpdateThreeDSService'],
    }),
  remove: (id) =>
    send('DELETE /three-ds-services/{three_ds_service_id}', { path: { three_ds_service_id: id } }),
})
