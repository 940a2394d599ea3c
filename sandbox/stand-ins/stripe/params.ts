import type { Form, Value } from './form.ts'
import { invalid } from './stripe-error.ts'

/** What a parameter may be. A list of texts names the allowed values. */
export type Shape =
  | 'text'
  | 'integer'
  | 'boolean'
  | 'metadata'
  | 'texts'
  /** A list of objects, which the caller checks. */
  | 'objects'
  | readonly string[]
  | { readonly [name: string]: Shape }

export type Params = Form

/** Refuses what Stripe refuses: unknown names, wrong types, empty texts. Source: https://docs.stripe.com/error-codes */
export function checkParams(params: Params, shape: { readonly [name: string]: Shape }, path = ''): void {
  for (const [name, value] of Object.entries(params)) {
    const full = path === '' ? name : `${path}[${name}]`
    const part = shape[name]
    if (part === undefined) throw invalid('parameter_unknown', `Received unknown parameter: ${full}`, full)
    checkValue(value, part, full)
  }
}

function checkValue(value: Value, shape: Shape, param: string): void {
  const wrong = (what: string) => invalid('parameter_invalid_empty', `Invalid ${what}: ${param}`, param)
  if (shape === 'metadata') {
    checkMetadata(value, param)
  } else if (shape === 'objects') {
    if (!Array.isArray(value) || value.some((item) => typeof item === 'string')) throw wrong('array')
  } else if (shape === 'texts') {
    if (!Array.isArray(value) || value.some((item) => typeof item !== 'string')) throw wrong('array')
  } else if (typeof shape === 'object' && !Array.isArray(shape)) {
    if (typeof value === 'string' || Array.isArray(value)) throw wrong('object')
    checkParams(value as Form, shape as { readonly [name: string]: Shape }, param)
  } else {
    if (typeof value !== 'string') throw wrong('string')
    checkText(value, shape as 'text', param)
  }
}

function checkText(
  value: string,
  shape: 'text' | 'integer' | 'boolean' | readonly string[],
  param: string,
): void {
  if (value === '') {
    throw invalid('parameter_invalid_empty', `You passed an empty string for '${param}'.`, param)
  }
  if (shape === 'integer' && !/^-?\d{1,15}$/.test(value)) {
    throw invalid('parameter_invalid_integer', `Invalid integer: ${value}`, param)
  }
  if (shape === 'boolean' && value !== 'true' && value !== 'false') {
    throw invalid('parameter_invalid_empty', `Invalid boolean: ${value}`, param)
  }
  if (Array.isArray(shape) && !shape.includes(value)) {
    throw invalid('parameter_invalid_empty', `Invalid ${param}: must be one of ${shape.join(', ')}`, param)
  }
}

/** At most 50 keys of 40 characters, with values of 500. Source: https://docs.stripe.com/api/metadata */
function checkMetadata(value: Value, param: string): void {
  const entries = typeof value === 'string' ? [['', value]] : Object.entries(value)
  const isFine =
    entries.length <= 50 &&
    entries.every(([key = '', text]) => key.length <= 40 && typeof text === 'string' && text.length <= 500)
  if (!isFine) throw invalid('parameter_invalid_empty', `Invalid ${param}`, param)
}

export function valueAt(params: Params, ...path: readonly string[]): Value | undefined {
  let value: Value | undefined = params
  for (const name of path) {
    if (value === undefined || typeof value === 'string' || Array.isArray(value)) return undefined
    value = (value as Form)[name]
  }
  return value
}

export function textAt(params: Params, ...path: readonly string[]): string | null {
  const value = valueAt(params, ...path)
  return typeof value === 'string' ? value : null
}

export function integerAt(params: Params, ...path: readonly string[]): number | null {
  const text = textAt(params, ...path)
  return text === null ? null : Number(text)
}

export function isTrueAt(params: Params, ...path: readonly string[]): boolean {
  return textAt(params, ...path) === 'true'
}

export function metadataAt(params: Params): Record<string, string> {
  const value = valueAt(params, 'metadata')
  return typeof value === 'object' ? { ...(value as Record<string, string>) } : {}
}

/** Refuses a request without them. */
export function requireParams(params: Params, ...names: readonly string[]): void {
  for (const name of names) {
    if (valueAt(params, name) !== undefined) continue
    throw invalid('parameter_missing', `Missing required param: ${name}.`, name)
  }
}
