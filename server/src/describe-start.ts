import { existsSync, readFileSync } from 'node:fs'
import type { Context } from '#platform/db.ts'
import { instanceNameOf } from '#platform/instance.ts'
import type { Secrets } from '#platform/secrets.ts'
import { describePrivateKey } from '#resources/api-key-pairs/keys.ts'
import * as apiKeyPairs from '#resources/api-key-pairs/store.ts'
import { adminKeyFile, type Config, PORT_DEFAULT } from './config.ts'
import { whoListens } from './who-listens.ts'

/** What the operator is told after the start. */
export type StartFacts = {
  /** The private key of the command line, if this database knows it. */
  readonly keyFile: string | null
  readonly hasKeys: boolean
  /** What uses the default port, if the service had to take another one. */
  readonly atDefaultPort: string | null
}

export async function describeStart(
  config: Config,
  port: number,
  { context, secrets }: { readonly context: Context; readonly secrets: Secrets },
): Promise<StartFacts> {
  const isMoved = config.port === null && port !== PORT_DEFAULT
  const place = { host: config.host, port: PORT_DEFAULT }
  return {
    keyFile: await findKeyFile(config, context),
    hasKeys: (await apiKeyPairs.countActive(context)) > 0,
    atDefaultPort: isMoved ? await whoListens(place, instanceNameOf(secrets)) : null,
  }
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
