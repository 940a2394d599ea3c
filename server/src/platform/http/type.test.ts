import * as library from 'typebox'
import { expect, test } from 'vitest'
import { Type } from './type.ts'

type Makers = typeof Type

const documented = Object.defineProperty({ type: 'object' }, 'toJSON', {
  value: () => ({ title: 'Document' }),
})

/** Schemas of all kinds, by the makers of the library and by ours. */
function made({ String: text, Object: object, ...type }: Makers): object[] {
  const word = text({ minLength: 1, description: 'A word.' })
  const fields = {
    word,
    count: type.Optional(type.Integer({ minimum: 0, default: 2 })),
    maybe: type.Optional(word),
  }
  return [
    word,
    text(),
    type.Number({ maximum: 2 }),
    type.Boolean({ default: true }),
    type.Null(),
    type.Null({ title: 'Nothing' }),
    type.Unknown({ description: 'Anything.' }),
    type.Literal('a', { title: 'A' }),
    type.Unsafe<'a'>({ enum: ['a'], title: 'One of one' }),
    type.Array(word, { maxItems: 3 }),
    type.Union([word, type.Null()], { examples: ['a', null] }),
    type.Record(text(), word, { maxProperties: 2 }),
    object(fields, { additionalProperties: false, title: 'Fields' }),
    object({}),
    object({ maybe: type.Optional(word) }, { title: 'All may be missing' }),
    object(type.Partial(object(fields, { title: 'Fields' })).properties, { additionalProperties: false }),
    object({ inner: type.Optional(object(fields)), list: type.Array(object(fields)) }),
    object({ still: type.Unsafe(type.Optional(word)) }),
    object({ hidden: type.Optional(type.Unsafe(documented)) }),
    // Made anew from an optional one, it is not optional any more.
    object({ again: type.Unsafe({ ...type.Optional(word) }) }),
  ]
}

test('schemas are the very texts that the library makes', () => {
  const texts = (makers: Makers) => made(makers).map((schema) => JSON.stringify(schema))
  expect(texts(Type)).toEqual(texts(library.Type))
})
