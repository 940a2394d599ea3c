import type { FastifyInstance } from 'fastify'
import { type DetailType, errors } from './errors.ts'
import { DEPTH_MAX, isTooDeep } from './validation.ts'

/**
 * Accepts only JSON: valid UTF-8, without keys that poison prototypes, and not nested deeper than any request
 * needs. A missing body stays undefined.
 */
export function acceptJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, payload, done) => {
    if (payload.length === 0) return done(null, undefined)
    const text = decodeUtf8(payload as Buffer)
    if (text === undefined) return done(complaint('value_error.jsondecode', 'the body is not valid UTF-8'))
    return parse(request, text, (error, body) => {
      if (error)
        done(complaint('value_error.jsondecode', 'the body is not valid JSON, or holds a forbidden key'))
      else if (isTooDeep(body))
        done(complaint('value_error.list.max_items', `must not be nested deeper than ${DEPTH_MAX} levels`))
      else done(null, body)
    })
  })
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, payload, done) => {
    if (payload.length === 0) return done(null, undefined)
    return done(complaint('value_error.const', 'send the body as application/json'))
  })
}

function decodeUtf8(payload: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(payload)
  } catch {
    return undefined
  }
}

function complaint(type: DetailType, message: string): Error {
  return errors.invalid({ location: 'body', pointer: '', type, message })
}
