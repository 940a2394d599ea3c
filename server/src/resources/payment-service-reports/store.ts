import { sql } from 'kysely'
import { newId } from '#domain/ids.ts'
import type { Secrets } from '#platform/access/secrets.ts'
import type { Context, Scope, Tables, Tx } from '#platform/database/db.ts'
import type { Reach } from '#platform/http/operation.ts'
import { paginateAccounts } from '#platform/listing/by-age.ts'
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

const COLUMNS = [
  'payment_service_reports.id',
  'payment_service_reports.merchant_account_id',
  'payment_service_reports.payment_service_id',
  'payment_service_reports.external_identifier',
  'payment_service_reports.created_at',
  'payment_service_reports.updated_at',
] as const

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

export async function find({ db, merchantAccountId }: Scope, id: string): Promise<StoredReport | undefined> {
  return db
    .selectFrom('payment_service_reports')
    .select(COLUMNS)
    .where('merchant_account_id', '=', merchantAccountId)
    .where('id', '=', id)
    .executeTakeFirst()
}

export function list(
  { db }: Context,
  secrets: Secrets,
  reach: Reach,
  filters: PaymentServiceReportFilters,
): Promise<Collection<StoredReport>> {
  let query = db.selectFrom('payment_service_reports').select(COLUMNS)
  if (filters.payment_service_id) query = query.where('payment_service_id', '=', filters.payment_service_id)
  const { status } = filters
  if (status) {
    query = query.where(({ exists, selectFrom }) =>
      exists(
        selectFrom('payment_service_report_files as file')
          .select('file.id')
          .whereRef('file.report_id', '=', 'payment_service_reports.id')
          .where('file.status', '=', status),
      ),
    )
  }
  const list = {
    name: 'payment-service-reports',
    page: filters,
    secrets,
    query,
    table: 'payment_service_reports',
  } as const
  return paginateAccounts(list, { db, reach }, (row) => row)
}
