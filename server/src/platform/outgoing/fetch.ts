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
const UNPACKERS: Readonly<Record<string, () => NodeJS.ReadWriteStream>> = {
  gzip: createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
  zstd: createZstdDecompress,
}
/** Headers that the caller does not give. */
const USUAL = {
  accept: '*/*',
  'accept-encoding': Object.keys(UNPACKERS).join(', '),
  'user-agent': 'Switchyard',
}

/**
 * Like `fetch`, without following redirects. What the one of Node.js makes for a call lives until all garbage is collected: it doubles
 * the price of a call, and holds up the calls beside it.
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
        const { statusCode: status = 0 } = answer
        if (!REDIRECTS.includes(status)) return resolve(read(answer, status, method))
        answer.destroy()
        reject(new RedirectRefused(`the answer is a redirect (${status})`))
      })
      sent.on('error', (error) => reject(signal?.aborted ? signal.reason : error))
      // A server that switches the protocol gives neither an answer nor an error.
      sent.once('close', () => reject(new Error('no answer')))
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

function read(answer: IncomingMessage, status: number, method: string): Answer {
  const { statusMessage: statusText = '', rawHeaders } = answer
  const headers = new Headers()
  for (let index = 0; index < rawHeaders.length; index += 2)
    headers.append(rawHeaders[index] ?? '', rawHeaders[index + 1] ?? '')
  if (method === 'HEAD' || WITHOUT_BODY.includes(status)) {
    answer.resume()
    return { status, statusText, headers, body: null }
  }
  const unpack = UNPACKERS[headers.get('content-encoding')?.toLowerCase() ?? '']
  // An error of either ends the reading.
  const body = unpack ? pipeline(answer, unpack(), () => {}) : answer
  return { status, statusText, headers, body: body as AsyncIterable<Uint8Array> & typeof body }
}
