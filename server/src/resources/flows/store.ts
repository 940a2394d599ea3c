import { sql } from 'kysely'
import { newId } from '#domain/ids.ts'
import type { Scope, Tables, Tx } from '#platform/database/db.ts'
import { paginate } from '#platform/listing/by-age.ts'
import type { Collection, Page } from '#platform/listing/pagination.ts'
import type { StoredRule } from './schemas.ts'

declare module '#platform/database/db.ts' {
  interface Tables {
    flow_versions: {
      id: string
      merchant_account_id: string
      number: number
      rules: readonly StoredRule[]
      note: string
      author_id: string | null
      author_name: string
      created_at: Date
    }
  }
}

export type StoredVersion = Omit<Tables['flow_versions'], 'merchant_account_id'>

const COLUMNS = ['id', 'number', 'rules', 'note', 'author_id', 'author_name', 'created_at'] as const

/** The newest version. Undefined: the account has never had a rule. */
export function newest({ db, merchantAccountId }: Scope): Promise<StoredVersion | undefined> {
  return db
    .selectFrom('flow_versions')
    .select(COLUMNS)
    .where('merchant_account_id', '=', merchantAccountId)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst()
}

export async function newestNumber({ db, merchantAccountId }: Scope): Promise<number | null> {
  const row = await db
    .selectFrom('flow_versions')
    .select(({ fn }) => fn.max('number').as('number'))
    .where('merchant_account_id', '=', merchantAccountId)
    .executeTakeFirst()
  return row?.number ?? null
}

/** The newest version, while no other change of the account's rules can begin. */
export async function lockNewest(tx: Scope<Tx>): Promise<StoredVersion | undefined> {
  await sql`select from merchant_accounts where id = ${tx.merchantAccountId} for no key update`.execute(tx.db)
  return newest(tx)
}

export function find({ db, merchantAccountId }: Scope, number: number): Promise<StoredVersion | undefined> {
  return db
    .selectFrom('flow_versions')
    .select(COLUMNS)
    .where('merchant_account_id', '=', merchantAccountId)
    .where('number', '=', number)
    .executeTakeFirst()
}

export function findById({ db, merchantAccountId }: Scope, id: string): Promise<StoredVersion | undefined> {
  return db
    .selectFrom('flow_versions')
    .select(COLUMNS)
    .where('merchant_account_id', '=', merchantAccountId)
    .where('id', '=', id)
    .executeTakeFirst()
}

export async function insert(
  { db, clock, actor, merchantAccountId }: Scope<Tx>,
  { number, rules, note }: Pick<StoredVersion, 'number' | 'rules' | 'note'>,
): Promise<string> {
  const now = clock()
  const id = newId(now.getTime())
  await db
    .insertInto('flow_versions')
    .values({
      id,
      merchant_account_id: merchantAccountId,
      number,
      rules: JSON.stringify(rules) as never,
      note,
      author_id: actor.id,
      author_name: actor.name,
      created_at: now,
    })
    .execute()
  return id
}

/** Newest first. */
export function list(
  { db, mac, merchantAccountId }: Scope,
  { number, ...page }: Page & { readonly number?: number },
): Promise<Collection<StoredVersion>> {
  const query = db
    .selectFrom('flow_versions')
    .select(COLUMNS)
    .where('merchant_account_id', '=', merchantAccountId)
    .$if(number !== undefined, (rows) => rows.where('number', '=', number ?? 0))
  return paginate({ name: 'flow-versions', query, table: 'flow_versions', page, mac }, (row) => row)
}
