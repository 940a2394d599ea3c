import type { Context } from '#platform/database/db.ts'
import { loadOutside, type Registries } from '#processing/connectors.ts'
import { idsOf, type OutsidePackage } from '#processing/outside/load-packages.ts'
import { findOrphans } from '#processing/service-accounts/find-orphans.ts'
import type { Config } from '../config.ts'
import { secretsIn } from '../config-secrets.ts'
import { type Finding, ok, problem } from './finding.ts'
import { reasonOf } from './terminal.ts'

type Checked = { readonly finding: Finding; readonly packages: readonly OutsidePackage[] | null }

/** Loads the packages of connectors as the service does. Null: it would not start with them. */
export async function checkPackages(config: Config): Promise<Checked> {
  try {
    const packages = await loadOutside(config.connectors, secretsIn(config))
    const named = packages.map((one) => `${one.name} ${one.version} (${idsOf(one).join(', ')})`)
    const text = named.length === 0 ? 'none from packages' : `from packages: ${named.join('; ')}`
    return { finding: ok('connectors', text), packages }
  } catch (error) {
    return { finding: problem('connectors', reasonOf(error)), packages: null }
  }
}

/** Payments skip a service without a connector, and nothing else can be done with it but to delete it. */
export async function checkServices(context: Context, registries: Registries): Promise<Finding> {
  const orphans = await findOrphans(context, registries)
  if (orphans.length === 0) return ok('services', 'each has its connector')
  const list = orphans.map(({ definition, services }) => `${services} of ${definition}`).join(', ')
  return problem(
    'services',
    `payments skip services whose connector is not here: ${list}`,
    'Name the packages of these connectors in CONNECTORS, or delete the services.',
  )
}
