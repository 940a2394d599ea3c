import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { isMissingReference, Overtaken, violatedUnique } from '#platform/database/database-errors.ts'
import { type Context, inTransaction } from '#platform/database/db.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import type { Vault } from '#vault'
import { UnusableFile } from './decrypt.ts'
import type { LayoutName } from './layouts.ts'
import { type FileRow, type FileRows, readFile } from './read-file.ts'
import { isBad, type ReadRow, readRows } from './read-row.ts'
import type { Kind } from './shapes.ts'
import * as imports from './store.ts'
import { judge, type TokenService, takeBatch } from './take-batch.ts'

const BATCH = 500
const TRIES_MAX = 3
/** An import beside many payments takes a sixth of the time for itself. */
const PAUSES_MAX = 5

export type Importing = {
  readonly context: Context
  readonly vault: Vault
  /** What is in the file, from its beginning. It is read twice. */
  readonly open: () => AsyncIterable<Uint8Array>
  readonly name: string
  /** Whose columns the file has. Absent: our own. */
  readonly layout?: LayoutName | undefined
  /** The payment service whose tokens the external identifiers are. Absent: they are nobody's. */
  readonly tokensOf?: TokenService | undefined
  /** Hears how many rows of how many are done. */
  readonly onProgress: (done: number, total: number | null) => void
  /** How it waits while others use the database. */
  readonly pause?: (ms: number) => Promise<unknown>
}

export type Tally = {
  readonly rows: number
  readonly imported: number
  readonly duplicates: number
  readonly failed: number
}

/** Reads the whole file, and says what an import would do. Writes nothing. */
export async function tryFile(
  { context, vault, open, layout, tokensOf, onProgress }: Importing,
  onProblem: (line: number, message: string) => void,
): Promise<Tally> {
  const tally = { rows: 0, imported: 0, duplicates: 0, failed: 0 }
  for await (const batch of batchesOf(context, readFile(open(), layout ?? null))) {
    for (const verdict of await judge(context, { vault, tokensOf }, batch, null)) {
      if (!('row' in verdict)) {
        tally.failed += 1
        onProblem(verdict.number, verdict.messages.join('; '))
      } else if (verdict.isDuplicate) tally.duplicates += 1
      else tally.imported += 1
    }
    tally.rows += batch.length
    clear(batch)
    onProgress(tally.rows, null)
  }
  if (tally.rows === 0) throw noRows()
  return tally
}

/**
 * Imports a file. Its rows are committed some hundred at a time, with how far the file is, so that an import that was killed goes on
 * where it was. A file with the same content was imported before, or is being imported: then nothing begins anew.
 */
export async function importFile(importing: Importing): Promise<imports.StoredImport> {
  const { context, onProgress } = importing
  const found = await beginOrFind(importing)
  if (found.status === 'finished') return found
  let writing = Promise.resolve(found)
  try {
    // While a batch is written, the next one is read and checked.
    for await (const batch of batchesOf(
      context,
      readFile(importing.open(), importing.layout ?? null),
      skipping(found.rows_done),
    )) {
      const before = await writing
      onProgress(before.rows_done, before.row_count)
      writing = commit(importing, batch, before)
        .finally(() => clear(batch))
        .then(givingWay(importing))
    }
  } finally {
    await Promise.allSettled([writing])
  }
  const current = await writing
  if (current.status !== 'finished') throw new Error('the file has fewer rows than when it was first read')
  return current
}

