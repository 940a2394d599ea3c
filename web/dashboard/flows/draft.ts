import { OUTCOMES, RULE, UNFIT } from '../../api/flow-shapes.ts'
import type { Schemas } from '../../api/schema.d.ts'
import { type Faults, firstTyped, type Typed } from '../parts/fields.tsx'
import {
  ANY_OF,
  CONDITION_NAMES,
  flattened,
  operatorsOf,
  readValue,
  valueFields,
  valueShape,
} from './condition-fields.ts'
import type { Condition, Outcome, Place, Rule } from './words.ts'

/** A condition while it is written. `inner`: those of which one must hold. */
export type DraftCondition = {
  readonly key: string
  readonly name: string
  readonly operator: string
  readonly typed: Typed
  readonly inner: readonly DraftCondition[]
}

/** A line of an outcome: a payment service, or a method. */
export type DraftEntry = {
  readonly key: string
  readonly id: string
  readonly instrument: string
  readonly transformations: readonly string[]
  readonly weight: string
  /** The error codes after which the next service is asked, or is not. */
  readonly retryOn: readonly string[]
  readonly retryNotOn: readonly string[]
  /** What a payment costs: percent of the amount, and minor units for each payment. Empty: not known. */
  readonly percent: string
  readonly fixed: string
  /** How often the service is asked at most. Empty: as usual. */
  readonly attempts: string
}

/** A rule while it is written. */
export type Draft = {
  readonly description: string
  readonly conditions: readonly DraftCondition[]
  readonly strategy: string
  readonly entries: readonly DraftEntry[]
  readonly threeDSecure: string
  readonly errorCode: string
}

const WHOLE = 100
/** Basis points of a percent. */
const POINTS = 100
const DESCRIPTION_MAX = RULE['description']?.maxLength ?? 0
const ERROR_CODE = RULE['error_code'] ?? {}
export const CONDITIONS_MAX = RULE['conditions']?.maxItems ?? 0

function newKey(): string {
  return crypto.randomUUID()
}

export function newCondition(name: string): DraftCondition {
  const [operator = ''] = operatorsOf(name)
  const inner = name === ANY_OF ? ['currency', 'country'].map(newCondition) : []
  return { key: newKey(), name, operator, typed: {}, inner }
}

export function newEntry(id: string): DraftEntry {
  return {
    key: newKey(),
    id,
    instrument: 'pan',
    transformations: [],
    weight: '',
    retryOn: [],
    retryNotOn: [],
    attempts: '',
    percent: '',
    fixed: '',
  }
}

/** The conditions that a rule of this place can have. */
export function namesFor({ action }: Place): readonly string[] {
  return CONDITION_NAMES.filter((name) => !UNFIT[action].includes(name))
}

export function draftOf(rule: Rule | undefined): Draft {
  return {
    description: rule?.description ?? '',
    conditions: (rule?.conditions ?? []).map(draftCondition),
    ...draftOutcome(rule?.outcome),
    errorCode: rule?.error_code ?? '',
  }
}

function draftCondition({ name, operator, value }: Condition): DraftCondition {
  const key = newKey()
  if (name === ANY_OF)
    return { key, name, operator, typed: {}, inner: (value as Condition[]).map(draftCondition) }
  const fields = (typed: Typed) => valueFields(name, operator, typed)
  return { key, name, operator, typed: firstTyped(fields, flattened(value)), inner: [] }
}

type DraftOutcome = Pick<Draft, 'strategy' | 'entries' | 'threeDSecure'>

function draftOutcome(outcome: Outcome | undefined): DraftOutcome {
  const nothing: DraftOutcome = { strategy: 'ordered', entries: [], threeDSecure: '' }
  switch (outcome?.type) {
    case 'card-routing':
      return {
        ...nothing,
        strategy: outcome.strategy ?? 'ordered',
        entries: outcome.result.map(draftEntry),
      }
    case 'list':
      return { ...nothing, entries: outcome.result.map(newEntry) }
    case 'three-d-secure':
      return { ...nothing, threeDSecure: outcome.result }
    case 'boolean':
      return { ...nothing, threeDSecure: 'skip' }
    default:
      return nothing
  }
}

