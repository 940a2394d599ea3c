import { newId } from '#domain/ids.ts'
import { write } from '#platform/database/brief-transaction.ts'
import type { Context, Tx } from '#platform/database/db.ts'
import { insertInto } from '#platform/database/statements.ts'
import * as uses from '#resources/payment-methods/uses/store.ts'

declare module '#platform/database/db.ts' {
  interface Tables {
    gift_card_uses: {
      id: string
      gift_card_id: string
      used_at: Date
      is_client_initiated: boolean
    }
  }
}

const PLACE: uses.Place = { table: 'gift_card_uses', subject: 'gift_card_id' }

/** Takes a `Tx`, so that a use is counted together with its payment. */
export function record(
  tx: Context<Tx>,
  use: { readonly giftCardId: string; readonly isClientInitiated: boolean },
): Promise<void> {
  const now = tx.clock()
  const row = insertInto('gift_card_uses', {
    id: newId(now.getTime()),
    gift_card_id: use.giftCardId,
    used_at: now,
    is_client_initiated: use.isClientInitiated,
  })
  return write(tx, row)
}

export function pendingOf(idColumn: string) {
  return uses.pendingOf(idColumn, PLACE)
}

export function takeSome(tx: Context<Tx>, limit: number): Promise<uses.Sum[]> {
  return uses.takeSome(tx, limit, PLACE)
}
