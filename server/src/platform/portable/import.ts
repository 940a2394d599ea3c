import { createReadStream, statSync } from 'node:fs'
import { createGunzip } from 'node:zlib'
import type pg from 'pg'
import { FailoverClient } from '../database/failover-client.ts'
import { compareWith, migrate } from '../database/migrate.ts'
import type { Connection } from '../database/open-database.ts'
import { isBeforeBaseline, LAST_BEFORE } from '../database/take-over.ts'
import {
  BrokenFile,
  CUT,
  codeOf,
  DAMAGED,
  digest,
  type Ending,
  explainDamage,
  FORGED,
  type Header,
  linesOf,
  type Mac,
  readHeader,
  readMark,
} from './format.ts'
import { insertingInto, tableIn } from './rows.ts'
import { listApplied, listTables, loosen, type Table } from './tables.ts'

const ROWS_AT_ONCE = 1_000
const BYTES_AT_ONCE = 4 * 1024 * 1024

type Progress = { readonly bytes: number; readonly total: number; readonly rows: number }

type Options = {
  readonly file: string
  /** The folders of our migrations. */
  readonly migrations: readonly string[]
  readonly onProgress: (progress: Progress) => void
  readonly mac: Mac
  /** Throws if the imported database does not belong to this installation. Runs before anything is final. */
  readonly check: (client: pg.Client) => Promise<void>
  /** What to do about a database that is not empty. */
  readonly ifUsed: string
}

type Imported = { readonly rows: number; readonly tables: number }

/**
 * Fills an empty database from a file. All rows are one transaction: an import that fails or is killed leaves none, and can
 * be started again.
 */
export async function importFrom(connection: Connection, options: Options): Promise<Imported> {
  const bytes = openFile(options.file)
  try {
    const lines = linesOf(bytes.stream)
    const first = await nextLine(lines)
    const header = readHeader(first)
    refuseNewer(header, options.migrations)
    const imported = await withClient(connection, async (client) => {
      await refuseUsed(client, header, options.ifUsed)
      const wanted = new Set(header.migrations.map(({ version }) => version))
      // The schema of the exported database first: later migrations change its rows, too.
      await migrate(connection, options.migrations, (version) => wanted.has(version))
      return load(client, { first, header, lines, read: bytes.read, total: bytes.total, ...options })
    })
    await migrate(connection, options.migrations)
    return imported
  } catch (error) {
    throw explainDamage(error)
  } finally {
    bytes.stream.destroy()
  }
}

function openFile(file: string) {
  const found = statSync(file, { throwIfNoEntry: false })
  if (!found) throw new Error(`There is no file ${file}.`)
  if (!found.isFile()) throw new Error(`${file} is not a file.`)
  const source = createReadStream(file)
  const stream = createGunzip()
  source.on('error', (error) => stream.destroy(error)).pipe(stream)
  return { stream, read: () => source.bytesRead, total: found.size }
}

async function nextLine(lines: AsyncGenerator<string>): Promise<string> {
  const next = await lines.next()
  if (next.done) throw new BrokenFile(CUT)
  return next.value
}

function refuseNewer({ migrations, program_version }: Header, folders: readonly string[]): void {
  const applied = new Map(migrations.map(({ version, checksum }) => [version, checksum]))
  if (isBeforeBaseline(applied)) throw new Error(BEFORE_RELEASE)
  const { unknown } = compareWith(applied, folders)
  if (unknown.length === 0) return
  throw new Error(
    `The file was written by version ${program_version}, whose schema is newer (${unknown.join(', ')}). Install that version, and import with it.`,
  )
}

const BEFORE_RELEASE =
  'The file was written before the first release. Import it with the version that wrote it, bring that database up to date ' +
  `with commit ${LAST_BEFORE}, and start this version on it.`

const NOT_EMPTY = 'The database is not empty, and an import would replace what is in it.'

