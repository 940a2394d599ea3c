import { inTransaction, type Scope } from '#platform/db.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import type { Masked, Vault } from '#vault'

type Access = {
  readonly token: string
  /** From the payment method's row. */
  readonly fingerprint: string | null
  readonly paymentMethodId: string
  readonly purpose: string
}

/** The only way to a stored number. The audit log records this before the number is read. */
export function reveal<Result>(
  scope: Scope,
  vault: Vault,
  { token, fingerprint, paymentMethodId, purpose }: Access,
  work: (number: Masked) => Promise<Result>,
): Promise<Result> {
  const onReveal = () =>
    inTransaction(scope, (tx) =>
      auditLogs.record(tx, 'revealed', { type: 'payment-method', id: paymentMethodId, name: purpose }),
    )
  return vault.reveal(
    scope.db,
    { merchantAccountId: scope.merchantAccountId, token, fingerprint, purpose, onReveal },
    work,
  )
}
