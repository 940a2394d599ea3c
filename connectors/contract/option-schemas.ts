/**
 * JSON Schema of one option, or of a connector's whole block of `connection_options`. Errors about a `pattern` say what
 * is `expected`.
 */
export type OptionSchema = {
  readonly type: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly [keyword: string]: unknown
}

/** Null beside the schema's own type, in one schema, so that a wrong value gives one error. */
export function orNull({ type, enum: values, ...rest }: OptionSchema): OptionSchema {
  return { ...rest, type: [type, 'null'].flat(), ...(values && { enum: [...values, null] }) }
}

export const AN_OBJECT: OptionSchema = { type: 'object' }
export const TEXTS_BY_NAME: OptionSchema = { type: 'object', additionalProperties: { type: 'string' } }

/** Merchants may leave each of these out, or send null. */
export const TEXT = orNull({ type: 'string' })
export const WHOLE_NUMBER = orNull({ type: 'integer' })
export const FLAG = orNull({ type: 'boolean' })

export function oneOf(values: readonly string[]): OptionSchema {
  return { type: 'string', enum: values }
}

export function listOf(items: OptionSchema, over: object = {}): OptionSchema {
  return { type: 'array', items, ...over }
}

type Fields = Readonly<Record<string, OptionSchema>>
type Rest = {
  readonly required?: readonly string[]
  readonly description?: string
  readonly examples?: unknown[]
}

/** An object that refuses fields it does not name. Its title is its name in the API reference. */
export function block(title: string, properties: Fields, { required, ...rest }: Rest = {}): OptionSchema {
  const needed = required && { required }
  return { type: 'object', ...needed, properties, additionalProperties: false, title, ...rest }
}
