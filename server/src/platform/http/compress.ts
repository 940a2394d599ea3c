import { promisify } from 'node:util'
import {
  brotliCompress,
  brotliCompressSync,
  constants,
  gzip,
  gzipSync,
  zstdCompress,
  zstdCompressSync,
} from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** A smaller answer fits into the first packets of a connection as it is. */
const WORTH_FROM = 4_096
/** Up to here, handing the work to another thread takes the event loop longer than the work (docs/decisions/requests.md). */
const BRIEF_TO = 32_768

/** The cheapest level of each: the rows of a list are so much alike that a higher one saves little. */
const ZSTD = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }
const GZIP = { level: 1 }

type Encoder = {
  readonly now: (text: string) => Buffer
  /** In another thread. */
  readonly beside: (text: string) => Promise<Buffer>
}

/** The quickest first. */
const ENCODERS = {
  zstd: {
    now: (text) => zstdCompressSync(text, ZSTD),
    beside: (text) => promisify(zstdCompress)(text, ZSTD),
  },
  br: {
    now: (text) => brotliCompressSync(text, BROTLI),
    beside: (text) => promisify(brotliCompress)(text, BROTLI),
  },
  gzip: { now: (text) => gzipSync(text, GZIP), beside: (text) => promisify(gzip)(text, GZIP) },
} as const satisfies Record<string, Encoder>
const OFFERED = Object.keys(ENCODERS) as (keyof typeof ENCODERS)[]

/** The text to send, compressed if it is large and the client asks for it. */
export function compressed(
  request: FastifyRequest,
  reply: FastifyReply,
  text: string,
): string | Buffer | Promise<Buffer> {
  if (text.length < WORTH_FROM) return text
  reply.header('vary', 'accept-encoding')
  const encoding = firstAccepted(request.headers['accept-encoding'], OFFERED)
  if (encoding === undefined || holdsSecret(text)) return text
  // If it fails, the error is sent as it is.
  const named = (bytes: Buffer) => {
    reply.header('content-encoding', encoding)
    return bytes
  }
  const { now, beside } = ENCODERS[encoding]
  return text.length <= BRIEF_TO ? named(now(text)) : beside(text).then(named)
}

const SECRET = /(?<=token|secret|password|cryptogram|_key|"url|(?:approval|webhook|invitation)_url)":"/

/**
 * The length of a compressed answer tells whether its parts are alike. Who may choose one part, and sees the
 * length, can guess another part bit by bit (BREACH). So an answer that holds a secret is sent as it is. Addresses at
 * which a buyer pays or a provider reports are secrets, too.
 */
export function holdsSecret(text: string): boolean {
  return SECRET.test(text)
}

export type Encoding = 'br' | 'gzip' | 'identity'

/** Brotli before gzip, whatever the client prefers: both are better for it than neither. */
export function encodingFor(header: string | string[] | undefined): Encoding {
  return firstAccepted(header, ['br', 'gzip']) ?? 'identity'
}

/** The first of the offered encodings that the client accepts. Undefined: it wants the text as it is. */
function firstAccepted<Offered extends string>(
  header: string | string[] | undefined,
  offered: readonly Offered[],
): Offered | undefined {
  if (header === undefined) return undefined
  const accepted = new Map(
    String(header)
      .toLowerCase()
      .split(',')
      .map((part): [string, number] => {
        const [name = '', ...parameters] = part.split(';').map((text) => text.trim())
        const quality = parameters.find((text) => text.startsWith('q='))?.slice(2)
        return [name, quality === undefined ? 1 : Number(quality)]
      }),
  )
  return offered.find((name) => (accepted.get(name) ?? accepted.get('*') ?? 0) > 0)
}
