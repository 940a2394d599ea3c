import { sql } from 'kysely'
import type { ReportFile } from '#connectors/contract/reports.ts'
import type { Context, Tables } from '#platform/database/db.ts'

declare module '#platform/database/db.ts' {
  interface Tables {
    payment_service_report_offers: {
      payment_service_id: string
      external_identifier: string
      name: string
      published_at: Date
      file_id: string | null
      checks: number
      due_at: Date | null
      /** Why it could not be read the last time. */
      problem: string | null
    }
  }
}

export type Offer = Tables['payment_service_report_offers']

const COLUMNS = [
  'payment_service_id',
  'external_identifier',
  'name',
  'published_at',
  'file_id',
  'checks',
  'due_at',
  'problem',
] as const

/** Notes which files a provider offers. New ones are due now, and so are those that it has published again. */
export async function note(
  { db, clock }: Context,
  paymentServiceId: string,
  files: readonly ReportFile[],
): Promise<void> {
  if (files.length === 0) return
  await sql`
    insert into payment_service_report_offers (payment_service_id, external_identifier, name, published_at, due_at)
    select distinct on (id) ${paymentServiceId}::uuid, id, name, published_at, ${clock()}::timestamptz
    from unnest(${files.map(({ id }) => id)}::text[], ${files.map(({ name }) => name)}::text[],
      ${files.map(({ publishedAt }) => publishedAt)}::timestamptz(3)[]) as file (id, name, published_at)
    order by id, published_at desc
    on conflict (payment_service_id, external_identifier) do update
      set name = excluded.name, published_at = excluded.published_at, due_at = excluded.due_at, checks = 0
      where payment_service_report_offers.published_at < excluded.published_at
  `.execute(db)
}

/** The files to read now, in the order in which they were published. */
export function listDue({ db, clock }: Context, paymentServiceId: string, limit: number): Promise<Offer[]> {
  return db
    .selectFrom('payment_service_report_offers')
    .select(COLUMNS)
    .where('payment_service_id', '=', paymentServiceId)
    .where('due_at', '<=', clock())
    .orderBy('published_at')
    .orderBy('external_identifier')
    .limit(limit)
    .execute()
}

/** An offer that the provider has published again meanwhile stays due. */
export async function change(
  { db }: Context,
  { payment_service_id, external_identifier, published_at }: Offer,
  change: Pick<Offer, 'due_at'> & Partial<Pick<Offer, 'file_id' | 'checks' | 'problem'>>,
): Promise<void> {
  await db
    .updateTable('payment_service_report_offers')
    .set(change)
    .where('payment_service_id', '=', payment_service_id)
    .where('external_identifier', '=', external_identifier)
    .where('published_at', '=', published_at)
    .execute()
}

/** When the next file of a service is to be tried again. */
export async function nextDueAt({ db }: Context, paymentServiceId: string): Promise<Date | null> {
  const found = await db
    .selectFrom('payment_service_report_offers')
    .select('due_at')
    .where('payment_service_id', '=', paymentServiceId)
    .where('due_at', 'is not', null)
    .orderBy('due_at')
    .limit(1)
    .executeTakeFirst()
  return found?.due_at ?? null
}

/** Whether a file is still to be read under another name. */
export async function isDueElsewhere(
  { db }: Context,
  { external_identifier, file_id }: Offer,
): Promise<boolean> {
  const found = await db
    .selectFrom('payment_service_report_offers')
    .select('name')
    .where('file_id', '=', file_id)
    .where('external_identifier', '<>', external_identifier)
    .where('due_at', 'is not', null)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

/** Files that were offered and not read yet, oldest first, of each service. */
export async function listUnread(
  { db }: Context,
  paymentServiceIds: readonly string[],
  limit: number,
): Promise<ReadonlyMap<string, Offer[]>> {
  const { rows } = await sql<Offer>`
    select offer.* from unnest(${paymentServiceIds}::uuid[]) as service (id)
    cross join lateral (
      select ${sql.join(COLUMNS.map((column) => sql.ref(column)))} from payment_service_report_offers
      where payment_service_id = service.id and due_at is not null and file_id is null
      order by published_at, external_identifier limit ${limit}
    ) as offer
  `.execute(db)
  return Map.groupBy(rows, ({ payment_service_id }) => payment_service_id)
}

/** The names of files, by their ids. */
export async function namesOf(
  { db }: Context,
  fileIds: readonly string[],
): Promise<ReadonlyMap<string, string[]>> {
  if (fileIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('payment_service_report_offers')
    .select(['file_id', 'name'])
    .where('file_id', 'in', fileIds)
    .orderBy('published_at')
    .orderBy('external_identifier')
    .execute()
  const byFile = Map.groupBy(rows, ({ file_id }) => file_id ?? '')
  return new Map([...byFile].map(([id, offers]) => [id, offers.map(({ name }) => name)]))
}
