import { inTransaction, type Scope, type Tx } from '#platform/db.ts'
import type { Secrets } from '#platform/secrets.ts'
import { ChangedChainError } from './head.ts'
import { digestOf, isWhole, redactionProof } from './seal.ts'
import * as auditLogs from './store.ts'

/**
 * Takes the names of these resources out of the log. The chain stays whole: a link keeps what its hash covers, and gets a
 * keyed proof that the entries it has now were made from those. Returns false if entries are not sealed yet: call it again.
 */
export async function redactNames(
  scope: Scope,
  secrets: Secrets,
  resourceIds: readonly string[],
): Promise<boolean> {
  const links = await auditLogs.linksNaming(scope, resourceIds)
  for (const position of links) {
    if (position !== null) await inTransaction(scope, (tx) => redactLink(tx, secrets, position, resourceIds))
  }
  return !links.includes(null)
}

async function redactLink(
  tx: Scope<Tx>,
  secrets: Secrets,
  position: number,
  resourceIds: readonly string[],
): Promise<void> {
  const seal = await auditLogs.lockSeal(tx, position)
  const before = await auditLogs.findSeal(tx, position - 1)
  const entries = seal ? await auditLogs.entriesOf(tx, seal) : []
  // The proof would hide an earlier change of the entries.
  if (!seal || !isWhole(secrets, seal, before?.hash, entries)) {
    throw new ChangedChainError(`link ${position} does not fit its entries`)
  }
  const isNamed = ({ merchant_account_id, resource_id }: auditLogs.Entry) =>
    merchant_account_id === tx.merchantAccountId && resourceIds.includes(resource_id)
  const after = entries.map((entry) =>
    isNamed(entry) ? { ...entry, resource_name: auditLogs.ERASED_NAME } : entry,
  )
  const sealed = seal.redacted?.entriesDigest ?? digestOf(entries)
  const proof = redactionProof(secrets, position, { sealed, now: digestOf(after) })
  const ids = entries.filter(isNamed).map(({ id }) => id)
  await auditLogs.replaceNames(tx, { position, redacted: { entriesDigest: sealed, proof } }, ids)
}
