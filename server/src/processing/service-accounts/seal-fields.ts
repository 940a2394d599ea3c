import type { Field } from '#connectors/contract/manifest.ts'
import type { Scope, Tx } from '#platform/database/db.ts'
import { Masked, type Vault } from '#vault'
import type { Entry } from './check-fields.ts'

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
