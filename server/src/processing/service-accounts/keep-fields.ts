import type { Field } from '#connectors/contract/manifest.ts'
import type { Scope, Tx } from '#platform/database/db.ts'
import { errors } from '#platform/http/errors.ts'
import type { Vault } from '#vault'
import { complaintsAboutFields, type Entry } from './check-fields.ts'
import { type Kept, sealFields } from './seal-fields.ts'

type Change = {
  readonly known: readonly Field[]
  readonly before?: Kept | undefined
  readonly given: readonly Entry[]
  readonly type: string
}

/** Checks a merchant's fields against the connector's, and puts secret ones into the vault. */
export async function keepFields(
  tx: Scope<Tx>,
  vault: Vault,
  { known, before, given, type }: Change,
): Promise<Kept> {
  const stored = { fields: before?.fields ?? {}, secrets: before?.secrets ?? {} }
  const complaints = complaintsAboutFields({
    pointer: '/fields',
    known,
    given,
    stored,
    isRequired: (field) => field.isRequired,
  })
  if (complaints.length > 0) throw errors.invalid(...complaints)
  return sealFields(tx, vault, stored, { known, given, type })
}
