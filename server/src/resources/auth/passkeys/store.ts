import { newId } from '#domain/ids.ts'
import type { Context, Tables, Tx } from '#platform/database/db.ts'
import { realTime } from '#platform/process/clock.ts'

declare module '#platform/database/db.ts' {
  interface Tables {
    user_passkeys: {
      id: string
      user_id: string
      credential_id: string
      public_key: Buffer
      counter: string
      transports: string[]
      name: string
      created_at: Date
      last_used_at: Date | null
    }
  }
}

export type NewPasskey = {
  readonly credentialId: string
  readonly publicKey: Buffer
  readonly counter: number
  readonly transports: readonly string[]
  readonly name: string
}

export type StoredPasskey = Tables['user_passkeys']

const COLUMNS = [
  'id',
  'user_id',
  'credential_id',
  'public_key',
  'counter',
  'transports',
  'name',
  'created_at',
  'last_used_at',
] as const

export function insert(
  { db, clock }: Context<Tx>,
  userId: string,
  passkey: NewPasskey,
): Promise<StoredPasskey> {
  const now = realTime(clock)
  return db
    .insertInto('user_passkeys')
    .values({
      id: newId(now.getTime()),
      user_id: userId,
      credential_id: passkey.credentialId,
      public_key: passkey.publicKey,
      counter: String(passkey.counter),
      transports: [...passkey.transports],
      name: passkey.name,
      created_at: now,
      last_used_at: null,
    })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
}

export function listOf({ db }: Context, userId: string): Promise<StoredPasskey[]> {
  return db
    .selectFrom('user_passkeys')
    .select(COLUMNS)
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

/** Of an active user only: others cannot sign in. */
export function findActive({ db }: Context, credentialId: string): Promise<StoredPasskey | undefined> {
  return db
    .selectFrom('user_passkeys')
    .select(COLUMNS)
    .where('credential_id', '=', credentialId)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('users')
          .select('users.id')
          .whereRef('users.id', '=', 'user_passkeys.user_id')
          .where('users.status', '=', 'active'),
      ),
    )
    .executeTakeFirst()
}

export async function noteUse({ db, clock }: Context, id: string, counter: number): Promise<void> {
  await db
    .updateTable('user_passkeys')
    .set({ counter: String(counter), last_used_at: realTime(clock) })
    .where('id', '=', id)
    .execute()
}

export function rename(
  { db }: Context<Tx>,
  { userId, id, name }: { readonly userId: string; readonly id: string; readonly name: string },
): Promise<StoredPasskey | undefined> {
  return db
    .updateTable('user_passkeys')
    .set({ name })
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .returning(COLUMNS)
    .executeTakeFirst()
}

export async function remove(
  { db }: Context<Tx>,
  userId: string,
  id: string,
): Promise<StoredPasskey | undefined> {
  return db
    .deleteFrom('user_passkeys')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .returning(COLUMNS)
    .executeTakeFirst()
}

export async function removeOf({ db }: Context<Tx>, userId: string): Promise<void> {
  await db.deleteFrom('user_passkeys').where('user_id', '=', userId).execute()
}
