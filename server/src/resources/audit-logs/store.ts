import { newId } from '../../domain/ids.ts'
import { type Context, type Db, type Tx, write } from '../../platform/db.ts'
import { insertInto } from '../../platform/statements.ts'
import type { Action } from './schemas.ts'

declare module '../../platform/db.ts' {
  interface Tables {
    audit_logs: {
      id: string
      merchant_account_id: string | null
      action: Action
      resource_type: string
      resource_id: string
      resource_name: string
      actor_id: string | null
      actor_name: string
      request_id: string | null
      created_at: Date
      seal_position: string | null
    }
    audit_seals: { position: string; entry_count: number; hash: Buffer; sealed_at: Date }
  }
}

export type Change = {
  readonly action: Action
  readonly resource: { readonly type: string; readonly id: string; readonly name: string }
  /** Null for a change that concerns the whole installation. */
  readonly merchantAccountId: string | null
}

/** Takes a `Tx`: an entry is saved with the change it tells of, or not at all. */
export function record(tx: Context<Tx>, change: Change): Promise<void> {
  const { actor, requestId } = tx
  const now = tx.clock()
  const entry = insertInto('audit_logs', {
    id: newId(now.getTime()),
    merchant_account_id: change.merchantAccountId,
    action: change.action,
    resource_type: change.resource.type,
    resource_id: change.resource.id,
    resource_name: change.resource.name,
    actor_id: actor.id,
    actor_name: actor.name,
    request_id: requestId,
    created_at: now,
    seal_position: null,
  })
  return write(tx, entry)
}

export type Entry = Awaited<ReturnType<typeof unsealed>>[number]

/** All that is sealed, and shown in the list. */
export const ENTRY_COLUMNS = [
  'id',
  'merchant_account_id',
  'action',
  'resource_type',
  'resource_id',
  'resource_name',
  'actor_id',
  'actor_name',
  'request_id',
  'created_at',
] as const

export function unsealed({ db }: { readonly db: Db }, limit: number) {
  return db
    .selectFrom('audit_logs')
    .select(ENTRY_COLUMNS)
    .where('seal_position', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** A second sealer waits here, then finds nothing left to seal. */
export async function lockLastSeal({ db }: { readonly db: Tx }) {
  return db
    .selectFrom('audit_seals')
    .select(['position', 'hash'])
    .orderBy('position', 'desc')
    .limit(1)
    .forUpdate()
    .executeTakeFirst()
}

export type Seal = { readonly position: number; readonly entryCount: number; readonly hash: Buffer }

export async function addSeal(
  { db, clock }: Context<Tx>,
  seal: Seal,
  entryIds: readonly string[],
): Promise<void> {
  await db
    .insertInto('audit_seals')
    .values({
      position: String(seal.position),
      entry_count: seal.entryCount,
      hash: seal.hash,
      sealed_at: clock(),
    })
    .execute()
  await db
    .updateTable('audit_logs')
    .set({ seal_position: String(seal.position) })
    .where('id', 'in', entryIds)
    .execute()
}

export async function sealsAfter(
  { db }: { readonly db: Db },
  position: number,
  limit: number,
): Promise<Seal[]> {
  const rows = await db
    .selectFrom('audit_seals')
    .select(['position', 'entry_count', 'hash'])
    .where('position', '>', String(position))
    .orderBy('position')
    .limit(limit)
    .execute()
  return rows.map((row) => ({ position: Number(row.position), entryCount: row.entry_count, hash: row.hash }))
}

export function entriesOf({ db }: { readonly db: Db }, position: number) {
  return db
    .selectFrom('audit_logs')
    .select(ENTRY_COLUMNS)
    .where('seal_position', '=', String(position))
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}
