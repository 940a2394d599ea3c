import {
  type Agent as HttpAgent,
  globalAgent as httpAgent,
  type IncomingMessage,
  request as requestHttp,
} from 'node:http'
import { type Agent as HttpsAgent, globalAgent as httpsAgent, request as requestHttps } from 'node:https'
import { pipeline } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib'

/** The head of an answer, and its body as it comes, unpacked. A `Response` is one. */
export type Answer = Pick<Response, 'status' | 'statusText' | 'headers'> & {
  readonly body: AsyncIterable<Uint8Array> | null
}
export type Fetch = (url: string, init?: RequestInit) => Promise<Answer>

export type Agents = { readonly http: HttpAgent; readonly https: HttpsAgent }

/** An answer that led elsewhere. */
export class RedirectRefused extends Error {
  override readonly name = 'RedirectRefused'
}

const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308]
const WITHOUT_BODY: readonly number[] = [204, 205, 304]
/** By names that the server chooses: no plain object. */
const UNPACKERS = new Map<string, () => NodeJS.ReadWriteStream>([
  ['gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
  ['zstd', createZstdDecompress],
])
/** Headers that the caller does not give. */
const USUAL = {
  accept: '*/*',
  'accept-encoding': [...UNPACKERS.keys()].join(', '),
  'user-agent': 'Switchyard',
}

/**
 * Like `fetch`, without following redirects. What the `fetch` of Node.js makes for a call lives until all garbage is collected, which
 * doubles the price of the call.
 */
export function fetchBy({ http, https }: Agents): Fetch {
  return async (url, init = {}) => {
    const { method = 'GET', signal } = init
    const { body, headers } = await written(init)
    signal?.throwIfAborted()
    return new Promise((resolve, reject) => {
      const target = new URL(url)
      const options = { method, headers, ...(signal && { signal }) }
      const sent =
        target.protocol === 'https:'
          ? requestHttps(target, { ...options, agent: https })
          : requestHttp(target, { ...options, agent: http })
      sent.once('response', (answer) => {
        try {
          resolve(read(answer, method))
        } catch (error) {
          answer.destroy()
          reject(error)
        }
      })
      sent.on('error', (error) => reject(signal?.aborted ? signal.reason : error))
      // A server that switches the protocol gives no answer, and its connection is closed without an error.
      sent.once('upgrade', (_answer, socket) => {
        socket.destroy()
        reject(new Error('the server switched the protocol'))
      })
      sent.end(body)
    })
  }
}

/** To servers that the program names itself. A proxy from the environment is used if `NODE_USE_ENV_PROXY` says so. */
export const fetchDirectly: Fetch = fetchBy({ http: httpAgent, https: httpsAgent })

type Written = {
  readonly body: string | Uint8Array | undefined
  readonly headers: Readonly<Record<string, string>>
}

/** Texts and bytes go as they are. A form gets the content type that says how it is written. */
async function written({ body, headers: given }: RequestInit): Promise<Written> {
  const headers = { ...USUAL, ...(isRecord(given) ? given : Object.fromEntries(new Headers(given))) }
  if (body === null || body === undefined) return { body: undefined, headers }
  if (typeof body === 'string' || body instanceof Uint8Array) return { body, headers }
  const form = new Response(body)
  const contentType = form.headers.get('content-type')
  return {
    body: new Uint8Array(await form.arrayBuffer()),
    headers: { ...(contentType !== null && { 'content-type': contentType }), ...headers },
  }
}

function isRecord(headers: RequestInit['headers']): headers is Record<string, string> {
  return headers !== undefined && !(headers instanceof Headers) && !Array.isArray(headers)
}

function read(answer: IncomingMessage, method: string): Answer {
  const { statusCode: status = 0, statusMessage: statusText = '', rawHeaders } = answer
  if (REDIRECTS.includes(status)) throw new RedirectRefused(`the answer is a redirect (${status})`)
  const headers = new Headers()
  for (let index = 0; index < rawHeaders.length; index += 2)
    headers.append(rawHeaders[index] ?? '', rawHeaders[index + 1] ?? '')
  if (method === 'HEAD' || WITHOUT_BODY.includes(status)) {
    answer.resume()
    return { status, statusText, headers, body: null }
  }
  const unpack = UNPACKERS.get(headers.get('content-encoding')?.toLowerCase() ?? '')
  // An error of either ends the reading.
  const body = unpack ? pipeline(answer, unpack(), () => {}) : answer
  return { status, statusText, headers, body: body as AsyncIterable<Uint8Array> & typeof body }
}
