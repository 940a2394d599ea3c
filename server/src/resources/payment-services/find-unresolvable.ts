import type { Context, Scope } from '#platform/database/db.ts'
import { findUnresolvable, type Unresolvable } from '#processing/attempts/backlog.ts'
import type { Registries } from '#processing/connectors.ts'
import { idsOf, listOf } from './store.ts'

/** Attempts at payment services whose outcome the service cannot find out by itself any more. */
export async function findUnresolvableAttempts(
  context: Context,
  { connectors }: Pick<Registries, 'connectors'>,
): Promise<Unresolvable> {
  const services = await listOf(context, silentProviders({ connectors }))
  return findUnresolvable(
    context,
    services.map(({ id }) => id),
  )
}

/** The services of an account whose providers tell outcomes by themselves, and cannot be asked. */
export function silentServiceIds(
  scope: Scope,
  registries: Pick<Registries, 'connectors'>,
): Promise<string[]> {
  return idsOf(scope, silentProviders(registries))
}

function silentProviders({ connectors }: Pick<Registries, 'connectors'>): string[] {
  const silent = connectors.list.filter(({ manifest }) => manifest.recovery.by === 'notification')
  return silent.map(({ manifest }) => manifest.id)
}
