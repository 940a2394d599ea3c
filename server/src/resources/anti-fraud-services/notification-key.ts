import type { Secrets } from '../../platform/secrets.ts'

/** The last part of a service's webhook_url. Who knows it was told by us, so strangers cannot decide about payments. */
export function notificationKey(secrets: Secrets, antiFraudServiceId: string): string {
  return secrets.mac('anti-fraud-service-notifications', antiFraudServiceId).toString('base64url')
}
