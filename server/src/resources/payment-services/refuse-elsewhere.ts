import { errors, inBody } from '../../platform/errors.ts'
import type { Entry } from './check-fields.ts'

/**
 * What is open at a service is asked for with its fields. With others it may be asked for at another account of the
 * provider, which has never heard of it, and money that was taken would be reported as not taken.
 */
export async function refuseElsewhere(
  { fields }: { readonly fields: Readonly<Record<string, string>> },
  given: readonly Entry[],
  countOpen: () => Promise<number>,
  what = 'payment service',
): Promise<void> {
  // Whoever sends a secret changes it. Comparing it would tell anybody whether a guess is right.
  const changed = given.flatMap(({ key, value }, index) => ((fields[key] ?? '') === value ? [] : [index]))
  const open = changed.length > 0 ? await countOpen() : 0
  if (open === 0) return
  const message = `${open} ${open === 1 ? 'operation is' : 'operations are'} still open at this ${what}; change it when nothing is, or create another one`
  throw errors.invalid(
    ...changed.map((index) => inBody(`/fields/${index}/value`, 'value_error.conflict', message)),
  )
}
