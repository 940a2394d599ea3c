import type { Scope } from '#platform/database/db.ts'
import { canonical } from '#platform/idempotency/idempotency.ts'
import type { StoredService } from '#resources/payment-services/store.ts'
import * as paymentServices from '#resources/payment-services/store.ts'
import type { Condition } from './conditions/schemas.ts'
import type { FlowRule, FlowRules, FlowWarning, StoredRule } from './schemas.ts'
import { servicesOf } from './services-of.ts'
import * as flows from './store.ts'
import type { Flow, Place } from './vocabulary.ts'

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

type Service = Pick<
  StoredService,
  'id' | 'display_name' | 'active' | 'accepted_currencies' | 'accepted_countries'
>

/**
 * What the rules allow and probably should not. Services change without the rules, so this is found when rules are read.
 * `earlier` are the rules of the same place that are tried before.
 */
function warningsOf(
  rule: StoredRule,
  earlier: readonly StoredRule[],
  services: ReadonlyMap<string, Service>,
): FlowWarning[] {
  return [...shadowed(rule, earlier), ...contradictions(rule), ...serviceWarnings(rule, services)]
}

/** An earlier rule that asks for less matches every payment that this one matches. */
function shadowed(rule: StoredRule, earlier: readonly StoredRule[]): FlowWarning[] {
  const own = new Set(rule.conditions.map(canonical))
  const first = earlier.findIndex(({ conditions }) =>
    conditions.every((condition) => condition.name !== 'split_routing' && own.has(canonical(condition))),
  )
  if (first === -1) return []
  const message = `the rule never decides: the rule at position ${first} matches all of its payments first`
  return [{ pointer: '/position', message }]
}

type Named = { readonly pointer: string; readonly allowed: ReadonlySet<string> }

/** Two conditions that no payment meets together. */
function contradictions({ conditions }: StoredRule): FlowWarning[] {
  const seen = new Map<string, Named>()
  const warnings: FlowWarning[] = []
  conditions.forEach((condition, index) => {
    const asked = demandOf(condition)
    if (!asked) return
    const pointer = `/conditions/${index}`
    const before = seen.get(asked.fact)
    const allowed = new Set(asked.values.filter((value) => !before || before.allowed.has(value)))
    if (allowed.size === 0 && before)
      warnings.push({ pointer, message: `the rule never matches: ${before.pointer} allows none of these` })
    seen.set(asked.fact, { pointer, allowed })
  })
  return warnings
}

/** The only values of a fact that a condition allows. Undefined: it allows too many to list. */
function demandOf(
  condition: Condition,
): { readonly fact: string; readonly values: readonly string[] } | undefined {
  if (condition.name === 'amount') return { fact: 'currency', values: [condition.value.currency] }
  if (condition.name === 'weekday' || condition.name === 'card_bin' || condition.name === 'gift_card_bin')
    return undefined
  if (condition.operator === 'is_one_of') {
    return { fact: condition.name, values: (condition.value as (string | null)[]).map(String) }
  }
  if (condition.operator !== 'equal_to' || condition.name === 'metadata_numeric') return undefined
  return { fact: condition.name, values: [String(condition.value)] }
}

function serviceWarnings(rule: StoredRule, services: ReadonlyMap<string, Service>): FlowWarning[] {
  if (rule.action !== 'route-transaction') return []
  return servicesOf(rule.outcome).flatMap(({ id, pointer }): FlowWarning[] => {
    const service = services.get(id)
    if (!service) return [{ pointer, message: 'the payment service was deleted: the rule passes it over' }]
    const name = service.display_name
    if (!service.active) return [{ pointer, message: `${name} is switched off: the rule passes it over` }]
    const [currency, country] = [
      unaccepted(rule, 'currency', service.accepted_currencies),
      unaccepted(rule, 'country', service.accepted_countries),
    ]
    return [...(currency ? [currency] : []), ...(country ? [country] : [])].map((what) => ({
      pointer,
      message: `${name} accepts none of the rule’s ${what}: the rule passes it over`,
    }))
  })
}

function unaccepted(
  { conditions }: StoredRule,
  fact: 'currency' | 'country',
  accepted: readonly string[],
): string | undefined {
  const demands = conditions
    .flatMap((condition) => demandOf(condition) ?? [])
    .filter((demand) => demand.fact === fact)
  const isRefused = demands.some(({ values }) => !values.some((value) => accepted.includes(value)))
  return isRefused ? (fact === 'currency' ? 'currencies' : 'countries') : undefined
}
