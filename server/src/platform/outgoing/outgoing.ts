import dns, { type LookupAddress } from 'node:dns'
import { readFile } from 'node:fs/promises'
import {
  type ClientRequest,
  Agent as HttpAgent,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as requestHttp,
} from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { errorCode } from '../database/database-errors.ts'
import { Limiter } from '../process/limiter.ts'
import { createAddressFilter } from './address-filter.ts'
import { type Agents, type Fetch, fetchBy } from './fetch.ts'

export type Outgoing = {
  /** Sends one request to a URL that a user chose. */
  readonly send: (request: OutgoingRequest) => Promise<OutgoingAnswer>
  /**
   * Why a URL may not be used, judged by the URL alone, or undefined. Host names are resolved and checked
   * when a connection is made, because their addresses can change.
   */
  readonly complaintAbout: (url: string) => string | undefined
  /** Refuses where `send` would refuse. */
  readonly fetch: Fetch
  readonly close: () => void
}

export type OutgoingRequest = {
  readonly url: string
  readonly method: 'POST' | 'GET' | 'PUT' | 'PATCH'
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Buffer
  /** For the whole exchange: resolving the name, connecting, sending, and reading the answer. */
  readonly deadlineMs: number
  /** The rest of a longer answer is not read. */
  readonly answerMaxBytes: number
  /** Aborts the request, unless its answer has begun. */
  readonly signal?: AbortSignal
  /** Proves to the server who asks, within TLS. */
  readonly clientCertificate?: ClientCertificate
}

/** In PEM. */
export type ClientCertificate = { readonly certificate: string; readonly privateKey: string }

export type OutgoingAnswer = {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
  /** The same as it came. */
  readonly bytes: Buffer
  /** Whether the answer was cut short. */
  readonly isCut: boolean
}

type Outcome = 'address_refused' | 'timed_out' | 'unreachable' | 'answer_broken'

/** Why no connection could be made. None of these names an address. */
export const UNREACHABLE_REASONS = [
  'name_not_found',
  'name_lookup_failed',
  'connection_refused',
  'connection_reset',
  'host_unreachable',
  'certificate_expired',
  'certificate_name_mismatch',
  'certificate_untrusted',
  'tls_failed',
] as const
export type UnreachableReason = (typeof UNREACHABLE_REASONS)[number]

/** No answer came. The message says why, for the user who chose the URL. */
export class OutgoingError extends Error {
  readonly outcome: Outcome
  /** Null if a connection was made, or if the reason has no name. */
  readonly reason: UnreachableReason | null

  constructor(outcome: Outcome, message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'OutgoingError'
    this.outcome = outcome
    this.reason = outcome === 'unreachable' ? unreachableReason(errorCode(cause)) : null
  }
}

const REASONS: readonly (readonly [RegExp, UnreachableReason])[] = [
  [/^(ENOTFOUND|ENODATA)$/, 'name_not_found'],
  [/^EAI_/, 'name_lookup_failed'],
  [/^ECONNREFUSED$/, 'connection_refused'],
  [/^(ECONNRESET|EPIPE)$/, 'connection_reset'],
  [/^(EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ETIMEDOUT)$/, 'host_unreachable'],
  [/^CERT_(HAS_EXPIRED|NOT_YET_VALID)$/, 'certificate_expired'],
  [/^ERR_TLS_CERT_ALTNAME/, 'certificate_name_mismatch'],
  [/SELF_SIGNED|UNABLE_TO_(VERIFY|GET_ISSUER)|^CERT_/, 'certificate_untrusted'],
  [/^(EPROTO|ERR_SSL_|ERR_TLS_)/, 'tls_failed'],
]

/** By the code of an error of the system. Null if the code is about something else. */
export function unreachableReason(code: string): UnreachableReason | null {
  return REASONS.find(([pattern]) => pattern.test(code))?.[1] ?? null
}

type Options = {
  readonly isHttpAllowed: boolean
  readonly allowCidrs: readonly string[]
  readonly lookup?: LookUp
}

