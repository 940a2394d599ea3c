import type { Link } from '#connectors/contract/connector.ts'
import type { Field } from '#connectors/contract/manifest.ts'
import { errors, inBody } from '#platform/http/errors.ts'
import { askProvider, type Line } from '../provider.ts'
import type { Fields } from './fields.ts'
import type { Described } from './registry.ts'

/** Asks the provider about credentials that are to be saved. One that cannot be asked now refuses nothing. */
export async function refuseRejected(
  line: Line,
  { manifest, verify }: Described,
  fields: Fields,
): Promise<void> {
  if (!verify) return
  const ask = (_order: null, link: Link) => verify(link)
  const answer = await askProvider(line, ask, null, { fields, options: {} })
  if (answer.outcome === 'rejected') throw rejection(manifest.fields, fields, answer.message)
}

export function rejection(known: readonly Field[], fields: Fields, message: string) {
  const reason = withoutSecrets(known, fields, message)
  return errors.invalid(
    inBody('/fields', 'value_error.conflict', `the provider rejects these credentials: ${reason}`),
  )
}

/** If a provider repeats a key in its refusal, we must not repeat it. */
export function withoutSecrets(known: readonly Field[], fields: Fields, message: string): string {
  const values = known.flatMap(({ key, isSecret }) => (isSecret && fields[key]) || [])
  return values.reduce((text, value) => text.replaceAll(value, '***'), message)
}
