import type { ReportLink, StreamedResponse } from '#connectors/contract/reports.ts'
import { type Line, readWhole } from './provider.ts'

/** A provider that sends nothing for so long has stopped sending. */
const IDLE_MS = 30_000
/** Some thirty million lines. A file has to end at some point. */
const FILE_BYTES_MAX = 8 * 1024 ** 3

type Limits = { readonly idleMs: number; readonly bytesMax: number }

/** How a connector reaches its provider's reports. Files are streamed, so that they need not fit into memory. */
export function reportLink(
  { fetch, timeoutMs, environment }: Line,
  fields: ReportLink['fields'],
  { idleMs, bytesMax }: Limits = { idleMs: IDLE_MS, bytesMax: FILE_BYTES_MAX },
): ReportLink {
  return {
    fields,
    environment,
    fetch: (url, init) => {
      const patience = new Patience(timeoutMs)
      return patience.of(fetch(url, patience.onto(init)).then(readWhole))
    },
    stream: async (url, init): Promise<StreamedResponse> => {
      const patience = new Patience(idleMs)
      const { status, headers, body } = await patience.of(fetch(url, patience.onto(init)))
      return { status, headers, body: body === null ? none() : readOn(body, patience, bytesMax) }
    },
  }
}

/** Counts the bytes while they are read, after decompression. Leaving early closes the connection. */
async function* readOn(
  body: AsyncIterable<Uint8Array>,
  patience: Patience,
  bytesMax: number,
): AsyncGenerator<Uint8Array> {
  const chunks = body[Symbol.asyncIterator]()
  let bytes = 0
  try {
    while (true) {
      const { done, value } = await patience.of(chunks.next())
      if (done) return
      bytes += value.byteLength
      if (bytes > bytesMax) throw new Error(`the file has more than ${bytesMax} bytes`)
      yield value
    }
  } finally {
    // Closes the connection. After a failure there may be nothing left to close, and it is not waited for.
    void Promise.resolve(chunks.return?.()).catch(() => {})
  }
}

async function* none(): AsyncGenerator<Uint8Array> {}

/** How long to wait for each step of a call. When it is over, the call is aborted. */
class Patience {
  readonly #ms: number
  readonly #controller = new AbortController()

  constructor(ms: number) {
    this.#ms = ms
  }

  onto(init: RequestInit | undefined): RequestInit {
    return { ...init, signal: this.#controller.signal }
  }

  /** The step's result, or an error if it takes too long. The time is counted only while we wait. */
  async of<Result>(step: Promise<Result>): Promise<Result> {
    const { promise: isOver, reject } = Promise.withResolvers<never>()
    const timer = setTimeout(() => {
      const error = new DOMException('the provider paused for too long', 'TimeoutError')
      this.#controller.abort(error)
      reject(error)
    }, this.#ms)
    timer.unref()
    try {
      return await Promise.race([step, isOver])
    } finally {
      clearTimeout(timer)
    }
  }
}
