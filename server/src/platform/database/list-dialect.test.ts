import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestService } from '#testing/harness.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

const accounts = () => service.context.db.selectFrom('merchant_accounts').select('id')

const SLUGS = ['administrator', 'processing', 'reporting']
const roles = (operator: 'in' | 'not in', slugs: readonly string[]) =>
  service.context.db
    .selectFrom('roles')
    .select('slug')
    .where('slug', operator, slugs)
    .where('slug', 'in', SLUGS)
    .orderBy('slug')

test('lists of any length have the same statement', () => {
  const texts = [0, 2, 3, 50].map((length) => {
    const ids = Array.from({ length }, (_, index) => `account-${index}`)
    return accounts().where('id', 'in', ids).where('id', 'not in', ids).compile().sql
  })

  expect(new Set(texts).size).toBe(1)
  expect(texts[0]).toBe('select "id" from "merchant_accounts" where "id" = any($1) and "id" <> all($2)')
})

test('a list of one is an equality, which keeps the order of an index', () => {
  const { sql, parameters } = accounts().where('id', 'in', ['a']).where('id', 'not in', ['b']).compile()

  expect(sql).toBe('select "id" from "merchant_accounts" where "id" = $1 and "id" <> $2')
  expect(parameters).toEqual(['a', 'b'])
})

test.each([
  [[], []],
  [['processing'], ['processing']],
  [
    ['processing', 'reporting', 'no, "such" {one}'],
    ['processing', 'reporting'],
  ],
])('finds rows in %j', async (slugs, expected) => {
  const found = await roles('in', slugs).execute()

  expect(found.map(({ slug }) => slug)).toEqual(expected)
})

test.each([
  [[], SLUGS],
  [['processing'], ['administrator', 'reporting']],
  [['processing', 'reporting'], ['administrator']],
])('finds rows not in %j', async (slugs, expected) => {
  const found = await roles('not in', slugs).execute()

  expect(found.map(({ slug }) => slug)).toEqual(expected)
})

test('a list from a sub-select stays as it is', async () => {
  const found = await service.context.db
    .selectFrom('roles')
    .select('slug')
    .where('id', 'in', (eb) => eb.selectFrom('roles').select('id').where('slug', '=', 'processing'))
    .execute()

  expect(found).toEqual([{ slug: 'processing' }])
})
