import { createHash } from 'node:crypto'
import { type Context, inTransaction, type Scope, type Tx } from '#platform/db.ts'
import type { FileStorage } from '#platform/file-storage/storage.ts'
import { BrokenFile } from '#platform/portable/format.ts'
import { type Part, readPart } from '#platform/portable/part.ts'
import { insertLines, tableIn, writePlainText } from '#platform/portable/rows.ts'
import type { Table } from '#platform/portable/tables.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import * as archives from './store.ts'

export type Restoring = {
  readonly context: Context
  readonly storage: FileStorage
  readonly tables: readonly Table[]
}

/** Reads the file of an archive, and refuses one that is not the one on record. */
export async function readArchive(storage: FileStorage, archive: archives.StoredArchive): Promise<Part> {
  const { file, stored_in, sha256 } = archive
  const opened = await storage.open?.(file)
  if (!opened) {
    const place = await storage.place()
    const hint = stored_in === place ? '' : ' It was written to another folder: name that one with --folder.'
    throw new Error(`The file ${file} is not in this folder.${hint}`)
  }
  const hash = createHash('sha256')
  const content = opened.content()
  content.on('data', (chunk) => hash.update(chunk))
  try {
    const part = await readPart(content)
    if (hash.digest('hex') === sha256 && part.header.id === archive.id) return part
  } catch (error) {
    throw error instanceof BrokenFile ? new BrokenFile(`${file}: ${error.message}`) : error
  } finally {
    await opened.close()
  }
  throw new BrokenFile(`${file}: The file is not the one that was written. Copy it again.`)
}

/** Brings the payments of an archive back, in one transaction. The file stays where it is. */
export async function restoreArchive(
  { context, storage, tables }: Restoring,
  archive: archives.StoredArchive,
): Promise<number> {
  const part = await readArchive(storage, archive)
  const scope = { ...context, merchantAccountId: archive.merchant_account_id }
  return inTransaction(scope, (tx) => insertAll(tx, tables, { archive, part }))
}

type Restored = { readonly archive: archives.StoredArchive; readonly part: Part }

async function insertAll(
  tx: Scope<Tx>,
  tables: readonly Table[],
  { archive, part }: Restored,
): Promise<number> {
  const { id, file } = archive
  if (!(await archives.change(tx, id, { from: 'archived', to: 'restored' }))) {
    throw new Error(`The archive ${file} was brought back by another command.`)
  }
  await writePlainText(tx)
  for (const given of part.tables) {
    if (given.lines.length > 0) await insertLines(tx, tableIn(tables, given), given.lines)
  }
  const ids = idsIn(part)
  if ((await archives.removePayments(tx, id, ids)) !== ids.length) {
    throw new Error(`The payments in ${file} are not those on record. Nothing was changed.`)
  }
  await auditLogs.record(tx, 'updated', { type: 'archive', id, name: `${file} restored` })
  return ids.length
}

/** The payments in a file. */
function idsIn({ tables }: Part): string[] {
  const payments = tables.find(({ table }) => table === 'public.transactions')
  const place = payments?.columns.indexOf('id') ?? -1
  return (payments?.lines ?? []).map((line) => String((JSON.parse(line) as unknown[])[place]))
}
