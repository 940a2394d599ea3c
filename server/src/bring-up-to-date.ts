import { sql } from 'kysely'
import { Vault } from '../../vault/client.ts'
import { MIGRATIONS } from './app.ts'
import type { Config } from './config.ts'
import { systemClock } from './platform/clock.ts'
import { type Connection, type Db, openDatabase } from './platform/db.ts'
import { refuseOtherInstance } from './platform/instance.ts'
import type { Logger } from './platform/log.ts'
import { compareMigrations, migrate } from './platform/migrate.ts'
import { readOrMakeSecretFile, secretsFrom } from './platform/secrets.ts'
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
    if (!isNew && missing.length > 0) {
      await refuseOtherOwner(db, config)
      if (!isUpgrade) {
        throw new Error(`${missing.join(', ')} not applied. Back up, then run: switchyard migrate`)
      }
    }
  } finally {
    await close()
  }
  return migrate(connection, MIGRATIONS)
}

/** A first start that was interrupted may have left either table out. */
async function refuseOtherOwner(db: Db, config: Config): Promise<void> {
  const found = await sql<{ instance: boolean; vault: boolean }>`
    select to_regclass('instance') is not null as instance,
      to_regclass('vault.key_encryption_keys') is not null as vault
  `.execute(db)
  const has = found.rows[0]
  if (has?.instance) {
    const secrets = secretsFrom(config.secretKey ?? readOrMakeSecretFile(config.dataDir))
    const context = { db, clock: systemClock, actor: { id: null, name: 'Switchyard' }, requestId: null }
    await refuseOtherInstance(context, config.environment, secrets)
  }
  if (has?.vault) await Vault.check(db, config.environment, vaultKeySource(config))
}
