import { sql } from 'kysely'
import { newId } from '#domain/ids.ts'
import { write } from '#platform/brief-transaction.ts'
import type { Context, Db, Place, Tx } from '#platform/db.ts'
import { insertInto } from '#platform/statements.ts'
import type { Action } from './schemas.ts'

declare module '#platform/db.ts' {
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

type Resource = { readonly type: string; readonly id: string; readonly name: string }

/** Takes a `Tx`, so that an entry is stored together with its change. */
export function record(tx: Place<Tx>, action: Action, resource: Resource): Promise<void> {
  const { actor, requestId } = tx
  const now = tx.clock()
  const entry = insertInto('audit_logs', {
    id: newId(now.getTime()),
    merchant_account_id: tx.merchantAccountId,
    action,
    resource_type: resource.type,
    resource_id: resource.id,
    resource_name: resource.name,
    actor_id: actor.id,
    actor_name: actor.name,
    request_id: requestId,
    created_at: now,
    seal_position: null,
  })
  return write(tx, entry)
}

export type Entry = Awaited<ReturnType<typeof unsealed>>[number]

/** The columns that are sealed, and shown in the list. */
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

export type Seal = { readonly position: number; readonly entryCount: number; readonly hash: Buffer }

/** A second sealer waits here, then finds nothing to seal. */
export async function lockLastSeal({ db }: { readonly db: Tx }): Promise<Seal | undefined> {
  const row = await selectSeals(db).orderBy('position', 'desc').limit(1).forUpdate().executeTakeFirst()
  return row && toSeal(row)
}

export async function findSeal({ db }: { readonly db: Db }, position: number): Promise<Seal | undefined> {
  const row = await selectSeals(db).where('position', '=', String(position)).executeTakeFirst()
  return row && toSeal(row)
}

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
  const rows = await selectSeals(db)
    .where('position', '>', String(position))
    .orderBy('position')
    .limit(limit)
    .execute()
  return rows.map(toSeal)
}

function selectSeals(db: Db) {
  return db.selectFrom('audit_seals').select(['position', 'entry_count', 'hash'])
}

function toSeal(row: {
  readonly position: string
  readonly entry_count: number
  readonly hash: Buffer
}): Seal {
  return { position: Number(row.position), entryCount: row.entry_count, hash: row.hash }
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

/** An entry that claims to be covered by a link beyond the last one. */
export function findBeyond({ db }: { readonly db: Db }, position: number) {
  return db
    .selectFrom('audit_logs')
    .select(['id', 'seal_position'])
    .where('seal_position', '>', String(position))
    .orderBy('seal_position')
    .limit(1)
    .executeTakeFirst()
}

/**
 * An API key pair or a merchant account without an entry about its creation. Migrations make the first
 * account.
 */
export async function findUntold({ db }: { readonly db: Db }): Promise<string | undefined> {
  const { rows } = await sql<{ name: string }>`
    select 'API key pair ' || id as name from api_key_pairs where not exists (
      select 1 from audit_logs where merchant_account_id is null and action = 'created'
        and resource_type = 'api-key-pair' and resource_id = api_key_pairs.id::text)
    union all
    select 'merchant account ' || id from merchant_accounts where id <> 'default' and not exists (
      select 1 from audit_logs where merchant_account_id = merchant_accounts.id and action = 'created'
        and resource_type = 'merchant-account' and resource_id = merchant_accounts.id)
    limit 1`.execute(db)
  return rows[0]?.name
}

/** Whether anything ever happened here that the log must contain. Keys may have been deleted since. */
export async function isUsed({ db }: { readonly db: Db }): Promise<boolean> {
  const { rows } = await sql<{ used: boolean }>`
    select exists (select 1 from api_key_pairs) or exists (select 1 from payment_services)
      or exists (select 1 from transactions) or exists (select 1 from buyers)
      or exists (select 1 from payment_methods) or exists (select 1 from webhook_subscriptions)
      or exists (select 1 from instance where first_key_at is not null) as used`.execute(db)
  return rows[0]?.used === true
}
