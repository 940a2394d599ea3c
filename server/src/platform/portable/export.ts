import { createWriteStream } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type pg from 'pg'
import { FailoverClient } from '../database/failover-client.ts'
import type { Connection } from '../database/open-database.ts'
import { checkLength, codeOf, digest, headerOf, type Mac, markLine } from './format.ts'
import { lineOf, PLAIN_TEXT } from './rows.ts'
import { listApplied, listSequences, listTables, type Table } from './tables.ts'

const ROWS_AT_ONCE = 1_000

type Progress = { readonly rows: number; readonly total: number; readonly table: string }

type Options = {
  readonly file: string
  readonly programVersion: string
  readonly now: Date
  readonly mac: Mac
  /** Throws if the database does not belong to the installation of `mac`. */
  readonly check: (client: pg.Client) => Promise<unknown>
  readonly onProgress: (progress: Progress) => void
}

type Exported = { readonly rows: number; readonly tables: number }

/**
 * Writes every row of a database to a file, as it is at one moment, while the service runs. The file gets its name when it
 * is whole. It holds no keys: those are not in the database.
 */
export async function exportTo(connection: Connection, options: Options): Promise<Exported> {
  const client = new FailoverClient({
    ...connection,
    application_name: 'switchyard export',
    mayBeReadOnly: true,
  })
  await client.connect()
  const partial = `${options.file}.partial`
  try {
    await client.query(`begin isolation level repeatable read read only; ${PLAIN_TEXT}`)
    await options.check(client)
    const counts = await countRows(client)
    const text = Readable.from(textOf(client, counts, options))
    await pipeline(text, createGzip(), createWriteStream(partial, { mode: 0o600 }))
    await flush(partial)
    await rename(partial, options.file)
    return { rows: totalOf(counts), tables: counts.size }
  } catch (error) {
    await rm(partial, { force: true })
    throw error
  } finally {
    await client.end()
  }
}

type Counts = ReadonlyMap<Table, number>

async function countRows(client: pg.Client): Promise<Counts> {
  const counts = new Map<Table, number>()
  for (const table of await listTables(client)) {
    const { rows } = await client.query(`select count(*)::text as count from ${table.name}`)
    counts.set(table, Number(rows[0].count))
  }
  return counts
}

function totalOf(counts: Counts): number {
  return [...counts.values()].reduce((sum, count) => sum + count, 0)
}

async function* textOf(
  client: pg.Client,
  counts: Counts,
  { programVersion, now, mac, onProgress }: Options,
): AsyncGenerator<string> {
  const whole = digest()
  const noted = (text: string) => {
    whole.update(text)
    return text
  }
  const header = headerOf({
    made_at: now.toISOString(),
    program_version: programVersion,
    migrations: await listApplied(client),
    tables: Object.fromEntries([...counts].map(([{ name }, count]) => [name, count])),
  })
  yield noted(markLine(header))
  const total = totalOf(counts)
  let done = 0
  for (const table of counts.keys()) {
    const ofTable = digest()
    let rows = 0
    yield noted(markLine({ table: table.name, columns: table.columns.map(({ name }) => name) }))
    for await (const lines of rowsOf(client, table)) {
      for (const line of lines) checkLength(line)
      const text = `${lines.join('\n')}\n`
      ofTable.update(text)
      rows += lines.length
      yield noted(text)
      onProgress({ rows: done + rows, total, table: table.name })
    }
    done += rows
    yield noted(markLine({ end: table.name, rows, sha256: ofTable.digest('hex') }))
  }
  const sequences = await listSequences(client)
  const sha256 = whole.digest('hex')
  yield markLine({ end: 'file', sequences, sha256, code: codeOf(mac, { sequences, sha256 }) })
}

/** The rows as lines, some at a time: a table may be larger than the memory. */
async function* rowsOf(client: pg.Client, table: Table): AsyncGenerator<string[]> {
  await client.query(
    `declare exported no scroll cursor for select ${lineOf(table)} as line from ${table.name}`,
  )
  for (;;) {
    const { rows } = await client.query<{ line: string }>(`fetch ${ROWS_AT_ONCE} from exported`)
    if (rows.length > 0) yield rows.map(({ line }) => line)
    if (rows.length < ROWS_AT_ONCE) break
  }
  await client.query('close exported')
}

/** What is not on the disk yet would be lost with the power. */
async function flush(file: string): Promise<void> {
  const handle = await open(file, 'r+')
  await handle.sync()
  await handle.close()
}
