import type { Context, Scope, Tx } from '#platform/database/db.ts'
import { errors, inBody } from '#platform/http/errors.ts'
import { realTime } from '#platform/process/clock.ts'
import * as usedTokens from '../store/wallet-tokens.ts'

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
  return usedTokens.claim(tx, { ...token, transactionId }, () => {
    const message = 'the token has paid already: let the buyer approve again, and send the new one'
    return errors.invalid(inBody('/payment_method/token', 'value_error.duplicate', message))
  })
}

/** A request may have opened its token just in time, and commit a little later. */
const MARGIN_MS = 3_600_000

export function forgetUsedTokens(context: Context): Promise<void> {
  return usedTokens.removeExpired(context, new Date(realTime(context.clock).getTime() - MARGIN_MS))
}
