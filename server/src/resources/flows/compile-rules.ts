import { compile, type Test } from './conditions/compile.ts'
import type { Facts } from './conditions/facts.ts'
import type { StoredRule } from './schemas.ts'
import type { StoredVersion } from './store.ts'
import type { Place } from './vocabulary.ts'

type CompiledRule = { readonly rule: StoredRule; readonly tests: readonly Test[] }

/** A version, prepared for payments. */
export type CompiledVersion = {
  readonly number: number
  readonly rules: readonly StoredRule[]
  readonly at: (place: Place) => readonly CompiledRule[]
  /** Whether a rule of the place depends on what the anti-fraud service decides. */
  readonly needsAntiFraud: (place: Place) => boolean
}

export function compileVersion({ number, rules }: Pick<StoredVersion, 'number' | 'rules'>): CompiledVersion {
  const byPlace = Map.groupBy(rules, keyOf)
  const compiled = new Map(
    [...byPlace].map(([key, own]) => [
      key,
      own.map((rule) => ({ rule, tests: rule.conditions.map((condition) => compile(condition, rule.id)) })),
    ]),
  )
  const needing = new Set(rules.filter(asksForDecision).map(keyOf))
  return {
    number,
    rules,
    at: (place) => compiled.get(keyOf(place)) ?? [],
    needsAntiFraud: (place) => needing.has(keyOf(place)),
  }
}

function keyOf({ flow, action }: Place): string {
  return `${flow}/${action}`
}

function asksForDecision({ conditions }: StoredRule): boolean {
  return conditions
    .flatMap((condition) => (condition.name === 'any_of' ? condition.value : [condition]))
    .some(({ name }) => name === 'anti_fraud_decision')
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
  const passed: number[] = []
  for (const { rule, tests } of version.at(place)) {
    const failed = firstNotMet(tests, facts)
    if (failed === undefined) return { ...place, rule, passed }
    passed.push(failed)
  }
  return { ...place, rule: null, passed }
}

function firstNotMet(tests: readonly Test[], facts: Facts): number | undefined {
  for (let index = 0; index < tests.length; index += 1) {
    const verdict = (tests[index] as Test)(facts)
    if (verdict === null) return -1 - index
    if (!verdict) return index
  }
  return undefined
}
