import type { Schemas } from '../../api/schema.d.ts'
import { send, useRead, useReadAll } from '../api/client.ts'
import { pagesOf } from '../service-accounts/pages.tsx'
import { schemesIn } from '../service-accounts/schemes.ts'

type Service = Schemas['AccountUpdaterService']

export const pages = pagesOf<Service>({
  path: '/account-updater-services',
  title: 'Account updater services',
  one: 'account updater service',
  about: 'The active service is asked about the new details of replaced cards.',
  none: 'Connect your account at a provider that knows replaced cards.',
  scope: 'account-updater-services',
  definitionScope: 'account-updater-service-definitions',
  settings: () => [],
  facts: () => [],
  note: ({ supported_features }) => schemesIn(supported_features as Record<string, unknown>),
  definitionOf: ({ account_updater_service_definition_id: id }) => id,
  whenActive: 'It is asked about stored cards from now on. Only one service can be active at a time.',
  whenInactive:
    'It is no longer asked about stored cards. Questions that are open are still asked, for a day.',
  whenDeleted:
    'It is no longer asked about stored cards, and the stored credentials are destroyed once no question is open any more. To stop new questions only, deactivate it instead.',
  useAll: () => useReadAll('GET /account-updater-services'),
  useOne: (id) =>
    useRead('GET /account-updater-services/{account_updater_service_id}', {
      path: { account_updater_service_id: id },
    }),
  useDefinitions: (isWanted) => useReadAll('GET /account-updater-service-definitions', { isWanted }),
  create: (definitionId, settings, idempotencyKey) =>
    send('POST /account-updater-services', {
      body: {
        ...settings,
        account_updater_service_definition_id: definitionId,
      } as unknown as Schemas['CreateAccountUpdaterService'],
      idempotencyKey,
    }),
  update: (id, settings) =>
    send('PUT /account-updater-services/{account_updater_service_id}', {
      path: { account_updater_service_id: id },
      body: settings as Schemas['UpdateAccountUpdaterService'],
    }),
  remove: (id) =>
    send('DELETE /account-updater-services/{account_updater_service_id}', {
      path: { account_updater_service_id: id },
    }),
})
