import type { Scope } from '#platform/database/db.ts'
import * as paymentServices from '#resources/payment-services/store.ts'
import type { FlowRule, FlowRules, StoredRule } from './schemas.ts'
import * as flows from './store.ts'
import type { Flow, Place } from './vocabulary.ts'
import { warningsOf } from './warnings.ts'

/** The rules of one place, in order. */
export function rulesAt(rules: readonly StoredRule[], { flow, action }: Place): StoredRule[] {
  return rules.filter((rule) => rule.flow === flow && rule.action === action)
}

export async function showRules(scope: Scope, flow: Flow): Promise<FlowRules> {
  const version = await flows.newest(scope)
  const rules = (version?.rules ?? []).filter((rule) => rule.flow === flow)
  return { items: await describeRules(scope, version?.rules ?? [], rules), version: version?.number ?? 0 }
}

export async function showRule(
  scope: Scope,
  all: readonly StoredRule[],
  rule: StoredRule,
): Promise<FlowRule> {
  const [shown] = await describeRules(scope, all, [rule])
  if (!shown) throw new Error('a rule is missing in its own version')
  return shown
}

export async function describeRules(
  scope: Scope,
  all: readonly StoredRule[],
  wanted: readonly StoredRule[],
): Promise<FlowRule[]> {
  const services = wanted.some(({ action }) => action === 'route-transaction')
    ? new Map((await paymentServices.listLive(scope)).map((service) => [service.id, service]))
    : new Map()
  return wanted.map((rule) => {
    const beside = rulesAt(all, rule)
    const position = beside.findIndex(({ id }) => id === rule.id)
    const { conditions, ...rest } = rule
    return {
      type: 'rule',
      merchant_account_id: scope.merchantAccountId,
      ...rest,
      conditions: [...conditions],
      position,
      warnings: warningsOf(rule, beside.slice(0, position), services),
    }
  })
}
