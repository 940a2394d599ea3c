import type { EventName } from '#domain/event-names.ts'
import type { Context, Tx } from '#platform/database/db.ts'
import * as events from '#resources/events/store.ts'
import type { ApiKeyPair } from './schemas.ts'

type Name = Extract<EventName, `api-key-pair.${string}`>

/** Takes a `Tx`, so that subscribers get a change together with the change. They never get a private key. */
export function tell(tx: Context<Tx>, name: Name, pair: ApiKeyPair): Promise<void> {
  const { active, private_key: _, ...rest } = pair
  return events.publish({ ...tx, merchantAccountId: null }, [name], { ...rest, enabled: active })
}
