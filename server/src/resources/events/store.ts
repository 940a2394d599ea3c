import { newId } from '../../domain/ids.ts'
import { type Scope, type Tx, write } from '../../platform/db.ts'
import type { EventName } from './names.ts'

declare module '../../platform/db.ts' {
  interface Tables {
    events: {
      id: string
      merchant_account_id: string
      name: EventName
      target_type: string
      target_id: string
      target: Readonly<Record<string, unknown>>
      created_at: Date
    }
  }
}

/** What an event is about: a resource as it is at that moment, without anything secret. */
export type Target = { readonly type: string; readonly id: string } & Readonly<Record<string, unknown>>

/** Takes a `Tx`: there is no moment between a change and its event. */
export async function publish(tx: Scope<Tx>, names: readonly EventName[], target: Target): Promise<void> {
  if (names.length === 0) return
  const now = tx.clock()
  const rows = names.map((name) => ({
    id: newId(now.getTime()),
    merchant_account_id: tx.merchantAccountId,
    name,
    target_type: target.type,
    target_id: target.id,
    target: JSON.stringify(target),
    created_at: now,
  }))
  await write(tx, tx.db.insertInto('events').values(rows as never))
}
