import type { IncomingMessage } from 'node:http'
import { idMaker } from '#domain/ids.ts'
import { maskNumbers } from '../observability/mask.ts'

/** By the machine's clock, like the log lines that carry them. */
const newId = idMaker()

const SANE = /^[A-Za-z0-9._:-]{1,128}$/

/** The caller's own request id, if it is valid, so that the logs of both sides can be compared. */
export function newRequestId(request: Pick<IncomingMessage, 'headers'>): string {
  const given = request.headers['x-request-id']
  const isSane = typeof given === 'string' && SANE.test(given) && maskNumbers(given) === given
  return isSane ? given : newId()
}
