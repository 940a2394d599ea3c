import { newId } from '#domain/ids.ts'
import type { Scope } from '#platform/database/db.ts'
import { type Finished, inFinalTransaction, type Once } from '#platform/idempotency/once.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import { refuseUnfitServices } from './check-services.ts'
import type { Condition } from './conditions/schemas.ts'
import { nameOf } from './name-of.ts'
import type { FlowRule, FlowRuleCreate, StoredRule } from './schemas.ts'
import { showRule } from './show.ts'
import type { Place } from './vocabulary.ts'
import { writeVersion } from './write-version.ts'

/** Adds a rule below all others of its place. */
export async function createRule(
  scope: Scope,
  once: Once,
  { flow, action }: Place,
  request: FlowRuleCreate,
): Promise<Finished<FlowRule>> {
  await refuseUnfitServices(scope, { flow, action, outcome: request.outcome })
  return inFinalTransaction(scope, once, async (tx) => {
    const now = tx.clock()
    const at = now.toISOString()
    const rule: StoredRule = {
      id: newId(now.getTime()),
      flow,
      action,
      description: request.description ?? null,
      conditions: request.conditions as Condition[],
      outcome: request.outcome,
      error_code: request.error_code ?? null,
      created_at: at,
      updated_at: at,
    }
    const { rules } = await writeVersion(tx, request.based_on_version, (before) => ({
      rules: [...before, rule],
      note: `added ${nameOf(rule)}`,
    }))
    await auditLogs.record(tx, 'created', { type: 'flow-rule', id: rule.id, name: nameOf(rule) })
    return showRule(tx, rules, rule)
  })
}
