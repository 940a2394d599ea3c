import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestService } from '#testing/harness.ts'
import { arrayOf } from './statements.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

/** What PostgreSQL makes of an array, and of the same one as a text. */
async function compared(array: Buffer, type: string, text: string) {
  const { rows } = await sql<{ sent: unknown; same: boolean }>`
    select to_json(sent) as sent, sent = ${text}::${sql.raw(type)}[] as same
    from (select ${array}::${sql.raw(type)}[] as sent) as given
  `.execute(service.context.db)
  return rows[0]
}

test('PostgreSQL reads every type as it reads its text', async () => {
  const id = '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0014'
  const texts = ['plain', '', null, 'ä € 𝄞', '{"a,b"} \\ NULL']
  const times = [new Date('1969-07-20T20:17:40.001Z'), null, new Date('9998-12-31T23:59:59.999Z')]
  const whole = [0, 1, -1, 2 ** 32, -(2 ** 32) - 7, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, null]
  const objects = [{ words: 'ä "quoted"', none: null }, { list: [1, 2.5] }]
  const quoted = (values: readonly (string | null)[]) =>
    `{${values.map((value) => (value === null ? 'NULL' : JSON.stringify(value))).join(',')}}`

  const ids = [id, null, 'ffffffff-ffff-ffff-ffff-ffffffffffff']
  expect(
    await compared(
      arrayOf.uuid([id.toUpperCase(), ...ids.slice(1)]),
      'uuid',
      `{${ids.map((one) => one ?? 'NULL')}}`,
    ),
  ).toMatchObject({
    sent: ids,
    same: true,
  })
  expect(await compared(arrayOf.text(texts), 'text', quoted(texts))).toEqual({ sent: texts, same: true })
  expect(await compared(arrayOf.boolean([true, false, null]), 'boolean', '{t,f,NULL}')).toMatchObject({
    same: true,
  })
  expect(await compared(arrayOf.integer([1, -2, null]), 'integer', '{1,-2,NULL}')).toMatchObject({
    same: true,
  })
  expect(
    await compared(arrayOf.bigint(whole), 'bigint', `{${whole.map((value) => value ?? 'NULL')}}`),
  ).toMatchObject({ same: true })
  expect(await compared(arrayOf.bigint(['-12', '7']), 'bigint', '{-12,7}')).toMatchObject({ same: true })
  expect(await compared(arrayOf.float8([0.1, -2e300, null]), 'float8', '{0.1,-2e300,NULL}')).toMatchObject({
    same: true,
  })
  expect(
    await compared(
      arrayOf.timestamptz(times),
      'timestamptz',
      quoted(times.map((time) => time?.toISOString() ?? null)),
    ),
  ).toMatchObject({ same: true })
  expect(
    await compared(
      arrayOf.date(['1969-07-20', null, '2030-12-31', '2000-01-01']),
      'date',
      '{1969-07-20,NULL,2030-12-31,2000-01-01}',
    ),
  ).toMatchObject({ same: true })
  expect(
    await compared(
      arrayOf.bytea([Buffer.from([0, 255, 7]), null, Buffer.alloc(0)]),
      'bytea',
      '{"\\\\x00ff07",NULL,"\\\\x"}',
    ),
  ).toMatchObject({ same: true })
  expect(await compared(arrayOf.jsonb([{ a: 1 }, null]), 'jsonb', '{"{\\"a\\":1}",NULL}')).toMatchObject({
    same: true,
  })
  expect(
    await compared(arrayOf.jsonb(objects), 'jsonb', quoted(objects.map((object) => JSON.stringify(object)))),
  ).toEqual({ sent: objects, same: true })
})

test('an array may be empty', async () => {
  expect(await compared(arrayOf.uuid([]), 'uuid', '{}')).toEqual({ sent: [], same: true })
})

test('a value that its type cannot hold is refused before it is sent', () => {
  for (const text of ['2030-12', '31/12/2030', '']) expect(() => arrayOf.date([text])).toThrow(/no day/)
  for (const text of [
    '0199f3a0-5d3b-7c00-8a11',
    '0199f3a0-5d3b-7c00-8a11-3f1f7f1f001g',
    '0199f3a0-5d3b-7c00-8a11-3f1f7f1fg014',
    '0199f3a0-5d3b-7c00-8a11-3f1f7f1f001\u0130',
    '0199f3a0-5d3b-7c00-8a1103f1f7f1f0014',
  ]) {
    expect(() => arrayOf.uuid([text])).toThrow('no UUID')
  }
  expect(() => arrayOf.bigint([2 ** 53])).toThrow('too large to be exact')
  expect(() => arrayOf.bigint(['1.5'])).toThrow('not whole')
  expect(() => arrayOf.integer([2 ** 31])).toThrow('no integer')
  expect(() => arrayOf.integer([1.5])).toThrow('no integer')
  expect(() => arrayOf.timestamptz([new Date(Number.NaN)])).toThrow()
})
