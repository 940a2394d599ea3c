import type { Context, Db, Tables } from '#platform/database/db.ts'
import type { Head } from '../head.ts'

type State = 'writing' | 'archived' | 'restored' | 'abandoned'

const COLUMNS = [
  'id',
  'month',
  'state',
  'file',
  'stored_in',
  'first_position',
  'last_position',
  'last_hash',
  'entries',
  'told',
  'sha256',
  'size',
  'proof',
] as const

declare module '#platform/database/db.ts' {
  interface Tables {
    audit_archives: {
      id: string
      month: string
      state: State
      file: string
      stored_in: string
      first_position: string
      last_position: string
      last_hash: Buffer
      entries: number
      told: string[]
      sha256: string | null
      size: string | null
      proof: Buffer | null
      created_at: Date
      updated_at: Date
    }
  }
}

/** Neighbouring links of the chain that are, or will be, in one file. */
export type ArchivedLinks = {
  readonly id: string
  readonly month: string
  readonly file: string
  readonly stored_in: string
  readonly first: number
  /** Its newest link. The chain goes on from it. */
  readonly last: Head
  readonly entries: number
  readonly told: readonly string[]
}

type Written = { readonly sha256: string; readonly size: number; readonly proof: Buffer }

export type WrittenLinks = ArchivedLinks & Written

/** The file is not written yet. What a killed process leaves behind is found by this row. */
export async function begin({ db, clock }: Context, links: ArchivedLinks): Promise<void> {
  const { first, last, told, ...others } = links
  const now = clock()
  await db
    .insertInto('audit_archives')
    .values({
      ...others,
      state: 'writing',
      first_position: String(first),
      last_position: String(last.position),
      last_hash: last.hash,
      told: [...told],
      sha256: null,
      size: null,
      proof: null,
      created_at: now,
      updated_at: now,
    })
    .execute()
}

type Change = { readonly from: State; readonly to: State; readonly written?: Written }

/** Returns false if the record is in another state by now. */
export async function change(
  { db, clock }: Context,
  id: string,
  { from, to, written }: Change,
): Promise<boolean> {
  const changed = await db
    .updateTable('audit_archives')
    .set({ state: to, updated_at: clock(), ...(written && { ...written, size: String(written.size) }) })
    .where('id', '=', id)
    .where('state', '=', from)
    .executeTakeFirst()
  return changed.numUpdatedRows === 1n
}

/** What killed commands have left. */
export function unfinished(context: Context): Promise<ArchivedLinks[]> {
  return inState(context, 'writing')
}

/** Files whose links are back in the database. */
export function restored(context: Context): Promise<ArchivedLinks[]> {
  return inState(context, 'restored')
}

async function inState({ db }: Context, state: State): Promise<ArchivedLinks[]> {
  const rows = await db
    .selectFrom('audit_archives')
    .select(COLUMNS)
    .where('state', '=', state)
    .orderBy('first_position')
    .execute()
  return rows.map(toLinks)
}

/** The links in files, oldest first. */
export async function archived({ db }: { readonly db: Db }): Promise<WrittenLinks[]> {
  const rows = await db
    .selectFrom('audit_archives')
    .select(COLUMNS)
    .where('state', '=', 'archived')
    .orderBy('first_position')
    .execute()
  return rows.flatMap((row) => {
    const { sha256, size, proof } = row
    return sha256 === null || proof === null ? [] : [{ ...toLinks(row), sha256, size: Number(size), proof }]
  })
}

function toLinks(row: Pick<Tables['audit_archives'], (typeof COLUMNS)[number]>): ArchivedLinks {
  const { id, month, file, stored_in, entries, told } = row
  const last = { position: Number(row.last_position), hash: row.last_hash }
  return { id, month, file, stored_in, first: Number(row.first_position), last, entries, told }
}

/** The hash of a link that is the newest of a file. */
export async function findLastHash(
  { db }: { readonly db: Db },
  position: number,
): Promise<Buffer | undefined> {
  const row = await db
    .selectFrom('audit_archives')
    .select('last_hash')
    .where('state', '=', 'archived')
    .where('last_position', '=', String(position))
    .executeTakeFirst()
  return row?.last_hash
}

/** Whether a link is in a file, by the records. */
export async function holds({ db }: { readonly db: Db }, position: number): Promise<boolean> {
  const row = await db
    .selectFrom('audit_archives')
    .select('id')
    .where('state', '=', 'archived')
    .where('first_position', '<=', String(position))
    .where('last_position', '>=', String(position))
    .executeTakeFirst()
  return row !== undefined
}

/** Whether links were brought back since a time. */
export async function isRestoredSince({ db }: Context, since: Date): Promise<boolean> {
  const row = await db
    .selectFrom('audit_archives')
    .select('id')
    .where('state', '=', 'restored')
    .where('updated_at', '>', since)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
