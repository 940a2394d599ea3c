import { isDeepStrictEqual } from 'node:util'
import { CHECKED_URL, REDIRECT_URL } from '../http/schemas.ts'
import type { TSchema } from '../http/type.ts'

/** The part of JSON Schema that our documents use. */
export type Schema = {
  $ref?: string
  title?: string
  description?: string
  type?: string | string[]
  format?: string
  pattern?: string
  expected?: string
  nulMeansNull?: boolean
  maxBytes?: number
  const?: unknown
  enum?: unknown[]
  default?: unknown
  examples?: unknown[]
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  minItems?: number
  maxItems?: number
  maxProperties?: number
  propertyNames?: Schema
  uniqueItems?: boolean
  required?: string[]
  properties?: Record<string, Schema>
  patternProperties?: Record<string, Schema>
  additionalProperties?: boolean | Schema
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
}

export type Direction = 'request' | 'response'

/** Writes each schema that carries a title once and refers to it everywhere else. */
export class SchemaCatalogue {
  readonly #schemas = new Map<string, Schema>()

  add(schema: TSchema, direction: Direction): Schema {
    // TypeBox marks its schemas with hidden properties. Only JSON belongs in the document.
    return this.#hoist(JSON.parse(JSON.stringify(schema)), direction)
  }

  all(): Record<string, Schema> {
    return Object.fromEntries([...this.#schemas].sort(([a], [b]) => (a < b ? -1 : 1)))
  }

  #hoist(schema: Schema, direction: Direction): Schema {
    if (typeof schema.title === 'string' && acceptsNull(schema)) {
      return { anyOf: [this.#hoist(withoutNull(schema), direction), { type: 'null' }] }
    }
    const written = this.#hoistInner(schema, direction)
    if (direction === 'request') leaveOutDefaulted(written)
    if (written.title === undefined) return written

    const { title } = written
    const known = this.#schemas.get(title)
    if (known !== undefined && !isDeepStrictEqual(known, written)) {
      throw new Error(`Two different schemas have the title ${title}`)
    }
    this.#schemas.set(title, written)
    return { $ref: `#/components/schemas/${title}` }
  }

  /** Keyword by keyword, because examples, defaults and constants may hold a `title` that names no schema. */
  #hoistInner(schema: Schema, direction: Direction): Schema {
    const one = (inner: Schema) => this.#hoist(inner, direction)
    const list = (inner: Schema[]) => inner.map(one)
    const map = (inner: Record<string, Schema>) =>
      Object.fromEntries(Object.entries(inner).map(([name, value]) => [name, one(value)]))
    const { properties, patternProperties, additionalProperties, items, anyOf, oneOf, allOf } = schema
    // The validator's own words are no keywords of JSON Schema.
    const { expected: _expected, nulMeansNull: _nulMeansNull, maxBytes: _maxBytes, ...plain } = schema
    return {
      ...plain,
      ...((schema.format === REDIRECT_URL || schema.format === CHECKED_URL) && { format: 'uri' }),
      ...(properties && { properties: map(properties) }),
      ...(patternProperties && { patternProperties: map(patternProperties) }),
      ...(typeof additionalProperties === 'object' && { additionalProperties: one(additionalProperties) }),
      // Generators need the items of an array, even where any will do.
      ...(items ? { items: one(items) } : typesOf(schema).includes('array') && { items: {} }),
      ...(anyOf && { anyOf: list(anyOf) }),
      ...(oneOf && { oneOf: list(oneOf) }),
      ...(allOf && { allOf: list(allOf) }),
    }
  }
}

export function typesOf({ type }: Schema): string[] {
  return [type ?? []].flat()
}

export function acceptsNull(schema: Schema): boolean {
  return typesOf(schema).includes('null')
}

/** A nullable field refers to the schema of its value, so that a client has one type for both. */
export function withoutNull(schema: Schema): Schema {
  const [type, ...others] = typesOf(schema).filter((name) => name !== 'null')
  return {
    ...schema,
    ...(type !== undefined && { type: others.length === 0 ? type : [type, ...others] }),
    ...(schema.enum && { enum: schema.enum.filter((value) => value !== null) }),
  }
}

/**
 * Validation fills in defaults before it checks required fields, so the caller may leave such a field out.
 */
function leaveOutDefaulted(schema: Schema): void {
  if (!schema.required) return
  const required = schema.required.filter((name) => schema.properties?.[name]?.default === undefined)
  if (required.length > 0) schema.required = required
  else delete schema.required
}

/** An example of a whole body: its own or, for a list, one made from the example of its items. */
export function exampleOf(schema: TSchema | Schema): unknown {
  const { examples, properties } = schema as Schema
  if (examples !== undefined) return examples[0]
  const item = properties?.['items']?.items?.examples?.[0]
  if (item === undefined) return undefined
  const { limit, next_cursor, previous_cursor } = properties as Record<string, Schema>
  return {
    items: [item],
    ...(limit && { limit: Math.min(20, limit.maximum ?? 20) }),
    ...(next_cursor && { next_cursor: null }),
    ...(previous_cursor && { previous_cursor: null }),
  }
}
