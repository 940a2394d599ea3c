import { existsSync } from 'node:fs'
import { sql } from 'kysely'
import { systemClock } from '#platform/clock.ts'
import type { Db } from '#platform/db.ts'
import { isClaimed, refuseOtherInstance } from '#platform/instance.ts'
import type { Logger } from '#platform/log.ts'
import { compareMigrations, migrate } from '#platform/migrate.ts'
import { type Connection, openDatabase } from '#platform/open-database.ts'
import { readSecretFile, secretFile, secretsFrom } from '#platform/secrets.ts'
import { Vault } from '#vault'
import { MIGRATIONS } from './app.ts'
import type { Config } from './config.ts'
import { vaultKeySource } from './vault-key-source.ts'

type Options = {
  readonly logger: Logger
  /** Whoever only reads, or changes a row, must not upgrade an installation by the way. */
  readonly isUpgrade: boolean
}

/**
 * Brings the schema up to date, once it is certain that the database belongs to this installation: a migration cannot be
 * taken back. An empty one belongs to whoever comes first. Returns what was applied.
 */
export async function bringUpToDate(
  connection: Connection,
  config: Config,
  { logger, isUpgrade }: Options,
): Promise<string[]> {
  const { db, pool, close } = openDatabase(connection, { poolSize: 1, onError: () => {} })
  try {
    const { isNew, missing, unknown } = await compareMigrations(pool, MIGRATIONS)
    // Not refused: while an installation is upgraded process by process, one of the old version may have to start again.
    if (unknown.length > 0) logger.warn({ unknown }, 'a newer version has migrated this database')
    const isInUse = !isNew && missing.length > 0 && (await refuseOtherOwner(db, config))
    if (isInUse && !isUpgrade) {
      throw new Error(`${missing.join(', ')} not applied. Back up, then run: switchyard migrate`)
    }
  } finally {
    await close()
  }
  return migrate(connection, MIGRATIONS)
}

/**
 * Throws when the database belongs to another environment, secret or vault key. Returns whether it belongs to anybody. Its
 * schema may be an old one, or that of a first start which is not through.
 */
export async function refuseOtherOwner(db: Db, config: Config): Promise<boolean> {
  if (!(await exists(db, 'instance'))) return false
  if (!(await isClaimed(db))) return false
  const context = { db, clock: systemClock, actor: { id: null, name: 'Switchyard' }, requestId: null }
  await refuseOtherInstance(context, config.environment, secretsFrom(secretOf(config)))
  if (await exists(db, 'vault.key_encryption_keys')) {
    await Vault.check(db, config.environment, vaultKeySource(config))
  }
  return true
}

async function exists(db: Db, table: string): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`select to_regclass(${table}) is not null as found`.execute(
    db,
  )
  return rows[0]?.found === true
}

/** Not made where there is none: it could not be the one that the database knows. */
export function secretOf({ secretKey, dataDir }: Config): Buffer {
  if (secretKey !== null) return secretKey
  const file = secretFile(dataDir)
  if (!existsSync(file))
    throw new Error(`${file} is missing, and the database needs it. Restore it from a backup.`)
  return readSecretFile(dataDir)
}
