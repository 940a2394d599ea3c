import { sql } from 'kysely'
import { newId } from '#domain/ids.ts'
import { accountRows } from '#platform/database/account-rows.ts'
import type { Context, Scope, Tables, Tx } from '#platform/database/db.ts'
import type { Reach } from '#platform/http/operation.ts'
import type { Collection } from '#platform/listing/pagination.ts'
import type { PaymentServiceReportFilters } from './schemas.ts'

declare module '#platform/database/db.ts' {
  interface Tables {
    payment_service_reports: {
      id: string
      merchant_account_id: string
      payment_service_id: string
      external_identifier: string | null
      created_at: Date
      updated_at: Date
    }
  }
}

export type StoredReport = Tables['payment_service_reports']

const rows = accountRows('payment_service_reports', ['payment_service_id', 'external_identifier'])

export const { find } = rows

/** The id of a report by the provider's name for it, which is null for its notifications. Creates the report if it is new. */
export async function touch(
  { db, clock, merchantAccountId }: Scope<Tx>,
  paymentServiceId: string,
  externalIdentifier: string | null,
): Promise<string> {
  const now = clock()
  const { rows } = await sql<{ id: string }>`
    insert into payment_service_reports
      (id, merchant_account_id, payment_service_id, external_identifier, created_at, updated_at)
    values (${newId(now.getTime())}, ${merchantAccountId}, ${paymentServiceId}, ${externalIdentifier}, ${now}, ${now})
    on conflict (payment_service_id, coalesce(external_identifier, '')) do update set updated_at = ${now}
    returning id
  `.execute(db)
  if (!rows[0]) throw new Error('a report was neither found nor created')
  return rows[0].id
}

export function list(
  context: Context,
  reach: Reach,
  { payment_service_id, status, ...page }: PaymentServiceReportFilters,
): Promise<Collection<StoredReport>> {
  let query = rows.select(context.db)
  if (payment_service_id) query = query.where('payment_service_id', '=', payment_service_id)
  if (status) {
    query = query.where(
      sql<boolean>`exists (
        select from payment_service_report_files as file
        where file.report_id = payment_service_reports.id and file.status = ${status}
      )`,
    )
  }
  return rows.list(context, reach, { ...page, query })
}
