import { type Kysely, sql } from 'kysely'
import { arrayOf } from '#platform/database/statements.ts'

/**
 * Any handle on the database, also a transaction of the caller, so that a card is stored together with the
 * row that names it.
 */
// biome-ignore lint/suspicious/noExplicitAny: the vault does not know its callers' tables
export type Handle = Kysely<any>

/** Named one by one: a prepared `select *` would break when a later version adds a column. */
const DATA_KEY = sql`id, purpose, merchant_account_id, key_encryption_key_id, wrapped, state`

export type KeyState = 'active' | 'decrypt-only' | 'destroyed'
export type WrappingKey = { readonly id: string; readonly environment: string; readonly state: KeyState }
export type Purpose = 'seal' | 'fingerprint'

export type DataKey = {
  readonly id: string
  readonly purpose: Purpose
  readonly merchant_account_id: string
  readonly key_encryption_key_id: string
  readonly wrapped: Buffer | null
  readonly state: KeyState
}

export type Item = {
  readonly token: string
  readonly merchant_account_id: string
  readonly field: string
  readonly data_key_id: string
  readonly sealed: Buffer
}

export async function wrappingKeys(db: Handle): Promise<WrappingKey[]> {
  const found = await sql<WrappingKey>`
    select id, environment, state from vault.key_encryption_keys where state <> 'destroyed'
  `.execute(db)
  return found.rows
}

/** Several processes may register the first key at once; it is the same key. */
export async function addWrappingKey(db: Handle, key: WrappingKey): Promise<void> {
  await sql`
    insert into vault.key_encryption_keys (id, environment, state, created_at)
    values (${key.id}, ${key.environment}, ${key.state}, now())
    on conflict do nothing
  `.execute(db)
}

export async function activeWrappingKeyId(db: Handle): Promise<string | undefined> {
  const found = await sql<{ id: string }>`
    select id from vault.key_encryption_keys where state = 'active'
  `.execute(db)
  return found.rows[0]?.id
}

export async function activeSince(db: Handle): Promise<Date | null> {
  const found = await sql<{ created_at: Date }>`
    select created_at from vault.key_encryption_keys where state = 'active'
  `.execute(db)
  return found.rows[0]?.created_at ?? null
}

/** A destroyed key stays destroyed. Returns whether the key is active now. */
export async function activateWrappingKey(db: Handle, id: string): Promise<boolean> {
  await sql`
    update vault.key_encryption_keys set state = 'decrypt-only' where state = 'active' and id <> ${id}
  `.execute(db)
  const activated = await sql`
    update vault.key_encryption_keys set state = 'active' where id = ${id} and state <> 'destroyed'
  `.execute(db)
  return activated.numAffectedRows === 1n
}

/** Destroys only keys that wrap nothing any more. */
export async function destroyUnusedWrappingKeys(db: Handle): Promise<string[]> {
  const destroyed = await sql<{ id: string }>`
    update vault.key_encryption_keys as kek set state = 'destroyed', destroyed_at = now()
    where state = 'decrypt-only'
      and not exists (
        select 1 from vault.data_keys where key_encryption_key_id = kek.id and state <> 'destroyed'
      )
    returning id
  `.execute(db)
  return destroyed.rows.map(({ id }) => id)
}

export async function findDataKey(db: Handle, id: string): Promise<DataKey | undefined> {
  const found = await sql<DataKey>`select ${DATA_KEY} from vault.data_keys where id = ${id}`.execute(db)
  return found.rows[0]
}

export async function activeDataKey(
  db: Handle,
  purpose: Purpose,
  merchantAccountId: string,
): Promise<DataKey | undefined> {
  const found = await sql<DataKey>`
    select ${DATA_KEY} from vault.data_keys
    where purpose = ${purpose} and merchant_account_id = ${merchantAccountId} and state = 'active'
  `.execute(db)
  return found.rows[0]
}

/**
 * Two processes may need an account's first key at once; one of them makes it. Either a rotation waits for
 * it, or it notices that its key-encryption key was retired, and makes nothing. Returns whether the key was
 * made.
 */
