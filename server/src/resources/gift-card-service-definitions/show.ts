import type { GiftCardConnector } from '../../../../connectors/contract/gift-card.ts'
import { showField } from '../payment-service-definitions/show.ts'
import type { GiftCardServiceDefinition } from './schemas.ts'

/** A connector of gift cards as merchants see it. */
export function showDefinition(connector: GiftCardConnector): GiftCardServiceDefinition {
  const { manifest, activate, issue } = connector
  return {
    type: 'gift-card-service-definition',
    id: manifest.id,
    display_name: manifest.displayName,
    fields: manifest.fields.map(showField),
    supported_features: { activations: activate !== undefined, issuances: issue !== undefined },
  }
}
