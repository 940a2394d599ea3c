import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestService } from './harness.ts'

const PAGE = join(import.meta.dirname, '../../../docs/personal-data.md')

/** Types of columns that can hold words about a person. Numbers, times, ids and answers of yes and no cannot. */
const WORDS = ['text', 'jsonb', 'json', 'inet', 'bytea', 'ARRAY', 'tsvector', 'character varying']

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

/** `table.column` of each row of the page's tables. A row names one table and several columns. */
function documented(): string[] {
  const rows = readFileSync(PAGE, 'utf8').matchAll(/^\| `([\w.]+)` \| (`[^|]*`) \|/gm)
  return [...rows].flatMap(([, table, columns = '']) =>
    [...columns.matchAll(/`(\w+)`/g)].map(([, column]) => `${table}.${column}`),
  )
}

test('the page says of every column with words whether it is personal', async () => {
  const { rows } = await sql<{ name: string }>`
    select case table_schema when 'public' then '' else table_schema || '.' end || table_name || '.' || column_name as name
    from information_schema.columns join information_schema.tables using (table_schema, table_name)
    where table_type = 'BASE TABLE' and table_schema in ('public', 'vault', 'simulator', 'issuer') and data_type = any(${WORDS}::text[])
      and column_name <> 'merchant_account_id'
    order by 1
  `.execute(service.context.db)

  const [said, known] = [documented(), rows.map(({ name }) => name)]
  expect(
    known.filter((name) => !said.includes(name)),
    'add them to docs/personal-data.md',
  ).toEqual([])
  expect(
    said.filter((name) => !known.includes(name)),
    'remove them from docs/personal-data.md',
  ).toEqual([])
  expect(said.length, 'no column has two rows').toBe(known.length)
  expect(rows.length).toBeGreaterThan(200)
})
