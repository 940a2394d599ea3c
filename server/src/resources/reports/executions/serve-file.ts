import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Secrets } from '#platform/access/secrets.ts'
import type { Context } from '#platform/database/db.ts'
import type { FileStorage } from '#platform/file-storage/storage.ts'
import { errors } from '#platform/http/errors.ts'
import type { Logger } from '#platform/observability/log.ts'
import { realTime } from '#platform/process/clock.ts'
import { isSigned } from './file-url.ts'
import { fileIsGone, fileName, findFile } from './find-file.ts'
import * as executions from './store.ts'

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
    const execution = await executions.findAnywhere(context, id)
    if (!execution) throw errors.notFound()
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