const URL_LENGTH_MAX = 2048
/** For each host, because with a common limit one slow host would block the others. */
const SOCKETS_PER_HOST_MAX = 256
const IDLE_SOCKETS_PER_HOST_MAX = 64
/** Shorter than most servers' timeout, so that few kept connections turn out to be closed. */
const IDLE_SOCKET_MS = 4_000
const ANSWER_HEADERS_MAX_BYTES = 16_384

/** Sends requests to URLs that users chose, never into this process's own network. */
export function createOutgoing({ isHttpAllowed, allowCidrs, lookup = nameLookup() }: Options): Outgoing {
  const isAllowed = createAddressFilter(allowCidrs)
  const complaintAbout = (text: string) => complaintAboutUrl(text, { isHttpAllowed, isAllowed })
  const checked = checkedLookup(lookup, isAllowed)
  const kept = agents(checked, { keepAlive: true, maxFreeSockets: IDLE_SOCKETS_PER_HOST_MAX })
  const fresh = agents(checked, { keepAlive: false })
  const fetchKept = fetchBy(kept)
  const refuse = (text: string) => {
    const complaint = complaintAbout(text)
    if (complaint !== undefined)
      throw new OutgoingError('address_refused', `The URL is refused: ${complaint}`)
  }
  return {
    complaintAbout,
    fetch: async (url, init) => {
      refuse(url)
      return fetchKept(url, init)
    },
    send: async (request) => {
      refuse(request.url)
      const limit = limitOf(request)
      try {
        // A kept connection belongs to the certificate that it was made with.
        if (request.clientCertificate) return await exchange(request, fresh, limit.ended)
        return await exchange(request, kept, limit.ended).catch((error: unknown) => {
          if (!(error instanceof StaleConnection)) throw error
          return exchange(request, fresh, limit.ended)
        })
      } finally {
        limit.clear()
      }
    },
    close: () => {
      for (const agent of [kept.http, kept.https, fresh.http, fresh.https]) agent.destroy()
    },
  }
}

type Rules = { readonly isHttpAllowed: boolean; readonly isAllowed: (address: string) => boolean }

function complaintAboutUrl(text: string, { isHttpAllowed, isAllowed }: Rules): string | undefined {
  if (text.length > URL_LENGTH_MAX) return `value has more than ${URL_LENGTH_MAX} characters`
  const schemes = isHttpAllowed ? 'https:// or http://' : 'https://'
  // A parser would skip spaces and line breaks, turn backslashes around, and add missing slashes.
  const isPlain = !/[\s\p{Cc}\\]/u.test(text)
  const isSchemeKnown = isHttpAllowed ? /^https?:\/\//i.test(text) : /^https:\/\//i.test(text)
  if (isPlain && !isSchemeKnown && URL.canParse(text)) return `value does not begin with ${schemes}`
  const url = isPlain && isSchemeKnown ? URL.parse(text) : null
  if (url === null) return `value is not a URL that begins with ${schemes}`
  if (url.username !== '' || url.password !== '') return 'value contains a user name or a password'
  // The parser has already turned every spelling of an IPv4 address into four decimal numbers.
  const host = hostOf(url)
  const addresses = isIP(host) ? [host] : isLocalName(host) ? ['127.0.0.1', '::1'] : []
  if (addresses.length === 0 || addresses.some(isAllowed)) return undefined
  return 'value leads to a private, local or reserved address'
}

/** Without the brackets of an IPv6 address. */
function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '')
}

/** By RFC 6761 and the hosts files of common systems. */
function isLocalName(host: string): boolean {
  const name = host.replace(/[.]+$/, '')
  return (
    /(^|[.])localhost$/.test(name) ||
    /^(localhost[46]?[.]localdomain[46]?|ip6-localhost|ip6-loopback)$/.test(name)
  )
}