/** What an interrupted import left is no use: a schema without an installation. */
async function refuseUsed(client: pg.Client, { migrations }: Header, ifUsed: string): Promise<void> {
  const applied = await listApplied(client)
  if (applied.length === 0) {
    const { rows } = await client.query(
      "select from pg_tables where schemaname not in ('pg_catalog', 'information_schema') limit 1",
    )
    if (rows.length > 0) throw new Error(`${NOT_EMPTY} ${ifUsed}`)
    return
  }
  const { rows } = await client.query("select to_regclass('instance') is not null as found")
  const claimed = rows[0].found ? await client.query('select from instance') : { rows: [] }
  if (claimed.rows.length > 0) throw new Error(`${NOT_EMPTY} ${ifUsed}`)
  const wanted = new Set(migrations.map(({ version }) => version))
  if (applied.some(({ version }) => !wanted.has(version)))
    throw new Error('The database has a newer schema than the file. Name an empty database.')
}

async function withClient<Result>(
  connection: Connection,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new FailoverClient({ ...connection, application_name: 'switchyard import' })
  // A connection that is lost between two statements fails the next one.
  client.on('error', () => {})
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

type Loading = Options & {
  /** The line of the header, as it is in the file. */
  readonly first: string
  readonly header: Header
  readonly lines: AsyncGenerator<string>
  readonly read: () => number
  readonly total: number
}

async function load(client: pg.Client, loading: Loading): Promise<Imported> {
  const { first, header, lines, read, total, onProgress } = loading
  await client.query(
    "begin; set local timezone = 'UTC'; set local datestyle = 'ISO'; set local lock_timeout = '10s'",
  )
  const tables = await listTables(client)
  const tighten = await loosen(client, tables)
  // Migrations write rows of their own, which the file has as well.
  await client.query(`truncate ${tables.map(({ name }) => name).join(', ')}`)
  const whole = digest().update(`${first}\n`)
  let rows = 0
  let ending: Ending | undefined
  const seen = new Set<string>()
  for await (const line of lines) {
    if (ending) throw new BrokenFile('The file has lines after its end.')
    const mark = readMark(line)
    if ('table' in mark) {
      whole.update(`${line}\n`)
      seen.add(mark.table)
      const before = rows
      const onRows = (count: number) => onProgress({ bytes: read(), total, rows: before + count })
      rows += await loadTable(client, tableIn(tables, mark), { lines, whole, onRows })
    } else if ('sequences' in mark) {
      ending = mark
    } else throw new BrokenFile('The file is damaged: a table has no beginning.')
  }
  if (!ending) throw new BrokenFile(CUT)
  if (ending.sha256 !== whole.digest('hex')) throw new BrokenFile(DAMAGED)
  if (Object.keys(header.tables).some((name) => !seen.has(name))) throw new BrokenFile(CUT)
  for (const { name, value } of ending.sequences) await client.query('select setval($1, $2)', [name, value])
  await tighten()
  // A file of another installation gets a sentence of its own.
  await loading.check(client)
  if (ending.code !== codeOf(loading.mac, ending)) throw new BrokenFile(FORGED)
  await client.query('commit; analyze')
  return { rows, tables: seen.size }
}

/** Values of the wrong form, or against a constraint. The database's own message would repeat them. */
function refuseValues(error: unknown): never {
  const { code } = error as { readonly code?: unknown }
  throw /^2[23]/.test(String(code)) ? new BrokenFile(DAMAGED) : error
}

type Source = {
  readonly lines: AsyncGenerator<string>
  readonly whole: ReturnType<typeof digest>
  readonly onRows: (count: number) => void
}

async function loadTable(client: pg.Client, table: Table, { lines, whole, onRows }: Source): Promise<number> {
  const ofTable = digest()
  const insert = `${insertingInto(table)} from json_array_elements($1::json) as line`
  let batch: string[] = []
  let bytes = 0
  let rows = 0
  const write = async () => {
    if (batch.length > 0) await client.query(insert, [`[${batch.join(',')}]`]).catch(refuseValues)
    rows += batch.length
    batch = []
    bytes = 0
    onRows(rows)
  }
  for (;;) {
    const line = await nextLine(lines)
    whole.update(`${line}\n`)
    if (!line.startsWith('[')) {
      await write()
      const end = readMark(line)
      if (!('rows' in end) || end.end !== table.name) throw new BrokenFile(DAMAGED)
      if (end.rows !== rows || end.sha256 !== ofTable.digest('hex')) throw new BrokenFile(DAMAGED)
      return rows
    }
    ofTable.update(`${line}\n`)
    batch.push(line)
    bytes += line.length
    if (batch.length >= ROWS_AT_ONCE || bytes >= BYTES_AT_ONCE) await write()
  }
}
