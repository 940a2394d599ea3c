import { type TSchema, Type } from 'typebox'
import { Nullable, Strict } from '#platform/http/schemas.ts'
import { optional } from '../order.ts'

export const AnyObject = Type.Unsafe<Record<string, unknown>>({ type: 'object' })
const TextMap = TextMapOf()

export const Text = Nullable(Type.String())
export const Whole = Nullable(Type.Integer())
export const Flag = Nullable(Type.Boolean())
export const Texts = Nullable(TextMap)

export function TextMapOf(maxLength?: number) {
  const additionalProperties = Type.String(maxLength === undefined ? {} : { maxLength })
  return Type.Unsafe<Record<string, string>>({ type: 'object', additionalProperties })
}

/** A block of options, each of which may be left out. */
export function Options<Fields extends Record<string, TSchema>>(title: string, fields: Fields) {
  return Strict(optional(fields), { title })
}
