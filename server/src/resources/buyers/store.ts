import { type Selectable, sql } from 'kysely'
import { newId } from '#domain/ids.ts'
import { reconciliationId } from '#domain/reconciliation-id.ts'
import type { Context, Db, Scope, Tables, Tx } from '#platform/database/db.ts'
import { arrayOf, statement } from '#platform/database/statements.ts'
import type { Reach } from '#platform/http/operation.ts'
import { laterThan } from '#platform/process/clock.ts'
import { completeBillingDetails } from './details.ts'
import type { Buyer, CreateBuyer, NewBillingDetails, UpdateBuyer } from './schemas.ts'
import { searchTerms, searchText } from './search-terms.ts'

declare module '#platform/database/db.ts' {
  interface Tables {
    buyers: {
      id: string
      merchant_account_id: string
      created_at: Date
      updated_at: Date
      search_text: string
      display_name: string | null
      external_identifier: string | null
      account_number: string | null
      billing_details: NewBillingDetails | null
      search_terms: string
    }
  }
}

export const COLUMNS = [
  'buyers.id',
  'buyers.merchant_account_id',
  'buyers.created_at',
  'buyers.updated_at',
  'buyers.display_name',
  'buyers.external_identifier',
  'buyers.account_number',
  'buyers.billing_details',
] as const

export type BuyerRow = Omit<Selectable<Tables['buyers']>, 'search_text' | 'search_terms'>

export async function find(scope: Scope, id: string): Promise<Buyer | undefined> {
  const row = await own(scope, id).executeTakeFirst()
  return row && toBuyer(row)
}

/** The buyers with the given ids, for other resources that show their buyers. */
export async function findMany({ db }: Context, ids: readonly string[]): Promise<Map<string, Buyer>> {
  if (ids.length === 0) return new Map()
  const rows = await select(db).where('buyers.id', 'in', ids).execute()
  return new Map(rows.map((row) => [row.id, toBuyer(row)]))
}

/** Locks the row, so that updates of one buyer are applied in turn. */
export async function lock(scope: Scope<Tx>, id: string): Promise<BuyerRow | undefined> {
  return own(scope, id).forUpdate().executeTakeFirst()
}

/** Whether the buyer exists. It cannot be deleted until the transaction ends. */
export async function hold(scope: Scope<Tx>, id: string): Promise<boolean> {
  return (await own(scope, id).forKeyShare().executeTakeFirst()) !== undefined
}

export async function exists({ db }: Context, reach: Reach, id: string): Promise<boolean> {
  let query = db.selectFrom('buyers').select('id').where('id', '=', id)
  if (reach !== 'all') query = query.where('merchant_account_id', 'in', reach)
  return (await query.executeTakeFirst()) !== undefined
}

export async function insert(scope: Scope<Tx>, request: CreateBuyer): Promise<Buyer> {
  const row = rowOf(scope, request, scope.clock())
  await scope.db
    .insertInto('buyers')
    .values({ ...row, ...searchColumns(row) })
    .execute()
  return toBuyer(row)
}

function rowOf({ merchantAccountId }: Scope, request: CreateBuyer, now: Date): BuyerRow {
  return {
    id: newId(now.getTime()),
    merchant_account_id: merchantAccountId,
    created_at: now,
    updated_at: now,
    display_name: request.display_name ?? null,
    external_identifier: request.external_identifier ?? null,
    account_number: request.account_number ?? null,
    billing_details: request.billing_details ?? null,
  }
}

/** The ids of the buyers with these references. They cannot be deleted until the transaction ends. */
export async function holdNamed(
  { db, merchantAccountId }: Scope<Tx>,
  externalIdentifiers: readonly string[],
): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; external_identifier: string }>`
    select id, external_identifier from buyers
    where merchant_account_id = ${merchantAccountId} and external_identifier = any(${externalIdentifiers}::text[])
    for key share
  `.execute(db)
  return new Map(rows.map(({ id, external_identifier }) => [external_identifier, id]))
}

type NamedBuyer = CreateBuyer & { readonly external_identifier: string }

