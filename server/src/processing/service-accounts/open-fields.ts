import { inTransaction, type Scope } from '#platform/database/db.ts'
import { ApiError } from '#platform/http/errors.ts'
import { realTime } from '#platform/process/clock.ts'
import { ItemGone, type Vault } from '#vault'
import type { RecordChange } from './kind.ts'
import type { Fields, Kept } from './seal-fields.ts'

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
