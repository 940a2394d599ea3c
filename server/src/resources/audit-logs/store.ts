import { sql } from 'kysely'
import { newId } from '#domain/ids.ts'
import { write } from '#platform/database/brief-transaction.ts'
import type { Context, Db, Place, Scope, Tables, Tx } from '#platform/database/db.ts'
import { insertColumns, insertInto, insertRows } from '#platform/database/statements.ts'
import type { Action } from './schemas.ts'

declare module '#platform/database/db.ts' {
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
    }
    /** Entries that no link covers yet, with their codes. */
    audit_waiting: { id: string; code: Buffer }
    audit_seals: {
      position: string
      hash: Buffer
      sealed_at: Date
      entries_digest: Buffer | null
      redaction: Buffer | null
      /** The smallest first. */
      entry_ids: string[]
    }
  }
}

type Resource = { readonly type: string; readonly id: string; readonly name: string }

/** Takes a `Tx`, so that an entry is stored together with its change. */
export async function record(tx: Place<Tx>, action: Action, resource: Resource): Promise<void> {
  const entry = entryOf(tx, action, resource)
  await write(tx, insertInto('audit_logs', entry))
  await write(tx, insertInto('audit_waiting', { id: entry.id, code: codeOf(tx.mac, entry) }))
}

/** The same for hundreds of resources in two statements. */
export async function recordAll(
  tx: Context<Tx>,
  action: Action,
  resources: readonly (Resource & { readonly merchantAccountId: string | null })[],
): Promise<void> {
  const entries = resources.map(({ merchantAccountId, ...resource }) =>
    entryOf({ ...tx, merchantAccountId }, action, resource),
  )
  await insertRows('audit_logs', entries).execute(tx.db)
  const waiting = {
    same: {},
    each: {
      id: ['uuid', entries.map(({ id }) => id)],
      code: ['bytea', entries.map((entry) => codeOf(tx.mac, entry))],
    },
  } as const
  await insertColumns('audit_waiting', waiting).execute(tx.db)
}

function entryOf(tx: Place<Tx>, action: Action, resource: Resource): Entry {
  const { actor, requestId } = tx
  const now = tx.clock()
  return {
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
  }
}

const CODE_BYTES = 16

/** Says that this service recorded the entry, as it is. It stands beside the entry until a link covers it. */
export function codeOf(mac: Context['mac'], entry: Entry): Buffer {
  // PostgreSQL stores no half of a pair of surrogates.
  const fields = fieldsOf(entry).map((field) => field?.toWellFormed() ?? null)
  return mac('audit-entry', JSON.stringify(fields)).subarray(0, CODE_BYTES)
}

/** What a code and a link cover. */
export function fieldsOf(entry: Entry): (string | null)[] {
  return [
    entry.id,
    entry.merchant_account_id,
    entry.action,
    entry.resource_type,
    entry.resource_id,
    entry.resource_name,
    entry.actor_id,
    entry.actor_name,
    entry.request_id,
    entry.created_at.toISOString(),
  ]
}

export type Entry = Tables['audit_logs']

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

export type WaitingEntry = Entry & Pick<Tables['audit_waiting'], 'code'>

/** Entries that no link covers, by id. */
export function unsealed(
  { db }: { readonly db: Db },
  limit: number,
  after: string = NO_ID,
): Promise<WaitingEntry[]> {
  return db
    .selectFrom('audit_waiting')
    .innerJoin('audit_logs', 'audit_logs.id', 'audit_waiting.id')
    .select(ENTRY_COLUMNS.map((name) => `audit_logs.${name}` as const))
    .select('audit_waiting.code')
    .where('audit_waiting.id', '>', after)
    .orderBy('audit_waiting.id')
    .limit(limit)
    .execute()
}

const NO_ID = '00000000-0000-0000-0000-000000000000'

export type Seal = {
  readonly position: number
  readonly hash: Buffer
  /** The ids of its entries. */
  readonly listed: readonly string[]
  /** What the hash covers, and a proof of what the entries say since names were taken out. */
  readonly redacted: { readonly entriesDigest: Buffer; readonly proof: Buffer } | null
}

/** A second sealer waits here, then finds nothing to seal. */
export async function lockLastSeal({ db }: { readonly db: Tx }): Promise<Seal | undefined> {
  const row = await selectSeals(db).orderBy('position', 'desc').limit(1).forUpdate().executeTakeFirst()
  return row && toSeal(row)
}

export async function findSeal({ db }: { readonly db: Db }, position: number): Promise<Seal | undefined> {
  const row = await selectSeals(db).where('position', '=', String(position)).executeTakeFirst()
  return row && toSeal(row)
}