type RoutingEntry = Extract<Outcome, { type: 'card-routing' }>['result'][number]

function draftEntry(entry: RoutingEntry): DraftEntry {
  const { payment_service_id, instrument, transformations = [], weight, retry, max_attempts, cost } = entry
  return {
    ...newEntry(payment_service_id),
    instrument,
    transformations: transformations.map(({ name }) => name),
    weight: weight === undefined ? '' : String(weight),
    retryOn: retry?.on ?? [],
    retryNotOn: retry?.not_on ?? [],
    attempts: max_attempts === undefined ? '' : String(max_attempts),
    percent: cost ? String(cost.basis_points / POINTS) : '',
    fixed: cost?.fixed === undefined ? '' : String(cost.fixed),
  }
}

function bodyOfEntry(entry: DraftEntry, strategy: string): object {
  const { id, instrument, transformations, weight, retryOn, retryNotOn, attempts, percent, fixed } = entry
  const hasCost = strategy === 'least_cost' && percent.trim() !== ''
  const cost = { basis_points: pointsOf(percent), ...(fixed.trim() !== '' && { fixed: Number(fixed) }) }
  const retry = {
    ...(retryOn.length > 0 && { on: retryOn }),
    ...(retryNotOn.length > 0 && { not_on: retryNotOn }),
  }
  return {
    payment_service_id: id,
    instrument,
    transformations: transformations.map((name) => ({ name })),
    ...(strategy === 'weighted' && { weight: Number(weight) }),
    ...(Object.keys(retry).length > 0 && { retry }),
    ...(attempts !== '' && { max_attempts: Number(attempts) }),
    ...(hasCost && { cost }),
  }
}

function pointsOf(percent: string): number {
  return Math.round(Number(percent) * POINTS * 1_000) / 1_000
}

/** Both may be left empty; the part for each payment not alone. */
function isCost({ percent, fixed }: DraftEntry): boolean {
  const isPercent = /^\d{1,3}([.]\d{1,4})?$/.test(percent.trim()) && Number(percent) <= WHOLE
  const isFixed = fixed.trim() === '' || /^\d{1,8}$/.test(fixed.trim())
  return percent.trim() === '' ? fixed.trim() === '' : isPercent && isFixed
}

type RuleBody = Pick<Schemas['FlowRuleCreate'], 'description' | 'conditions' | 'outcome' | 'error_code'>

/**
 * What was written as the API takes it, and what is wrong with it. Faults have the pointers that the server would use:
 * `/conditions/0/value`.
 */
export function readDraft(draft: Draft, place: Place): { readonly body: RuleBody; readonly faults: Faults } {
  const conditions = draft.conditions.map((one, index) => readCondition(one, `/conditions/${index}`))
  const outcome = readOutcome(draft, place)
  const description = draft.description.trim()
  const code = draft.errorCode.trim()
  const faults = Object.assign({}, ...conditions.map((one) => one.faults), outcome.faults, {
    ...(description.length > DESCRIPTION_MAX && { '/description': `At most ${DESCRIPTION_MAX} characters.` }),
    ...(code !== '' &&
      !isErrorCode(code) && {
        '/error_code': 'Start with flow_, followed by lowercase letters and underscores.',
      }),
  })
  const body = {
    description: description === '' ? null : description,
    conditions: conditions.map(({ condition }) => condition),
    outcome: outcome.outcome,
    ...(place.action === 'decline-early' && { error_code: code === '' ? null : code }),
  }
  return { body: body as RuleBody, faults }
}

function isErrorCode(code: string): boolean {
  const { pattern = '', maxLength = code.length } = ERROR_CODE
  return new RegExp(pattern).test(code) && code.length <= maxLength
}

function readCondition(
  { name, operator, typed, inner }: DraftCondition,
  pointer: string,
): { readonly condition: object; readonly faults: Faults } {
  if (name !== ANY_OF) {
    const { value, faults } = readValue(name, operator, typed)
    return { condition: { name, operator, value }, faults: below(pointer, faults) }
  }
  const read = inner.map((one, index) => readCondition(one, `${pointer}/value/${index}`))
  const { minItems = 0 } = valueShape(name, operator)
  const tooFew = inner.length < minItems && {
    [`${pointer}/value`]: `Add at least ${minItems} conditions.`,
  }
  return {
    condition: { name, operator, value: read.map(({ condition }) => condition) },
    faults: Object.assign({}, ...read.map(({ faults }) => faults), tooFew),
  }
}

