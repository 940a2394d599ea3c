import { sql } from 'kysely'
import { newId } from '#domain/ids.ts'
import type { Context, Db, Tx } from '#platform/database/db.ts'
import { advisoryLock, earliest } from '#platform/database/sql.ts'
import type { Reach } from '#platform/http/operation.ts'
import { paginate } from '#platform/listing/by-age.ts'
import type { Collection, Page } from '#platform/listing/pagination.ts'
import { laterThan } from '#platform/process/clock.ts'
import { addressOf } from '#resources/api-key-pairs/show-creator.ts'
import type { StoredAuthentication } from './schemas.ts'

/** Vault tokens, by purpose. */
export type SecretTokens = Readonly<
  Partial<Record<'secret' | 'former_secret' | 'password' | 'client_secret', string>>
>

declare module '#platform/database/db.ts' {
  interface Tables {
    webhook_subscriptions: {
      id: string
      merchant_account_id: string | null
      active: boolean
      url: string
      authentication: StoredAuthentication | null
      secrets: SecretTokens
      former_secret_until: Date | null
      creator_id: string | null
      creator_name: string | null
      /** Of a user. */
      creator_email_address: string | null
      /** Null: all events. */
      events: string[] | null
      created_at: Date
      updated_at: Date
      deleted_at: Date | null
      /** Since when all that was sent has failed. Null: the last that was sent was taken. */
      failing_since: Date | null
      /** Up to a minute early. */
      last_delivered_at: Date | null
    }
  }
}

const COLUMNS = [
  'id',
  'merchant_account_id',
  'active',
  'url',
  'authentication',
  'secrets',
  'former_secret_until',
  'creator_id',
  'creator_name',
  'creator_email_address',
  'events',
  'created_at',
  'updated_at',
  'deleted_at',
  'failing_since',
  'last_delivered_at',
] as const

export type StoredSubscription = Awaited<ReturnType<ReturnType<typeof select>['executeTakeFirstOrThrow']>>

type Settings = Pick<
  StoredSubscription,
  'active' | 'url' | 'authentication' | 'secrets' | 'former_secret_until' | 'events'
>

/** Which subscriptions a request may see. Only keys for all accounts see those for all accounts. */
export type Sight = { readonly reach: Reach; readonly callerReach: Reach }

export async function insert(
  { db, clock, actor }: Context<Tx>,
  merchantAccountId: string | null,
  settings: Omit<Settings, 'former_secret_until'>,
): Promise<StoredSubscription> {
  const now = clock()
  return db
    .insertInto('webhook_subscriptions')
    .values({
      ...settings,
      id: newId(now.getTime()),
      merchant_account_id: merchantAccountId,
      former_secret_until: null,
      creator_id: actor.id,
      creator_name: actor.id === null ? null : actor.name,
      creator_email_address: addressOf(actor),
      created_at: now,
      updated_at: now,
      deleted_at: null,
      failing_since: null,
      last_delivered_at: null,
    })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
}

/**
 * How many subscriptions an account has, or all accounts together. The number holds until the transaction
 * ends: of two concurrent creations, the second counts after the first.
 */
export async function count(tx: Context<Tx>, merchantAccountId: string | null): Promise<number> {
  await advisoryLock(tx, 'count webhook_subscriptions', merchantAccountId ?? '*')
  const { subscriptions } = await tx.db
    .selectFrom('webhook_subscriptions')
    .select((eb) => eb.fn.countAll<string>().as('subscriptions'))
    .where('merchant_account_id', merchantAccountId === null ? 'is' : '=', merchantAccountId)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(subscriptions)
}

export function find({ db }: Context, sight: Sight, id: string): Promise<StoredSubscription | undefined> {
  return seen(select(db), sight).where('id', '=', id).executeTakeFirst()
}

/** Locks the row, so that changes of one subscription are applied in turn. */
export function lock({ db }: Context<Tx>, sight: Sight, id: string): Promise<StoredSubscription | undefined> {
  return seen(select(db), sight).where('id', '=', id).forUpdate().executeTakeFirst()
}

