import { sql } from 'kysely'
import { newId } from '#domain/ids.ts'
import type { SignedIn } from '#platform/access/auth.ts'
import type { Context, Db, Tx } from '#platform/database/db.ts'
import { realTime } from '#platform/process/clock.ts'

declare module '#platform/database/db.ts' {
  interface Tables {
    user_sessions: {
      id: string
      user_id: string
      token_mac: Buffer
      method: Method
      user_agent: string | null
      address: string | null
      created_at: Date
      last_used_at: Date
      proved_at: Date
      expires_at: Date
      sealed_id_token: Buffer | null
    }
  }
}

export type Method = 'passkey' | 'password' | 'oidc' | 'setup'

const ABSOLUTE_MS = 12 * 3_600_000
/** Nobody tells us that a person has left the identity provider: it is asked again every hour. */
const AT_PROVIDER_MS = 3_600_000

export type NewSession = {
  readonly userId: string
  readonly tokenMac: Buffer
  readonly method: Method
  readonly userAgent: string | null
  readonly address: string | null
  /** Now, if left out. */
  readonly provedAt?: Date
  readonly sealedIdToken?: Buffer | null
}

/** Sessions are about real time: a moved clock of a sandbox must not sign people out. */
export async function insert(
  { db, clock }: Context<Tx>,
  session: NewSession,
): Promise<{ readonly id: string; readonly expiresAt: Date }> {
  const now = realTime(clock)
  const lastsMs = session.method === 'oidc' ? AT_PROVIDER_MS : ABSOLUTE_MS
  const expiresAt = new Date(now.getTime() + lastsMs)
  const id = newId(now.getTime())
  await db
    .insertInto('user_sessions')
    .values({
      id,
      user_id: session.userId,
      token_mac: session.tokenMac,
      method: session.method,
      user_agent: session.userAgent?.slice(0, 500) ?? null,
      address: session.address,
      created_at: now,
      last_used_at: now,
      proved_at: session.provedAt ?? now,
      expires_at: expiresAt,
      sealed_id_token: session.sealedIdToken ?? null,
    })
    .execute()
  return { id, expiresAt }
}

/** The session of an active user. Not limited to a caller: this is how callers are found. */
export async function findSignedIn(
  { db }: { readonly db: Db },
  tokenMac: Buffer,
): Promise<SignedIn | undefined> {
  const row = await db
    .selectFrom('user_sessions as session')
    .innerJoin('users', 'users.id', 'session.user_id')
    .select(['session.id', 'session.user_id', 'users.name', 'users.email_address'])
    .select(['session.last_used_at', 'session.proved_at', 'session.expires_at'])
    .select((eb) => [
      eb
        .selectFrom('user_roles as link')
        .innerJoin('roles', 'roles.id', 'link.role_id')
        .whereRef('link.user_id', '=', 'users.id')
        .select(sql<string[][]>`coalesce(json_agg(roles.permissions), '[]')`.as('permissions'))
        .as('permissions'),
      eb
        .selectFrom('user_merchant_accounts as account')
        .whereRef('account.user_id', '=', 'users.id')
        .select(
          sql<string[]>`coalesce(json_agg(account.merchant_account_id order by account.position), '[]')`.as(
            'ids',
          ),
        )
        .as('merchant_account_ids'),
    ])
    .where('session.token_mac', '=', tokenMac)
    .where('users.status', '=', 'active')
    .executeTakeFirst()
  if (!row) return undefined
  return {
    sessionId: row.id,
    userId: row.user_id,
    name: row.name,
    emailAddress: row.email_address,
    permissions: (row.permissions ?? []).flat(),
    merchantAccountIds: row.merchant_account_ids ?? [],
    lastUsedAt: row.last_used_at,
    provedAt: row.proved_at,
    expiresAt: row.expires_at,
  }
}

/** What the identity provider said when the session began. Null: it began another way. */
export async function findIdToken({ db }: Context, userId: string, id: string): Promise<Buffer | null> {
  const row = await db
    .selectFrom('user_sessions')
    .select('sealed_id_token')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.sealed_id_token ?? null
}

/** Several processes may note the same use. The latest one counts. */
export async function touch({ db }: { readonly db: Db }, id: string, now: Date): Promise<boolean> {
  const touched = await db
    .updateTable('user_sessions')
    .set({ last_used_at: sql<Date>`greatest(last_used_at, ${now}::timestamptz)` })
    .where('id', '=', id)
    .executeTakeFirst()
  return touched.numUpdatedRows === 1n
}

const COLUMNS = ['id', 'method', 'user_agent', 'address', 'created_at', 'last_used_at', 'expires_at'] as const

export type StoredSession = Awaited<ReturnType<typeof listLive>>[number]

export function listLive({ db, clock }: Context, userId: string, idleMs: number) {
  const now = realTime(clock)
  return db
    .selectFrom('user_sessions')
    .select(COLUMNS)
    .where('user_id', '=', userId)
    .where('expires_at', '>', now)
    .where('last_used_at', '>', new Date(now.getTime() - idleMs))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

/** The user of a session has proved again who they are. */
export async function prove({ db, clock }: Context<Tx>, id: string): Promise<Date> {
  const now = realTime(clock)
  await db.updateTable('user_sessions').set({ proved_at: now }).where('id', '=', id).execute()
  return now
}

export async function remove({ db }: Context<Tx>, userId: string, id: string): Promise<boolean> {
  const removed = await db
    .deleteFrom('user_sessions')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst()
  return removed.numDeletedRows === 1n
}

/** Returns the ids of those that ended. */
export async function removeOthers({ db }: Context<Tx>, userId: string, keptId: string): Promise<string[]> {
  const removed = await db
    .deleteFrom('user_sessions')
    .where('user_id', '=', userId)
    .where('id', '<>', keptId)
    .returning('id')
    .execute()
  return removed.map(({ id }) => id)
}

export async function removeOf({ db }: Context<Tx>, userId: string): Promise<void> {
  await db.deleteFrom('user_sessions').where('user_id', '=', userId).execute()
}

/** Sessions that have ended, by whichever limit. */
export async function purge({ db, clock }: Context): Promise<void> {
  const oldest = new Date(realTime(clock).getTime() - ABSOLUTE_MS)
  await db.deleteFrom('user_sessions').where('last_used_at', '<', oldest).execute()
}
