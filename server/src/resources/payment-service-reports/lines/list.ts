import { sql } from 'kysely'
import type { Secrets } from '#platform/access/secrets.ts'
import type { Context } from '#platform/database/db.ts'
import { paginate } from '#platform/listing/by-age.ts'
import type { Collection } from '#platform/listing/pagination.ts'
import type { PaymentServiceReportLineFilters } from '../schemas.ts'
import { COLUMNS, type StoredLine } from './columns.ts'

/** The lines of a report, the last one first. */
export function listLines(
  { db }: Context,
  secrets: Secrets,
  reportId: string,
  { matched, flagged, ...page }: PaymentServiceReportLineFilters,
): Promise<Collection<StoredLine>> {
  let query = db
    .selectFrom('payment_service_report_lines')
    .select([...COLUMNS, sql<Date>`ingested_at`.as('created_at')])
    .where('report_id', '=', reportId)
  if (matched === true) query = query.where('transaction_id', 'is not', null)
  if (matched === false) query = query.where('unmatched_because', 'is not', null)
  if (flagged !== undefined) query = query.where('flag', flagged ? 'is not' : 'is', null)
  const name = `payment-service-report-lines:${reportId}`
  const list = { name, query, table: 'payment_service_report_lines', page, secrets, key: ['id'] } as const
  return paginate(list, (line) => line)
}
