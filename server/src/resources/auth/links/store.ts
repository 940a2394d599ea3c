import { newId } from '#domain/ids.ts'
import type { Context, Tables, Tx } from '#platform/database/db.ts'
import { realTime } from '#platform/process/clock.ts'

declare module '#platform/database/db.ts' {
  interface Tables {
    user_links: {
      id: string
      purpose: Purpose
      user_id: string | null
      token_mac: Buffer
      expires_at: Date
      created_at: Date
    }
  }
}

export type Purpose = 'setup' | 'invitation' | 'reset'

type NewLink = {
  readonly purpose: Purpose
  readonly userId: string | null
  readonly tokenMac: Buffer
  readonly lastsMs: number
}

/** Takes the place of an earlier link for the same user. Returns when it ends. */
export async function replace({ db, clock }: Context<Tx>, link: NewLink): Promise<Date> {
  const now = realTime(clock)
  const expiresAt = new Date(now.getTime() + link.lastsMs)
  await db
    .deleteFrom('user_links')
    .where('user_id', link.userId === null ? 'is' : '=', link.userId)
    .execute()
  await db
    .insertInto('user_links')
    .values({
      id: newId(now.getTime()),
      purpose: link.purpose,
      user_id: link.userId,
      token_mac: link.tokenMac,
      expires_at: expiresAt,
      created_at: now,
    })
    .execute()
  return expiresAt
}

export type StoredLink = Pick<Tables['user_links'], 'id' | 'purpose' | 'user_id'>

/** Undefined if there is no such link, or not any more. */
export function find({ db, clock }: Context, tokenMac: Buffer): Promise<StoredLink | undefined> {
  return db
    .selectFrom('user_links')
    .select(['id', 'purpose', 'user_id'])
    .where('token_mac', '=', tokenMac)
    .where('expires_at', '>', realTime(clock))
    .executeTakeFirst()
}

/** Uses the link up. Of two requests at once, one gets true. */
export async function use({ db }: Context<Tx>, id: string): Promise<boolean> {
  const used = await db.deleteFrom('user_links').where('id', '=', id).executeTakeFirst()
  return used.numDeletedRows === 1n
}

export async function removeOf({ db }: Context<Tx>, userId: string): Promise<void> {
  await db.deleteFrom('user_links').where('user_id', '=', userId).execute()
}

/** Of all users who have a role. */
export async function removeOfHolders({ db }: Context<Tx>, roleId: string): Promise<void> {
  await db
    .deleteFrom('user_links')
    .where('user_id', 'in', (eb) =>
      eb.selectFrom('user_roles').select('user_id').where('role_id', '=', roleId),
    )
    .execute()
}

export async function purge({ db, clock }: Context): Promise<void> {
  await db.deleteFrom('user_links').where('expires_at', '<=', realTime(clock)).execute()
}
