import { type Static, type TSchema, Type } from './type.ts'

/** `null` beside the schema's own type, kept as one schema so that a bad value gives one error. */
export function Nullable<Schema extends TSchema>(schema: Schema) {
  const { type, enum: values, ...rest } = schema as { type?: string; enum?: unknown[] }
  return Type.Unsafe<Static<Schema> | null>({
    ...rest,
    ...(type !== undefined && { type: [type, 'null'] }),
    ...(values !== undefined && { enum: [...values, null] }),
  })
}

type StrictOptions = {
  readonly title?: string
  readonly description?: string
  readonly examples?: unknown[]
  /** How long the object may be in all, written as JSON. */
  readonly maxBytes?: number
}

/** An object that refuses fields it does not name. */
export function Strict<Properties extends Record<string, TSchema>>(
  properties: Properties,
  options: StrictOptions = {},
) {
  return Type.Object(properties, { additionalProperties: false, ...options })
}

/** One of a list of strings. */
export function OneOf<const Values extends readonly string[]>(values: Values, options: object = {}) {
  return Type.Unsafe<Values[number]>({ type: 'string', enum: [...values], ...options })
}

export function Uuid(options: object = {}) {
  return Type.String({ format: 'uuid', ...options })
}

export function DateTime(options: object = {}) {
  return Type.String({ format: 'date-time', ...options })
}

/** The validator's name for a URL that a buyer can be sent to. Documents say `uri`. */
export const REDIRECT_URL = 'redirect-url'

/** A URL that its operation checks itself, with rules that depend on the installation. Documents say `uri`. */
export const CHECKED_URL = 'checked-url'

/** Where a buyer returns to after approving. */
export function RedirectUrl(description: string) {
  return Type.String({
    format: REDIRECT_URL,
    maxLength: 20_000,
    description: `${description} A web page, an app by its own scheme (\`myapp://paid\`), or \`data:application/json;base64,…\`. Schemes of browsers and operating systems are refused.`,
  })
}

/** The `type` field every resource carries. */
export function Kind<const Value extends string>(value: Value) {
  return Type.Unsafe<Value>({ type: 'string', const: value })
}
