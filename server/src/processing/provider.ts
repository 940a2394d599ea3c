import type { Connector, Link, Unknown } from '#connectors/contract/connector.ts'
import { PATIENCE_MAX_MS, PATIENCE_MIN_MS, type Patience } from '#connectors/contract/manifest.ts'
import { inSpan } from '#platform/observability/trace.ts'
import { type Answer, type Fetch, RedirectRefused } from '#platform/outgoing/fetch.ts'
import type { ClientCertificate } from '#platform/outgoing/outgoing.ts'
import { systemClock } from '#platform/process/clock.ts'
import type { Registries } from './connectors.ts'
import type { Transcript } from './exchanges/transcribe.ts'
import { BrokenContract } from './service-accounts/registry.ts'
import type { WalletAuthorities } from './wallet-tokens/authorities.ts'

/** How providers are reached. */
export type Line = {
  readonly fetch: Fetch
  /** How long a provider may take, unless its connector asks for more or less. After that the outcome is unknown. */
  readonly timeoutMs: number
  readonly environment: Link['environment']
  /** Who is asked for what. Undefined: this is not measured. */
  readonly asked?: Asked | undefined
  readonly observe?: ((measure: ProviderMeasure) => void) | undefined
}

type Asked = { readonly connector: string; readonly act: string }
/** `unknown`: there was no answer in time, or none that could be read. */
type ProviderMeasure = Asked & { readonly result: 'answered' | 'unknown'; readonly seconds: number }

/** The same line, for one act of one connector. */
export function lineFor({ fetch, timeoutMs, environment, observe }: Line, asked: Asked): Line {
  return { fetch, timeoutMs, environment, observe, asked }
}

/** What a connector gets for one service. Without `memory`, nothing is remembered. */
export type Asking = Pick<Link, 'fields' | 'options'> & {
  readonly memory?: Pick<Link, 'remember' | 'forget'>
  /** Writes down what is said, for the merchant. */
  readonly transcript?: Transcript | undefined
}

const NO_MEMORY: Required<Asking>['memory'] = {
  remember: async (_name, make) => (await make()).value,
  forget: async () => {},
}

/** All providers, how to reach them, and who may sign the tokens of wallets. */
export type Providers = Registries &
  Line & {
    /** After this time a request answers without its provider. */
    readonly answerWithinMs: number
    readonly wallets: WalletProviders
    readonly walletAuthorities: WalletAuthorities
  }

type Ask<Order, Result> = (order: Order, link: Link) => Promise<Result>

/**
 * Asks a provider for something that moves money. No database transaction may be open. Any error between us
 * and the provider is an unknown outcome, because the request may have arrived.
 */
export async function askProvider<Order, Result>(
  line: Line,
  ask: Ask<Order, Result>,
  order: Order,
  { fields, options, memory = NO_MEMORY, transcript }: Asking,
): Promise<Result | Unknown> {
  const { timeoutMs, environment } = line
  const { signal, isOver, clear } = deadlineIn(timeoutMs)
  const beganAt = performance.now()
  const link: Link = {
    fields,
    options,
    environment,
    // Providers know only the real time, also while a sandbox's clock is ahead.
    now: systemClock,
    ...memory,
    fetch: async (url, init) => {
      const exchange = transcript?.begin({ url, init, order, fields })
      if (exchange) signal.addEventListener('abort', () => exchange.failed(signal.reason, 'timed_out'))
      try {
        const answer = await traced(line, url, { ...init, signal })
        exchange?.begun(answer)
        const body = await readBytes(answer)
        exchange?.ended(body)
        return withBody(answer, body)
      } catch (error) {
        exchange?.failed(error, isRefusedByUs(error) ? 'answer_refused' : null)
        throw error
      }
    },
  }
  const answer = attempt(ask, order, link).catch((error: unknown) => unknown(reasonOf(error)))
  try {
    const told = await Promise.race([answer, isOver])
    measure(line, told, beganAt)
    return told
  } finally {
    clear()
  }
}

/**
 * One request as one step of a trace, which goes on at the provider. Neither the path nor the body is in it: both may hold
 * secrets.
 */
