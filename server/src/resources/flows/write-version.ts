import type { Scope, Tx } from '#platform/database/db.ts'
import { errors, inBody } from '#platform/http/errors.ts'
import { RULES_MAX, type StoredRule } from './schemas.ts'
import * as flows from './store.ts'

/** How long all rules of an account may be together, as JSON. */
const BYTES_MAX = 1_000_000
const NOTE_MAX = 300

type Change = {
  readonly rules: readonly StoredRule[]
  readonly note: string
}

/**
 * Writes all rules as a new version, in the transaction of the change. Changes of one account wait for each other. `change` gets
 * the newest rules; `basedOn` is the version that the caller has seen, if the caller told it.
 */
export async function writeVersion(
  tx: Scope<Tx>,
  basedOn: number | undefined,
  change: (rules: readonly StoredRule[]) => Change | Promise<Change>,
): Promise<flows.StoredVersion> {
  const before = await flows.lockNewest(tx)
  const number = before?.number ?? 0
  if (basedOn !== undefined && basedOn !== number) {
    const message = `read the rules again: the newest version is ${number}`
    throw errors.invalid(inBody('/based_on_version', 'value_error.conflict', message))
  }
  const { rules, note } = await change(before?.rules ?? [])
  refuseTooMany(rules)
  await flows.insert(tx, { number: number + 1, rules, note: note.slice(0, NOTE_MAX) })
  const written = await flows.find(tx, number + 1)
  if (!written) throw new Error('a new version of the rules is missing in its own transaction')
  return written
}

function refuseTooMany(rules: readonly StoredRule[]): void {
  if (rules.length > RULES_MAX) {
    throw errors.refused(
      `this merchant account already has ${RULES_MAX} rules, the most allowed; delete one first`,
    )
  }
  if (Buffer.byteLength(JSON.stringify(rules)) > BYTES_MAX) {
    throw errors.refused(
      'all rules together must not be longer than 1 MB: shorten the lists of their conditions',
    )
  }
}
