import { sql } from 'kysely'
import type { Context, Tx } from '#platform/database/db.ts'
import { realTime } from '#platform/process/clock.ts'
import type { PasswordState } from './schemas.ts'

declare module '#platform/database/db.ts' {
  interface Tables {
    user_passwords: {
      user_id: string
      hash: string
      sealed_authenticator: Buffer
      last_step: string
      changed_at: Date
    }
    user_former_passwords: { user_id: string; hash: string; created_at: Date }
    user_recovery_codes: { user_id: string; code_mac: Buffer }
  }
}

export type StoredPassword = {
  readonly hash: string
  readonly sealed_authenticator: Buffer
  readonly last_step: string
}

export function find({ db }: Context, userId: string): Promise<StoredPassword | undefined> {
  return db
    .selectFrom('user_passwords')
    .select(['hash', 'sealed_authenticator', 'last_step'])
    .where('user_id', '=', userId)
    .executeTakeFirst()
}

type NewPassword = {
  readonly hash: string
  readonly sealedAuthenticator: Buffer
  readonly lastStep: number
  readonly recoveryMacs: readonly Buffer[]
}

export async function insert(
  { db, clock }: Context<Tx>,
  userId: string,
  password: NewPassword,
): Promise<void> {
  await db
    .insertInto('user_passwords')
    .values({
      user_id: userId,
      hash: password.hash,
      sealed_authenticator: password.sealedAuthenticator,
      last_step: String(password.lastStep),
      changed_at: realTime(clock),
    })
    .execute()
  await insertRecoveryCodes(db, userId, password.recoveryMacs)
  await remember({ db, clock }, userId, password.hash)
}

/** PCI DSS 8.3.7. */
const REMEMBERED = 4

/** So that it is not chosen again soon. */
async function remember(
  { db, clock }: Pick<Context<Tx>, 'db' | 'clock'>,
  userId: string,
  hash: string,
): Promise<void> {
  await db
    .insertInto('user_former_passwords')
    .values({ user_id: userId, hash, created_at: realTime(clock) })
    .execute()
  await db
    .deleteFrom('user_former_passwords')
    .where('user_id', '=', userId)
    .where('hash', 'not in', (eb) =>
      eb
        .selectFrom('user_former_passwords')
        .select('hash')
        .where('user_id', '=', userId)
        .orderBy('created_at', 'desc')
        .limit(REMEMBERED),
    )
    .execute()
}

/** The hashes of the last passwords, with the present one. */
export async function remembered({ db }: Context, userId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('user_former_passwords')
    .select('hash')
    .where('user_id', '=', userId)
    .execute()
  return rows.map(({ hash }) => hash)
}

export async function replaceRecoveryCodes(
  { db }: Context<Tx>,
  userId: string,
  macs: readonly Buffer[],
): Promise<void> {
  await db.deleteFrom('user_recovery_codes').where('user_id', '=', userId).execute()
  await insertRecoveryCodes(db, userId, macs)
}

async function insertRecoveryCodes(db: Tx, userId: string, macs: readonly Buffer[]): Promise<void> {
  await db
    .insertInto('user_recovery_codes')
    .columns(['user_id', 'code_mac'])
    .expression(sql`select ${userId}::uuid, unnest(${macs}::bytea[])`)
    .execute()
}

/** Keeps the authenticator app and its recovery codes. False if the user has no password. */
export async function changeHash({ db, clock }: Context<Tx>, userId: string, hash: string): Promise<boolean> {
  const changed = await db
    .updateTable('user_passwords')
    .set({ hash, changed_at: realTime(clock) })
    .where('user_id', '=', userId)
    .executeTakeFirst()
  if (changed.numUpdatedRows === 0n) return false
  await remember({ db, clock }, userId, hash)
  return true
}

export async function stateOf({ db }: Context, userId: string): Promise<PasswordState> {
  const row = await db
    .selectFrom('user_passwords')
    .select('changed_at')
    .select(sql<number>`(select count(*)::int from user_recovery_codes where user_id = ${userId})`.as('left'))
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return {
    type: 'password',
    is_set: row !== undefined,
    changed_at: row?.changed_at.toISOString() ?? null,
    recovery_codes_left: row?.left ?? 0,
  }
}

/** No code counts twice. Of two requests with one code, one gets true. */
export async function useStep({ db }: Context, userId: string, step: number): Promise<boolean> {
  const used = await db
    .updateTable('user_passwords')
    .set({ last_step: String(step) })
    .where('user_id', '=', userId)
    .where('last_step', '<', String(step))
    .executeTakeFirst()
  return used.numUpdatedRows === 1n
}

export async function useRecoveryCode({ db }: Context, userId: string, codeMac: Buffer): Promise<boolean> {
  const used = await db
    .deleteFrom('user_recovery_codes')
    .where('user_id', '=', userId)
    .where('code_mac', '=', codeMac)
    .executeTakeFirst()
  return used.numDeletedRows === 1n
}

/** For a user who will have no password again: what was remembered goes, too. */
export async function forgetOf(tx: Context<Tx>, userId: string): Promise<void> {
  await removeOf(tx, userId)
  await tx.db.deleteFrom('user_former_passwords').where('user_id', '=', userId).execute()
}

export async function removeOf({ db }: Context<Tx>, userId: string): Promise<void> {
  await db.deleteFrom('user_recovery_codes').where('user_id', '=', userId).execute()
  await db.deleteFrom('user_passwords').where('user_id', '=', userId).execute()
}
