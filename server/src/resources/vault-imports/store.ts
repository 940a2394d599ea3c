import { sql } from 'kysely'
import { newId } from '#domain/ids.ts'
import type { Context, Tables, Tx } from '#platform/database/db.ts'
import { arrayOf, insertColumns } from '#platform/database/statements.ts'

declare module '#platform/database/db.ts' {
  interface Tables {
    vault_import_keys: { fingerprint: string; public_key: string; vault_token: string; created_at: Date }
    vault_imports: {
      id: string
      content: Buffer
      file_name: string
      layout: string
      status: 'importing' | 'finished'
      row_count: number
      rows_done: number
      imported: number
      duplicates: number
      failed: number
      rows_until: Date | null
      created_at: Date
      updated_at: Date
    }
    vault_import_rows: Result & { import_id: string }
  }
}

/** What became of a row. */
export type Result = {
  readonly row_number: number
  readonly reference: string | null
  readonly status: 'imported' | 'duplicate' | 'failed'
  readonly buyer_id: string | null
  readonly stored_id: string | null
  readonly message: string | null
}

export type StoredImport = Tables['vault_imports']
export type ImportKey = Tables['vault_import_keys']

const COLUMNS = [
  'id',
  'content',
  'file_name',
  'layout',
  'status',
  'row_count',
  'rows_done',
  'imported',
  'duplicates',
  'failed',
  'rows_until',
  'created_at',
  'updated_at',
] as const

/** The newest first. */
export function listKeys({ db }: Context): Promise<ImportKey[]> {
  return db
    .selectFrom('vault_import_keys')
    .select(['fingerprint', 'public_key', 'vault_token', 'created_at'])
    .orderBy('created_at', 'desc')
    .execute()
}

export async function insertKey({ db }: Context<Tx>, key: ImportKey): Promise<void> {
  await db.insertInto('vault_import_keys').values(key).execute()
}

export async function removeKey({ db }: Context<Tx>, fingerprint: string): Promise<ImportKey | undefined> {
  return db
    .deleteFrom('vault_import_keys')
    .where('fingerprint', '=', fingerprint)
    .returning(['fingerprint', 'public_key', 'vault_token', 'created_at'])
    .executeTakeFirst()
}

/** The import of this content, begun or finished. */
export function getByContent({ db }: Context, content: Buffer): Promise<StoredImport> {
  return db
    .selectFrom('vault_imports')
    .select(COLUMNS)
    .where('content', '=', content)
    .executeTakeFirstOrThrow()
}

type New = Pick<StoredImport, 'content' | 'file_name' | 'layout' | 'row_count'>

/** Undefined if there is an import of this content. */
export async function insert({ db, clock }: Context<Tx>, given: New): Promise<StoredImport | undefined> {
  const now = clock()
  return db
    .insertInto('vault_imports')
    .values({
      ...given,
      id: newId(now.getTime()),
      status: 'importing',
      rows_done: 0,
      imported: 0,
      duplicates: 0,
      failed: 0,
      rows_until: null,
      created_at: now,
      updated_at: now,
    })
    .onConflict((conflict) => conflict.column('content').doNothing())
    .returning(COLUMNS)
    .executeTakeFirst()
}

/** Undefined if another process has gone on with this import meanwhile. */
export async function advance(
  { db, clock }: Context<Tx>,
  before: StoredImport,
  results: readonly Result[],
): Promise<StoredImport | undefined> {
  const now = clock()
  const count = (status: Result['status']) => results.filter((result) => result.status === status).length
  const rowsDone = before.rows_done + results.length
  const isFinished = rowsDone === before.row_count
  return db
    .updateTable('vault_imports')
    .set({
      rows_done: rowsDone,
      status: isFinished ? 'finished' : 'importing',
      imported: before.imported + count('imported'),
      duplicates: before.duplicates + count('duplicate'),
      failed: before.failed + count('failed'),
      rows_until: isFinished ? new Date(now.getTime() + ROWS_KEPT_MS) : null,
      updated_at: now,
    })
    .where('id', '=', before.id)
    .where('rows_done', '=', before.rows_done)
    .returning(COLUMNS)
    .executeTakeFirst()
}

/** How long it can be asked what became of each row. */
const ROWS_KEPT_MS = 30 * 86_400_000

export async function insertResults(
  { db }: Context<Tx>,
  { id }: StoredImport,
  results: readonly Result[],
): Promise<void> {
  const column = <Name extends keyof Result>(name: Name) => results.map((result) => result[name])
  await insertColumns('vault_import_rows', {
    same: { import_id: ['uuid', id] },
    each: {
      row_number: ['integer', column('row_number')],
      reference: ['text', column('reference')],
      status: ['text', column('status')],
      buyer_id: ['uuid', column('buyer_id')],
      stored_id: ['uuid', column('stored_id')],
      message: ['text', column('message')],
    },
  }).execute(db)
}

/** Those of these references whose rows are in the vault already. */
export async function knownReferences(
  { db }: Context,
  { id }: StoredImport,
  references: readonly string[],
): Promise<Set<string>> {
  const { rows } = await sql<{ reference: string }>`
    select reference from vault_import_rows
    where import_id = ${id} and status <> 'failed' and reference = any(${arrayOf.text(references)}::text[])
  `.execute(db)
  return new Set(rows.map(({ reference }) => reference))
}

const RESULTS_READ = 5_000

/** What became of the rows, in the order of the file. */
export async function* results(context: Context, { id }: StoredImport): AsyncGenerator<Result[]> {
  for (let after = 0; ; ) {
    const rows = await context.db
      .selectFrom('vault_import_rows')
      .select(['row_number', 'reference', 'status', 'buyer_id', 'stored_id', 'message'])
      .where('import_id', '=', id)
      .where('row_number', '>', after)
      .orderBy('row_number')
      .limit(RESULTS_READ)
      .execute()
    const last = rows.at(-1)
    if (!last) return
    yield rows
    after = last.row_number
  }
}

/** Removes results that were kept long enough, at most so many. */
export async function removeOldResults({ db }: Context, before: Date, limit: number): Promise<number> {
  const { rows } = await sql<{ removed: number; id: string }>`
    with old as (select id from vault_imports where rows_until < ${before} order by rows_until limit 1 for update skip locked),
      removed as (
        delete from vault_import_rows as result using (
          select import_id, row_number from vault_import_rows where import_id = (select id from old)
          order by row_number limit ${limit}
        ) as first
        where result.import_id = first.import_id and result.row_number = first.row_number returning 1
      )
    select (select count(*) from removed)::integer as removed, id from old
  `.execute(db)
  const [found] = rows
  if (!found) return 0
  if (found.removed < limit)
    await db.updateTable('vault_imports').set({ rows_until: null }).where('id', '=', found.id).execute()
  // Another import may have old results, too.
  return limit
}
