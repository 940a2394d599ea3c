import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Encoding, encodingFor } from '../encoding.ts'

/** A few percent less is not worth seconds of work. */
const BROTLI_QUALITY = 6

const ENCODERS = {
  br: (plain: Buffer) =>
    promisify(brotliCompress)(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
  gzip: (plain: Buffer) => promisify(gzip)(plain),
  identity: async (plain: Buffer) => plain,
} as const satisfies Record<Encoding, (plain: Buffer) => Promise<Buffer>>

/** Sends a constant text. It is made at the first request, and kept in each encoding. */
export function servedText(make: () => string) {
  let plain: Buffer | undefined
  const kept = new Map<Encoding, Promise<Buffer>>()
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const encoding = encodingFor(request.headers['accept-encoding'])
    plain ??= Buffer.from(make())
    const body = kept.get(encoding) ?? ENCODERS[encoding](plain)
    kept.set(encoding, body)
    if (encoding !== 'identity') reply.header('content-encoding', encoding)
    return reply.header('vary', 'accept-encoding').send(await body)
  }
}
