import { sql } from 'kysely'
import type { Link, Remembered } from '#connectors/contract/connector.ts'
import type { Field } from '#connectors/contract/manifest.ts'
import type { Secrets } from '#platform/access/secrets.ts'
import { type Context, inTransaction, type Place, type Scope, type Tx } from '#platform/database/db.ts'
import { ApiError } from '#platform/http/errors.ts'
import { realTime } from '#platform/process/clock.ts'
import { ItemGone, Masked, type Vault } from '#vault'
import type { Entry } from './check-fields.ts'

/**
 * Long enough that not every payment writes an audit entry, short enough that entries show that the secrets
 * are in use.
 */
const KEPT_MS = 5 * 60_000

type Opened = { readonly version: number; readonly until: number; readonly fields: Promise<Fields> }

/**
 * The fields that this process has opened. They include secrets in the clear, as each call of a connector
 * does.
 */
const openedBy = new WeakMap<Vault, Map<string, Opened>>()

/** Anything with fields to open. */
type Openable = Kept & { readonly id: string; readonly display_name: string; readonly updated_at: Date }

/** Writes an audit entry. Passed in: the audit log is a resource, and this folder knows no resources. */
export type RecordChange = (
  tx: Place<Tx>,
  action: 'created' | 'updated' | 'deleted' | 'revealed',
  resource: { readonly type: string; readonly id: string; readonly name: string },
) => Promise<void>

/** A kind of account, or anything else that keeps secrets in the vault. */
type Kind = {
  readonly type: string
  readonly find: (scope: Scope, id: string) => Promise<Openable | undefined>
  readonly record: RecordChange
}

/** The service was deleted during its use, and its secrets are gone. Nothing was sent to its provider. */
export class ServiceGone extends ApiError {
  constructor(type: Kind['type']) {
    super('bad_request', {
      message: `The ${type.replaceAll('-', ' ')} was deleted meanwhile. Use another one.`,
    })
  }
}

/** For callers that can go on without the service. */
export function unlessGone(error: unknown): undefined {
  if (!(error instanceof ServiceGone)) throw error
}

/** All fields of an account, secrets included. The audit log names the actor before they are opened. */
export function openFields(scope: Scope, vault: Vault, service: Openable, kind: Kind): Promise<Fields> {
  if (Object.keys(service.secrets).length === 0) return Promise.resolve(service.fields)
  const opened = openedBy.get(vault) ?? new Map<string, Opened>()
  openedBy.set(vault, opened)
  const now = realTime(scope.clock).getTime()
  for (const [id, { until }] of opened) if (until <= now) opened.delete(id)

  // Includes the account, so that one account's fields are never handed to another. Reports open more fields than
  // payments.
  const key = [scope.merchantAccountId, service.id, ...Object.keys(service.secrets)].join(' ')
  const version = service.updated_at.getTime()
  const known = opened.get(key)
  if (known?.version === version) return known.fields
  const fields = revealAll(scope, vault, service, kind)
  const entry: Opened = { version, until: now + KEPT_MS, fields }
  opened.set(key, entry)
  return fields.catch((error: unknown) => {
    if (opened.get(key) === entry) opened.delete(key)
    throw error
  })
}

async function revealAll(scope: Scope, vault: Vault, service: Openable, kind: Kind): Promise<Fields> {
  const { merchantAccountId } = scope
  const purpose = 'payment'
  let noted: Promise<void> | undefined
  const onReveal = () => {
    noted ??= inTransaction(scope, (tx) =>
      kind.record(tx, 'revealed', { type: kind.type, id: service.id, name: service.display_name }),
    )
    return noted
  }
  try {
    const values = Object.entries(service.secrets).map(async ([key, token]) => {
      const access = { merchantAccountId, token, purpose, onReveal }
      const value = await vault.reveal(scope.db, access, async (secret) =>
        secret.use((bytes) => bytes.toString('utf8')),
      )
      return [key, value] as const
    })
    return { ...service.fields, ...Object.fromEntries(await Promise.all(values)) }
  } catch (error) {
    // A change since we read the service may have removed the secret from the vault.
    const now = await kind.find(scope, service.id)
    if (!now && error instanceof ItemGone) throw new ServiceGone(kind.type)
    if (!now || now.updated_at.getTime() === service.updated_at.getTime()) throw error
    return openFields(scope, vault, now, kind)
  }
}

export type Fields = Readonly<Record<string, string>>

