import type { Secrets } from '#platform/access/secrets.ts'
import { type Context, inTransaction, type Scope, type Tx } from '#platform/database/db.ts'
import * as archived from './archived/store.ts'
import { ChangedChainError } from './head.ts'
import { digestOf, hashBefore, isWhole, redactionProof } from './seal.ts'
import * as auditLogs from './store.ts'

type IsNamed = (entry: auditLogs.Entry) => boolean

/**
 * Takes the names of these resources out of the log. The chain stays whole: a link keeps what its hash covers, and gets a
 * keyed proof that the entries it has now were made from those. Returns false if entries are not sealed yet: call it again.
 */
export async function redactNames(
  scope: Scope,
  secrets: Secrets,
  resourceIds: readonly string[],
): Promise<boolean> {
  const isNamed: IsNamed = ({ merchant_account_id, resource_id }) =>
    merchant_account_id === scope.merchantAccountId && resourceIds.includes(resource_id)
  const links = await auditLogs.linksNaming(scope, resourceIds)
  for (const position of links) {
    if (position !== null) await inTransaction(scope, (tx) => redactLink(tx, secrets, position, isNamed))
  }
  return !links.includes(null)
}

/** Takes all names that may be those of buyers out of links. They are about to leave the database, where an erasure would find them. */
export async function redactBuyers(
  context: Context,
  secrets: Secrets,
  links: readonly { readonly position: number; readonly covered: readonly auditLogs.Entry[] }[],
): Promise<void> {
  const naming = links.filter(({ covered }) => covered.some(auditLogs.mayNameBuyer))
  if (naming.length === 0) return
  await inTransaction(context, async (tx) => {
    for (const { position } of naming) await redactLink(tx, secrets, position, auditLogs.mayNameBuyer)
  })
}

async function redactLink(
  tx: Context<Tx>,
  secrets: Secrets,
  position: number,
  isNamed: IsNamed,
): Promise<void> {
  const seal = await auditLogs.lockSeal(tx, position)
  // All names were taken out before it went to a file.
  if (!seal && (await archived.holds(tx, position))) return
  const before = await hashBefore(tx, position)
  const entries = seal ? await auditLogs.entriesOf(tx, seal) : []
  // The proof would hide an earlier change of the entries.
  if (!seal || !isWhole(secrets, seal, before, entries)) {
    throw new ChangedChainError(`link ${position} does not fit its entries`)
  }
  const after = entries.map((entry) =>
    isNamed(entry) ? { ...entry, resource_name: auditLogs.ERASED_NAME } : entry,
  )
  const sealed = seal.redacted?.entriesDigest ?? digestOf(entries)
  const proof = redactionProof(secrets, position, { sealed, now: digestOf(after) })
  const ids = entries.filter(isNamed).map(({ id }) => id)
  await auditLogs.replaceNames(tx, { position, redacted: { entriesDigest: sealed, proof } }, ids)
}
