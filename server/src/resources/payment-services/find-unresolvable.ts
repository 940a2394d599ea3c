import type { Context } from '#platform/db.ts'
import { findUnresolvable, type Unresolvable } from '#processing/attempts/unresolvable.ts'
import type { Registries } from '#processing/connectors.ts'
import { listOf } from './store.ts'

/** Attempts at payment services whose outcome the service cannot find out by itself any more. */
export async function findUnresolvableAttempts(
  context: Context,
  { connectors }: Pick<Registries, 'connectors'>,
): Promise<Unresolvable> {
  const silent = connectors.list.filter(({ manifest }) => manifest.recovery.by === 'notification')
  const services = await listOf(
    context,
    silent.map(({ manifest }) => manifest.id),
  )
  return findUnresolvable(
    context,
    services.map(({ id }) => id),
  )
}
