import type { Reports } from '#connectors/contract/reports.ts'
import type { Scope } from '#platform/database/db.ts'
import type { FileStorage } from '#platform/file-storage/storage.ts'
import { failTogether } from '#platform/process/jobs.ts'
import { renewEvery } from '#platform/queue/queue.ts'
import { nextCheck } from '#processing/attempts/store.ts'
import type { Engine } from '#processing/engine.ts'
import { reportLink } from '#processing/report-link.ts'
import { type Fields, openFields } from '#processing/service-accounts/fields.ts'
import * as paymentServices from '#resources/payment-services/store.ts'
import * as feeds from '../feeds/store.ts'
import * as offers from '../offers/store.ts'
import { abandonFile, type Source, takeFile } from './take-file.ts'

/** A file may appear late, with an earlier time than others that we know. */
const OVERLAP_MS = 3 * 86_400_000
/** How far back the files of a service go that has just been connected. */
const FIRST_MS = 30 * 86_400_000
/** How long a file that was applied in part is asked for. */
const GONE_MS = 30 * 86_400_000
const FILES_AT_A_TIME = 20
/** A provider is asked at least once a day, whatever it says about its next file. */
const LOOK_MS_MAX = 86_400_000
/** Providers publish on the hour. We look a little later. */
const AFTER_THE_HOUR_MS = 5 * 60_000
const RENEW_MS = 30_000

export type Ingesting = {
  readonly engine: Engine
  readonly reportFiles: FileStorage
  /** How often the files of a service are listed. */
  readonly everyMinutes: number
}

/**
 * Lists the files of a service, and takes those that are new. The feed comes with the lease of the service. The work ends
 * early if another process has taken the lease over.
 */
export async function ingestService(
  scope: Scope,
  needs: Ingesting,
  feed: feeds.Feed,
  stopping: AbortSignal,
): Promise<void> {
  const id = feed.payment_service_id
  // No batch is applied twice, even if another process takes over.
  const lease = renewEvery(RENEW_MS, () => feeds.keepLease(scope, feed))
  const ending = AbortSignal.any([stopping, lease.lost])
  try {
    const { source, nextAt } = await listFiles(scope, needs, feed)
    const failures = await takeOffers(scope, source, ending)
    // A file that cannot be read has its own time to be tried again. The others are looked for as ever.
    const due_at = await nextLook(scope, id, needs, nextAt)
    await feeds.release(scope, feed, { due_at, failures: 0, problem: null })
    failTogether(failures)
  } finally {
    lease.end()
  }
}

/** Notes which files there are. A failure is noted too, and the service is asked again later. */
async function listFiles(
  scope: Scope,
  needs: Ingesting,
  feed: feeds.Feed,
): Promise<{ readonly source: Source; readonly nextAt: Date | undefined }> {
  try {
    const source = await openSource(scope, needs, feed.payment_service_id)
    const { newest, nextAt } = await noteOffers(scope, source, feed)
    await feeds.noteListed(scope, feed, newest)
    return { source, nextAt }
  } catch (error) {
    const due_at = nextCheck(scope.clock(), feed.failures)
    await feeds.release(scope, feed, { due_at, failures: feed.failures + 1, problem: problemOf(error) })
    throw error
  }
}

/** The provider's reports, and how to reach them. */
async function openSource(scope: Scope, needs: Ingesting, paymentServiceId: string): Promise<Source> {
  const { engine, reportFiles: storage } = needs
  const service = await paymentServices.find(scope, paymentServiceId)
  if (!service) throw new Error('the payment service was deleted')
  const { connectors } = engine.providers
  const reports: Reports | undefined = connectors.find(service.payment_service_definition_id)?.reports
  if (!reports) throw new Error(`${service.payment_service_definition_id} has no reports`)
  const fields: Fields = await openFields(scope, engine.vault, forReports(service), REPORTING)
  const account = reports.accountOf?.(fields) ?? null
  return { paymentServiceId, reports, account, storage, link: reportLink(engine.providers, fields) }
}

