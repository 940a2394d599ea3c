import { sql } from 'kysely'
import type { Context } from '#platform/database/db.ts'
import type { ReportState } from '#platform/observability/metrics.ts'

type Health = ReportState & { readonly services: number }

/** How reading reports goes, over all merchant accounts. */
export async function reportHealth({ db, clock }: Context): Promise<Health> {
  const now = clock()
  const { rows } = await sql<Health>`
    select
      (select count(*)::int from payment_services where settlement_reporting_enabled and deleted_at is null) as services,
      (select count(*)::int from payment_service_report_feeds as feed
        join payment_services as service on service.id = feed.payment_service_id
        where failures > 0 and settlement_reporting_enabled and deleted_at is null) as failing,
      count(*) filter (where status = 'refused' and created_at > ${now}::timestamptz - interval '30 days')::int as refused,
      count(*) filter (where status = 'abandoned')::int as abandoned,
      coalesce(sum(unmatched_count), 0)::int as unmatched,
      extract(epoch from ${now}::timestamptz - max(published_at))::float8 as "ageSeconds"
    from payment_service_report_files
  `.execute(db)
  if (!rows[0]) throw new Error('the database did not count')
  return rows[0]
}
