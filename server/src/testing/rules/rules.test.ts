import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cloneDatabase } from '../harness.ts'
import { OWN_TABLES } from './own-tables.ts'
import { PROVIDER_TABLES } from './provider-tables.ts'

const TABLES = Object.entries({ ...OWN_TABLES, ...PROVIDER_TABLES })

/*
 * The rules of the tables that payments write to are in domains (docs/decisions/database-writes.md). It was seen to fail
 * for a rule that let a settled amount without a currency pass.
 */
let client: pg.Client
beforeAll(async () => {
  client = new pg.Client(await cloneDatabase())
  await client.connect()
  // Rows may refer to what is not there: this is about checks alone.
  await client.query('set session_replication_role = replica')
})
afterAll(() => client.end())

test.each([
  ['without a list of entries', null, '23502'],
  ['with an empty list', [], '23514'],
])('refuses a link of the audit log %s', async (_what, listed, code) => {
  const link = client.query(
    'insert into audit_seals (position, hash, sealed_at, entry_ids) values (1, $1, now(), $2)',
    [Buffer.alloc(32), listed],
  )

  await expect(link).rejects.toMatchObject({ code })
})

test('every rule in a domain has rows that break it', async () => {
  const { rows } = await client.query<{ rule: string }>(`
    select base.typrelid::regclass || '.' || conname as rule
    from pg_constraint
      join pg_type as domain on domain.oid = contypid
      join pg_type as base on base.oid = domain.typbasetype and base.typrelid <> 0`)

  const listed = TABLES.flatMap(([table, { rules }]) => Object.keys(rules).map((rule) => `${table}.${rule}`))

  expect(listed.sort()).toEqual(rows.map(({ rule }) => rule).sort())
})

describe.each(TABLES)('%s', (table, { row, rules }) => {
  test('takes a row that breaks no rule', async () => {
    expect(await refusalOf(row)).toBeUndefined()
  })

  test.each(Object.entries(rules))('refuses what breaks %s', async (rule, { changes, without = [] }) => {
    const refusals = []
    for (const change of changes) refusals.push(await refusalOf({ ...row, ...change }, without))

    expect(refusals).toEqual(changes.map(() => ({ code: '23514', constraint: rule })))
  })

  /** Writes the row, and takes it back. Why it was refused, if it was. */
  async function refusalOf(values: object, without: readonly string[] = []) {
    const columns = Object.keys(values).join(', ')
    await client.query('begin')
    try {
      for (const rule of without) await client.query(`alter domain ${table}_rules drop constraint ${rule}`)
      await client.query(
        `insert into ${table} (${columns}) select ${columns} from json_populate_record(null::${table}, $1)`,
        [values],
      )
    } catch (error) {
      const { code, constraint } = error as pg.DatabaseError
      return { code, constraint }
    } finally {
      await client.query('rollback')
    }
    return undefined
  }
})