/** Reports need the fields of the account and those for reports. */
function forReports(service: paymentServices.StoredService): paymentServices.StoredService {
  const { fields, secrets, reporting_fields, reporting_secrets } = service
  return {
    ...service,
    fields: { ...fields, ...reporting_fields },
    secrets: { ...secrets, ...reporting_secrets },
  }
}

const REPORTING = {
  ...paymentServices.KIND,
  find: async (scope: Scope, id: string) => {
    const service = await paymentServices.find(scope, id)
    return service && forReports(service)
  },
}

/**
 * Asks for all files since the last ones that we know. Returns the time of the newest, and when the provider may have more.
 * As the newest, a time that is still to come does not count: files of the days before it would never be listed.
 */
async function noteOffers(
  scope: Scope,
  { reports, link, paymentServiceId }: Source,
  feed: feeds.Feed,
): Promise<{ readonly newest: Date | null; readonly nextAt: Date | undefined }> {
  // The provider tells of its files by itself.
  if (!reports.list) return { newest: feed.listed_until, nextAt: undefined }
  const now = scope.clock()
  let since = new Date(
    feed.listed_until ? feed.listed_until.getTime() - OVERLAP_MS : now.getTime() - FIRST_MS,
  )
  let newest = feed.listed_until
  while (true) {
    const answer = await reports.list(since, link)
    if (answer.outcome === 'unreachable') throw new Error(answer.message)
    await offers.note(scope, paymentServiceId, answer.files)
    const last = answer.files.at(-1)?.publishedAt
    if (last && last <= now && (!newest || last > newest)) newest = last
    if (!answer.hasMore) return { newest, nextAt: answer.nextAt }
    // The next page would be the same.
    if (!last || last <= since)
      throw new Error('the provider lists more files of one moment than it shows at once')
    since = last
  }
}

/** A file that cannot be read now is tried again later, and does not hold up the others. Returns what failed. */
async function takeOffers(scope: Scope, source: Source, stopping: AbortSignal): Promise<unknown[]> {
  const failures: unknown[] = []
  while (!stopping.aborted) {
    const due = await offers.listDue(scope, source.paymentServiceId, FILES_AT_A_TIME)
    if (due.length === 0) break
    for (const offer of due) {
      if (stopping.aborted) break
      await takeFile(scope, source, offer, stopping).catch(async (error: unknown) => {
        if (stopping.aborted) return
        failures.push(error)
        await noteUnread(scope, offer, error)
      })
    }
  }
  return failures
}

/** The file is tried again. If it was applied in part, and is not delivered for a month, the operator has to know. */
async function noteUnread(scope: Scope, offer: offers.Offer, error: unknown): Promise<void> {
  const now = scope.clock()
  const isGone = offer.file_id !== null && now.getTime() - offer.published_at.getTime() > GONE_MS
  if (isGone) await abandonFile(scope, offer, 'the provider no longer delivers the file')
  const due_at = isGone ? null : nextCheck(now, offer.checks)
  await offers.change(scope, offer, { due_at, checks: offer.checks + 1, problem: problemOf(error) })
}

function problemOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, 500)
}

/** At the next full interval, after the provider may have more, or when a file is to be tried again. */
async function nextLook(
  scope: Scope,
  paymentServiceId: string,
  { everyMinutes }: Ingesting,
  nextAt = new Date(0),
): Promise<Date> {
  const everyMs = everyMinutes * 60_000
  const now = scope.clock().getTime()
  const from = Math.max(now, Math.min(nextAt.getTime(), now + LOOK_MS_MAX)) - AFTER_THE_HOUR_MS
  const next = new Date((Math.floor(from / everyMs) + 1) * everyMs + AFTER_THE_HOUR_MS)
  const offered = await offers.nextDueAt(scope, paymentServiceId)
  return offered && offered < next ? offered : next
}
