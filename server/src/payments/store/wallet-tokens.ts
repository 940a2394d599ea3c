import { writeOrFail } from '#platform/database/brief-transaction.ts'
import type { Context, Scope, Tx } from '#platform/database/db.ts'
import { insertInto } from '#platform/database/statements.ts'

declare module '#platform/database/db.ts' {
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
  const row = insertInto('used_wallet_tokens', {
    digest,
    merchant_account_id: tx.merchantAccountId,
    transaction_id: transactionId,
    expires_at: expiresAt,
  })
  return writeOrFail(tx, row.followedBy(' on conflict (digest) do nothing returning digest'), ifUsed)
}

export async function removeExpired({ db }: Context, before: Date): Promise<void> {
  await db.deleteFrom('used_wallet_tokens').where('expires_at', '<', before).execute()
}
