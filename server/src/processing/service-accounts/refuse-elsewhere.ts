import type { Scope, Tx } from '#platform/database/db.ts'
import { errors, inBody } from '#platform/http/errors.ts'
import type { Entry } from './check-fields.ts'
import type { CountOpen, Names } from './kind.ts'
import type { ServiceRow } from './store.ts'

type Kind = Pick<Names, 'name'> & { readonly countOpenAt?: CountOpen }

/**
 * Open attempts are inquired about with the service's fields. With other fields, we might ask another account
 * of the provider, which does not know them, and captured money would be reported as not captured.
 */
export async function refuseElsewhere(
  tx: Scope<Tx>,
  { name, countOpenAt }: Kind,
  { id, fields }: Pick<ServiceRow, 'id' | 'fields'>,
  given: readonly Entry[],
): Promise<void> {
  // A secret that is sent counts as changed. A comparison would tell any caller whether a guess is right.
  const changed = given.flatMap(({ key, value }, index) => ((fields[key] ?? '') === value ? [] : [index]))
  const open = changed.length > 0 ? ((await countOpenAt?.(tx, id)) ?? 0) : 0
  if (open === 0) return
  const message = `${open} ${open === 1 ? 'operation is' : 'operations are'} still open at this ${name}; change it later, or create another one`
  throw errors.invalid(
    ...changed.map((index) => inBody(`/fields/${index}/value`, 'value_error.conflict', message)),
  )
}
