import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** A few percent less is not worth seconds of work. */
const BROTLI_QUALITY = 6

const ENCODERS = {
  br: (plain: Buffer) =>
    promisify(brotliCompress)(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
  gzip: (plain: Buffer) => promisify(gzip)(plain),
  identity: async (plain: Buffer) => plain,
} as const

type Encoding = keyof typeof ENCODERS

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

/** Brotli before gzip, whatever the client prefers: both are better for it than neither. */
function encodingFor(header: string | string[] | undefined): Encoding {
  const accepted = new Map(
    String(header ?? '')
      .toLowerCase()
      .split(',')
      .map((part): [string, number] => {
        const [name = '', ...parameters] = part.split(';').map((text) => text.trim())
        const quality = parameters.find((text) => text.startsWith('q='))?.slice(2)
        return [name, quality === undefined ? 1 : Number(quality)]
      }),
  )
  const isAccepted = (name: string) => (accepted.get(name) ?? accepted.get('*') ?? 0) > 0
  return (['br', 'gzip'] as const).find(isAccepted) ?? 'identity'
}