export async function addDataKey(db: Handle, key: DataKey): Promise<boolean> {
  const added = await sql`
    with usable as (
      select id from vault.key_encryption_keys
      where id = ${key.key_encryption_key_id} and state = 'active' for share
    )
    insert into vault.data_keys
      (id, purpose, merchant_account_id, key_encryption_key_id, wrapped, state, created_at)
    select ${key.id}::uuid, ${key.purpose}, ${key.merchant_account_id}, id, ${key.wrapped}, ${key.state}, now()
    from usable
    on conflict do nothing
  `.execute(db)
  return added.numAffectedRows === 1n
}

export async function retireDataKey(db: Handle, id: string): Promise<void> {
  await sql`update vault.data_keys set state = 'decrypt-only' where id = ${id} and state = 'active'`.execute(
    db,
  )
}

export async function rewrapDataKey(
  db: Handle,
  id: string,
  wrapped: Buffer,
  keyEncryptionKeyId: string,
): Promise<void> {
  await sql`
    update vault.data_keys set wrapped = ${wrapped}, key_encryption_key_id = ${keyEncryptionKeyId}
    where id = ${id} and state <> 'destroyed'
  `.execute(db)
}

/** Their items have been sealed again. Without the wrapped key, old copies of them can never be opened. */
export async function destroyEmptyDataKeys(db: Handle): Promise<number> {
  const destroyed = await sql`
    update vault.data_keys as key set state = 'destroyed', wrapped = null, destroyed_at = now()
    where state = 'decrypt-only' and not exists (select 1 from vault.items where data_key_id = key.id)
  `.execute(db)
  return Number(destroyed.numAffectedRows ?? 0)
}

export async function dataKeysIn(db: Handle, state: KeyState, purpose: Purpose = 'seal'): Promise<DataKey[]> {
  const found = await sql<DataKey>`
    select ${DATA_KEY} from vault.data_keys where purpose = ${purpose} and state = ${state}
  `.execute(db)
  return found.rows
}

/**
 * Refuses a key that was just retired: the row lock makes a rotation wait for this item, or this item notice
 * the rotation. Returns whether the item was stored.
 */
export async function addItem(db: Handle, item: Item): Promise<boolean> {
  const added = await sql`
    with usable as (
      select id from vault.data_keys where id = ${item.data_key_id} and state = 'active' for share
    )
    insert into vault.items (token, merchant_account_id, field, data_key_id, sealed, created_at)
    select ${item.token}::uuid, ${item.merchant_account_id}, ${item.field}, id, ${item.sealed}, now() from usable
  `.execute(db)
  return added.numAffectedRows === 1n
}

/** The same for many items, of which each is stored or none. Returns whether they were. */
export async function addItems(db: Handle, items: readonly Item[]): Promise<boolean> {
  const keys = [...new Set(items.map((item) => item.data_key_id))]
  const column = <Name extends keyof Item>(name: Name) => items.map((item) => item[name])
  const added = await sql`
    with usable as (
      select id from vault.data_keys where id = any(${keys}::uuid[]) and state = 'active' for share
    )
    insert into vault.items (token, merchant_account_id, field, data_key_id, sealed, created_at)
    select unnest(${arrayOf.uuid(column('token'))}::uuid[]), unnest(${arrayOf.text(column('merchant_account_id'))}::text[]),
      unnest(${arrayOf.text(column('field'))}::text[]), unnest(${arrayOf.uuid(column('data_key_id'))}::uuid[]),
      unnest(${arrayOf.bytea(column('sealed'))}::bytea[]), now()
    from (select count(*) as keys from usable) as counted where counted.keys = ${keys.length}::integer
  `.execute(db)
  return Number(added.numAffectedRows) === items.length
}

export async function findItem(
  db: Handle,
  merchantAccountId: string,
  token: string,
): Promise<Item | undefined> {
  const found = await sql<Item>`
    select token, merchant_account_id, field, data_key_id, sealed from vault.items
    where token = ${token} and merchant_account_id = ${merchantAccountId}
  `.execute(db)
  return found.rows[0]
}

export async function removeItem(db: Handle, merchantAccountId: string, token: string): Promise<void> {
  await sql`delete from vault.items where token = ${token} and merchant_account_id = ${merchantAccountId}`.execute(
    db,
  )
}

/** The next items of a retired key. Other rotations skip them; a deletion waits. */
export async function lockItems(db: Handle, dataKeyId: string, limit: number): Promise<Item[]> {
  const found = await sql<Item>`
    select token, merchant_account_id, field, data_key_id, sealed from vault.items
    where data_key_id = ${dataKeyId} order by token limit ${limit} for update skip locked
  `.execute(db)
  return found.rows
}

