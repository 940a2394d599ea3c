import { type Db, inTransaction, type Scope, type Tx } from '#platform/database/db.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import { Masked, type Vault } from '#vault'

const PURPOSE = 'payment'

type Item = {
  readonly type: string
  readonly id: string
  readonly token: string | null
  /** The fingerprint that the value must have, if it is on record. */
  readonly fingerprint?: string | null
  /** The payment method that a card is to become, for which it was sealed. */
  readonly owner?: string | undefined
}

/**
 * Opens a value that the vault holds for a session or a payment. The audit log records this before the value
 * is read.
 */
export function withItem<Result>(
  scope: Scope,
  vault: Vault,
  { type, id, token, fingerprint = null, owner }: Item,
  work: (value: Masked | null) => Promise<Result>,
): Promise<Result> {
  if (token === null) return work(null)
  const { merchantAccountId } = scope
  const record = (tx: Scope<Tx>) => auditLogs.record(tx, 'revealed', { type, id, name: PURPOSE })
  const { db } = scope
  const onReveal = () => (isTransaction(db) ? record({ ...scope, db }) : inTransaction(scope, record))
  return vault.reveal(
    scope.db,
    { merchantAccountId, token, fingerprint, owner, purpose: PURPOSE, onReveal },
    work,
  )
}

function isTransaction(db: Db): db is Tx {
  return db.isTransaction
}

/** Copies such a value, for the length of a request. */
export function copyItem(scope: Scope, vault: Vault, item: Item): Promise<Masked | null> {
  return withItem(scope, vault, item, async (value) => value?.use((bytes) => new Masked(bytes)) ?? null)
}
