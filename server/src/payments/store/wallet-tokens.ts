import { writeOrFail } from '#platform/database/brief-transaction.ts'
import type { Context, Scope, Tx } from '#platform/database/db.ts'
import { insertInto } from '#platform/database/statements.ts'
import { errors, inBody } from '#platform/http/errors.ts'
import { realTime } from '#platform/process/clock.ts'

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
function claim(tx: Scope<Tx>, { digest, transactionId, expiresAt }: Use, ifUsed: () => Error): Promise<void> {
  const row = insertInto('used_wallet_tokens', {
    digest,
    merchant_account_id: tx.merchantAccountId,
    transaction_id: transactionId,
    expires_at: expiresAt,
  })
  return writeOrFail(tx, row.followedBy(' on conflict (digest) do nothing returning digest'), ifUsed)
}

async function removeExpired({ db }: Context, before: Date): Promise<void> {
  await db.deleteFrom('used_wallet_tokens').where('expires_at', '<', before).execute()
}

/** What the first commit records of an opened token. */
export type WalletToken = {
  readonly digest: string
  readonly expiresAt: Date
}

/**
 * A token pays once. Part of the first commit, so that of two payments with one token the database refuses
 * one, and a request that is repeated with its idempotency key gets its own payment.
 */
export function useOnce(tx: Scope<Tx>, transactionId: string, token: WalletToken): Promise<void> {
  return claim(tx, { ...token, transactionId }, () => {
    const message = 'the token has paid already: let the buyer approve again, and send the new one'
    return errors.invalid(inBody('/payment_method/token', 'value_error.duplicate', message))
  })
}

/** A request may have opened its token just in time, and commit a little later. */
const MARGIN_MS = 3_600_000

export function forgetUsedTokens(context: Context): Promise<void> {
  return removeExpired(context, new Date(realTime(context.clock).getTime() - MARGIN_MS))
}
