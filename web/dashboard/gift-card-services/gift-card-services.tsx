import type { Schemas } from '../../api/schema.d.ts'
import { send, useRead, useReadAll } from '../api/client.ts'
import { pagesOf } from '../service-accounts/pages.tsx'

type Service = Schemas['GiftCardService']

export const pages = pagesOf<Service>({
  path: '/gift-card-services',
  title: 'Gift card services',
  one: 'gift card service',
  about: 'The active service checks balances and redeems gift cards.',
  none: 'Connect your account at a gift card provider, or sell your own cards.',
  scope: 'gift-card-services',
  definitionScope: 'gift-card-service-definitions',
  settings: () => [],
  facts: () => [],
  note: ({ supported_features }) => {
    const can = supported_features as Partial<Schemas['GiftCardServiceFeatures']>
    const more = [can.activations && 'activates', can.issuances && 'issues'].filter(Boolean)
    return ['Balances and payments', ...more].join(', ')
  },
  definitionOf: ({ gift_card_service_definition_id: id }) => id,
  whenActive: 'It checks balances and redeems gift cards. Only one service can be active at a time.',
  whenInactive: 'Gift cards are no longer accepted. Payments made with them can still be refunded.',
  whenDeleted:
    'Payments made with its gift cards can no longer be refunded to the cards. To stop new payments only, deactivate it instead.',
  useAll: () => useReadAll('GET /gift-card-services'),
  useOne: (id) =>
    useRead('GET /gift-card-services/{gift_card_service_id}', { path: { gift_card_service_id: id } }),
  useDefinitions: (isWanted) => useReadAll('GET /gift-card-service-definitions', { isWanted }),
  create: (definitionId, settings, idempotencyKey) =>
    send('POST /gift-card-services', {
      body: {
        ...settings,
        gift_card_service_definition_id: definitionId,
      } as unknown as Schemas['CreateGiftCardService'],
      idempotencyKey,
    }),
  update: (id, settings) =>
    send('PUT /gift-card-services/{gift_card_service_id}', {
      path: { gift_card_service_id: id },
      body: settings as Schemas['UpdateGiftCardService'],
    }),
  remove: (id) =>
    send('DELETE /gift-card-services/{gift_card_service_id}', { path: { gift_card_service_id: id } }),
})
