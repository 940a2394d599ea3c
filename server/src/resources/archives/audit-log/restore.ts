import { type Context, inTransaction, type Tx } from '#platform/database/db.ts'
import type { Part } from '#platform/portable/part.ts'
import type { Table } from '#platform/portable/tables.ts'
import * as archived from '#resources/audit-logs/archived/store.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import { readArchive } from '../read-file.ts'
import { insertPart, type Restoring } from '../restore.ts'

/** Brings all archived links back, the newest file first: so the chain in the database has no gap at any moment. */
export async function restoreLog(
  { context, storage, tables }: Restoring,
  onFile: (links: archived.WrittenLinks) => void,
): Promise<readonly archived.WrittenLinks[]> {
  const all = (await archived.archived(context)).toReversed()
  for (const links of all) {
    const part = await readArchive({ context, storage }, links)
    await inTransaction(context, (tx) => insertAll(tx, tables, { links, part }))
    onFile(links)
  }
  return all
}

type Restored = { readonly links: archived.WrittenLinks; readonly part: Part }

async function insertAll(
  tx: Context<Tx>,
  tables: readonly Table[],
  { links, part }: Restored,
): Promise<void> {
  const { id, file } = links
  if (!(await archived.change(tx, id, { from: 'archived', to: 'restored' }))) {
    throw new Error(`The links in ${file} were brought back by another command.`)
  }
  await insertPart(tx, tables, part)
  const resource = { type: 'archive', id, name: `${file} restored` }
  await auditLogs.record({ ...tx, merchantAccountId: null }, 'updated', resource)
}