/** A merchant's fields as they are stored: plain values, and the vault tokens of secret ones. */
export type Kept = { readonly fields: Fields; readonly secrets: Fields }

export const NOTHING_KEPT: Kept = { fields: {}, secrets: {} }

type Change = {
  readonly known: readonly Field[]
  readonly given: readonly Entry[]
  /** The kind of account. The vault's items name it. */
  readonly type: string
}

/** Applies new values to the stored ones. A replaced or cleared secret leaves the vault. */
export async function sealFields(
  tx: Scope<Tx>,
  vault: Vault,
  before: Kept,
  { known, given, type }: Change,
): Promise<Kept> {
  const isSecret = new Map(known.map((field) => [field.key, field.isSecret]))
  const fields = { ...before.fields }
  const secrets = { ...before.secrets }
  for (const { key, value } of given) {
    const token = secrets[key]
    if (token !== undefined) await vault.remove(tx.db, tx, token)
    delete secrets[key]
    delete fields[key]
    if (value === '') continue
    if (isSecret.get(key)) secrets[key] = await sealValue(tx, vault, `${type}-field`, value)
    else fields[key] = value
  }
  return { fields, secrets }
}

/**
 * Puts a value into the vault under the scope's account, and returns its token. The label says what it is.
 */
export async function sealValue(tx: Scope<Tx>, vault: Vault, label: string, value: string): Promise<string> {
  const masked = new Masked(value)
  try {
    return await vault.store(tx.db, tx, label, masked)
  } finally {
    masked.clear()
  }
}

declare module '#platform/database/db.ts' {
  interface Tables {
    service_memories: { key: Buffer; service_id: string; value: Buffer; expires_at: Date }
  }
}

const PURPOSE = 'service-memory'
/** With what sealing adds, this fits into the column. */
const VALUE_MAX = 60_000
/** A value that is about to end would end while the provider is asked. */
const MARGIN_MS = 30_000

type Remembering = { readonly id: string }

/** Requests of this process that need the same value at the same time findMemory or make it once. */
const finding = new Map<string, Promise<string>>()

/**
 * What providers lend a service, for all processes. It is bound to the service's credentials: with other ones it is made
 * again. If the database does not answer, the value is made again, too: a payment does not fail because of it.
 */
export function memoryOf(
  scope: Scope,
  secrets: Secrets,
  { id }: Remembering,
  fields: Link['fields'],
): Pick<Link, 'remember' | 'forget'> {
  const credentials = JSON.stringify(Object.entries(fields).toSorted())
  const keyOf = (name: string) => secrets.mac(PURPOSE, JSON.stringify([id, name, credentials]))
  return {
    remember: (name, make) => {
      const key = keyOf(name)
      const place = key.toString('hex')
      const begun = finding.get(place) ?? findOrMake(scope, secrets, { key, id, make })
      finding.set(place, begun)
      return begun.finally(() => finding.delete(place))
    },
    forget: async (name) => {
      await sql`delete from service_memories where key = ${keyOf(name)}`.execute(scope.db).catch(() => {})
    },
  }
}

async function findMemory(scope: Scope, secrets: Secrets, key: Buffer): Promise<string | null> {
  const soon = new Date(realTime(scope.clock).getTime() + MARGIN_MS)
  const { rows } = await sql<{ value: Buffer }>`
    select value from service_memories where key = ${key} and expires_at > ${soon}
  `.execute(scope.db)
  return rows[0] ? secrets.open(PURPOSE, key.toString('hex'), rows[0].value) : null
}

async function findOrMake(
  scope: Scope,
  secrets: Secrets,
  { key, id, make }: { key: Buffer; id: string; make: () => Promise<Remembered> },
): Promise<string> {
  const known = await findMemory(scope, secrets, key).catch(() => null)
  if (known !== null) return known
  const { value, expiresAt } = await make()
  if (value.length <= VALUE_MAX) {
    const sealed = secrets.seal(PURPOSE, key.toString('hex'), value)
    await sql`
      insert into service_memories (key, service_id, value, expires_at)
      values (${key}, ${id}, ${sealed}, ${expiresAt})
      on conflict (key) do update set value = excluded.value, expires_at = excluded.expires_at
    `
      .execute(scope.db)
      .catch(() => {})
  }
  return value
}

/** For the job. */
export async function removeOldMemories({ db, clock }: Context): Promise<void> {
  await sql`delete from service_memories where expires_at <= ${realTime(clock)}`.execute(db)
}
