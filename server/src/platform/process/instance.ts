import { timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import type { Secrets } from '../access/secrets.ts'
import type { Context, Db, Tx } from '../database/db.ts'

declare module '../database/db.ts' {
  interface Tables {
    instance: {
      is_only: boolean
      environment: string
      secret_check: Buffer
      created_at: Date
    }
    made_once: { name: string; made_at: Date }
  }
}

/**
 * Ties a database to its environment and its secret, so that test keys never meet production data and sealed
 * values can be opened. Returns whether this was the first start.
 */
export async function claimInstance(
  context: Pick<Context, 'db' | 'clock'>,
  environment: string,
  secrets: Secrets,
): Promise<boolean> {
  const made = await context.db
    .insertInto('instance')
    .values({
      is_only: true,
      environment,
      secret_check: checkOf(secrets),
      created_at: context.clock(),
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  if (made.numInsertedOrUpdatedRows === 1n) return true
  await refuseOtherInstance(context, environment, secrets)
  return false
}

/** Whether a first start has tied the database to its secret. Works with old schemas, too. */
export async function isClaimed(db: Db): Promise<boolean> {
  const { rows } = await sql`select 1 from instance`.execute(db)
  return rows.length > 0
}

/** Throws when the database belongs to another environment or secret. Returns whether it was claimed at all. */
export async function refuseOtherInstance(
  context: Pick<Context, 'db'>,
  environment: string,
  secrets: Secrets,
): Promise<boolean> {
  const found = await context.db
    .selectFrom('instance')
    .select(['environment', 'secret_check'])
    .executeTakeFirst()
  if (!found) return false
  if (found.environment !== environment) {
    throw new Error(
      `ENVIRONMENT is ${environment}, and this database belongs to a ${found.environment} installation. ` +
        'Use the right DATABASE_URL or DATA_DIR.',
    )
  }
  if (!timingSafeEqual(found.secret_check, checkOf(secrets))) {
    throw new Error(
      'SECRET_KEY is not the one this database was set up with, so sealed values could not be opened. ' +
        'Restore it (in a sandbox: the file secret.key in DATA_DIR), or give every process the same SECRET_KEY.',
    )
  }
  return true
}

/** Identifies an installation to those who ask who listens at a port. It reveals nothing about the secret. */
export function instanceNameOf(secrets: Secrets): string {
  return secrets.mac('instance-name', 'switchyard').toString('hex').slice(0, 16)
}

function checkOf(secrets: Secrets): Buffer {
  return secrets.mac('instance', 'switchyard')
}

/**
 * Whether something that a sandbox starts with, such as its first key, has yet to be made. Each name is new
 * once in the life of an installation. Of several processes at once, one gets true; the others wait until its
 * transaction ends.
 */
export async function isMadeNow({ db, clock }: Context<Tx>, name: string): Promise<boolean> {
  const noted = await db
    .insertInto('made_once')
    .values({ name, made_at: clock() })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return noted.numInsertedOrUpdatedRows === 1n
}