/** How many links there are, with those in files. */
export async function lastPosition({ db }: { readonly db: Db }): Promise<number> {
  const row = await selectSeals(db).orderBy('position', 'desc').limit(1).executeTakeFirst()
  return Number(row?.position ?? 0)
}

/** Locks a link, so that names are taken out of its entries in turn. */
export async function lockSeal({ db }: { readonly db: Tx }, position: number): Promise<Seal | undefined> {
  const row = await selectSeals(db).where('position', '=', String(position)).forUpdate().executeTakeFirst()
  return row && toSeal(row)
}

/** Locks neighbouring links. Returns false if one is gone. */
export async function lockSeals({ db }: { readonly db: Tx }, first: number, last: number): Promise<boolean> {
  const { rows } = await sql`
    select from audit_seals where position between ${first}::bigint and ${last}::bigint order by position for update
  `.execute(db)
  return rows.length === last - first + 1
}

/** The types of entries whose names may be those of a buyer. Who records one takes its type from here. An index has their entries. */
export const OF_BUYERS = {
  buyer: 'buyer',
  shippingDetails: 'buyer-shipping-details',
  paymentMethod: 'payment-method',
  giftCard: 'gift-card',
} as const
const TYPES_OF_BUYERS: readonly string[] = Object.values(OF_BUYERS)
const NAMED_AFTER_BUYERS = sql.raw(`resource_type in ('${TYPES_OF_BUYERS.join("', '")}')`)

/** Stands for a name that was taken out. */
export const ERASED_NAME = 'erased'

/** An entry about a use of such a resource has the purpose in place of the name. */
export function mayNameBuyer({ action, resource_type, resource_name }: Entry): boolean {
  return action !== 'revealed' && TYPES_OF_BUYERS.includes(resource_type) && resource_name !== ERASED_NAME
}

/** The links with entries that name one of these resources. Null stands for entries that no link covers yet. */
export async function linksNaming(
  { db, merchantAccountId }: Scope,
  resourceIds: readonly string[],
): Promise<(number | null)[]> {
  const { rows } = await sql<{ position: string | null }>`
    select distinct ${LINK_OF_ENTRY} as position
    from audit_logs
    where ${NAMED_AFTER_BUYERS} and resource_id = any(${resourceIds}::text[])
      and merchant_account_id = ${merchantAccountId} and resource_name <> ${ERASED_NAME}
    order by 1
  `.execute(db)
  return rows.map(({ position }) => (position === null ? null : Number(position)))
}

/** The link that lists an entry of `audit_logs`. Lists of neighbouring links may overlap. */
const LINK_OF_ENTRY = sql`case when not exists (select 1 from audit_waiting where audit_waiting.id = audit_logs.id) then (
  select position from audit_seals
  where entry_ids[1] <= audit_logs.id and audit_logs.id = any(entry_ids)
  order by entry_ids[1] desc limit 1) end`

/** For a link that the caller has locked: it has to take the new names. */
export async function replaceNames(
  { db }: { readonly db: Tx },
  { position, redacted }: Pick<Seal, 'position' | 'redacted'>,
  entryIds: readonly string[],
): Promise<void> {
  await db.updateTable('audit_logs').set({ resource_name: ERASED_NAME }).where('id', 'in', entryIds).execute()
  await db
    .updateTable('audit_seals')
    .set({ entries_digest: redacted?.entriesDigest ?? null, redaction: redacted?.proof ?? null })
    .where('position', '=', String(position))
    .execute()
}

type NewSeal = Omit<Seal, 'redacted'> & { readonly redacted: NonNullable<Seal['redacted']> }

/** The entries stay as they are: their list is in the link. */
export async function addSeal({ db, clock }: Context<Tx>, seal: NewSeal): Promise<void> {
  const ids = seal.listed.toSorted()
  await db
    .insertInto('audit_seals')
    .values({
      position: String(seal.position),
      hash: seal.hash,
      sealed_at: clock(),
      entries_digest: seal.redacted.entriesDigest,
      redaction: seal.redacted.proof,
      entry_ids: ids,
    })
    .execute()
  await db.deleteFrom('audit_waiting').where('id', 'in', ids).execute()
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
  return db.selectFrom('audit_seals').select(['position', 'hash', 'entries_digest', 'redaction', 'entry_ids'])
}

type SealRow = Omit<Tables['audit_seals'], 'sealed_at'>

