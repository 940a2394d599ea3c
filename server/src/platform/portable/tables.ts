import type pg from 'pg'

/** Where our tables are. */
const SCHEMAS = ['public', 'vault', 'simulator', 'issuer']

/** A connection, or a pool of them. */
type Asked = Pick<pg.ClientBase, 'query'>

export type Column = { readonly name: string; readonly type: string }
export type Table = { readonly name: string; readonly columns: readonly Column[] }

/** All tables with the columns that hold data, in the order of their names. What migrated them is not among them. */
export async function listTables(client: Asked): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `select format('%I.%I', nspname, relname) as name,
       json_agg(json_build_object('name', quote_ident(attname), 'type', format_type(atttypid, atttypmod))
         order by attnum) as columns
     from pg_class
       join pg_namespace on pg_namespace.oid = relnamespace
       join pg_attribute on attrelid = pg_class.oid
     where relkind in ('r', 'p') and nspname = any($1) and attnum > 0 and not attisdropped and attgenerated = ''
       and relname not in ('schema_migrations', 'schema_migrator')
     group by 1 order by 1`,
    [SCHEMAS],
  )
  return rows
}

export type Sequence = { readonly name: string; readonly value: string }

/** The sequences that number rows, with the last number of each that was given out. */
export async function listSequences(client: pg.ClientBase): Promise<Sequence[]> {
  const { rows } = await client.query<Sequence>(
    `select format('%I.%I', schemaname, sequencename) as name, last_value::text as value
     from pg_sequences where schemaname = any($1) and last_value is not null order by 1`,
    [SCHEMAS],
  )
  return rows
}

export type Applied = { readonly version: string; readonly checksum: string }

/** The migrations of a database. Empty if there are none. */
export async function listApplied(client: Asked): Promise<Applied[]> {
  const { rows: found } = await client.query("select to_regclass('schema_migrations') is not null as found")
  if (!found[0].found) return []
  const { rows } = await client.query<Applied>('select version, checksum from schema_migrations order by 1')
  return rows
}

type Key = { readonly table: string; readonly name: string; readonly definition: string }

/**
 * Takes the foreign keys and triggers off all tables, so that rows can be written in any order. Returns a function that
 * puts them back, which checks every row.
 */
export async function loosen(client: pg.ClientBase, tables: readonly Table[]): Promise<() => Promise<void>> {
  const names = tables.map(({ name }) => name)
  const { rows: keys } = await client.query<Key>(
    `select conrelid::regclass::text as table, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
     from pg_constraint where contype = 'f' and conrelid = any($1::regclass[]) order by 1, 2`,
    [names],
  )
  for (const { table, name } of keys) await client.query(`alter table ${table} drop constraint ${name}`)
  for (const name of names) await client.query(`alter table ${name} disable trigger user`)
  return async () => {
    for (const { table, name, definition } of keys)
      await client.query(`alter table ${table} add constraint ${name} ${definition}`)
    for (const name of names) await client.query(`alter table ${name} enable trigger user`)
  }
}
