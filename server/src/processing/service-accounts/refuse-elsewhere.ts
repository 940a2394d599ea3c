import type { Scope, Tx } from '#platform/db.ts'
import { errors, inBody } from '#platform/errors.ts'
import type { Entry } from './check-fields.ts'
import type { CountOpen, Names } from './kind.ts'
import type { ServiceRow } from './store.ts'

type Kind = Pick<Names, 'name'> & { readonly countOpenAt?: CountOpen }

/**
 * What is open at a service is asked for with its fields. With others it may be asked for at another account of the
 * provider, which has never heard of it, and money that was taken would be reported as not taken.
 */
export async function refuseElsewhere(
  tx: Scope<Tx>,
  { name, countOpenAt }: Kind,
  { id, fields }: Pick<ServiceRow, 'id' | 'fields'>,
  given: readonly Entry[],
): Promise<void> {
  // A secret that is sent counts as changed. Comparing it would tell any caller whether a guess is right.
  const changed = given.flatMap(({ key, value }, index) => ((fields[key] ?? '') === value ? [] : [index]))
  const open = changed.length > 0 ? ((await countOpenAt?.(tx, id)) ?? 0) : 0
  if (open === 0) return
  const message = `${open} ${open === 1 ? 'operation is' : 'operations are'} still open at this ${name}; change it when nothing is, or create another one`
  throw errors.invalid(
    ...changed.map((index) => inBody(`/fields/${index}/value`, 'value_error.conflict', message)),
  )
}
