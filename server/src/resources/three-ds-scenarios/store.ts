import { sql } from 'kysely'
import { newId } from '#domain/ids.ts'
import type { Secrets } from '#platform/access/secrets.ts'
import type { Context, Db, Scope, Tx } from '#platform/database/db.ts'
import { countOwn } from '#platform/database/sql.ts'
import type { Reach } from '#platform/http/operation.ts'
import { paginateAccounts } from '#platform/listing/by-age.ts'
import type { Collection, Page } from '#platform/listing/pagination.ts'
import { laterThan } from '#platform/process/clock.ts'
import type { ChallengeResult, IssuerAnswer, Scenario } from '#processing/three-d-secure.ts'

/** What scenarios ask of a payment. */
export type Payment = {
  readonly first_name: string | null
  readonly last_name: string | null
  readonly email_address: string | null
  readonly amount: number | null
  readonly external_identifier: string | null
  readonly card_fingerprint: string | null
}

export type Settings = Payment & {
  /** The card number as it is shown. */
  readonly card_masked: string | null
  readonly version: string | null
  readonly authentication_status: IssuerAnswer
  readonly result_status: ChallengeResult | null
}

declare module '#platform/database/db.ts' {
  interface Tables {
    three_ds_scenarios: Settings & {
      id: string
      merchant_account_id: string
      created_at: Date
      updated_at: Date
    }
  }
}

const COLUMNS = [
  'id',
  'merchant_account_id',
  'first_name',
  'last_name',
  'email_address',
  'amount',
  'external_identifier',
  'card_fingerprint',
  'card_masked',
  'version',
  'authentication_status',
  'result_status',
  'created_at',
  'updated_at',
] as const

export type StoredScenario = Awaited<ReturnType<ReturnType<typeof select>['executeTakeFirstOrThrow']>>

/**
 * The scenario for a payment: of those whose conditions are all met, the one with the most conditions, then
 * the newest. Null if there is none.
 */
export async function findFor({ db, merchantAccountId }: Scope, payment: Payment): Promise<Scenario | null> {
  const { rows } = await sql<Scenario>`
    select version, authentication_status as answer, result_status as result
    from three_ds_scenarios
    where merchant_account_id = ${merchantAccountId}
      and (first_name is null or first_name = ${payment.first_name})
      and (last_name is null or last_name = ${payment.last_name})
      and (email_address is null or email_address = ${payment.email_address})
      and (amount is null or amount = ${payment.amount})
      and (external_identifier is null or external_identifier = ${payment.external_identifier})
      and (card_fingerprint is null or card_fingerprint = ${payment.card_fingerprint})
    order by
      num_nonnulls(first_name, last_name, email_address, amount, external_identifier, card_fingerprint) desc,
      created_at desc, id desc
    limit 1
  `.execute(db)
  return rows[0] ?? null
}

export async function insert(
  { db, clock, merchantAccountId }: Scope<Tx>,
  settings: Settings,
): Promise<StoredScenario> {
  const now = clock()
  return db
    .insertInto('three_ds_scenarios')
    .values({
      ...settings,
      id: newId(now.getTime()),
      merchant_account_id: merchantAccountId,
      created_at: now,
      updated_at: now,
    })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
}

export function count(tx: Scope<Tx>): Promise<number> {
  return countOwn(tx, 'three_ds_scenarios')
}

/** Locks the row, so that changes of one scenario are applied in turn. */
export function lock({ db, merchantAccountId }: Scope<Tx>, id: string): Promise<StoredScenario | undefined> {
  return select(db)
    .where('merchant_account_id', '=', merchantAccountId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

export function update(
  { db, clock }: Scope<Tx>,
  before: StoredScenario,
  changes: Partial<Settings>,
): Promise<StoredScenario> {
  return db
    .updateTable('three_ds_scenarios')
    .set({ ...changes, updated_at: laterThan(before, clock()) })
    .where('merchant_account_id', '=', before.merchant_account_id)
    .where('id', '=', before.id)
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
}

export function remove(
  { db, merchantAccountId }: Scope<Tx>,
  id: string,
): Promise<StoredScenario | undefined> {
  return db
    .deleteFrom('three_ds_scenarios')
    .where('merchant_account_id', '=', merchantAccountId)
    .where('id', '=', id)
    .returning(COLUMNS)
    .executeTakeFirst()
}

export function list(
  { db }: Context,
  secrets: Secrets,
  reach: Reach,
  page: Page,
): Promise<Collection<StoredScenario>> {
  const table = 'three_ds_scenarios'
  const list = { name: 'three-ds-scenarios', query: select(db), table, page, secrets } as const
  return paginateAccounts(list, { db, reach }, (row) => row)
}

function select(db: Db) {
  return db
    .selectFrom('three_ds_scenarios')
    .select(COLUMNS.map((name) => `three_ds_scenarios.${name}` as const))
}
