import { inTransaction, type Scope } from '#platform/database/db.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import { nameOf } from './name-of.ts'
import { findRule, type RulePath } from './update-rule.ts'
import { writeVersion } from './write-version.ts'

/** Payments that this rule has decided keep what it decided: their version still has it. */
export function deleteRule(scope: Scope, path: RulePath): Promise<void> {
  return inTransaction(scope, async (tx) => {
    await writeVersion(tx, undefined, async (before) => {
      const rule = findRule(before, path)
      await auditLogs.record(tx, 'deleted', { type: 'flow-rule', id: rule.id, name: nameOf(rule) })
      return { rules: before.filter(({ id }) => id !== rule.id), note: `deleted ${nameOf(rule)}` }
    })
  })
}
