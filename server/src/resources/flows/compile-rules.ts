import type { Facts } from './conditions/facts.ts'
import { compileJudge, type Judge, keyOfJudge, MET, NOT_KNOWN } from './conditions/judge-together.ts'
import type { Condition, SimpleCondition } from './conditions/schemas.ts'
import type { StoredRule } from './schemas.ts'
import type { StoredVersion } from './store.ts'
import { ACTIONS_OF, type Action, FLOWS, type Place } from './vocabulary.ts'

/** The rules of a place. Rules often share conditions, so each condition is looked at once for a payment. */
type CompiledPlace = {
  readonly rules: readonly { readonly rule: StoredRule; readonly conditions: readonly number[] }[]
  /** Of each condition, those that are judged with it, and where their verdicts begin. */
  readonly judges: readonly { readonly judge: Judge; readonly start: number }[]
  /** What the payment at hand says to each condition. Rules are evaluated in one go, so one list serves all payments. */
  readonly verdicts: Int8Array
}

/** A version, prepared for payments. */
export type CompiledVersion = {
  readonly number: number
  readonly rules: readonly StoredRule[]
  readonly at: (place: Place) => CompiledPlace
  readonly hasRules: (place: Place) => boolean
  /** Whether a rule of the place depends on what the anti-fraud service decides. */
  readonly needsAntiFraud: (place: Place) => boolean
  /** Whether a rule chooses by how services have fared. */
  readonly needsScores: boolean
}

export function compileVersion({ number, rules }: Pick<StoredVersion, 'number' | 'rules'>): CompiledVersion {
  const compiled = new Map([...Map.groupBy(rules, keyOf)].map(([key, own]) => [key, compilePlace(own)]))
  // Looked up thrice for each payment: two short keys are quicker than one that has to be put together.
  const places = new Map(FLOWS.map((flow) => [flow, new Map<Action, CompiledPlace>()]))
  for (const flow of FLOWS)
    for (const action of ACTIONS_OF[flow])
      places.get(flow)?.set(action, compiled.get(keyOf({ flow, action })) ?? NO_RULES)
  const at = ({ flow, action }: Place) => places.get(flow)?.get(action) ?? NO_RULES
  const needing = new Set(rules.filter(asksForDecision).map(keyOf))
  return {
    number,
    rules,
    at,
    hasRules: (place) => at(place).rules.length > 0,
    needsAntiFraud: (place) => needing.has(keyOf(place)),
    needsScores: rules.some(choosesByScores),
  }
}

const NO_RULES: CompiledPlace = { rules: [], judges: [], verdicts: new Int8Array(0) }

type Distinct = { readonly condition: Condition; readonly text: string; readonly salt: string }

function compilePlace(own: readonly StoredRule[]): CompiledPlace {
  const distinct = new Map<string, Distinct>()
  for (const rule of own)
    for (const condition of rule.conditions) {
      const text = textOf(condition, rule)
      if (!distinct.has(text)) distinct.set(text, { condition, text, salt: rule.id })
    }
  const groups = Map.groupBy(distinct.values(), ({ condition, text }) => keyOfJudge(condition, text))
  const numbers = new Map<string, number>()
  const judges = [...groups.values()].flatMap((group) => {
    const start = numbers.size
    for (const { text } of group) numbers.set(text, numbers.size)
    const judge = compileJudge(
      group.map(({ condition }) => condition),
      group[0]?.salt ?? '',
    )
    return group.map(() => ({ judge, start }))
  })
  const rules = own.map((rule) => ({
    rule,
    conditions: rule.conditions.map((condition) => numbers.get(textOf(condition, rule)) ?? 0),
  }))
  return { rules, judges, verdicts: new Int8Array(judges.length) }
}

/** The split of a rule is its own. Other conditions are the same in all rules. */
function textOf(condition: Condition, { id }: StoredRule): string {
  return JSON.stringify([condition, isSplit(condition) ? id : null])
}

function isSplit(condition: Condition): boolean {
  return simpleOnes(condition).some(({ name }) => name === 'split_routing')
}

function simpleOnes(condition: Condition): readonly SimpleCondition[] {
  return condition.name === 'any_of' ? condition.value : [condition]
}

function keyOf({ flow, action }: Place): string {
  return `${flow}/${action}`
}

function choosesByScores({ outcome }: StoredRule): boolean {
  if (outcome.type !== 'card-routing') return false
  return outcome.strategy === 'success_rate' || outcome.strategy === 'least_cost'
}

function asksForDecision({ conditions }: StoredRule): boolean {
  return conditions.flatMap(simpleOnes).some(({ name }) => name === 'anti_fraud_decision')
}

/** What the rules of a place say about a payment. */
export type Step = Place & {
  /** The first rule that matches. */
  readonly rule: StoredRule | null
  /**
   * For each rule before it, the index of the first condition that was not met. A fact that was not known is written as
   * -1 - index. A number for each rule is all that a payment has to keep.
   */
  readonly passed: readonly number[]
}

export function evaluate(version: CompiledVersion, place: Place, facts: Facts): Step {
  const found = version.at(place)
  found.verdicts.fill(NOT_YET)
  const passed: number[] = []
  for (const { rule, conditions } of found.rules) {
    const failed = firstNotMet(found, conditions, facts)
    if (failed === undefined) return { ...place, rule, passed }
    passed.push(failed)
  }
  return { ...place, rule: null, passed }
}

const NOT_YET = 0

function firstNotMet(place: CompiledPlace, conditions: readonly number[], facts: Facts): number | undefined {
  for (let index = 0; index < conditions.length; index += 1) {
    const verdict = verdictOf(place, conditions[index] as number, facts)
    if (verdict !== MET) return verdict === NOT_KNOWN ? -1 - index : index
  }
  return undefined
}

function verdictOf({ judges, verdicts }: CompiledPlace, number: number, facts: Facts): number {
  const known = verdicts[number] as number
  if (known !== NOT_YET) return known
  const { judge, start } = judges[number] as CompiledPlace['judges'][number]
  judge(facts, verdicts, start)
  return verdicts[number] as number
}
