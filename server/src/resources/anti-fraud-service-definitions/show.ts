import type { AntiFraudConnector } from '../../../../connectors/contract/anti-fraud.ts'
import { showField } from '../payment-service-definitions/show.ts'
import type { AntiFraudServiceDefinition } from './schemas.ts'

/** A anti-fraud connector as merchants see it. */
export function showDefinition(connector: AntiFraudConnector): AntiFraudServiceDefinition {
  const { manifest, readNotification } = connector
  return {
    type: 'anti-fraud-service-definition',
    id: manifest.id,
    display_name: manifest.displayName,
    fields: manifest.fields.map(showField),
    supported_features: { reviews: readNotification !== undefined },
  }
}
