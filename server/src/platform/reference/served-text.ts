import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Encoding, encodingFor } from '../http/encoding.ts'

/** A few percent less is not worth seconds of work. */
const BROTLI_QUALITY = 6

const ENCODERS = {
  br: (plain: Buffer) =>
    promisify(brotliCompress)(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
  gzip: (plain: Buffer) => promisify(gzip)(plain),
  identity: async (plain: Buffer) => plain,
} as const satisfies Record<Encoding, (plain: Buffer) => Promise<Buffer>>

export type SendText = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

/** Sends a constant text. It is made at the first request, and kept in each encoding. */
export function servedText(make: () => string | Promise<string>): SendText {
  let made: Promise<{ plain: Buffer; tag: string }> | undefined
  const kept = new Map<Encoding, Promise<Buffer>>()
  return async (request, reply) => {
    const encoding = encodingFor(request.headers['accept-encoding'])
    made ??= makeOnce(make)
    const { plain, tag } = await made
    reply.header('vary', 'accept-encoding').header('etag', tag)
    if (isKnown(request.headers['if-none-match'], tag)) return reply.code(304).send()
    const body = kept.get(encoding) ?? ENCODERS[encoding](plain)
    kept.set(encoding, body)
    if (encoding !== 'identity') reply.header('content-encoding', encoding)
    return reply.send(await body)
  }
}

/** The tag is weak: it names the text, whatever its encoding. */
async function makeOnce(make: () => string | Promise<string>): Promise<{ plain: Buffer; tag: string }> {
  const plain = Buffer.from(await make())
  return { plain, tag: `W/"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"` }
}

function isKnown(header: string | undefined, tag: string): boolean {
  const known = header?.split(',').map((part) => part.trim()) ?? []
  return known.includes(tag) || known.includes('*')
}
