import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Secrets } from '#platform/access/secrets.ts'
import type { Context } from '#platform/database/db.ts'
import type { FileStorage } from '#platform/file-storage/storage.ts'
import { errors, orNotFound } from '#platform/http/errors.ts'
import type { Logger } from '#platform/observability/log.ts'
import { realTime } from '#platform/process/clock.ts'
import { isSigned } from './file-url.ts'
import type { ShownExecution, StoredExecution } from './store.ts'
import * as executions from './store.ts'

const NAME_MAX = 60

const NOT_YET = 'there is no file yet: wait until the execution has succeeded'
const FAILED = 'there is no file: the execution failed. Create a report with the schedule once to try again'
const REMOVED = 'the file is no longer kept: create a report with the schedule once for the same time'
const ELSEWHERE =
  'the file is not in the storage that this process uses. The operator must set REPORTS_DIR to a folder that all processes ' +
  'share, or REPORTS_S3_URL to a bucket, in all processes alike'

type Needs = {
  readonly context: Context
  readonly secrets: Secrets
  readonly storage: FileStorage
  readonly logger: Logger
}
type Download = FastifyRequest<{
  Params: { readonly report_execution_id: string }
  Querystring: Readonly<Record<string, unknown>>
}>

/** Serves the files of a disk at the URLs that this service has signed. They need no token. */
export function serveReportFiles(app: FastifyInstance, { context, secrets, storage, logger }: Needs): void {
  const { open } = storage
  if (!open) return
  app.get('/report-files/:report_execution_id', async (request: Download, reply) => {
    const { until, signature } = request.query
    const id = request.params.report_execution_id
    const given = { until: String(until), signature: String(signature) }
    if (!isSigned(secrets, id, given)) throw refused('the URL was changed or cut short: copy it whole')
    if (Number(given.until) * 1000 <= realTime(context.clock).getTime()) {
      throw refused('the URL has expired: create another one with POST /reports/…/executions/…/url')
    }
    const execution = orNotFound(await executions.findAnywhere(context, id))
    const file = await open(await findFile(storage, execution))
    if (!file) throw fileIsGone()
    withHeaders(reply, fileName(execution), file.size)
    if (request.method === 'HEAD') {
      await file.close()
      // With an empty stream, the length in the headers stays that of the file.
      return reply.send(Readable.from([]))
    }
    // Who had the URL made is in the audit log. The query has the signature, and is not logged.
    const { id: report_execution_id, report_id, merchant_account_id } = execution
    const facts = {
      requestId: request.id,
      address: request.ip,
      report_execution_id,
      report_id,
      merchant_account_id,
    }
    logger.info(facts, 'a report file is downloaded')
    return reply.send(file.content())
  })
}

function withHeaders(reply: FastifyReply, name: string, size: number): FastifyReply {
  return reply
    .header('content-type', 'text/csv; charset=utf-8')
    .header('content-length', size)
    .header('content-disposition', `attachment; filename="${name}"`)
    .header('cache-control', 'no-store')
    .header('x-content-type-options', 'nosniff')
    .header('referrer-policy', 'no-referrer')
}

function refused(message: string) {
  return errors.forbidden({ location: 'query', pointer: '/signature', type: 'value_error.conflict', message })
}

/** The key of an execution's file, or a 404 that says why there is none. */
export async function findFile(storage: FileStorage, execution: StoredExecution): Promise<string> {
  const { status, file_key, stored_in } = execution
  if (status === 'failed') throw errors.noSuchPath(FAILED)
  if (status !== 'succeeded') throw errors.noSuchPath(NOT_YET)
  if (file_key === null) throw errors.noSuchPath(REMOVED)
  if (stored_in !== (await storage.place())) throw errors.noSuchPath(ELSEWHERE)
  return file_key
}

/** The row says that there is a file, but the storage has none. */
function fileIsGone() {
  return errors.noSuchPath(REMOVED)
}

/** What a browser calls the file: letters and digits of the report's name, and the time that it is about. */
export function fileName({ report_name, reference_timestamp }: ShownExecution): string {
  const name = report_name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, NAME_MAX)
    .replaceAll(/^-+|-+$/g, '')
  const time = reference_timestamp.toISOString().slice(0, 16).replaceAll(':', '')
  return `${name || 'report'}-${time}.csv`
}
