import { createTracer, type EndedSpan, type Tracer } from './trace.ts'

/** Some seconds of a busy process. Spans beyond it are dropped: a collector that is away must not fill the memory. */
const WAITING_MAX = 4_096
const BATCH = 512
const PAUSE_MS = 1_000
const DEADLINE_MS = 5_000
/** After a failure, a collector is left alone for a while. */
const RETREAT_MS = 10_000

export type Collector = {
  /** The address of an OTLP receiver, as in OTEL_EXPORTER_OTLP_ENDPOINT. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly serviceName: string
  /** The share of the traces begun here that are kept. */
  readonly share: number
}

type Origin = { readonly version: string; readonly instanceId: string }

type Options = Collector &
  Origin & {
    readonly deadlineMs?: number
    readonly onFailure: (reason: string) => void
  }

/**
 * Sends spans to a collector, as OTLP in JSON over HTTP. No request waits for it. What the collector does not take in time
 * is dropped and counted: a trace is a help, and payments go on without it.
 */
export class SpanSender {
  readonly tracer: Tracer
  readonly #options: Options
  readonly #address: string
  #waiting: EndedSpan[] = []
  #timer: NodeJS.Timeout | undefined
  #sending: Promise<void> | undefined
  #isStopped = false
  #sent = 0
  #dropped = 0

  constructor(options: Options) {
    this.#options = options
    this.#address = `${options.url.replace(/[/]+$/, '')}/v1/traces`
    this.tracer = createTracer((span) => this.#add(span), options.share)
  }

  /** Since the start of the process. */
  get counts(): { readonly sent: number; readonly dropped: number } {
    return { sent: this.#sent, dropped: this.#dropped }
  }

  /** Sends what waits, as far as the collector takes it now. */
  async stop(): Promise<void> {
    this.#isStopped = true
    clearTimeout(this.#timer)
    await this.#sending
    while (this.#waiting.length > 0 && (await this.#sendOne())) {
      // One batch after the other.
    }
    this.#drop(this.#waiting.length)
    this.#waiting = []
  }

  #add(span: EndedSpan): void {
    if (this.#waiting.length >= WAITING_MAX || this.#isStopped) this.#drop(1)
    else this.#waiting.push(span)
    if (!this.#isStopped) this.#timer ??= setTimeout(() => this.#begin(), PAUSE_MS).unref()
  }

  #begin(): void {
    this.#sending = this.#sendAll().finally(() => {
      this.#sending = undefined
    })
  }

  async #sendAll(): Promise<void> {
    let pauseMs = PAUSE_MS
    while (this.#waiting.length > 0 && pauseMs === PAUSE_MS && !this.#isStopped) {
      if (!(await this.#sendOne())) pauseMs = RETREAT_MS
    }
    const isOver = this.#waiting.length === 0 || this.#isStopped
    this.#timer = isOver ? undefined : setTimeout(() => this.#begin(), pauseMs).unref()
  }

  /** Returns whether the collector took them. */
  async #sendOne(): Promise<boolean> {
    const batch = this.#waiting.splice(0, BATCH)
    try {
      const { headers, deadlineMs = DEADLINE_MS } = this.#options
      const answer = await fetch(this.#address, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(requestOf(batch, this.#options)),
        redirect: 'error',
        signal: AbortSignal.timeout(deadlineMs),
      })
      await answer.body?.cancel()
      if (!answer.ok) throw new Error(`it answered ${answer.status}`)
      this.#sent += batch.length
      return true
    } catch (error) {
      this.#drop(batch.length)
      this.#options.onFailure(error instanceof Error ? error.message : 'no answer')
      return false
    }
  }

  #drop(count: number): void {
    this.#dropped += count
  }
}

const KINDS = { internal: 1, server: 2, client: 3 } as const
const STATUS_ERROR = 2

/** https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding */
function requestOf(spans: readonly EndedSpan[], { serviceName, version, instanceId }: Options) {
  const resource = {
    'service.name': serviceName,
    'service.version': version,
    'service.instance.id': instanceId,
  }
  return {
    resourceSpans: [
      {
        resource: { attributes: attributesOf(resource) },
        scopeSpans: [{ scope: { name: 'switchyard', version }, spans: spans.map(toOtlp) }],
      },
    ],
  }
}

function toOtlp(span: EndedSpan) {
  return {
    traceId: span.traceId,
    spanId: span.id,
    ...(span.parentId !== null && { parentSpanId: span.parentId }),
    name: span.name,
    kind: KINDS[span.kind],
    startTimeUnixNano: nanoseconds(span.startMs),
    endTimeUnixNano: nanoseconds(span.endMs),
    attributes: attributesOf(span.attributes),
    status: span.isFailed ? { code: STATUS_ERROR } : {},
  }
}

function attributesOf(attributes: EndedSpan['attributes']) {
  return Object.entries(attributes).map(([key, value]) => ({
    key,
    value: typeof value === 'number' ? { intValue: String(Math.round(value)) } : { stringValue: value },
  }))
}

function nanoseconds(ms: number): string {
  return String(BigInt(Math.round(ms * 1_000)) * 1_000n)
}
