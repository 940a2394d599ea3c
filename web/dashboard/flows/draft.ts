import { CURRENCIES } from '../../../server/src/domain/currency.ts'
import { CONDITIONS, OUTCOMES, RULE, type Shape, UNFIT } from '../../api/flow-shapes.ts'
import type { Schemas } from '../../api/schema.d.ts'
import { countryOptions } from '../parts/countries.ts'
import {
  type Faults,
  type Field,
  firstTyped,
  nested,
  type Option,
  readValues,
  type Typed,
} from '../parts/fields.tsx'
import { capital } from '../parts/locale.ts'
import { ANSWERS, type Condition, type Outcome, type Place, type Rule, valueName } from './words.ts'

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

export const ANY_OF = 'any_of'

const CURRENCY = '^[A-Z]{3}$'
const COUNTRY = '^[A-Z]{2}$'
const LANGUAGE = '^[a-z]{2}$'
const TIME = '^([01]\\d|2[0-3]):[0-5]\\d$'
/** A choice has texts. This one stands for what a payment does not tell. */
const UNKNOWN = 'null'

/** All conditions by name, as the API lists them. A name may have two shapes: the operator tells which. */
const SHAPES = Map.groupBy(CONDITIONS, (shape) => String(shape.properties?.['name']?.const))

const CONDITION_NAMES = [...SHAPES.keys()]

export function operatorsOf(name: string): readonly string[] {
  return (SHAPES.get(name) ?? []).flatMap((shape) => (shape.properties?.['operator']?.enum ?? []) as string[])
}

export function valueShape(name: string, operator: string): Shape {
  const shapes = SHAPES.get(name) ?? []
  const fitting = shapes.find(({ properties }) => properties?.['operator']?.enum?.includes(operator))
  return (fitting ?? shapes[0])?.properties?.['value'] ?? {}
}

/** The questions for the value of a condition. Their names begin with `value`, as in the body. */
export function valueFields(name: string, operator: string, typed: Typed): readonly Field[] {
  const shape = valueShape(name, operator)
  if (name === ANY_OF || shape.const !== undefined) return []
  if (!shape.properties) return [fieldFor('value', shape, { name, typed })]
  return Object.entries(shape.properties).map(([part, inner]) =>
    fieldFor(`value.${part}`, inner, { name, typed }),
  )
}

type Context = { readonly name: string; readonly typed: Typed }

function fieldFor(path: string, shape: Shape, { name, typed }: Context): Field {
  const part = path.split('.')[1] ?? ''
  const common = { name: path, label: LABELS[part] ?? 'Value', isRequired: true, isHalf: part !== '' }
  if (shape.type === 'boolean') return { ...common, kind: 'choice', options: answersOf(name) }
  if (shape.items) return { ...common, ...listKind(name, shape.items) }
  if (shape.enum) return { ...common, kind: 'choice', options: optionsOf(name, shape.enum) }
  if (shape.pattern === CURRENCY) return { ...common, kind: 'currency' }
  if (shape.pattern === TIME) return { ...common, kind: 'time' }
  if (part === 'time_zone') return { ...common, kind: 'choice', options: zoneOptions(typed[path]) }
  if (shape.type !== 'integer' && shape.type !== 'number') return { ...common, kind: 'text' }
  if (name === 'amount') {
    const currency = String(typed['value.currency'] || 'USD')
    return { ...common, kind: 'money', currency, ...(shape.maximum && { max: shape.maximum }) }
  }
  return {
    ...common,
    kind: 'number',
    ...(shape.minimum !== undefined && { min: shape.minimum }),
    ...(shape.maximum !== undefined && { max: shape.maximum }),
    ...(HINTS[name] && { hint: HINTS[name] }),
  }
}

const LABELS: Readonly<Record<string, string>> = {
  currency: 'Currency',
  value: 'Value',
  min: 'From',
  max: 'To',
  key: 'Key',
  time_zone: 'Time zone',
  days: 'Days',
  from: 'From',
  to: 'To',
}

const HINTS: Readonly<Record<string, string>> = {
  split_routing: 'In percent. A buyer always gets the same result.',
  card_bin: 'One per line: first digits, or a range such as 41410000-42429999.',
  gift_card_bin: 'One per line: first digits, or a range.',
  browser_language: 'One per line: two lowercase letters, such as en.',
}

function listKind(name: string, items: Shape) {
  const options = listOptions(name, items)
  if (options) return { kind: 'choices', options, isFolded: true } as const
  return { kind: 'lines', hint: HINTS[name] ?? 'One per line.' } as const
}

function listOptions(name: string, { enum: values, pattern }: Shape): readonly Option[] | undefined {
  if (values) return optionsOf(name, values)
  if (pattern === CURRENCY) return CURRENCIES.map((code) => ({ value: code, label: code }))
  if (pattern === COUNTRY) return countryOptions()
  return undefined
}

