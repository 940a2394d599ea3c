import { Agent, request as open } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'

export type Header = readonly [name: string, value: string]

export type Answer = {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: string
}

export type RawRequest = {
  readonly method: string
  readonly url: string
  readonly headers: readonly Header[]
  readonly body: string | Buffer | undefined
}

const DEADLINE_MS = 60_000

/** Sends headers and bytes as they are, also wrong ones. */
export function senderTo(base: string): {
  readonly send: (request: RawRequest) => Promise<Answer>
  readonly close: () => void
} {
  const { hostname, port, host } = new URL(base)
  const agent = new Agent({ keepAlive: true, maxSockets: 16 })
  const send = (request: RawRequest, isRepeated = false): Promise<Answer> =>
    new Promise<Answer>((resolve, reject) => {
      const { method, url, headers, body } = request
      const length: Header[] = body === undefined ? [] : [['content-length', String(Buffer.byteLength(body))]]
      const all: Header[] = [['host', host], ...length, ...headers]
      const exchange = open({
        ...{ hostname, port, method, path: url, timeout: DEADLINE_MS },
        agent: isRepeated ? false : agent,
        headers: all.flat(),
      })
      let hasAnswer = false
      exchange.on('response', (response) => {
        hasAnswer = true
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', reject)
        response.on('end', () => {
          const { statusCode: status = 0, headers } = response
          const bytes = Buffer.concat(chunks)
          try {
            resolve({ status, headers, body: decoded(bytes, headers['content-encoding']).toString() })
          } catch (error) {
            reject(error)
          }
        })
      })
      exchange.on('timeout', () => exchange.destroy(new Error('no answer within a minute')))
      // A body that is too large may be refused, and the connection closed, while it is still being sent.
      exchange.on('error', (error) => {
        if (hasAnswer) return
        // The server may close idle connections at the moment of their next use. A new one has no such excuse.
        if (exchange.reusedSocket && !isRepeated) resolve(send(request, true))
        else reject(error)
      })
      exchange.end(body)
    })
  return { send: (request) => send(request), close: () => agent.destroy() }
}

/** As a client does that asked for compression. */
function decoded(bytes: Buffer, encoding: string | undefined): Buffer {
  if (bytes.length === 0) return bytes
  if (encoding === 'br') return brotliDecompressSync(bytes)
  return encoding === 'gzip' ? gunzipSync(bytes) : bytes
}
