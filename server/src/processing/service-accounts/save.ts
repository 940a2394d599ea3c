import type { Field } from '#connectors/contract/manifest.ts'
import { violatedUnique } from '#platform/database/database-errors.ts'
import { inTransaction, type Scope, type Tx } from '#platform/database/db.ts'
import { errors, inBody } from '#platform/http/errors.ts'
import { type Finished, inFinalTransaction, type Once } from '#platform/idempotency/once.ts'
import type { Vault } from '#vault'
import { complaintsAboutFields, type Entry } from './check-fields.ts'
import { definitionOf, findDefinition } from './find-definition.ts'
import type { Kind, Named, Names, RecordChange } from './kind.ts'
import { refuseElsewhere } from './refuse-elsewhere.ts'
import type { Described, Registry } from './registry.ts'
import { type Kept, sealFields } from './seal-fields.ts'
import type { ServiceRow, Settings } from './store.ts'

type Needs<Row, Shown> = {
  readonly vault: Vault
  readonly connectors: Registry<Described>
  readonly show: (row: Row) => Shown
}

type Create = {
  readonly display_name: string
  readonly fields: readonly Entry[]
  readonly active?: boolean | null
}

export async function createService<Definition extends string, Row extends Named<Definition>, Own, Shown>(
  scope: Scope,
  kind: Kind<Definition, Row, Own>,
  { vault, connectors, show, once }: Needs<Row, Shown> & { readonly once: Once },
  request: Create & Own & Readonly<Record<Definition, string>>,
): Promise<Finished<Shown>> {
  const connector = findDefinition(kind, connectors, request[kind.definition])
  return orRefuseSecond(scope, kind, () =>
    inFinalTransaction(scope, once, async (tx) =>
      show(await insertService(tx, kind, { vault, connector }, request)),
    ),
  )
}

/**
 * Part of the caller's transaction, so that a sandbox's first service is stored together with the note that
 * it was made.
 */
export async function insertService<Definition extends string, Row extends Named<Definition>, Own>(
  tx: Scope<Tx>,
  kind: Kind<Definition, Row, Own>,
  { vault, connector: { manifest } }: { readonly vault: Vault; readonly connector: Described },
  request: Create & Own,
): Promise<Row> {
  const kept = await keepFields(tx, vault, { known: manifest.fields, given: request.fields, type: kind.type })
  const stored = await kind.insert(tx, {
    ...kind.settings?.(request, undefined),
    [kind.definition]: manifest.id,
    display_name: request.display_name,
    active: request.active ?? true,
    ...kept,
  } as unknown as Settings<Row>)
  await recordChange(tx, kind, 'created', stored)
  return stored
}

type Update<Own> = {
  readonly id: string
  readonly request: Own & { readonly [Setting in keyof Create]?: Create[Setting] | null | undefined }
}

/** Settings that are absent or null stay. */
export function updateService<Definition extends string, Row extends Named<Definition>, Own, Shown>(
  scope: Scope,
  kind: Kind<Definition, Row, Own>,
  { vault, connectors, show }: Needs<Row, Shown>,
  { id, request }: Update<Own>,
): Promise<Shown> {
  return orRefuseSecond(scope, kind, () =>
    inTransaction(scope, async (tx) => {
      const before = await kind.lock(tx, id)
      if (!before) throw errors.notFound()
      const { manifest } = definitionOf(connectors, before[kind.definition])
      const given = request.fields ?? []
      await refuseElsewhere(tx, kind, before, given)
      const kept = await keepFields(tx, vault, { known: manifest.fields, before, given, type: kind.type })
      const after = await kind.update(tx, before, {
        ...kind.settings?.(request, before),
        display_name: request.display_name ?? before.display_name,
        active: request.active ?? before.active,
        ...kept,
      } as Partial<Settings<Row>>)
      await recordChange(tx, kind, 'updated', after)
      return show(after)
    }),
  )
}

/**
 * No new operation uses the service. Open ones are still inquired about, so a job removes its secrets later.
 * The row stays for the books.
 */
export function deleteService<Definition extends string, Row extends Named<Definition>, Own>(
  scope: Scope,
  kind: Kind<Definition, Row, Own>,
  id: string,
): Promise<void> {
  return inTransaction(scope, async (tx) => {
    const service = await kind.lock(tx, id)
    if (!service) throw errors.notFound()
    await kind.markDeleted(tx, service)
    await recordChange(tx, kind, 'deleted', service)
  })
}

export function recordChange(
  tx: Scope<Tx>,
  { record, type }: Pick<Names, 'type'> & { readonly record: RecordChange },
  action: 'created' | 'updated' | 'deleted',
  { id, display_name }: Pick<ServiceRow, 'id' | 'display_name'>,
): Promise<void> {
  return record(tx, action, { type, id, name: display_name })
}

type OneActive = {
  readonly name: string
  readonly oneActive?: string
  readonly findActive: (scope: Scope) => Promise<Pick<ServiceRow, 'id'> | undefined>
}

async function orRefuseSecond<Result>(
  scope: Scope,
  { name, oneActive, findActive }: OneActive,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (oneActive === undefined || violatedUnique(error) !== oneActive) throw error
    const message = `another ${name} is active; deactivate it first`
    const other = await findActive(scope)
    throw errors.duplicate(other?.id, inBody('/active', 'value_error.duplicate', message))
  }
}

type Change = {
  readonly known: readonly Field[]
  readonly before?: Kept | undefined
  readonly given: readonly Entry[]
  readonly type: string
}

/** Checks a merchant's fields against the connector's, and puts secret ones into the vault. */
async function keepFields(
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