/** Checks every address of a name. The connection goes to one of them. */
function checkedLookup(lookup: LookUp, isAllowed: (address: string) => boolean): LookupFunction {
  // Each name is looked up only once at a time, however many requests wait for it.
  const underWay = new Map<string, Promise<Found>>()
  const find = (name: string): Promise<Found> => {
    const found = underWay.get(name) ?? lookup(name).finally(() => underWay.delete(name))
    underWay.set(name, found)
    return found
  }
  return (name, options, callback) => {
    find(name).then(
      (found) => {
        const [first, ...others] = found.filter(({ address }) => isAllowed(address))
        if (first === undefined) {
          callback(
            new OutgoingError('address_refused', 'The name leads to a private, local or reserved address'),
            [],
          )
        } else if (options.all) callback(null, [first, ...others])
        else callback(null, first.address, first.family)
      },
      (error: NodeJS.ErrnoException) => callback(error, []),
    )
  }
}

/** Our own agents ignore a proxy from the environment, which would not check addresses. */
function agents(lookup: LookupFunction, keeping: { keepAlive: boolean; maxFreeSockets?: number }): Agents {
  const options = {
    ...keeping,
    lookup,
    maxSockets: SOCKETS_PER_HOST_MAX,
    timeout: IDLE_SOCKET_MS,
  }
  return {
    http: new HttpAgent(options),
    https: new HttpsAgent({ ...options, minVersion: 'TLSv1.2', rejectUnauthorized: true }),
  }
}

function limitOf({ deadlineMs, signal }: OutgoingRequest) {
  const controller = new AbortController()
  const timer = setTimeout(() => {
    controller.abort(new OutgoingError('timed_out', `No answer within ${deadlineMs} ms`))
  }, deadlineMs)
  const giveUp = () => controller.abort(signal?.reason)
  if (signal?.aborted) giveUp()
  signal?.addEventListener('abort', giveUp, { once: true })
  return {
    ended: controller.signal,
    clear: () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', giveUp)
    },
  }
}

/** The server had closed a kept connection, and we did not know yet. */
class StaleConnection extends OutgoingError {}

function exchange(
  request: OutgoingRequest,
  { http, https }: Agents,
  ended: AbortSignal,
): Promise<OutgoingAnswer> {
  ended.throwIfAborted()
  const url = new URL(request.url)
  const { method, headers, body, answerMaxBytes, clientCertificate } = request
  const proof = clientCertificate && {
    cert: clientCertificate.certificate,
    key: clientCertificate.privateKey,
  }
  const options = { method, headers, maxHeaderSize: ANSWER_HEADERS_MAX_BYTES, insecureHTTPParser: false }
  const sent =
    url.protocol === 'https:'
      ? requestHttps(url, { ...options, ...proof, agent: https })
      : requestHttp(url, { ...options, agent: http })
  const connection = watchConnection(sent)
  return new Promise((resolve, reject) => {
    const giveUp = () => {
      // A request that waits for a connection would fail only when it gets one.
      reject(ended.reason)
      sent.destroy(ended.reason)
    }
    ended.addEventListener('abort', giveUp, { once: true })
    sent.once('close', () => {
      ended.removeEventListener('abort', giveUp)
      // A server that switches the protocol gives neither an answer nor an error.
      reject(connection.failure(new Error('no answer')))
    })
    sent.once('response', (answer) => resolve(readAnswer(answer, answerMaxBytes)))
    sent.on('error', (error) => reject(connection.failure(error)))
    sent.end(body)
  })
}

/** Turns a failed request into an error with its meaning. */
function watchConnection(sent: ClientRequest) {
  let isReached = false
  let bytesReadBefore = 0
  let bytesRead = () => 0
  sent.once('socket', (socket) => {
    bytesReadBefore = socket.bytesRead
    bytesRead = () => socket.bytesRead
    isReached = sent.reusedSocket
    if (isReached) return
    socket.once('encrypted' in socket ? 'secureConnect' : 'connect', () => {
      isReached = true
    })
  })
  return {
    failure: (error: Error): Error => {
      if (error instanceof OutgoingError) return error
      const reason = errorCode(error) || error.message
      const isClosed = reason === 'ECONNRESET' || reason === 'EPIPE'
      if (isClosed && sent.reusedSocket && bytesRead() === bytesReadBefore) {
        return new StaleConnection('answer_broken', 'The connection was closed', error)
      }
      if (isReached)
        return new OutgoingError('answer_broken', `The answer broke off or was no HTTP (${reason})`, error)
      return new OutgoingError('unreachable', `No connection could be made (${reason})`, error)
    },
  }
}