/** Whoever can change the table can also take a list away. */
export function toSeal({ position, hash, entries_digest, redaction, entry_ids }: SealRow): Seal {
  const redacted = entries_digest && redaction ? { entriesDigest: entries_digest, proof: redaction } : null
  return { position: Number(position), hash, listed: entry_ids ?? [], redacted }
}

export function entriesOf({ db }: { readonly db: Db }, { listed }: Pick<Seal, 'listed'>): Promise<Entry[]> {
  return db
    .selectFrom('audit_logs')
    .select(ENTRY_COLUMNS)
    .where('id', 'in', listed)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

/** A link that should be in an archived file, and stands in the database. */
export async function findBelow({ db }: { readonly db: Db }, position: number): Promise<number | undefined> {
  const row = await selectSeals(db).where('position', '<=', String(position)).limit(1).executeTakeFirst()
  return row && Number(row.position)
}

/** The archived files that were brought back, as entries tell. */
export async function restoredArchives(
  { db }: { readonly db: Db },
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ id: string }>`
    select resource_id as id from audit_logs
    where merchant_account_id is null and resource_type = 'archive' and action = 'updated' and action <> 'revealed'
      and resource_id = any(${ids}::text[])
  `.execute(db)
  return new Set(rows.map(({ id }) => id))
}

type Stretch = {
  /** Ids behind this one, up to the other. Null: from the first, to the last. */
  readonly after: string | null
  readonly until: string | null
  /** The entries in it of which links are known. */
  readonly listed: readonly string[]
}

/** An entry that is neither in a link nor waiting for one. */
export async function findLoose(
  { db }: { readonly db: Db },
  { after, until, listed }: Stretch,
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select id from audit_logs
    where id > ${after ?? NO_ID} ${until === null ? sql`` : sql`and id <= ${until}`}
      and not exists (select 1 from unnest(${listed}::uuid[]) as known (id) where known.id = audit_logs.id)
      and not exists (select 1 from audit_waiting where audit_waiting.id = audit_logs.id)
      and ${LINK_OF_ENTRY} is null
    order by id limit 1`.execute(db)
  return rows[0]?.id
}

export async function countWaiting({ db }: { readonly db: Db }): Promise<number> {
  const { rows } = await sql<{ count: string }>`select count(*) from audit_waiting`.execute(db)
  return Number(rows[0]?.count)
}

/** An entry that waits for a link, and is gone. */
export async function findGone({ db }: { readonly db: Db }): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select id from audit_waiting
    where not exists (select 1 from audit_logs where audit_logs.id = audit_waiting.id) limit 1`.execute(db)
  return rows[0]?.id
}

/**
 * An API key pair or a merchant account without an entry about its creation, here or in an archived file. Migrations make the
 * first account.
 */
export async function findUntold({ db }: { readonly db: Db }): Promise<string | undefined> {
  const { rows } = await sql<{ name: string }>`
    with archived as materialized (select unnest(told) as name from audit_archives where state = 'archived')
    select 'API key pair ' || id as name from api_key_pairs where not exists (
      select 1 from audit_logs where merchant_account_id is null and action = 'created'
        and resource_type = 'api-key-pair' and resource_id = api_key_pairs.id::text)
      and not exists (select 1 from archived where archived.name = 'api-key-pair ' || api_key_pairs.id)
    union all
    select 'merchant account ' || id from merchant_accounts where id <> 'default' and not exists (
      select 1 from audit_logs where merchant_account_id = merchant_accounts.id and action = 'created'
        and resource_type = 'merchant-account' and resource_id = merchant_accounts.id)
      and not exists (select 1 from archived where archived.name = 'merchant-account ' || merchant_accounts.id)
    limit 1`.execute(db)
  return rows[0]?.name
}

/** What an entry tells that `findUntold` or `restoredArchives` would miss. */
export function toldBy({ action, resource_type, resource_id }: Entry): string | undefined {
  const isMissed =
    action === 'created'
      ? resource_type === 'api-key-pair' || resource_type === 'merchant-account'
      : action === 'updated' && resource_type === 'archive'
  return isMissed ? `${resource_type} ${resource_id}` : undefined
}

/** Whether anything ever happened here that the log must contain. Keys may have been deleted since. */
export async function isUsed({ db }: { readonly db: Db }): Promise<boolean> {
  const { rows } = await sql<{ used: boolean }>`
    select exists (select 1 from api_key_pairs) or exists (select 1 from payment_services)
      or exists (select 1 from transactions) or exists (select 1 from buyers)
      or exists (select 1 from payment_methods) or exists (select 1 from webhook_subscriptions)
      or exists (select 1 from made_once where name = 'key') as used`.execute(db)
  return rows[0]?.used === true
}