/** Inserts hundreds of buyers in one statement, but for those whose reference another one has by now. */
export async function insertAll(scope: Scope<Tx>, given: readonly NamedBuyer[]): Promise<void> {
  if (given.length === 0) return
  const now = scope.clock()
  const rows = given.map((request) => rowOf(scope, request, now))
  const texts = rows.map(searchTextOf)
  const terms = rows.map((row, at) => searchTerms({ ...row, search_text: texts[at] ?? '' }).join(TERM_END))
  await statement`
    insert into buyers (id, merchant_account_id, created_at, updated_at, display_name, external_identifier,
      billing_details, search_text, search_terms)
    select unnest(${arrayOf.uuid(rows.map(({ id }) => id))}::uuid[]), ${scope.merchantAccountId}::text,
      ${now}::timestamptz, ${now}::timestamptz,
      unnest(${arrayOf.text(rows.map((row) => row.display_name))}::text[]),
      unnest(${arrayOf.text(rows.map((row) => row.external_identifier))}::text[]),
      unnest(${arrayOf.jsonb(rows.map((row) => row.billing_details))}::jsonb[]),
      unnest(${arrayOf.text(texts)}::text[]),
      array_to_tsvector(string_to_array(unnest(${arrayOf.text(terms)}::text[]), ${TERM_END}))
    on conflict do nothing`.execute(scope.db)
}

/** A control character, which no term has. */
const TERM_END = '\u0003'

/** Absent fields stay, null clears; billing details are replaced as a whole. */
export async function update(scope: Scope<Tx>, before: BuyerRow, request: UpdateBuyer): Promise<Buyer> {
  const row: BuyerRow = { ...before, ...request, updated_at: laterThan(before, scope.clock()) }
  await scope.db
    .updateTable('buyers')
    .set({ ...row, ...searchColumns(row) })
    .where('merchant_account_id', '=', scope.merchantAccountId)
    .where('id', '=', row.id)
    .execute()
  return toBuyer(row)
}

export async function remove(scope: Scope<Tx>, id: string): Promise<Buyer | undefined> {
  const row = await scope.db
    .deleteFrom('buyers')
    .where('merchant_account_id', '=', scope.merchantAccountId)
    .where('id', '=', id)
    .returning(COLUMNS)
    .executeTakeFirst()
  return row && toBuyer(row)
}

export async function findByExternalIdentifier(
  { db, merchantAccountId }: Scope,
  externalIdentifier: string,
): Promise<Buyer | undefined> {
  const row = await select(db)
    .where('merchant_account_id', '=', merchantAccountId)
    .where('external_identifier', '=', externalIdentifier)
    .executeTakeFirst()
  return row && toBuyer(row)
}

export function select(db: Db) {
  return db.selectFrom('buyers').select(COLUMNS)
}

/**
 * The rows with an external identifier, at most one for each account. They are found before they are sorted.
 */
export function selectByExternalIdentifier(db: Db, reach: Reach, externalIdentifier: string) {
  const accounts = db.selectFrom('merchant_accounts').select('id')
  const found = select(db)
    .select('buyers.search_text')
    .where('merchant_account_id', 'in', reach === 'all' ? accounts : reach)
    .where('external_identifier', '=', externalIdentifier)
  return db
    .with(
      (cte) => cte('found').materialized(),
      () => found,
    )
    .selectFrom('found as buyers')
    .select(COLUMNS)
}

export function toBuyer(row: BuyerRow): Buyer {
  return {
    type: 'buyer',
    id: row.id,
    reconciliation_id: reconciliationId(row.id),
    merchant_account_id: row.merchant_account_id,
    display_name: row.display_name,
    external_identifier: row.external_identifier,
    account_number: row.account_number,
    billing_details: row.billing_details && completeBillingDetails(row.billing_details),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}

function own({ db, merchantAccountId }: Scope, id: string) {
  return select(db).where('merchant_account_id', '=', merchantAccountId).where('id', '=', id)
}

function searchTextOf(row: BuyerRow): string {
  return searchText([row.display_name, row.billing_details?.email_address, row.external_identifier])
}

function searchColumns(row: BuyerRow) {
  const search_text = searchTextOf(row)
  const terms = searchTerms({ ...row, search_text })
  return { search_text, search_terms: sql<string>`array_to_tsvector(${terms}::text[])` }
}