function readAnswer(answer: IncomingMessage, maxBytes: number): Promise<OutgoingAnswer> {
  const chunks: Buffer[] = []
  let bytes = 0
  return new Promise((resolve) => {
    answer.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      chunks.push(chunk)
      if (bytes > maxBytes) answer.destroy()
    })
    // A broken answer still counts: its status says whether the request was accepted.
    answer.on('error', () => {})
    answer.once('close', () => {
      const isCut = bytes > maxBytes || !answer.complete
      const read = Buffer.concat(chunks).subarray(0, maxBytes)
      // Leaves out half a character at the end of a cut answer.
      const text = new TextDecoder().decode(read, { stream: isCut })
      resolve({
        status: answer.statusCode ?? 0,
        headers: answer.headers,
        // PostgreSQL stores every character except this one.
        body: text.replaceAll('\0', ''),
        bytes: read,
        isCut,
      })
    })
  })
}

type Found = readonly LookupAddress[]

/** All addresses of a name. */
export type LookUp = (name: string) => Promise<Found>

type LookupOptions = {
  readonly system?: LookUp
  /** Undefined: those of the system. */
  readonly servers?: readonly string[] | undefined
}

/** Shorter than the deadline of a webhook, so that there is time left to connect. */
const LIMIT_MS = 3_000
const TRY_MS = 1_000
const TRIES = 3
const HOSTS_FILE = '/etc/hosts'
/** The system would wait for such a server again. */
const UNANSWERED = /^(ETIMEOUT|ECANCELLED|ESERVFAIL)$/

/**
 * Looks up names that users chose. The system's look-up (`dns.lookup`) waits in one of two threads, and cannot be
 * ended: names whose servers do not answer would hold up the look-ups of payment providers and the database. So the
 * name servers are asked without a thread. The system is asked for names of its hosts file, and, one at a time, for names
 * that only it may know, such as those of its search domains.
 */
export function nameLookup({ system = askSystem, servers }: LookupOptions = {}): LookUp {
  const limiter = new Limiter(1)
  return async (name) => {
    if (await isInHostsFile(name)) return system(name)
    const found = name.includes('.') ? await askServers(name, servers) : []
    if (found.length > 0) return found
    const start = performance.now()
    return limiter.run(async () => {
      // The request that wanted it has ended.
      if (performance.now() - start > LIMIT_MS) throw lookupFailed('other names were looked up for too long')
      return system(name)
    })
  }
}

function askSystem(name: string): Promise<Found> {
  return new Promise((resolve, reject) => {
    dns.lookup(name, { all: true }, (error, found) => (error ? reject(error) : resolve(found)))
  })
}

/** The addresses of a name: none if the servers know none. Fails if a server does not answer in time. */
async function askServers(name: string, servers: readonly string[] | undefined): Promise<Found> {
  // One for each name, because it remembers which servers were slow, and ends all of its questions together.
  const resolver = new dns.promises.Resolver({ timeout: TRY_MS, tries: TRIES })
  if (servers) resolver.setServers(servers)
  const timer = setTimeout(() => resolver.cancel(), LIMIT_MS)
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
  clearTimeout(timer)
  const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  const isUnanswered = answers.some(
    (answer) => answer.status === 'rejected' && UNANSWERED.test(errorCode(answer.reason)),
  )
  if (found.length === 0 && isUnanswered) throw lookupFailed(`no answer about ${name}`)
  return found.map((address) => ({ address, family: isIP(address) }))
}

/** With the code that the system has for it. */
function lookupFailed(message: string): Error {
  return Object.assign(new Error(message), { code: 'EAI_AGAIN' })
}

async function isInHostsFile(name: string): Promise<boolean> {
  const text = await readFile(HOSTS_FILE, 'utf8').catch(() => '')
  return text.split('\n').some((line) => {
    const [, ...names] = line.replace(/#.*/, '').trim().toLowerCase().split(/\s+/)
    return names.includes(name.toLowerCase())
  })
}