function optionsOf(name: string, values: readonly (string | null)[]): readonly Option[] {
  return values.map((value) => ({ value: value ?? UNKNOWN, label: capital(valueName(name, value)) }))
}

function answersOf(name: string): readonly Option[] {
  const [yes = 'Yes', no = 'No'] = ANSWERS[name] ?? []
  return [
    { value: 'true', label: yes },
    { value: 'false', label: no },
  ]
}

/** The zone of the rule is among them, whatever this browser calls it. */
function zoneOptions(chosen: Typed[string] | undefined): readonly Option[] {
  const zones = new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])
  if (typeof chosen === 'string' && chosen !== '') zones.add(chosen)
  return [...zones].map((value) => ({ value, label: value.replaceAll('_', ' ') }))
}

/** What stands in the questions for a value that was stored. */
function flattened(value: unknown): Record<string, unknown> {
  if (typeof value === 'boolean') return { value: String(value) }
  if (Array.isArray(value)) return { value: value.map((one) => one ?? UNKNOWN) }
  if (typeof value !== 'object' || value === null) return { value }
  return Object.fromEntries(
    Object.entries(value).map(([part, one]) => [
      `value.${part}`,
      part === 'value' && typeof one === 'string' && !('currency' in value) ? [one] : one,
    ]),
  )
}

/** The value that was typed, or what is wrong with it. */
function readValue(
  name: string,
  operator: string,
  typed: Typed,
): { readonly value: unknown; readonly faults: Faults } {
  const shape = valueShape(name, operator)
  if (shape.const !== undefined) return { value: shape.const, faults: {} }
  const { values, faults } = readValues(valueFields(name, operator, typed), typed)
  if (Object.keys(faults).length > 0) return { value: undefined, faults }
  const raw = nested(values)['value']
  const value = shape.type === 'boolean' ? raw === 'true' : normal(raw)
  return { value, faults: { ...mistakesIn(shape, value, 'value'), ...crossedIn(value) } }
}

function normal(value: unknown): unknown {
  if (!Array.isArray(value)) {
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([part, one]) => [part, normal(one)]))
  }
  return [...new Set(value)].map((one) => (one === UNKNOWN ? null : one))
}

/** What the shape forbids. The questions have asked for numbers in their bounds already. */
function mistakesIn(shape: Shape, value: unknown, path: string): Record<string, string> {
  if (shape.properties && typeof value === 'object' && value !== null) {
    const parts = Object.entries(shape.properties)
    return Object.assign(
      {},
      ...parts.map(([part, inner]) =>
        mistakesIn(inner, (value as Record<string, unknown>)[part], `${path}.${part}`),
      ),
    )
  }
  if (Array.isArray(value)) {
    const { maxItems = value.length, items = {} } = shape
    if (value.length > maxItems) return { [path]: `At most ${maxItems} values. These are ${value.length}.` }
    const wrong = value.map((one) => mistakeOf(items, one)).find((one) => one !== undefined)
    return wrong === undefined ? {} : { [path]: wrong }
  }
  const mistake = mistakeOf(shape, value)
  return mistake === undefined ? {} : { [path]: mistake }
}

function mistakeOf({ type, pattern, maxLength }: Shape, value: unknown): string | undefined {
  if (type === 'integer' && !Number.isInteger(value)) return 'Type a whole number.'
  if (typeof value !== 'string') return undefined
  if (value.length > (maxLength ?? value.length))
    return `“${value.slice(0, 20)}…” is longer than ${maxLength} characters.`
  if (pattern !== undefined && !new RegExp(pattern).test(value))
    return `“${value}” ${EXPECTED[pattern] ?? EXPECTED_DIGITS}`
  const [, from = '', to = from] = /^(\d+)-(\d+)$/.exec(value) ?? []
  const isBackwards = pattern?.includes('\\d') && from.padEnd(to.length, '0') > to.padEnd(from.length, '9')
  return isBackwards ? `“${value}”: the end of the range is before its start.` : undefined
}

const EXPECTED: Readonly<Record<string, string>> = {
  [LANGUAGE]: 'is not a language: type two lowercase letters, such as en.',
  [TIME]: 'is not a time of day.',
}
const EXPECTED_DIGITS = 'is not valid: type digits, or a range such as 41410000-42429999.'

/** Ends that come before their starts. */
function crossedIn(value: unknown): Record<string, string> {
  const { min, max, from, to } = (value ?? {}) as Record<string, number | string | undefined>
  if (typeof min === 'number' && typeof max === 'number' && min > max)
    return { 'value.max': 'This must not be less than From.' }
  return from !== undefined && from === to ? { 'value.to': 'This must differ from From.' } : {}
}
