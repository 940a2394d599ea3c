import { type Context, inTransaction, type Tx } from '#platform/database/db.ts'
import type { FileStorage, StoredFile } from '#platform/file-storage/storage.ts'
import { digestOf, type Part, type PartTable, readPart, writePart } from '#platform/portable/part.ts'
import { readLines, removeLines, type Share, writePlainText } from '#platform/portable/rows.ts'
import type { Applied, Table } from '#platform/portable/tables.ts'

export type Archiving = {
  readonly context: Context
  readonly storage: FileStorage
  readonly tables: readonly Table[]
  readonly migrations: readonly Applied[]
  readonly programVersion: string
}

/** Rows that go to one file. They are on record as being written. */
export type Move = {
  readonly id: string
  readonly file: string
  readonly month: string
  /** Null: the rows are those of the whole installation. */
  readonly merchantAccountId: string | null
  /** In an order in which they can be written. They are removed in the opposite order. */
  readonly shares: readonly Share[]
  /** Keeps the rows from changing. Returns false if some are gone. */
  readonly lock: (tx: Context<Tx>) => Promise<boolean>
  /** Records that the rows are in the file alone. Returns false if another command has given the file up. */
  readonly record: (tx: Context<Tx>, stored: StoredFile) => Promise<boolean>
  readonly abandon: () => Promise<unknown>
}

/**
 * A file is written, flushed and read back before its rows are removed. They are removed in one transaction, and only if every
 * row that goes is, letter by letter, the one in the file. A process that dies at any moment leaves them in the database, or in the
 * file with the record of it. Returns undefined if rows have changed meanwhile: then all are as they were, and the file is removed.
 */
export async function moveToFile(needs: Archiving, move: Move): Promise<StoredFile | undefined> {
  const { context, storage } = needs
  const { file, shares } = move
  const part: Part = { header: headerOf(needs, move), tables: await read(context, shares) }
  const stored = await storage.put(file, writePart(part, context.mac))
  await checkFile(needs, file, part)
  try {
    await inTransaction(context, (tx) => remove(tx, move, { part, stored }))
    return stored
  } catch (error) {
    if (!(error instanceof Changed)) throw error
  }
  await move.abandon()
  await storage.remove(file)
  return undefined
}

function headerOf(
  { context, programVersion, migrations }: Archiving,
  { id, month, merchantAccountId }: Move,
): Part['header'] {
  return {
    id,
    month,
    merchant_account_id: merchantAccountId,
    made_at: context.clock().toISOString(),
    program_version: programVersion,
    migrations,
  }
}

/** All rows as they are at one moment. */
function read(context: Context, shares: readonly Share[]): Promise<PartTable[]> {
  return context.db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (db) => {
      const tx = { ...context, db }
      await writePlainText(tx)
      const tables: PartTable[] = []
      for (const share of shares) {
        const columns = share.table.columns.map(({ name }) => name)
        tables.push({ table: share.table.name, columns, lines: await readLines(tx, share) })
      }
      return tables
    })
}

async function checkFile({ storage, context }: Archiving, file: string, part: Part): Promise<void> {
  const opened = await storage.open?.(file)
  if (!opened) throw new Error(`The file ${file} is not there after it was written.`)
  const { tables } = await readPart(opened.content(), context.mac).finally(opened.close)
  const differs = part.tables.some(
    ({ lines }, place) => digestOf(lines) !== digestOf(tables[place]?.lines ?? []),
  )
  if (differs) throw new Error(`The file ${file} is not what was written. Check the disk.`)
}

/** A row is not what it was when the file was written. */
class Changed extends Error {
  constructor() {
    super('a row has changed meanwhile')
    this.name = 'Changed'
  }
}

async function remove(
  tx: Context<Tx>,
  { shares, lock, record }: Move,
  { part, stored }: { readonly part: Part; readonly stored: StoredFile },
): Promise<void> {
  await writePlainText(tx)
  if (!(await lock(tx))) throw new Changed()
  for (const [place, share] of [...shares.entries()].toReversed()) {
    const lines = await removeLines(tx, share)
    if (digestOf(lines) !== digestOf(part.tables[place]?.lines ?? [])) throw new Changed()
  }
  if (!(await record(tx, stored))) throw new Changed()
}

/** A table by its name, without its schema. */
export function tableNamed(tables: readonly Table[], name: string): Table {
  const table = tables.find((one) => one.name === `public.${name}`)
  if (!table) throw new Error(`There is no table ${name}.`)
  return table
}
