import type { Schemas } from '../../api/schema.d.ts'
import { send } from '../api/client.ts'
import { useRead, useReadAll } from '../api/read.ts'
import { pagesOf } from '../service-accounts/pages.tsx'

type Service = Schemas['AntiFraudService']

export const pages = pagesOf<Service>({
  path: '/anti-fraud-services',
  title: 'Anti-fraud services',
  one: 'anti-fraud service',
  about: 'One of them is asked about each payment before the buyer’s bank is.',
  none: 'Connect your account at a provider that tells fraud from honest payments.',
  scope: 'anti-fraud-services',
  definitionScope: 'anti-fraud-service-definitions',
  settings: ({ supported_features }) =>
    'reviews' in supported_features && supported_features.reviews
      ? [
          {
            name: 'reviews_enabled',
            label: 'Hold payments for review',
            kind: 'flag',
            hint: 'A payment that needs a look waits until a person has decided.',
          },
        ]
      : [],
  facts: ({ reviews_enabled }) => [['Holds for review', reviews_enabled ? 'Yes' : 'No']],
  note: ({ supported_features }) =>
    'reviews' in supported_features && supported_features.reviews ? 'Decisions and reviews' : 'Decisions',
  definitionOf: ({ anti_fraud_service_definition_id: id }) => id,
  webhookHint: 'The provider sends the results of reviews here. Enter the address in its own settings.',
  whenActive: 'It is asked about new payments. Only one can be active at a time.',
  whenInactive: 'New payments are made without it. What waits for a review can still be decided.',
  whenDeleted:
    'Later payments are made without it, and its secrets are destroyed. Results of reviews can no longer arrive; decide open reviews in the list of transactions. To stop only new checks, deactivate it instead.',
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
