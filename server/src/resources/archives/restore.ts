import { sql } from 'kysely'
import { type Context, inTransaction, type Scope, type Tx } from '#platform/database/db.ts'
import type { FileStorage } from '#platform/file-storage/storage.ts'
import type { Part } from '#platform/portable/part.ts'
import { insertLines, tableIn, writePlainText } from '#platform/portable/rows.ts'
import type { Table } from '#platform/portable/tables.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import { makeRoom, type Returning } from '#resources/payment-service-reports/lines/make-room.ts'
import { readArchive } from './read-file.ts'
import * as archives from './store.ts'

export type Restoring = {
  readonly context: Context
  readonly storage: FileStorage
  readonly tables: readonly Table[]
}

/** Brings the payments of an archive back, in one transaction. The file stays where it is. */
export async function restoreArchive(
  { context, storage, tables }: Restoring,
  archive: archives.StoredArchive,
): Promise<number> {
  const part = await readArchive({ context, storage }, archive)
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
  await makeRoom(tx, readColumns<Returning>(part, 'payment_service_report_lines', LINE_COLUMNS))
  // The money of these lines has been counted when they were read (`settlement_sums`).
  await sql`select set_config('switchyard.restores_archive', 'on', true)`.execute(tx.db)
  await insertPart(tx, tables, part)
  const ids = idsIn(part)
  if ((await archives.removePayments(tx, id, ids)) !== ids.length) {
    throw new Error(`The payments in ${file} are not those on record. Nothing was changed.`)
  }
  await auditLogs.record(tx, 'updated', { type: 'archive', id, name: `${file} restored` })
  return ids.length
}

/** Writes all rows of a file back. */
export async function insertPart(tx: Context<Tx>, tables: readonly Table[], part: Part): Promise<void> {
  await writePlainText(tx)
  for (const given of part.tables) {
    if (given.lines.length > 0) await insertLines(tx, tableIn(tables, given), given.lines)
  }
}

const LINE_COLUMNS = ['payment_service_id', 'kind', 'external_identifier'] as const

/** The payments in a file. */
function idsIn(part: Part): string[] {
  return readColumns<{ readonly id: string }>(part, 'transactions', ['id']).map(({ id }) => id)
}

/** Some columns of all rows of a table in a file. */
function readColumns<Row>({ tables }: Part, name: string, columns: readonly (keyof Row & string)[]): Row[] {
  const found = tables.find(({ table }) => table === `public.${name}`)
  const places = columns.map((column) => [column, found?.columns.indexOf(column) ?? -1] as const)
  return (found?.lines ?? []).map((line) => {
    const values = JSON.parse(line) as unknown[]
    return Object.fromEntries(places.map(([column, place]) => [column, values[place]])) as Row
  })
}