function traced({ fetch, asked }: Line, url: string, init: RequestInit): Promise<Answer> {
  const attributes = {
    'http.request.method': init.method ?? 'GET',
    'server.address': URL.parse(url)?.hostname ?? '',
    ...(asked && { 'switchyard.connector': asked.connector, 'switchyard.act': asked.act }),
  }
  const name = asked ? `${asked.connector} ${asked.act}` : 'ask a provider'
  return inSpan({ name, kind: 'client', attributes }, async (span) => {
    if (!span) return fetch(url, init)
    const headers = new Headers(init.headers)
    headers.set('traceparent', span.traceparent)
    const answer = await fetch(url, { ...init, headers })
    span.set({ 'http.response.status_code': answer.status })
    return answer
  })
}

function measure({ asked, observe }: Line, told: unknown, beganAt: number): void {
  if (!asked) return
  const isUnknown =
    typeof told === 'object' && told !== null && 'outcome' in told && told.outcome === 'unknown'
  const seconds = (performance.now() - beganAt) / 1000
  observe?.({ ...asked, result: isUnknown ? 'unknown' : 'answered', seconds })
}

/** A hundred times the size of any provider's answer. Without a limit, one answer could fill our memory. */
const ANSWER_BYTES_MAX = 1024 * 1024

class AnswerTooLong extends Error {
  constructor() {
    super(`the answer has more than ${ANSWER_BYTES_MAX} bytes`)
    this.name = 'AnswerTooLong'
  }
}

/** It was too long, or led elsewhere: we follow no redirects. */
function isRefusedByUs(error: unknown): boolean {
  return error instanceof AnswerTooLong || error instanceof RedirectRefused
}

/** Reads the whole answer. An answer that is too long is not passed to the connector. */
export async function readWhole(answer: Answer): Promise<Response> {
  return withBody(answer, await readBytes(answer))
}

/** Bytes are counted while they are read, after decompression, because the stated length proves nothing. */
async function readBytes({ body }: Answer): Promise<Buffer<ArrayBuffer> | null> {
  if (body === null) return null
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.byteLength
    // Leaving the loop closes the connection.
    if (bytes > ANSWER_BYTES_MAX) throw new AnswerTooLong()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function withBody({ status, statusText, headers }: Answer, body: Buffer<ArrayBuffer> | null): Response {
  return new Response(body, { status, statusText, headers })
}

/** Like `AbortSignal.timeout`, whose timer would keep everything that a call used until the timeout. */
function deadlineIn(timeoutMs: number) {
  const controller = new AbortController()
  const { promise: isOver, resolve } = Promise.withResolvers<Unknown>()
  const timer = setTimeout(() => {
    controller.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError'))
    resolve(unknown('the provider did not answer in time'))
  }, timeoutMs)
  timer.unref()
  return { signal: controller.signal, isOver, clear: () => clearTimeout(timer) }
}

/** The connector's own error may contain what it sent, so we do not repeat it. */
function reasonOf(error: unknown): string {
  return error instanceof BrokenContract ? error.message : 'the provider’s answer could not be read'
}

/** Turns an error that is thrown before there is a promise into a rejected promise. */
async function attempt<Order, Result>(ask: Ask<Order, Result>, order: Order, link: Link): Promise<Result> {
  return ask(order, link)
}

function unknown(reason: string): Unknown {
  return { outcome: 'unknown', reason }
}

/**
 * The line to a provider for one operation: with as much time as its connector asks for, within bounds. A connector that
 * does not ask gets the time that all have.
 */
export function lineTo(
  line: Line,
  { manifest }: Pick<Connector, 'manifest'>,
  operation: keyof Patience,
): Line {
  const own = lineFor(line, { connector: manifest.id, act: operation })
  const asked = manifest.patience?.[operation] ?? Number.NaN
  if (Number.isNaN(asked)) return own
  return { ...own, timeoutMs: Math.min(Math.max(asked, PATIENCE_MIN_MS), PATIENCE_MAX_MS) }
}

/** How the providers of digital wallets are reached. In a sandbox, simulators answer. */
export type WalletProviders = {
  readonly askApple: AskApple
  /** Null: there is no connection to Click to Pay. */
  readonly clickToPayUrl: string | null
  /** Null: there is no connection to Paze. */
  readonly pazeUrl: string | null
}

/** Sends JSON to Apple in the name of a merchant. Throws if no answer comes. */
export type AskApple = (request: {
  /** One of Apple's own, which the caller has checked. */
  readonly url: string
  readonly identity: ClientCertificate
  readonly body: string
  readonly signal: AbortSignal
}) => Promise<{ readonly status: number; readonly body: string }>
