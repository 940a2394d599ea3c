import { createHash } from 'node:crypto'
import { type Context, inTransaction, violatedUnique } from '../../platform/db.ts'
import type { Secrets } from '../../platform/secrets.ts'
import * as auditLogs from './store.ts'

const BATCH = 1_000

/**
 * Links new entries to the chain: each seal's hash covers its entries and the hash before it, so that no entry can be
 * changed, added in between or taken out unseen. Entries do not wait for it, and it may run in several processes.
 */
export async function sealEntries(context: Context, secrets: Secrets): Promise<void> {
  try {
    while ((await sealBatch(context, secrets)) === BATCH);
  } catch (error) {
    // Another process made the same link first.
    if (violatedUnique(error) !== 'audit_seals_pkey') throw error
  }
}

function sealBatch(context: Context, secrets: Secrets): Promise<number> {
  return inTransaction(context, async (tx) => {
    const last = await auditLogs.lockLastSeal(tx)
    const entries = await auditLogs.unsealed(tx, BATCH)
    if (entries.length === 0) return 0
    const position = Number(last?.position ?? 0) + 1
    const hash = linkHash(secrets, position, last?.hash, entries)
    const ids = entries.map(({ id }) => id)
    await auditLogs.addSeal(tx, { position, hash, entryCount: entries.length }, ids)
    return entries.length
  })
}

/** Keyed, so that whoever can write to the database still cannot make a chain that fits. */
export function linkHash(
  secrets: Secrets,
  position: number,
  before: Buffer | undefined,
  entries: readonly auditLogs.Entry[],
): Buffer {
  const digest = createHash('sha256')
  for (const entry of entries) digest.update(`${JSON.stringify(fieldsOf(entry))}\n`)
  const link = [position, before?.toString('hex') ?? '', entries.length, digest.digest('hex')]
  return secrets.mac('audit-chain', link.join('\n'))
}

function fieldsOf(entry: auditLogs.Entry): unknown[] {
  return [
    entry.id,
    entry.merchant_account_id,
    entry.action,
    entry.resource_type,
    entry.resource_id,
    entry.resource_name,
    entry.actor_id,
    entry.actor_name,
    entry.request_id,
    entry.created_at.toISOString(),
  ]
}
