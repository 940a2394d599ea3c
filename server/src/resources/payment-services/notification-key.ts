import type { Secrets } from '../../platform/secrets.ts'

/** The last part of a service's webhook_url. Who knows it was told by us, so strangers cannot send notifications. */
export function notificationKey(secrets: Secrets, paymentServiceId: string): string {
  return secrets.mac('payment-service-notifications', paymentServiceId).toString('base64url')
}
