import type { Schemas } from '../../api/schema.d.ts'
import { send, useRead, useReadAll } from '../api/client.ts'
import { field } from '../parts/fields.tsx'
import { pagesOf } from '../service-accounts/pages.tsx'

type Service = Schemas['AntiFraudService']

export const pages = pagesOf<Service>({
  path: '/anti-fraud-services',
  title: 'Anti-fraud services',
  one: 'anti-fraud service',
  about: 'The active service screens each payment before it is authorized.',
  none: 'Connect your account at a fraud screening provider.',
  scope: 'anti-fraud-services',
  definitionScope: 'anti-fraud-service-definitions',
  settings: ({ supported_features }) => [
    ...('reviews' in supported_features && supported_features.reviews
      ? [
          field('flag', 'reviews_enabled', 'Hold payments for review', {
            hint: 'Payments flagged for review wait until someone accepts or rejects them.',
          }),
        ]
      : []),
    field('flag', 'silent', 'Ask in silence', {
      hint: 'The service is asked beside the active one. Its decisions are in the history of payments, and change nothing.',
    }),
  ],
  facts: ({ reviews_enabled, silent }) => [
    ['Holds for review', reviews_enabled ? 'Yes' : 'No'],
    ['Asked in silence', silent ? 'Yes' : 'No'],
  ],
  note: ({ supported_features }) =>
    'reviews' in supported_features && supported_features.reviews ? 'Decisions and reviews' : 'Decisions',
  definitionOf: ({ anti_fraud_service_definition_id: id }) => id,
  webhookHint: 'The provider sends review results here. Enter this URL in the provider’s settings.',
  whenActive: 'It screens new payments. Only one service can be active at a time.',
  whenInactive: 'New payments are no longer screened. Open reviews can still be decided.',
  whenDeleted:
    'New payments are no longer screened, and the stored credentials are destroyed. Review results can no longer arrive: decide open reviews in the list of transactions. To stop new checks only, deactivate it instead.',
  useAll: () => useReadAll('GET /anti-fraud-services'),
  useOne: (id) =>
    useRead('GET /anti-fraud-services/{anti_fraud_service_id}', { path: { anti_fraud_service_id: id } }),
  useDefinitions: (isWanted) => useReadAll('GET /anti-fraud-service-definitions', { isWanted }),
  create: (definitionId, settings, idempotencyKey) =>
    send('POST /anti-fraud-services', {
      body: {
        ...settings,
        anti_fraud_service_definition_id: definitionId,
      } as unknown as Schemas['CreateAntiFraudService'],
      idempotencyKey,
    }),
  update: (id, settings) =>
    send('PUT /anti-fraud-services/{anti_fraud_service_id}', {
      path: { anti_fraud_service_id: id },
      body: settings as Schemas['UpdateAntiFraudService'],
    }),
  remove: (id) =>
    send('DELETE /anti-fraud-services/{anti_fraud_service_id}', { path: { anti_fraud_service_id: id } }),
})
