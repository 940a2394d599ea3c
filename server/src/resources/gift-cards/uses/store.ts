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

const PLACE: uses.Place = { table: 'gift_card_uses', subject: 'gift_card_id', counters: 'gift_cards' }

/** Takes a `Tx`, so that a use is counted together with its payment. */
export function record(
  tx: Context<Tx>,
  use: { readonly giftCardId: string; readonly isClientInitiated: boolean },
): Promise<void> {
  const row = { ...uses.newUse(tx, use.isClientInitiated), gift_card_id: use.giftCardId }
  return write(tx, insertInto('gift_card_uses', row))
}

export function pendingOf(idColumn: string) {
  return uses.pendingOf(idColumn, PLACE)
}

export function addUpUses(context: Context): Promise<void> {
  return uses.addUpUses(context, PLACE)
}
