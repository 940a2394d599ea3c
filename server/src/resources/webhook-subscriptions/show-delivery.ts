import type { StoredAttempt } from './attempts/store.ts'
import type { StoredDelivery } from './deliveries/store.ts'
import type { WebhookAttempts, WebhookDelivery } from './schemas.ts'

export function showDelivery(row: StoredDelivery): WebhookDelivery {
  return {
    type: 'webhook-delivery',
    id: row.id,
    webhook_subscription_id: row.subscription_id,
    event_name: row.event_name,
    status: row.status,
    attempts: row.attempts,
    next_attempt_at: row.next_attempt_at?.toISOString() ?? null,
    outcome: row.outcome,
    response_status_code: row.response_status_code,
    parked_because: row.parked_because,
    delivered_at: row.delivered_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}

export function showAttempt(row: StoredAttempt): WebhookAttempts['items'][number] {
  return { type: 'webhook-attempt', ...row, created_at: row.created_at.toISOString() }
}
