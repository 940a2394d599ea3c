import type { Context, Tx } from '#platform/database/db.ts'
import { realTime } from '#platform/process/clock.ts'

declare module '#platform/database/db.ts' {
  interface Tables {
    user_identities: { user_id: string; issuer: string; subject: string; created_at: Date }
  }
}

export type Identity = { readonly issuer: string; readonly subject: string }

export async function findUserId(
  { db }: Context,
  { issuer, subject }: Identity,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('user_identities')
    .select('user_id')
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst()
  return row?.user_id
}

export async function isLinked({ db }: Context, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('user_identities')
    .select('user_id')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row !== undefined
}

export async function insert(
  { db, clock }: Context<Tx>,
  userId: string,
  { issuer, subject }: Identity,
): Promise<void> {
  await db
    .insertInto('user_identities')
    .values({ user_id: userId, issuer, subject, created_at: realTime(clock) })
    .execute()
}

export async function removeOf({ db }: Context<Tx>, userId: string): Promise<void> {
  await db.deleteFrom('user_identities').where('user_id', '=', userId).execute()
}
