import type { Field } from '#connectors/contract/manifest.ts'
import { violatedUnique } from '#platform/database/database-errors.ts'
import { type Context, inTransaction, type Scope, type Tx } from '#platform/database/db.ts'
import { type ErrorDetail, errors, inBody } from '#platform/http/errors.ts'
import type { Sound } from '#platform/http/validation.ts'
import { type Finished, inFinalTransaction, type Once } from '#platform/idempotency/once.ts'
import type { Job } from '#platform/process/jobs.ts'
import type { Vault } from '#vault'
import type { Line } from '../provider.ts'
import { refuseRejected } from './check-credentials.ts'
import { complaintsAboutFields, type Entry } from './check-fields.ts'
import { type Fields, type Kept, NOTHING_KEPT, openFields, type RecordChange, sealFields } from './fields.ts'
import type { Described, Registry } from './registry.ts'
import type { CountOpen, Kind, Named, Names, ServiceRow, ServiceStore, Settings } from './store.ts'

type Needs<Row, Shown> = {
  readonly vault: Vault
  readonly connectors: Registry<Described>
  readonly show: (row: Row) => Shown
  readonly line?: Line | undefined
}

type Create = {
  readonly display_name: string
  readonly fields: readonly Entry[]
  readonly active?: boolean | null
}

export async function createService<Definition extends string, Row extends Named<Definition>, Own, Shown>(
  scope: Scope,
  kind: Kind<Definition, Row, Own>,
  { vault, connectors, show, line, once }: Needs<Row, Shown> & { readonly once: Once },
  request: Create & Own & Readonly<Record<Definition, string>>,
): Promise<Finished<Shown>> {
  const connector = findDefinition(kind, connectors, request[kind.definition])
  if (line) await refuseRejected(line, connector, valuesIn(request.fields))
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
    [kind.definition]: manifest.id,
    display_name: request.display_name,
    active: request.active ?? true,
    ...kind.settings?.(request, undefined),
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
export async function updateService<Definition extends string, Row extends Named<Definition>, Own, Shown>(
  scope: Scope,
  kind: Kind<Definition, Row, Own>,
  { vault, connectors, show, line }: Needs<Row, Shown>,
  { id, request }: Update<Own>,
): Promise<Shown> {
  if (line && request.fields?.length) {
    const service = await kind.find(scope, id)
    if (!service) throw errors.notFound()
    const stored = await openFields(scope, vault, service, kind)
    const connector = definitionOf(connectors, service[kind.definition])
    await refuseRejected(line, connector, { ...stored, ...valuesIn(request.fields) })
  }
  return orRefuseSecond(scope, kind, () =>
    inTransaction(scope, async (tx) => {
      const before = await kind.lock(tx, id)
      if (!before) throw errors.notFound()
      const { manifest } = definitionOf(connectors, before[kind.definition])
      const given = request.fields ?? []
      await refuseElsewhere(tx, kind, before, given)
      const kept = await keepFields(tx, vault, { known: manifest.fields, before, given, type: kind.type })
      const after = await kind.update(tx, before, {
        display_name: request.display_name ?? before.display_name,
        active: request.active ?? before.active,
        ...kind.settings?.(request, before),
        ...kept,
      } as Partial<Settings<Row>>)
      await recordChange(tx, kind, 'updated', after)
      return show(after)
    }),
  )
}

function valuesIn(fields: readonly Entry[]): Fields {
  return Object.fromEntries(fields.map(({ key, value }) => [key, value]))
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

/** The connector that a request names. */
export function findDefinition<Connector extends Described>(
  kind: Names,
  connectors: Registry<Connector>,
  id: string,
): Connector {
  const connector = connectors.find(id)
  if (connector) return connector
  throw errors.invalid(complaintAboutDefinition(kind))
}

function complaintAboutDefinition({ definition, name }: Names): ErrorDetail {
  return inBody(`/${definition}`, 'value_error.not_found', `there is no such ${name} definition`)
}

/** The connector of a stored service. A later version of the program may no longer have it. */
export function definitionOf<Connector extends Described>(
  connectors: Registry<Connector>,
  id: string,
): Connector {
  const connector = connectors.find(id)
  if (connector) return connector
  throw errors.refused(`${id} is no longer there; the service can only be deleted`)
}

type NewService<Definition extends string> = Readonly<Partial<Record<Definition, string | undefined>>> & {
  readonly fields?: readonly (Sound<Entry> | undefined)[] | undefined
}

/** Everything that is wrong with a new service in the parts of the request whose form is right. */
export function complaintsAboutNew<Definition extends string>(
  kind: Names<Definition>,
  connectors: Registry<Described>,
  request: NewService<Definition>,
): ErrorDetail[] {
  const id = request[kind.definition]
  if (id === undefined) return []
  const connector = connectors.find(id)
  if (!connector) return [complaintAboutDefinition(kind)]
  if (request.fields === undefined) return []
  return complaintsAboutFields({
    pointer: '/fields',
    known: connector.manifest.fields,
    given: request.fields,
    stored: NOTHING_KEPT,
    isRequired: (field) => field.isRequired,
  })
}

type Openable = Pick<Names, 'name'> & { readonly countOpenAt?: CountOpen }

/**
 * Open attempts are inquired about with the service's fields. With other fields, we might ask another account
 * of the provider, which does not know them, and captured money would be reported as not captured.
 */
export async function refuseElsewhere(
  tx: Scope<Tx>,
  { name, countOpenAt }: Openable,
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

/** Longer than a payment takes that chose the service before it was deleted and is not recorded yet. */
const SLIP_MS = 10 * 60_000

type Forgettable = Pick<
  ServiceStore<ServiceRow>,
  'listDeletedWithSecrets' | 'nextDeletion' | 'forgetSecrets'
> & {
  readonly type: string
  readonly countOpenAt?: CountOpen
}

/**
 * The job that removes the secrets of deleted services from the vault, once nothing is open, held or kept there.
 */
export function forgetSecretsJob(
  kind: Forgettable,
  countHeldAt?: CountOpen,
): Job<{ readonly context: Context; readonly vault: Vault }> {
  return {
    name: `forget-secrets-of-deleted-${kind.type}s`,
    everyMs: 60_000,
    run: ({ context, vault }) => forgetDeleted(context, vault, kind, countHeldAt),
    nextDueAt: async ({ context }) => {
      const deleted = await kind.nextDeletion(context, new Date(context.clock().getTime() - SLIP_MS))
      return deleted && new Date(deleted.getTime() + SLIP_MS)
    },
  }
}

async function forgetDeleted(
  context: Context,
  vault: Vault,
  kind: Forgettable,
  countHeldAt?: CountOpen,
): Promise<void> {
  const by = new Date(context.clock().getTime() - SLIP_MS)
  for (const { id, merchant_account_id, secrets } of await kind.listDeletedWithSecrets(context, by)) {
    const scope = { ...context, merchantAccountId: merchant_account_id }
    // In one snapshot, because a hold or a token can become an open attempt, and the reverse, while we look.
    const needed = await context.db
      .transaction()
      .setIsolationLevel('repeatable read')
      .execute(async (db) => {
        const open = (await kind.countOpenAt?.({ ...scope, db }, id)) ?? 0
        const held = (await countHeldAt?.({ ...scope, db }, id)) ?? 0
        return open + held
      })
    if (needed > 0) continue
    await inTransaction(scope, async (tx) => {
      for (const token of Object.values(secrets)) await vault.remove(tx.db, tx, token)
      await kind.forgetSecrets(tx, { id })
    })
  }
}
