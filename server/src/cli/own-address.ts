import { secretsFrom } from '#platform/access/secrets.ts'
import { instanceNameOf } from '#platform/process/instance.ts'
import { secretOf } from '../bring-up-to-date.ts'
import { type Config, PORT_DEFAULT, PORTS_TO_TRY } from '../config.ts'
import { findInstance, localUrl } from '../who-listens.ts'

/** The ports that a sandbox takes the first free one of. */
export const PORTS: readonly number[] = Array.from(
  { length: PORTS_TO_TRY },
  (_, index) => PORT_DEFAULT + index,
)

/**
 * Where the service of this configuration is found. A sandbox that was told no port may have moved to the next free one: it is
 * asked which. If it does not run, it will begin with the first.
 */
export async function addressOf(config: Config, ports = PORTS): Promise<string> {
  const { publicUrl, host, port, environment } = config
  if (publicUrl !== null) return publicUrl
  const instance = port === null && environment === 'sandbox' ? instanceOf(config) : null
  const found = instance === null ? undefined : await findInstance(host, ports, instance)
  return localUrl({ host, port: port ?? found ?? PORT_DEFAULT })
}

/** Null if there is no secret yet: then no running service can be this installation. */
export function instanceOf(config: Config): string | null {
  try {
    return instanceNameOf(secretsFrom(secretOf(config)))
  } catch {
    return null
  }
}
