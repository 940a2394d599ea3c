import { CURRENCIES } from '../../../server/src/domain/currency.ts'
import { CONDITIONS, type Shape } from '../../api/flow-shapes.ts'
import { countryOptions } from '../parts/countries.ts'
import { type Faults, type Field, nested, type Option, readValues, type Typed } from '../parts/fields.tsx'
import { ANSWERS, valueName } from './words.ts'

export const ANY_OF = 'any_of'

const CURRENCY = '^[A-Z]{3}$'
const COUNTRY = '^[A-Z]{2}$'
const LANGUAGE = '^[a-z]{2}$'
const TIME = '^([01]\\d|2[0-3]):[0-5]\\d$'
/** A choice has texts. This one stands for what a payment does not tell. */
const UNKNOWN = 'null'

/** All conditions by name, as the API lists them. A name may have two shapes: the operator tells which. */
const SHAPES = Map.groupBy(CONDITIONS, (shape) => String(shape.properties?.['name']?.const))

export const CONDITION_NAMES = [...SHAPES.keys()]

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
export function flattened(value: unknown): Record<string, unknown> {
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
export function readValue(
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

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}
