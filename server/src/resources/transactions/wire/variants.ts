import type { ErrorDetail } from '#platform/http/errors.ts'
import { type Static, type TSchema, Type } from '#platform/http/type.ts'
import { complaintsAbout } from '#platform/http/validation.ts'

/**
 * One of several shapes. The API reference shows them all. Validation only asks for an object: otherwise it
 * would complain about every shape that the caller did not mean. The reader of the field finds the shape that
 * the caller meant, and checks it.
 */
export function Variants<const Shapes extends readonly TSchema[]>(
  shapes: Shapes,
  description: string,
  more: { readonly title?: string; readonly examples?: readonly object[] } = {},
) {
  return documentedAs<Static<Shapes[number]>>(
    { type: 'object', ...more },
    { ...more, description, anyOf: shapes },
  )
}

/** The same, or null. */
export function NullableVariants<const Shapes extends readonly TSchema[]>(
  shapes: Shapes,
  description: string,
) {
  return documentedAs<Static<Shapes[number]> | null>(
    { type: ['object', 'null'] },
    { description, anyOf: [...shapes, Type.Null()] },
  )
}

/** What is wrong with a part of the body, with pointers from the root of the body. Fills in defaults. */
export function complaintsIn(pointer: string, schema: TSchema, part: unknown): ErrorDetail[] {
  return complaintsAbout('body', schema, part).map((detail) => ({
    ...detail,
    pointer: `${pointer}${detail.pointer}`,
  }))
}

/** The documentation is not enumerable, because the validator takes every enumerable property for a rule. */
function documentedAs<Value>(checked: object, documented: object) {
  return Object.defineProperty(Type.Unsafe<Value>(checked), 'toJSON', { value: () => documented })
}
