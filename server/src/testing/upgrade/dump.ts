import type pg from 'pg'

/** Rows that migrations write are not in a dump: it would be ten times as long. */
const NOT_FROM_MIGRATIONS: Readonly<Record<string, string>> = {
  'public.roles': 'false',
  'public.card_bins': "source <> 'built-in'",
}

type Column = { readonly name: string; readonly isIdentity: boolean; readonly hasDefault: boolean }
type Table = { readonly name: string; readonly columns: readonly Column[] }

/** All rows of all tables, as SQL for a database with the same migrations. */
export async function writeDump(client: pg.Client): Promise<string> {
  const parts = ['-- Made by faults/upgrade-dump/make.ts.', "set session_replication_role = 'replica';"]
  for (const table of await tablesOf(client)) parts.push(await writeTable(client, table))
  return `${parts.join('\n')}\n`
}

export async function tablesOf(client: pg.Client): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `select format('%I.%I', table_schema, table_name) as name,
       json_agg(json_build_object('name', quote_ident(column_name), 'isIdentity', is_identity = 'YES',
         'hasDefault', column_default is not null)
         order by ordinal_position) as columns
     from information_schema.columns join information_schema.tables using (table_schema, table_name)
     where table_schema not in ('pg_catalog', 'information_schema') and table_type = 'BASE TABLE' and table_name <> 'schema_migrator'
     group by 1 order by 1`,
  )
  return rows
}

async function writeTable(client: pg.Client, { name, columns: all }: Table): Promise<string> {
  const where = NOT_FROM_MIGRATIONS[name] ?? 'true'
  const columns = await withValues(client, name, all)
  if (columns.length === 0) return `-- No rows in ${name}.`
  const values = columns.map((column) => `quote_nullable(${column.name}::text)`).join(` || ',' || `)
  const { rows } = await client.query<{ row: string }>(
    `select '(' || ${values} || ')' as row from ${name} where ${where} order by 1`,
  )
  if (rows.length === 0) return `-- No rows in ${name}.`
  const names = columns.map((column) => column.name).join(',')
  const overriding = columns.some(({ isIdentity }) => isIdentity) ? 'overriding system value ' : ''
  const lines = rows.map(({ row }) => row).join(',\n')
  const insert = `insert into ${name} (${names}) ${overriding}values\n${lines};`
  return [`delete from ${name} where ${where};`, insert, ...columns.flatMap(setSequence(name))].join('\n')
}

/** Leaves out columns that are null in every row. */
async function withValues(client: pg.Client, table: string, columns: readonly Column[]): Promise<Column[]> {
  const counts = columns.map(({ name }) => `count(${name})::int`).join(', ')
  const { rows } = await client.query({ text: `select ${counts} from ${table}`, rowMode: 'array' })
  return columns.filter(({ hasDefault }, index) => hasDefault || rows[0]?.[index] > 0)
}

function setSequence(table: string): (column: Column) => string[] {
  return ({ name, isIdentity }) =>
    isIdentity
      ? [`select setval(pg_get_serial_sequence('${table}', '${name}'), (select max(${name}) from ${table}));`]
      : []
}
