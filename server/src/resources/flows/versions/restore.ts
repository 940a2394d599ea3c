import type { Scope } from '#platform/database/db.ts'
import { errors, inBody } from '#platform/http/errors.ts'
import { type Finished, inFinalTransaction, type Once } from '#platform/idempotency/once.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import * as flows from '../store.ts'
import { writeVersion } from '../write-version.ts'
import type { FlowVersion, FlowVersionCreate } from './schemas.ts'
import { showVersion } from './show.ts'

/** Going back is a new version with the rules of an old one. */
export function restoreVersion(
  scope: Scope,
  once: Once,
  { restore, based_on_version }: FlowVersionCreate,
): Promise<Finished<FlowVersion>> {
  return inFinalTransaction(scope, once, async (tx) => {
    const old = await flows.find(tx, restore)
    if (!old) {
      const message = 'there is no such version: GET /flows/versions lists them'
      throw errors.invalid(inBody('/restore', 'value_error.not_found', message))
    }
    const note = `went back to version ${restore}`
    const written = await writeVersion(tx, based_on_version, () => ({ rules: old.rules, note }))
    await auditLogs.record(tx, 'created', { type: 'flow-version', id: written.id, name: note })
    return showVersion(tx, written)
  })
}
