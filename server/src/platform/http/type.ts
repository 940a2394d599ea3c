import type { TSchema, Type as Typebox } from 'typebox'

export type { Static, TObject, TSchema } from 'typebox'

type Options = object
type Properties = Readonly<Record<string, object>>

/** Marks a field that may be missing. It is hidden: a schema says nothing of it, only the list of required fields of its object. */
const OPTIONAL = Symbol('optional')

/** With what is hidden in it. A copy by `{ ... }` has nothing of that. */
function copyOf(schema: object): object {
  return Object.defineProperties({}, Object.getOwnPropertyDescriptors(schema))
}

/**
 * Makes JSON schemas whose TypeScript types `typebox` knows. Its own makers are these few lines behind 370 files, which each
 * start would load.
 */
export const Type = {
  String: (options?: Options) => ({ type: 'string', ...options }),
  Integer: (options?: Options) => ({ type: 'integer', ...options }),
  Number: (options?: Options) => ({ type: 'number', ...options }),
  Boolean: (options?: Options) => ({ type: 'boolean', ...options }),
  Null: (options?: Options) => ({ type: 'null', ...options }),
  Unknown: (options?: Options) => ({ ...options }),
  Literal: (value: string, options?: Options) => ({ type: 'string', const: value, ...options }),
  Unsafe: copyOf,
  Array: (items: object, options?: Options) => ({ type: 'array', items, ...options }),
  Union: (anyOf: readonly object[], options?: Options) => ({ anyOf, ...options }),
  Record: (_key: object, value: object, options?: Options) => ({
    type: 'object',
    patternProperties: { '^.*$': value },
    ...options,
  }),
  Optional: (schema: object) => Object.defineProperty(copyOf(schema), OPTIONAL, { value: true }),
  Object: (properties: Properties, options?: Options) => {
    const required = Object.keys(properties).filter((name) => !(OPTIONAL in (properties[name] ?? {})))
    return { type: 'object', ...(required.length > 0 && { required }), properties, ...options }
  },
  Partial: ({ properties }: { readonly properties: Properties }) => {
    const fields = Object.entries(properties).map(([name, schema]) => [
      name,
      Type.Optional(schema as TSchema),
    ])
    return { type: 'object', properties: Object.fromEntries(fields) }
  },
} as unknown as Pick<typeof Typebox, Made>

type Made =
  | 'String'
  | 'Integer'
  | 'Number'
  | 'Boolean'
  | 'Null'
  | 'Unknown'
  | 'Literal'
  | 'Unsafe'
  | 'Array'
  | 'Union'
  | 'Record'
  | 'Optional'
  | 'Object'
  | 'Partial'
