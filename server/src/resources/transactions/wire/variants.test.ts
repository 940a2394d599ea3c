import { expect, test } from 'vitest'
import { Nullable, Strict } from '#platform/http/schemas.ts'
import { Type } from '#platform/http/type.ts'
import { complaintsAbout } from '#platform/http/validation.ts'
import { SchemaCatalogue } from '#platform/reference/openapi-schemas.ts'
import { complaintsIn, NullableVariants, Variants } from './variants.ts'

const Cat = Strict({ lives: Type.Integer() }, { title: 'Cat' })
const Dog = Strict({ name: Type.String() }, { title: 'Dog' })
const Owner = Strict({
  pet: Type.Optional(NullableVariants([Cat, Dog], 'What lives here.')),
  pets: Nullable(Type.Array(Variants([Cat, Dog], 'Each one.'))),
})

test('documents show every shape', () => {
  const { properties } = new SchemaCatalogue().add(Owner, 'request')

  const cat = { $ref: '#/components/schemas/Cat' }
  const dog = { $ref: '#/components/schemas/Dog' }
  expect(properties?.['pet']).toEqual({
    description: 'What lives here.',
    anyOf: [cat, dog, { type: 'null' }],
  })
  expect(properties?.['pets']?.items).toEqual({ description: 'Each one.', anyOf: [cat, dog] })
})

test('validation asks for an object, and leaves its shape to the reader', () => {
  expect(complaintsAbout('body', Owner, { pet: null, pets: [{ wings: 2 }] })).toEqual([])
  expect(complaintsAbout('body', Owner, { pets: [null, 7] })).toMatchObject([
    { pointer: '/pets/0', type: 'type_error.object' },
    { pointer: '/pets/1', type: 'type_error.object' },
  ])
  expect(complaintsAbout('body', Owner, { pet: [], pets: null })).toMatchObject([
    { pointer: '/pet', type: 'type_error.object' },
  ])
})

test('names the place of a mistake in the whole body', () => {
  expect(complaintsIn('/pet', Dog, { name: 7 })).toMatchObject([{ location: 'body', pointer: '/pet/name' }])
  expect(complaintsIn('/pet', Dog, { name: 'Rex', tail: 1 })).toMatchObject([{ pointer: '/pet/tail' }])
})
