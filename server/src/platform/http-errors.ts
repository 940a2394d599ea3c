import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { errorCode, isDatabaseAway } from './db.ts'
import { ApiError, errors, inBody, ReusedKeyError } from './errors.ts'
import { methodOf, type Operation, pathOf } from './operation.ts'

/** The single place where an error becomes an answer. */
export function answerErrors(app: FastifyInstance): void {
  app.setErrorHandler((error, request, reply) => answerError(error, request, reply))
}

/** Errors that happen before a route is known, such as a URL that cannot be decoded. */
answerErrors.beforeRouting = {
  frameworkErrors: (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    reply.header('x-request-id', request.id)
    answerError(error, request, reply)
  },
  clientErrorHandler: (error: NodeJS.ErrnoException, socket: import('node:net').Socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy()
      return
    }
    const body = JSON.stringify(
      new ApiError('bad_request', { message: 'The request is not valid HTTP' }).body(),
    )
    const head = `HTTP/1.1 400 Bad Request\r\ncontent-type: application/json; charset=utf-8\r\nconnection: close`
    socket.end(`${head}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
  },
}

function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const known = toApiError(error)
  if (known)
    return reply
      .code(known.status)
      .headers('headers' in known ? known.headers : {})
      .send(known.body())
  request.log.error({ err: error, requestId: request.id, operation: request.operationId }, 'unexpected error')
  const unexpected = new ApiError('server_error')
  return reply.code(unexpected.status).send(unexpected.body())
}

const TIMED_OUT_IN_DATABASE = new Set(['55P03', '57014'])

function toApiError(error: unknown): ApiError | ReusedKeyError | undefined {
  if (error instanceof ApiError || error instanceof ReusedKeyError) return error
  if (isDatabaseAway(error) || TIMED_OUT_IN_DATABASE.has(errorCode(error))) return errors.unavailable()
  if (errorCode(error) === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    return errors.invalid(inBody('', 'value_error.any_str.max_length', 'the body is larger than 1 MiB'))
  }
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500
  return status >= 400 && status < 500 ? new ApiError('bad_request') : undefined
}

/** 404 for a path nobody knows, 405 for a known one with another method. */
export function answerUnknownPaths(app: FastifyInstance, operations: readonly Operation[]): void {
  const known = operations.map((operation) => ({
    methods: [methodOf(operation), ...(operation.embed ? ['OPTIONS'] : [])],
    pattern: new RegExp(`^${pathOf(operation).replaceAll(/:\w+/g, '[^/]+')}$`),
  }))
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?')[0] ?? ''
    const methods = known.filter(({ pattern }) => pattern.test(path)).flatMap((found) => found.methods)
    if (methods.length === 0) return answerError(errors.notFound(), request, reply)
    const allowed = methods.includes('GET') ? [...methods, 'HEAD'] : methods
    reply.header('allow', [...new Set(allowed)].join(', '))
    return answerError(new ApiError('method_not_allowed'), request, reply)
  })
}
