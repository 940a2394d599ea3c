import { sql } from 'kysely'
import type { ChallengeResult, IssuerAnswer, Scenario } from '#connectors/contract/three-d-secure.ts'
import { accountRows } from '#platform/database/account-rows.ts'
import type { Scope, Tables } from '#platform/database/db.ts'

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

const rows = accountRows('three_ds_scenarios', [
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
])

export const { insert, count, lock, update, remove, list } = rows

export type StoredScenario = Tables['three_ds_scenarios']

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
