import type { Static, TSchema } from '#platform/http/type.ts'

type Shape = {
  readonly const?: unknown
  readonly properties?: Readonly<Record<string, Shape>>
  readonly items?: Shape
}

/** Shows what was sent with every field of the schema and no other: null where it was left out. */
export function complete<Schema extends TSchema>(schema: Schema, given: object): Static<Schema> {
  return fill(schema as Shape, given) as Static<Schema>
}

function fill({ const: value, properties, items }: Shape, given: unknown): unknown {
  if (value !== undefined) return value
  if (given === null || given === undefined) return null
  if (items && Array.isArray(given)) return given.map((item) => fill(items, item))
  if (!properties) return given
  const fields = given as Readonly<Record<string, unknown>>
  return Object.fromEntries(
    Object.entries(properties).map(([name, shape]) => [name, fill(shape, fields[name])]),
  )
}