/** Reads the file to its end before anything is written: until then nobody knows whether it is whole. */
async function beginOrFind({
  context,
  open,
  name,
  layout: given,
  tokensOf,
}: Importing): Promise<imports.StoredImport> {
  const hash = createHash('sha256')
  let rowCount = 0
  let layout = ''
  try {
    for await (const { kind, rows } of readFile(hashed(open(), hash), given ?? null)) {
      rowCount += rows.length
      layout = given ?? kind
    }
  } catch (error) {
    // What is wrong with the text may come from damage, which shows at the end of the file.
    if (error instanceof UnusableFile) for await (const _chunk of open());
    throw error
  }
  if (rowCount === 0) throw noRows()
  // Of a short file, a digest without a key could be tried out for each number that there is.
  const content = context.mac(
    'vault-import',
    [layout, tokensOf?.id ?? [], hash.digest('hex')].flat().join(' '),
  )
  return inTransaction(context, async (tx) => {
    const begun = await imports.insert(tx, { content, file_name: name, layout, row_count: rowCount })
    if (!begun) return imports.getByContent(tx, content)
    await auditLogs.record({ ...tx, merchantAccountId: null }, 'created', {
      type: 'vault-import',
      id: begun.id,
      name: `${rowCount} rows of ${name}`,
    })
    return begun
  })
}

function noRows(): UnusableFile {
  return new UnusableFile('The file has no rows.')
}

async function* hashed(chunks: AsyncIterable<Uint8Array>, hash: ReturnType<typeof createHash>) {
  for await (const chunk of chunks) {
    hash.update(chunk)
    yield chunk
  }
}

function skipping(done: number): () => boolean {
  let left = done
  return () => left-- > 0
}

/** Rows in batches, read and checked by themselves. */
async function* batchesOf(
  context: Context,
  file: AsyncIterable<FileRows>,
  isDone: () => boolean = () => false,
): AsyncGenerator<ReadRow[]> {
  let waiting: FileRow[] = []
  let kind: Kind | undefined
  for await (const some of file) {
    kind = some.kind
    for (const row of some.rows) {
      if (isDone()) continue
      waiting.push(row)
      if (waiting.length < BATCH) continue
      yield await readRows(context, kind, waiting)
      waiting = []
    }
  }
  if (kind && waiting.length > 0) yield await readRows(context, kind, waiting)
}

async function commit(
  { context, vault, tokensOf }: Importing,
  batch: readonly ReadRow[],
  before: imports.StoredImport,
): Promise<imports.StoredImport> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await inTransaction(context, async (tx) => {
        const after = await takeBatch(tx, { vault, tokensOf }, batch, before)
        if (!after) throw new Overtaken()
        if (after.status === 'finished') await recordEnd(tx, after)
        return after
      })
    } catch (error) {
      if (error instanceof Overtaken || violatedUnique(error) === 'vault_import_rows_pkey')
        throw new UnusableFile(
          'Another process is importing this file at this moment. Wait for it, or end it.',
        )
      // A buyer was deleted, or a request took a reference, after we had looked. Now it can be seen.
      const isSeenNow = isMissingReference(error) || violatedUnique(error) !== undefined
      if (!isSeenNow || tries === TRIES_MAX) throw error
    }
  }
}

/**
 * Payments go first. After each batch the import pauses for as long as the batch took, as many times as there are connections of others
 * that were used in the meantime.
 */
function givingWay({ context: { db }, pause = sleep }: Importing) {
  const begun = performance.now()
  return async (after: imports.StoredImport): Promise<imports.StoredImport> => {
    const tookMs = performance.now() - begun
    const { rows } = await sql<{ others: number }>`
      select count(*)::int as others from pg_stat_activity
      where datname = current_database() and application_name <> current_setting('application_name')
        and state_change > clock_timestamp() - make_interval(secs => ${tookMs / 1_000})
    `.execute(db)
    await pause(tookMs * Math.min(rows[0]?.others ?? 0, PAUSES_MAX))
    return after
  }
}

function recordEnd(
  tx: Parameters<Parameters<typeof inTransaction>[1]>[0],
  { id, imported, duplicates, failed, file_name }: imports.StoredImport,
): Promise<void> {
  return auditLogs.record({ ...tx, merchantAccountId: null }, 'updated', {
    type: 'vault-import',
    id,
    name: `${file_name}: ${imported} imported, ${duplicates} duplicates, ${failed} failed`,
  })
}

/** Overwrites what is sealed by now. */
function clear(batch: readonly ReadRow[]): void {
  for (const row of batch) {
    if (isBad(row)) continue
    row.secret.value.clear()
    row.identity.clear()
  }
}
