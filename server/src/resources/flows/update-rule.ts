import { inTransaction, type Scope } from '#platform/database/db.ts'
import { errors, inBody } from '#platform/http/errors.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import { refuseUnfitServices } from './check-services.ts'
import type { Condition } from './conditions/schemas.ts'
import { nameOf } from './name-of.ts'
import type { FlowRule, FlowRuleUpdate, StoredRule } from './schemas.ts'
import { rulesAt, showRule } from './show.ts'
import type { Place } from './vocabulary.ts'
import { writeVersion } from './write-version.ts'

export type RulePath = Place & { readonly id: string }

/** Changes a rule, and moves it to a position. What is left out stays as it is. */
export async function updateRule(scope: Scope, path: RulePath, request: FlowRuleUpdate): Promise<FlowRule> {
  if (request.outcome) await refuseUnfitServices(scope, { ...path, outcome: request.outcome })
  return inTransaction(scope, async (tx) => {
    const at = tx.clock().toISOString()
    const { rules } = await writeVersion(tx, request.based_on_version, (before) => {
      const changed = { ...changesOf(findRule(before, path), request), updated_at: at }
      return { rules: move(before, changed, request.position), note: `changed ${nameOf(changed)}` }
    })
    const rule = findRule(rules, path)
    await auditLogs.record(tx, 'updated', { type: 'flow-rule', id: rule.id, name: nameOf(rule) })
    return showRule(tx, rules, rule)
  })
}

export function findRule(rules: readonly StoredRule[], { flow, action, id }: RulePath): StoredRule {
  const found = rulesAt(rules, { flow, action }).find((rule) => rule.id === id)
  if (!found) throw errors.notFound()
  return found
}

function changesOf(
  rule: StoredRule,
  { description, conditions, outcome, error_code }: FlowRuleUpdate,
): StoredRule {
  return {
    ...rule,
    ...(description !== undefined && { description }),
    ...(conditions && { conditions: conditions as Condition[] }),
    ...(outcome && { outcome }),
    ...(error_code !== undefined && { error_code }),
  }
}

/** The other places keep their order: only rules of the same place are tried one after the other. */
function move(rules: readonly StoredRule[], rule: StoredRule, position: number): StoredRule[] {
  const beside = rulesAt(rules, rule).filter(({ id }) => id !== rule.id)
  if (position > beside.length) {
    const message = `must be at most ${beside.length}: this action has ${beside.length + 1} rules`
    throw errors.invalid(inBody('/position', 'value_error.number.not_le', message))
  }
  const elsewhere = rules.filter(({ flow, action }) => flow !== rule.flow || action !== rule.action)
  return [...elsewhere, ...beside.toSpliced(position, 0, rule)]
}
