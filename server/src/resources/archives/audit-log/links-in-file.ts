import type { Context } from '#platform/database/db.ts'
import { readTime } from '#platform/database/read-rows.ts'
import type { FileStorage } from '#platform/file-storage/storage.ts'
import type { Part } from '#platform/portable/part.ts'
import type { ArchivedLinks } from '#resources/audit-logs/archived/store.ts'
import { type Entry, type Seal, toSeal } from '#resources/audit-logs/store.ts'
import { MissingFile, readArchive } from '../read-file.ts'

export type FiledLink = { readonly seal: Seal; readonly covered: readonly Entry[] }

/** The links in an archived file, the oldest first. Undefined if the file is not in this folder. */
export async function readLinks(
  reading: { readonly context: Pick<Context, 'mac'>; readonly storage: FileStorage },
  recorded: ArchivedLinks & { readonly sha256: string },
): Promise<FiledLink[] | undefined> {
  try {
    return linksIn(await readArchive(reading, recorded))
  } catch (error) {
    if (error instanceof MissingFile) return undefined
    throw error
  }
}

function linksIn(part: Part): FiledLink[] {
  const byId = new Map(rowsOf(part, 'audit_logs').map((row) => [row['id'], toEntry(row)]))
  return rowsOf(part, 'audit_seals')
    .map(sealOf)
    .toSorted((one, other) => one.position - other.position)
    .map((seal) => ({ seal, covered: seal.listed.flatMap((id) => byId.get(id) ?? []).toSorted(byAge) }))
}

type Row = Readonly<Record<string, string | null>>

function rowsOf({ tables }: Part, name: string): Row[] {
  const { columns, lines } = tables.find(({ table }) => table === `public.${name}`) ?? {
    columns: [],
    lines: [],
  }
  return lines.map((line) => {
    const values = JSON.parse(line) as (string | null)[]
    // The name of a column that SQL has a use for is in quotes.
    const names = columns.map((column) => column.replaceAll('"', ''))
    return Object.fromEntries(names.map((name, place) => [name, values[place] ?? null]))
  })
}

function sealOf(row: Row): Seal {
  return toSeal({
    position: String(row['position']),
    hash: bytesOf(row['hash']) ?? Buffer.alloc(0),
    entries_digest: bytesOf(row['entries_digest']),
    redaction: bytesOf(row['redaction']),
    entry_ids: row['entry_ids']?.slice(1, -1).split(',') ?? [],
  })
}

/** PostgreSQL writes bytes as `\x` and hexadecimal digits. */
function bytesOf(text: string | null | undefined): Buffer | null {
  return text ? Buffer.from(text.slice(2), 'hex') : null
}

function toEntry(row: Row): Entry {
  const text = (name: keyof Entry) => row[name] ?? ''
  return {
    id: text('id'),
    merchant_account_id: row['merchant_account_id'] ?? null,
    action: text('action') as Entry['action'],
    resource_type: text('resource_type'),
    resource_id: text('resource_id'),
    resource_name: text('resource_name'),
    actor_id: row['actor_id'] ?? null,
    actor_name: text('actor_name'),
    request_id: row['request_id'] ?? null,
    created_at: readTime(text('created_at')),
  }
}

/** The order in which entries were sealed. */
function byAge(one: Entry, other: Entry): number {
  return one.created_at.getTime() - other.created_at.getTime() || (one.id < other.id ? -1 : 1)
}
