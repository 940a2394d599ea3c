import { AsyncLocalStorage } from 'node:async_hooks'
import { randomFillSync } from 'node:crypto'

/** Facts about a span. None of them may be secret or personal: a collector is not ours. */
type Attributes = Readonly<Record<string, string | number>>
type SpanKind = 'internal' | 'server' | 'client'

export type EndedSpan = {
  readonly traceId: string
  readonly id: string
  readonly parentId: string | null
  readonly name: string
  readonly kind: SpanKind
  /** Since 1970. */
  readonly startMs: number
  readonly endMs: number
  readonly attributes: Attributes
  readonly isFailed: boolean
}

/** Begins traces, or goes on with those of others. */
export type Tracer = {
  /** For a request. Its `traceparent` may be anything: what is not valid begins a trace of its own. */
  readonly begin: (traceparent: unknown, name: string) => Span
  /** For work that goes on later, for example in a job. Null: its beginning was not traced. */
  readonly goOn: <Result>(
    traceparent: string | null,
    what: Described,
    work: () => Promise<Result>,
  ) => Promise<Result>
}

type Described = { readonly name: string; readonly kind?: SpanKind; readonly attributes?: Attributes }

/** Takes spans that have ended. It must be quick, and must not throw. */
type Sink = (span: EndedSpan) => void

type Place = {
  readonly traceId: string
  /** The span above. Null: the trace begins here. */
  readonly parentId: string | null
  /** Whether its spans are kept. What is passed on says so, too. */
  readonly isSampled: boolean
}

const current = new AsyncLocalStorage<Span | undefined>()

/** `share` of the traces that begin here are kept. Of others, those are kept whose beginning was. */
export function createTracer(sink: Sink, share = 1): Tracer {
  const root = (): Place => ({
    traceId: randomHex(16),
    parentId: null,
    isSampled: Math.random() < share,
  })
  return {
    begin: (traceparent, name) =>
      new Span(sink, readTraceparent(traceparent) ?? root(), { name, kind: 'server' }),
    goOn: (traceparent, what, work) => {
      const place = readTraceparent(traceparent)
      return place ? runIn(new Span(sink, place, what), work) : work()
    },
  }
}

/** One step of a trace. */
export class Span {
  readonly #id = randomHex(8)
  readonly #sink: Sink
  readonly #place: Place
  readonly #kind: SpanKind
  readonly #startMs = nowMs()
  #name: string
  #attributes: Attributes
  #isFailed = false
  #isEnded = false

  constructor(sink: Sink, place: Place, { name, kind = 'internal', attributes = {} }: Described) {
    this.#sink = sink
    this.#place = place
    this.#name = name
    this.#kind = kind
    this.#attributes = attributes
  }

  get traceId(): string {
    return this.#place.traceId
  }

  /** What is passed on to others, so that their spans have this one as their parent. */
  get traceparent(): string {
    const { traceId, isSampled } = this.#place
    return `00-${traceId}-${this.#id}-${isSampled ? '01' : '00'}`
  }

  below(what: Described): Span {
    return new Span(this.#sink, { ...this.#place, parentId: this.#id }, what)
  }

  rename(name: string): void {
    this.#name = name
  }

  set(attributes: Attributes): void {
    this.#attributes = { ...this.#attributes, ...attributes }
  }

  fail(): void {
    this.#isFailed = true
  }

  end(): void {
    if (this.#isEnded) return
    this.#isEnded = true
    const { traceId, parentId, isSampled } = this.#place
    if (!isSampled) return
    this.#sink({
      traceId,
      id: this.#id,
      parentId,
      name: this.#name,
      kind: this.#kind,
      startMs: this.#startMs,
      endMs: nowMs(),
      attributes: this.#attributes,
      isFailed: this.#isFailed,
    })
  }
}

/** The span in which this code runs. Undefined: nothing is traced. */
export function currentSpan(): Span | undefined {
  return current.getStore()
}

/** For rows that a job goes on with, and for headers. */
export function currentTraceparent(): string | null {
  return current.getStore()?.traceparent ?? null
}

/** Runs a function in a span, which its caller ends. */
export function enter<Result>(span: Span, work: () => Result): Result {
  return current.run(span, work)
}

/** Runs work in a span below the current one. Without one, it only runs it. */
export function inSpan<Result>(
  what: Described,
  work: (span: Span | undefined) => Promise<Result>,
): Promise<Result> {
  const above = current.getStore()
  if (!above) return work(undefined)
  const span = above.below(what)
  return runIn(span, () => work(span))
}

/** Runs what belongs to no single trace, such as a write for many requests. */
export function outsideTraces<Result>(work: () => Result): Result {
  return current.getStore() ? current.run(undefined, work) : work()
}

async function runIn<Result>(span: Span, work: () => Promise<Result>): Promise<Result> {
  try {
    return await current.run(span, work)
  } catch (error) {
    span.fail()
    throw error
  } finally {
    span.end()
  }
}

/** https://www.w3.org/TR/trace-context/#traceparent-header. Later versions may add parts at the end. */
const TRACEPARENT =
  /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.{0,200})?$/

export function readTraceparent(given: unknown): Place | undefined {
  const parts = typeof given === 'string' ? TRACEPARENT.exec(given) : null
  if (!parts) return undefined
  const [, version, traceId = '', parentId = '', flags = '', rest] = parts
  if (version === '00' && rest !== undefined) return undefined
  return { traceId, parentId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 }
}

const pool = Buffer.alloc(4_096)
let used = pool.length

/** From a supply: to ask the system for each span would take longer than all else. */
function randomHex(bytes: number): string {
  if (used + bytes > pool.length) {
    randomFillSync(pool)
    used = 0
  }
  used += bytes
  return pool.toString('hex', used - bytes, used)
}

/** The machine's time, as collectors expect it, finer than a clock's milliseconds. */
function nowMs(): number {
  return performance.timeOrigin + performance.now()
}
