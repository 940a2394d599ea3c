// Made by tools/client.ts. Do not edit.

export * as chargebacks from './payment-services/chargebacks.ts'
export * as nextOutcomes from './payment-services/next-outcomes.ts'
export * as notifications from './payment-services/notifications.ts'