/**
 * Refuses a retired key as `addItem` does: another rotation may be about to destroy it. Returns whether the
 * items were stored.
 */
export async function resealItems(
  db: Handle,
  dataKeyId: string,
  items: readonly { readonly token: string; readonly sealed: Buffer }[],
): Promise<boolean> {
  const tokens = items.map(({ token }) => token)
  const sealed = items.map((item) => item.sealed)
  const resealed = await sql`
    with usable as (
      select id from vault.data_keys where id = ${dataKeyId} and state = 'active' for share
    )
    update vault.items as item set sealed = renewed.sealed, data_key_id = usable.id
    from usable, unnest(${tokens}::uuid[], ${sealed}::bytea[]) as renewed (token, sealed)
    where item.token = renewed.token
  `.execute(db)
  return Number(resealed.numAffectedRows) === items.length
}

const LEASE_MS = 10_000
const RENEW_MS = 1_000
const LOOK_MS = 100
const LEASE_END = sql.raw(`clock_timestamp() + interval '${LEASE_MS} milliseconds'`)
/** A rotation that lives has renewed its lease since. One that has not was probably killed. */
const RENEWED = sql.raw(`clock_timestamp() + interval '${LEASE_MS - 5 * RENEW_MS} milliseconds'`)

/** Throws if another rotation has taken over. None can until the transaction ends. */
export type Hold = (tx: Handle) => Promise<void>

/**
 * Two rotations at once could wrap a key by one that the other destroys. So one of them has the lease, and each of its changes holds
 * it. After a rotation that was killed, the next one waits for the rest of the lease.
 */
export async function alone(db: Handle, work: (hold: Hold) => Promise<void>): Promise<void> {
  const fence = await takeLease(db)
  const renewing = setInterval(() => void renewLease(db, fence).catch(() => {}), RENEW_MS)
  renewing.unref()
  try {
    await work((tx) => holdLease(tx, fence))
  } finally {
    clearInterval(renewing)
    await sql`update vault.rotation set leased_until = clock_timestamp() where fence = ${fence}`
      .execute(db)
      // Without the database, it ends by itself, and the error before this one tells more.
      .catch(() => {})
  }
}

async function takeLease(db: Handle): Promise<string> {
  for (;;) {
    // A locked row belongs to a change that has not ended, even if the lease has.
    const taken = await sql<{ fence: string }>`
      update vault.rotation set fence = fence + 1, leased_until = ${LEASE_END}
      where is_only = (select is_only from vault.rotation where leased_until <= clock_timestamp() for update skip locked)
      returning fence
    `.execute(db)
    if (taken.rows[0]) return taken.rows[0].fence
    const found = await sql<{ lives: boolean }>`
      select leased_until > ${RENEWED} as lives from vault.rotation
    `.execute(db)
    if (found.rows[0]?.lives) throw new Error('Another rotation of the vault is running. Wait for it to end.')
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  }
}

/** A row that a change of ours holds is left alone: nobody can take it. */
async function renewLease(db: Handle, fence: string): Promise<void> {
  await sql`
    update vault.rotation set leased_until = ${LEASE_END}
    where is_only = (select is_only from vault.rotation where fence = ${fence} for update skip locked)
  `.execute(db)
}

async function holdLease(tx: Handle, fence: string): Promise<void> {
  const held = await sql`
    update vault.rotation set leased_until = ${LEASE_END} where fence = ${fence}
  `.execute(tx)
  if (held.numAffectedRows !== 1n) throw new Error('Another rotation of the vault has taken over.')
}

/** How many data keys and key-encryption keys are in a state. */
export async function countKeys(db: Handle, state: KeyState): Promise<number> {
  const found = await sql<{ count: string }>`
    select (select count(*) from vault.data_keys where state = ${state})
      + (select count(*) from vault.key_encryption_keys where state = ${state}) as count
  `.execute(db)
  return Number(found.rows[0]?.count ?? 0)
}

export async function countItems(db: Handle, state: KeyState): Promise<number> {
  const found = await sql<{ count: string }>`
    select count(*) from vault.items join vault.data_keys on data_keys.id = items.data_key_id
    where data_keys.state = ${state}
  `.execute(db)
  return Number(found.rows[0]?.count ?? 0)
}
