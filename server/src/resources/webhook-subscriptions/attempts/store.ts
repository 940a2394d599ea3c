import type { Selectable } from 'kysely'
import type { Context, Tables } from '#platform/database/db.ts'
import type { UnreachableReason } from '#platform/outgoing/outgoing.ts'
import type { Outcome } from '../schemas.ts'

declare module '#platform/database/db.ts' {
  interface Tables {
    /** Written together with the delivery, by `deliveries/store.ts`. */
    webhook_attempts: {
      subscription_id: string
      delivery_id: string
      number: number
      outcome: Outcome
      reason: UnreachableReason | null
      response_status_code: number | null
      response_body: string | null
      duration_ms: number
      created_at: Date
    }
  }
}

const SHOWN_MAX = 100

export type StoredAttempt = Omit<Selectable<Tables['webhook_attempts']>, 'subscription_id' | 'delivery_id'>

/** The last attempts, newest first. */
export function list({ db }: Context, subscriptionId: string, deliveryId: string): Promise<StoredAttempt[]> {
  return db
    .selectFrom('webhook_attempts')
    .select([
      'number',
      'outcome',
      'reason',
      'response_status_code',
      'response_body',
      'duration_ms',
      'created_at',
    ])
    .where('subscription_id', '=', subscriptionId)
    .where('delivery_id', '=', deliveryId)
    .orderBy('number', 'desc')
    .limit(SHOWN_MAX)
    .execute()
}
