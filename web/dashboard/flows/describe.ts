import { moneyText } from '../parts/values.tsx'
import { methodName, plain } from '../transactions/words.ts'
import {
  ANSWERS,
  type Condition,
  INSTRUMENTS,
  isSamePlace,
  NAMES,
  OPERATORS,
  type Outcome,
  type Rule,
  STRATEGIES,
  THREE_D_SECURE,
  TRANSFORMATIONS,
  valueName,
} from './words.ts'

type Simple = Exclude<Condition, { name: 'any_of' }>

/** More than this are counted, not named. */
const NAMED_MAX = 6

/** A condition as a sentence without its end: “Currency is EUR or USD”. */
export function describeCondition(condition: Condition): string {
  if (condition.name !== 'any_of') return describeSimple(condition)
  return condition.value.map((one) => describeSimple(one as Simple)).join(', or ')
}

function describeSimple(condition: Simple): string {
  const { label } = NAMES[condition.name]
  const verb = OPERATORS[condition.operator]
  switch (condition.name) {
    case 'amount':
      return `${label} ${verb} ${amountText(condition.value)}`
    case 'amount_zero':
      return 'Amount is zero'
    case 'has_gift_cards':
      return answerOf(condition)
    case 'is_subsequent_payment':
      return `It is ${lower(answerOf(condition))}`
    case 'merchant_initiated':
      return `${answerOf(condition)} initiated it`
    case 'metadata':
      return `${label} ${condition.value.key} ${verb} ${list(condition.name, [condition.value.value].flat())}`
    case 'metadata_numeric':
      return `Metadata ${condition.value.key} ${verb} ${condition.value.value}`
    case 'installment_count':
      return `Number of installments ${verb} ${condition.value}`
    case 'split_routing':
      return `${condition.value} % of buyers`
    case 'weekday':
      return `${label} ${verb} ${list(condition.name, condition.value.days)} in ${condition.value.time_zone}`
    case 'time_of_day': {
      const { from, to, time_zone } = condition.value
      return `${label} ${verb} ${from} and ${to} in ${time_zone}`
    }
    default:
      return `${label} ${verb} ${list(condition.name, [condition.value].flat())}`
  }
}

function answerOf({ name, value }: Extract<Simple, { value: boolean }>): string {
  const [yes = 'Yes', no = 'No'] = ANSWERS[name] ?? []
  return value ? yes : no
}

type Amounts = Extract<Simple, { name: 'amount' }>['value']

function amountText(value: Amounts): string {
  const { currency } = value
  if ('min' in value) return `${moneyText(value.min, currency)} and ${moneyText(value.max, currency)}`
  return moneyText(value.value, currency)
}

function list(name: string, values: readonly (string | null)[]): string {
  const named = values.slice(0, NAMED_MAX).map((value) => valueName(name, value))
  const rest = values.length - named.length
  if (rest > 0) return `${named.join(', ')} or ${rest} more`
  const last = named.pop() ?? ''
  return named.length === 0 ? last : `${named.join(', ')} or ${last}`
}

function lower(text: string): string {
  return text.slice(0, 1).toLowerCase() + text.slice(1)
}

/** What a rule decides, in a few words. `nameOf` knows the payment services. */
export function describeOutcome(outcome: Outcome, { isMethods, errorCode, nameOf }: OutcomeContext): string {
  switch (outcome.type) {
    case 'card-routing': {
      const { strategy = 'ordered', result } = outcome
      const entries = result.map((entry) => entryText(entry, nameOf))
      if (strategy === 'weighted')
        return result.map(({ weight = 0 }, index) => `${weight} % to ${entries[index]}`).join(', ')
      const order = entries.join(', then ')
      return strategy === 'ordered'
        ? order
        : `${STRATEGIES[strategy]?.label ?? strategy}: ${entries.join(', ')}`
    }
    case 'list':
      if (isMethods && outcome.result.length === 0) return 'Show no method'
      return isMethods
        ? `Show ${outcome.result.map(methodName).join(', ')}`
        : outcome.result.map(nameOf).join(', then ')
    case 'three-d-secure':
      return THREE_D_SECURE[outcome.result] ?? outcome.result
    case 'boolean':
      return errorCode === undefined ? 'Never authenticate' : `Decline with ${errorCode ?? 'flow_decline'}`
  }
}

type OutcomeContext = {
  /** The list names payment methods, not services. */
  readonly isMethods: boolean
  /** Of rules that decline. Undefined: the rule does not. */
  readonly errorCode: string | null | undefined
  readonly nameOf: (id: string) => string
}

type Entry = Extract<Outcome, { type: 'card-routing' }>['result'][number]

