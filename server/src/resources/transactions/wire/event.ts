import { DateTime, Kind, OneOf, Strict, Uuid } from '#platform/http/schemas.ts'
import { type Static, Type } from '#platform/http/type.ts'
import { CollectionOf, pageParameters } from '#platform/listing/pagination.ts'

const EVENT_NAMES = [
  'transaction-updated-status',
  'transaction-sync-event',
  'transaction-sync-failed-event',
  'transaction-modified-event',
  'transaction-api-request',
  'transaction-api-response',
  'bin-lookup-request',
  'three-d-secure-success',
  'three-d-secure-request-error',
  'three-d-secure-preparation-request',
  'three-d-secure-authentication-request',
  'three-d-secure-result-request',
  'anti-fraud-decision',
  'anti-fraud-decision-error',
  'anti-fraud-decision-skipped',
  'anti-fraud-webhook',
  'anti-fraud-transaction-status-update',
  'anti-fraud-transaction-status-update-error',
  'anti-fraud-decision-update',
  'anti-fraud-decision-update-error',
  'gift-card-redemption-succeeded',
  'gift-card-redemption-failed',
  'gift-card-refund-succeeded',
  'gift-card-refund-failed',
  'gift-card-reversal-succeeded',
  'reauthorization-attempted',
  'reauthorization-created',
  'payment-connector-response-transaction-authorization-succeeded',
  'payment-connector-response-transaction-capture-succeeded',
  'payment-connector-response-transaction-authorization-failed',
  'payment-connector-response-transaction-declined',
  'payment-connector-response-transaction-capture-failed',
  'payment-connector-response-transaction-capture-declined',
  'payment-connector-response-transaction-cancel-succeeded',
  'payment-connector-response-transaction-cancel-pending',
  'payment-connector-response-transaction-cancel-failed',
  'payment-connector-response-transaction-void-succeeded',
  'payment-connector-response-transaction-authorization-increment-succeeded',
  'payment-connector-response-transaction-authorization-increment-failed',
  'payment-connector-response-transaction-void-declined',
  'payment-connector-response-transaction-void-failed',
  'payment-connector-response-transaction-refund-succeeded',
  'payment-connector-response-transaction-refund-declined',
  'payment-connector-response-transaction-refund-failed',
  'flow-decision',
  'scheme-advice-do-not-retry',
  'payment-service-skipped',
  'payment-service-missing',
  'payment-connector-external-transaction-request',
  'payment-connector-report-transaction-settled',
  'payment-connector-report-refund-settled',
  'payment-connector-report-chargeback-posted',
  'payment-connector-report-chargeback-reversal-posted',
  'payment-connector-transaction-webhook-processed',
  'digital-wallet-apple-pay-token-decrypted',
  'digital-wallet-google-pay-token-decrypted',
  'digital-wallet-click-to-pay-token-decrypted',
  'digital-wallet-paze-token-decrypted',
  'network-token-provision-succeeded',
  'network-token-provision-failed',
  'network-token-cryptogram-provision-succeeded',
  'network-token-cryptogram-provision-failed',
  'the-giving-block-transaction-conversion-succeeded',
  'real-time-account-update',
  'plaid-request-event',
] as const

export const TransactionEvent = Strict(
  {
    type: Kind('transaction-event'),
    id: Uuid(),
    name: OneOf(EVENT_NAMES),
    created_at: DateTime(),
    context: Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      description: 'The details of the event. Its fields depend on the name.',
    }),
  },
  {
    title: 'TransactionEvent',
    examples: [
      {
        type: 'transaction-event',
        id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0018',
        name: 'payment-connector-response-transaction-authorization-succeeded',
        created_at: '2026-11-15T09:30:00.000Z',
        context: { payment_service_display_name: 'Mock cards', status: 'authorization_succeeded' },
      },
    ],
  },
)
export type TransactionEvent = Static<typeof TransactionEvent>

export const TransactionEvents = CollectionOf(TransactionEvent, 'TransactionEvents')
export type TransactionEvents = Static<typeof TransactionEvents>

export const TransactionEventFilters = Strict(pageParameters(100, 100))
export type TransactionEventFilters = Static<typeof TransactionEventFilters>
