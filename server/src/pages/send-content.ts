import type { FastifyReply, FastifyRequest } from 'fastify'
import { encodingFor } from '#platform/http/compress.ts'
import type { Content } from './built-pages.ts'

/** Sends a file in the encoding that the browser likes best, or says that the browser's copy is current. */
export function sendContent(request: FastifyRequest, reply: FastifyReply, content: Content): FastifyReply {
  const { type, integrity, bodies } = content
  const tag = `"${integrity}"`
  reply.headers({ 'content-type': type, etag: tag, vary: 'accept-encoding' })
  if (request.headers['if-none-match'] === tag) return reply.code(304).send()
  const encoding = encodingFor(request.headers['accept-encoding'])
  const body = bodies[encoding]
  if (body === undefined || encoding === 'identity') return reply.send(bodies.identity)
  return reply.header('content-encoding', encoding).send(body)
}