function entryText(entry: Entry, nameOf: OutcomeContext['nameOf']): string {
  const { payment_service_id, instrument, transformations = [], retry, max_attempts, cost } = entry
  const notes = [
    ...(instrument === 'pan' ? [] : [INSTRUMENTS[instrument] ?? instrument]),
    ...transformations.map(({ name }) => TRANSFORMATIONS[name] ?? name),
    ...(retry?.on ? [`go on after ${retry.on.map(plain).join(', ')}`] : []),
    ...(retry?.not_on ? [`stop after ${retry.not_on.map(plain).join(', ')}`] : []),
    ...(cost
      ? [`${cost.basis_points / 100} %${cost.fixed ? ` and ${cost.fixed} minor units, such as cents` : ''}`]
      : []),
    ...(max_attempts === undefined ? [] : [`at most ${max_attempts} attempts`]),
  ].map(lower)
  const name = nameOf(payment_service_id)
  return notes.length === 0 ? name : `${name} (${notes.join('; ')})`
}

/** What is different: a line of a rule that is no longer there, or one that is new. */
export type Line = { readonly isNew: boolean; readonly text: string }

export type Change = {
  readonly kind: 'added' | 'removed' | 'changed' | 'moved'
  /** As it is in the newer version; a rule that was removed, as it was. */
  readonly rule: Rule
  readonly lines: readonly Line[]
}

/** What became of the rules between two versions, in words. A rule that was both changed and moved is there once. */
export function differences(
  before: readonly Rule[],
  after: readonly Rule[],
  outcomeText: (rule: Rule) => string,
): readonly Change[] {
  const old = new Map(before.map((rule) => [rule.id, rule]))
  const kept = new Set(after.map(({ id }) => id))
  const moved = movedIds(before, after)
  const now = after.flatMap((rule): Change[] => {
    const earlier = old.get(rule.id)
    if (!earlier) return [{ kind: 'added', rule, lines: linesOf(rule, outcomeText).map(asNew) }]
    const lines = linesBetween(earlier, rule, outcomeText)
    const move = moved.has(rule.id)
      ? [`Position ${earlier.position + 1}`, `Position ${rule.position + 1}`]
      : []
    const places = move.map((text, index) => ({ isNew: index === 1, text }))
    if (lines.length > 0) return [{ kind: 'changed', rule, lines: [...lines, ...places] }]
    return places.length > 0 ? [{ kind: 'moved', rule, lines: places }] : []
  })
  const gone = before
    .filter(({ id }) => !kept.has(id))
    .map((rule): Change => ({ kind: 'removed', rule, lines: linesOf(rule, outcomeText).map(asOld) }))
  return [...now, ...gone]
}

function asNew(text: string): Line {
  return { isNew: true, text }
}

function asOld(text: string): Line {
  return { isNew: false, text }
}

/** All that a rule says, one thing on each line. */
function linesOf(rule: Rule, outcomeText: (rule: Rule) => string): readonly string[] {
  return [
    ...(rule.description === null ? [] : [`Called “${rule.description}”`]),
    ...rule.conditions.map((condition) => `If ${describeCondition(condition)}`),
    `Then: ${outcomeText(rule)}`,
  ]
}

function linesBetween(before: Rule, after: Rule, outcomeText: (rule: Rule) => string): readonly Line[] {
  const [old, now] = [linesOf(before, outcomeText), linesOf(after, outcomeText)]
  return [
    ...old.filter((text) => !now.includes(text)).map(asOld),
    ...now.filter((text) => !old.includes(text)).map(asNew),
  ]
}

/**
 * The rules that were moved. Those in the longest row that kept its order stayed where they were; a rule that was only pushed
 * by another is one of them.
 */
function movedIds(before: readonly Rule[], after: readonly Rule[]): ReadonlySet<string> {
  const moved = new Set<string>()
  const left = [...after]
  while (left.length > 0) {
    const [first] = left
    if (!first) break
    const own = left.filter((rule) => isSamePlace(rule, first))
    for (const rule of own) left.splice(left.indexOf(rule), 1)
    const placeOf = new Map(before.filter((rule) => isSamePlace(rule, first)).map((rule) => [rule.id, rule]))
    const common = own.toSorted((a, b) => a.position - b.position).filter(({ id }) => placeOf.has(id))
    const stayed = heaviestRise(
      common.map(({ id, updated_at }) => {
        const earlier = placeOf.get(id)
        // Two neighbours that change places look alike. The one that a person moved has another time.
        return { number: earlier?.position ?? 0, weight: earlier?.updated_at === updated_at ? 1.001 : 1 }
      }),
    )
    common.forEach(({ id }, index) => {
      if (!stayed.has(index)) moved.add(id)
    })
  }
  return moved
}

type Weighed = { readonly number: number; readonly weight: number }

/** The indexes of the rising part of the numbers that weighs most. */
function heaviestRise(row: readonly Weighed[]): ReadonlySet<number> {
  const sums: number[] = []
  const from: number[] = []
  for (const { number, weight } of row) {
    const best = sums.reduce(
      (found, sum, at) => ((row[at]?.number ?? 0) < number && sum > (sums[found] ?? 0) ? at : found),
      -1,
    )
    sums.push((sums[best] ?? 0) + weight)
    from.push(best)
  }
  const stayed = new Set<number>()
  for (let at = sums.indexOf(Math.max(...sums)); at >= 0; at = from[at] ?? -1) stayed.add(at)
  return stayed
}
