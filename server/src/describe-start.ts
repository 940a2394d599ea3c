import { existsSync, readFileSync } from 'node:fs'
import type { Secrets } from '#platform/access/secrets.ts'
import { type Context, inTransaction } from '#platform/database/db.ts'
import { instanceNameOf } from '#platform/process/instance.ts'
import { describePrivateKey } from '#resources/api-key-pairs/keys.ts'
import * as apiKeyPairs from '#resources/api-key-pairs/store.ts'
import { type Installation, makeLink } from '#resources/auth/links/make.ts'
import * as users from '#resources/users/store.ts'
import { adminKeyFile, type Config, PORT_DEFAULT } from './config.ts'
import { whoListens } from './who-listens.ts'

type Started = { readonly context: Context; readonly secrets: Secrets; readonly publicUrl: string }

/** What the operator is told after the start. */
export type StartFacts = {
  /** The private key of the command line, if this database knows it. */
  readonly keyFile: string | null
  readonly hasKeys: boolean
  /** Makes the link for the first user. Null if there is a user. */
  readonly makeSetupLink: (() => Promise<string>) | null
  /** What uses the default port, if the service had to take another one. */
  readonly atDefaultPort: string | null
}

export async function describeStart(
  config: Config,
  port: number,
  { context, secrets, publicUrl }: Started,
): Promise<StartFacts> {
  const isMoved = config.port === null && port !== PORT_DEFAULT
  const place = { host: config.host, port: PORT_DEFAULT }
  return {
    keyFile: await findKeyFile(config, context),
    hasKeys: (await apiKeyPairs.countActive(context)) > 0,
    makeSetupLink: (await users.isEmpty(context)) ? () => setupLink(context, { secrets, publicUrl }) : null,
    atDefaultPort: isMoved ? await whoListens(place, instanceNameOf(secrets)) : null,
  }
}

/** Each start makes a new one, which takes the place of the last. */
async function setupLink(context: Context, installation: Installation): Promise<string> {
  const link = await inTransaction(context, (tx) =>
    makeLink(tx, installation, { purpose: 'setup', userId: null }),
  )
  return link.url
}

/** The file may belong to another installation, for example a sandbox that ran in this folder before. */
async function findKeyFile({ dataDir }: Config, context: Context): Promise<string | null> {
  const file = adminKeyFile(dataDir)
  if (!existsSync(file)) return null
  try {
    const { thumbprint } = await describePrivateKey(readFileSync(file, 'utf8'))
    const pair = await apiKeyPairs.findByThumbprint(context, 'all', thumbprint)
    return pair?.active ? file : null
  } catch {
    // An unreadable file is not offered; doctor says what is wrong with it.
    return null
  }
}
