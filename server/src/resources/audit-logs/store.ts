import { newId } from '../../domain/ids.ts'
import { type Context, type Db, type Tx, write } from '../../platform/db.ts'
import type { Reach } from '../../platform/operation.ts'
import { type Collection, paginate } from '../../platform/pagination.ts'
import type { Secrets } from '../../platform/secrets.ts'
import { insertInto } from '../../platform/statements.ts'
import type { Action, AuditLog, AuditLogFilters } from './schemas.ts'

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

/** Entries of the whole installation are shown to callers who can reach every merchant account. */
export function list(
  { db }: Context,
  secrets: Secrets,
  { reach, callerReach }: { readonly reach: Reach; readonly callerReach: Reach },
  filters: AuditLogFilters,
): Promise<Collection<AuditLog>> {
  let query = db
    .selectFrom('audit_logs')
    .select([
      'id',
      'merchant_account_id',
      'action',
      'resource_type',
      'resource_id',
      'resource_name',
      'actor_id',
      'actor_name',
      'created_at',
    ])
  query = query.where('action', '<>', 'revealed')
  if (reach !== 'all') {
    query = query.where((eb) => {
      const own = eb('merchant_account_id', 'in', reach)
      return callerReach === 'all' ? eb.or([own, eb('merchant_account_id', 'is', null)]) : own
    })
  }
  if (filters.action) query = query.where('action', '=', filters.action)
  if (filters.user_id) query = query.where('actor_id', '=', filters.user_id)
  if (filters.resource_type) query = query.where('resource_type', '=', filters.resource_type)
  return paginate({ name: 'audit-logs', query, table: 'audit_logs', page: filters, secrets }, toAuditLog)
}

export type Entry = Awaited<ReturnType<typeof unsealed>>[number]

const SEALED_COLUMNS = [
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
    .select(SEALED_COLUMNS)
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
    .select(SEALED_COLUMNS)
    .where('seal_position', '=', String(position))
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

function toAuditLog(row: {
  id: string
  merchant_account_id: string | null
  action: Action
  resource_type: string
  resource_id: string
  resource_name: string
  actor_id: string | null
  actor_name: string
  created_at: Date
}): AuditLog {
  return {
    type: 'audit-log',
    id: row.id,
    merchant_account_id: row.merchant_account_id,
    resource: { type: row.resource_type, id: row.resource_id, name: row.resource_name },
    action: row.action as AuditLog['action'],
    user: {
      type: 'user',
      id: row.actor_id,
      name: row.actor_name,
      email_address: null,
      is_staff: false,
      status: 'active',
    },
    timestamp: row.created_at.toISOString(),
  }
}
