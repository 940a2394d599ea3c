import { newId } from '#domain/ids.ts'
import type { Context, Tables } from '#platform/database/db.ts'
import { realTime } from '#platform/process/clock.ts'

declare module '#platform/database/db.ts' {
  interface Tables {
    user_challenges: {
      id: string
      purpose: Purpose
      user_id: string | null
      link_id: string | null
      challenge: string
      sealed_authenticator: Buffer | null
      expires_at: Date
      created_at: Date
    }
  }
}

type Purpose = 'enrol' | 'sign-in' | 'add-passkey' | 'prove' | 'oidc' | 'new-app'

/** Time enough to find a phone and install an app on it. */
const LASTS_MS = 10 * 60_000

type NewChallenge = {
  readonly id: string
  readonly purpose: Purpose
  readonly userId?: string
  readonly linkId?: string
  readonly challenge: string
  readonly sealedAuthenticator?: Buffer
}

export function newChallengeId({ clock }: Context): string {
  return newId(realTime(clock).getTime())
}

export async function insert({ db, clock }: Context, challenge: NewChallenge): Promise<void> {
  const now = realTime(clock)
  await db
    .insertInto('user_challenges')
    .values({
      id: challenge.id,
      purpose: challenge.purpose,
      user_id: challenge.userId ?? null,
      link_id: challenge.linkId ?? null,
      challenge: challenge.challenge,
      sealed_authenticator: challenge.sealedAuthenticator ?? null,
      expires_at: new Date(now.getTime() + LASTS_MS),
      created_at: now,
    })
    .execute()
}

const SHOWN = ['user_id', 'link_id', 'challenge', 'sealed_authenticator', 'expires_at', 'created_at'] as const

export type Challenge = Pick<Tables['user_challenges'], (typeof SHOWN)[number]>

/** For codes of an authenticator app: one that was mistyped does not take the key away that the app has. */
export async function find(
  { db, clock }: Context,
  id: string,
  purpose: Purpose,
): Promise<Challenge | undefined> {
  return db
    .selectFrom('user_challenges')
    .select(SHOWN)
    .where('id', '=', id)
    .where('purpose', '=', purpose)
    .where('expires_at', '>', realTime(clock))
    .executeTakeFirst()
}

/** For passkeys and identity providers: each challenge is answered once. The first answer takes it, good or bad. */
export async function take(
  { db, clock }: Context,
  id: string,
  purpose: Purpose,
): Promise<Challenge | undefined> {
  const taken = await db
    .deleteFrom('user_challenges')
    .where('id', '=', id)
    .where('purpose', '=', purpose)
    .returning(SHOWN)
    .executeTakeFirst()
  return taken && taken.expires_at > realTime(clock) ? taken : undefined
}

export async function purge({ db, clock }: Context): Promise<void> {
  await db.deleteFrom('user_challenges').where('expires_at', '<=', realTime(clock)).execute()
}
