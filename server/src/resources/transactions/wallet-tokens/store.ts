import { sql } from 'kysely'
import { writeOrFail } from '#platform/brief-transaction.ts'
import type { Context, Scope, Tx } from '#platform/db.ts'

declare module '#platform/db.ts' {
  interface Tables {
    used_wallet_tokens: {
      digest: string
      merchant_account_id: string
      transaction_id: string
      expires_at: Date
    }
  }
}

type Use = { readonly digest: string; readonly transactionId: string; readonly expiresAt: Date }

/** Records that a token has paid. If it has paid before, the transaction fails with this error. */
export function claim(
  tx: Scope<Tx>,
  { digest, transactionId, expiresAt }: Use,
  ifUsed: () => Error,
): Promise<void> {
  const statement = sql`
    insert into used_wallet_tokens (digest, merchant_account_id, transaction_id, expires_at)
    values (${digest}, ${tx.merchantAccountId}, ${transactionId}, ${expiresAt})
    on conflict (digest) do nothing returning digest`
  return writeOrFail(tx, statement, ifUsed)
}

export async function removeExpired({ db }: Context, before: Date): Promise<void> {
  await db.deleteFrom('used_wallet_tokens').where('expires_at', '<', before).execute()
}
