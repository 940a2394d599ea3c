import { admit, loadOutside } from '#processing/connectors.ts'
import type { OutsidePackage } from '#processing/outside/load-packages.ts'
import { type Config, secretsIn } from './config.ts'

/** Loads the packages of connectors that the operator names, for this process. Before the service itself is loaded. */
export async function admitPackages(config: Config): Promise<readonly OutsidePackage[]> {
  const packages = await loadOutside(config.connectors, secretsIn(config))
  admit(packages)
  return packages
}
