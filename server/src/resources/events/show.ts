import type { StoredEvent, Target } from './store.ts'

type Installation = { readonly instanceId: string; readonly environment: string }

/** An event as the list shows it and as webhooks carry it. */
export function showEvent(row: StoredEvent, { instanceId, environment }: Installation) {
  return {
    type: 'event' as const,
    id: row.id,
    name: row.name,
    created_at: row.created_at.toISOString(),
    merchant_account_id: row.merchant_account_id,
    instance_id: instanceId,
    environment,
    sequence: Number(row.sequence),
    target: row.target as Target,
  }
}