/** The names of questions as pointers. */
function below(pointer: string, faults: Faults): Faults {
  return Object.fromEntries(
    Object.entries(faults).map(([name, message]) => [`${pointer}/${name.replaceAll('.', '/')}`, message]),
  )
}

function readOutcome(
  draft: Draft,
  { flow, action }: Place,
): { readonly outcome: object; readonly faults: Faults } {
  if (action === 'decline-early') return { outcome: { type: 'boolean', result: true }, faults: {} }
  if (action === 'skip-3ds') {
    const outcome = { type: 'three-d-secure', result: draft.threeDSecure }
    return { outcome, faults: draft.threeDSecure === '' ? { '/outcome/result': 'Choose one.' } : {} }
  }
  const ids = draft.entries.map(({ id }) => id)
  const isRouting = action === 'route-transaction'
  const empty = isRouting && ids.length === 0 && { '/outcome/result': 'Add a payment service.' }
  if (flow === 'card-transaction' && isRouting) {
    const { outcome, faults } = readRouting(draft)
    return { outcome, faults: { ...faults, ...empty } }
  }
  const twice = ids.findIndex((id, index) => ids.indexOf(id) < index)
  const repeated = twice !== -1 && { [`/outcome/result/${twice}`]: 'Already in the list.' }
  return { outcome: { type: 'list', result: ids }, faults: { ...repeated, ...empty } }
}

function readRouting({ entries, strategy }: Draft): { readonly outcome: object; readonly faults: Faults } {
  const isWeighted = strategy === 'weighted'
  const result = entries.map((entry) => bodyOfEntry(entry, strategy))
  const faults: Record<string, string> = {}
  const seen = new Set<string>()
  entries.forEach((entry, index) => {
    const at = `/outcome/result/${index}`
    const same = JSON.stringify([entry.id, entry.instrument, entry.transformations.toSorted()])
    if (seen.has(same)) faults[at] = 'Already in the list.'
    seen.add(same)
    if (entry.instrument === 'network_token' && entry.transformations.includes('use_additional_scheme'))
      faults[`${at}/transformations`] = 'A network token has one scheme: use the card number instead.'
    const both = entry.retryOn.find((code) => entry.retryNotOn.includes(code))
    if (both !== undefined) faults[`${at}/retry/not_on`] = `${both} cannot be in both lists.`
    if (strategy === 'least_cost' && !isCost(entry))
      faults[`${at}/cost`] = 'Type a percentage from 0 to 100, such as 2.9, and a whole number of cents.'
    if (isWeighted && !/^\d{1,3}$/.test(entry.weight.trim()))
      faults[`${at}/weight`] = 'Type a share from 0 to 100.'
  })
  const isSum = isWeighted && entries.length > 0 && Object.keys(faults).length === 0
  if (isSum && weightSum(entries) !== WHOLE)
    faults['/outcome/result'] = `The shares must add up to 100 %. They add up to ${weightSum(entries)} %.`
  const outcome = {
    type: 'card-routing',
    version: OUTCOMES['CardRoutingOutcome']?.properties?.['version']?.const,
    result,
    strategy,
  }
  return { outcome, faults }
}

export function weightSum(entries: readonly DraftEntry[]): number {
  return entries.reduce((sum, { weight }) => sum + (Number(weight) || 0), 0)
}

/** The same share for each, and the rest for the first. */
export function evenly(entries: readonly DraftEntry[]): readonly DraftEntry[] {
  const share = Math.floor(WHOLE / Math.max(entries.length, 1))
  const rest = WHOLE - share * entries.length
  return entries.map((entry, index) => ({ ...entry, weight: String(index === 0 ? share + rest : share) }))
}

/** The message at a pointer, or at the first one below it. */
export function faultAt(faults: Faults, pointer: string): string | undefined {
  return Object.entries(faults).find(([at]) => at === pointer || at.startsWith(`${pointer}/`))?.[1]
}