/** The subscriptions with the given ids, by id, also deleted ones. */
export async function findMany(
  { db }: Context,
  ids: readonly string[],
): Promise<ReadonlyMap<string, StoredSubscription>> {
  const rows = await select(db)
    .where('id', 'in', [...new Set(ids)])
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

/** For the service itself, which may see all. */
export const EVERYTHING: Sight = { reach: 'all', callerReach: 'all' }

export function list(
  { db, mac }: Context,
  sight: Sight,
  page: Page,
): Promise<Collection<StoredSubscription>> {
  const query = seen(select(db), sight)
  const list = {
    name: 'webhook-subscriptions',
    query,
    table: 'webhook_subscriptions',
    page,
    mac,
  } as const
  return paginate(list, (row) => row)
}

export async function update(
  { db, clock }: Context<Tx>,
  before: StoredSubscription,
  changes: Partial<Settings>,
): Promise<StoredSubscription> {
  return db
    .updateTable('webhook_subscriptions')
    .set({
      ...changes,
      // Another address, or another beginning, is to be judged anew.
      ...(isMoved(before, changes) && { failing_since: null }),
      updated_at: laterThan(before, clock()),
    })
    .where('id', '=', before.id)
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
}

function isMoved(before: StoredSubscription, { url, active }: Partial<Settings>): boolean {
  return (url !== undefined && url !== before.url) || (active !== undefined && active !== before.active)
}

type Ended = { readonly subscription_id: string; readonly outcome: string; readonly began_at: Date }

/** How often a receiver that works is written down. */
const NOTED_MS = 60_000

/**
 * Notes whether receivers work, by what became of attempts. Writes only when that has changed, or a minute later. A statement of its
 * own: a replay locks the subscription first and deliveries then, and the record of attempts has locked deliveries.
 */
export async function noteHealth({ db, clock }: Context, ended: readonly Ended[]): Promise<void> {
  const now = clock()
  const noted = new Date(now.getTime() - NOTED_MS)
  await sql`
    update webhook_subscriptions as subscription
    set
      failing_since = case when not told.is_taken then told.began_at end,
      last_delivered_at = case when told.is_taken then ${now}::timestamptz else last_delivered_at end
    from (
      select subscription_id, bool_or(outcome = 'delivered') as is_taken, min(began_at) as began_at
      from jsonb_to_recordset(${JSON.stringify(ended)}::jsonb) as ended (subscription_id uuid, outcome text, began_at timestamptz)
      group by subscription_id
    ) as told
    where subscription.id = told.subscription_id and case
      when told.is_taken then failing_since is not null or last_delivered_at is null or last_delivered_at < ${noted}
      else failing_since is null
    end
  `.execute(db)
}

/** Since when the receiver fails that fails longest. */
export async function failingSince({ db }: Context): Promise<Date | null> {
  const row = await db
    .selectFrom('webhook_subscriptions')
    .select(({ fn }) => fn.min('failing_since').as('at'))
    .where('active', '=', true)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return row?.at ?? null
}

/** The row stays for its deliveries. The caller removes the secrets from the vault. */
export async function markDeleted({ db, clock }: Context<Tx>, before: StoredSubscription): Promise<void> {
  const now = clock()
  await db
    .updateTable('webhook_subscriptions')
    .set({
      active: false,
      secrets: {},
      former_secret_until: null,
      deleted_at: now,
      updated_at: laterThan(before, now),
    })
    .where('id', '=', before.id)
    .execute()
}

/** Subscriptions whose former secret has expired and is still stored. */
export async function listEndedRotations({ db, clock }: Context): Promise<string[]> {
  const rows = await db
    .selectFrom('webhook_subscriptions')
    .select('id')
    .where('former_secret_until', '<=', clock())
    .execute()
  return rows.map(({ id }) => id)
}

export function nextEndOfRotation(context: Context): Promise<Date | null> {
  return earliest(context, sql`select min(former_secret_until) as at from webhook_subscriptions`)
}

// biome-ignore lint/suspicious/noExplicitAny: any selection of the table will do
function seen<Query extends { where: (condition: any) => Query }>(
  query: Query,
  { reach, callerReach }: Sight,
): Query {
  const own = reach === 'all' ? sql`true` : sql`merchant_account_id = any(${[...reach]}::text[])`
  const shared = callerReach === 'all' ? sql`merchant_account_id is null` : sql`false`
  return query.where(sql<boolean>`deleted_at is null and (${own} or ${shared})`)
}

function select(db: Db) {
  return db.selectFrom('webhook_subscriptions').select(COLUMNS)
}
