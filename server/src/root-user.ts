import type { Config } from './config.ts'

export const ROOT_WARNING =
  'this process runs as root, and does not need to. Run it as a user of its own: otherwise a flaw in it opens the whole machine'

/** Only production is warned: a sandbox in a container or on a rented machine is often started by root. */
export function isRootInProduction({ environment }: Pick<Config, 'environment'>): boolean {
  return environment === 'production' && process.getuid?.() === 0
}
