import { inBriefTransaction } from '#platform/database/brief-transaction.ts'
import type { Scope } from '#platform/database/db.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import type { Masked, Vault } from '#vault'
import type { StoredMethod } from './store.ts'

type Access = {
  readonly token: string
  /** From the payment method's row. */
  readonly fingerprint: string | null
  /** The part of the value that the fingerprint is of. Absent: all of it. */
  readonly identify?: ((value: Masked) => Masked) | undefined
  readonly paymentMethodId: string
  readonly purpose: string
}

/** The only way to a stored number. The audit log records this before the number is read. */
export function reveal<Result>(
  scope: Scope,
  vault: Vault,
  { paymentMethodId, ...access }: Access,
  work: (number: Masked) => Promise<Result>,
): Promise<Result> {
  const onReveal = () =>
    inBriefTransaction(scope, (tx) =>
      auditLogs.record(tx, 'revealed', {
        type: auditLogs.OF_BUYERS.paymentMethod,
        id: paymentMethodId,
        name: access.purpose,
      }),
    )
  return vault.reveal(
    scope.db,
    { merchantAccountId: scope.merchantAccountId, ...access, owner: paymentMethodId, onReveal },
    work,
  )
}

/**
 * The date of the number in the vault. It is another than the shown one if the card was replaced and only its network
 * token is known to follow: the old number with the new date would be declined.
 */
export function numberDate(
  method: Pick<StoredMethod, 'number_expiration_date' | 'expiration_date'>,
): string | null {
  return method.number_expiration_date ?? method.expiration_date
}
