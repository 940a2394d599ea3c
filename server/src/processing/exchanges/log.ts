import type { Db } from '#platform/db.ts'
import { insert, type StoredExchange } from './store.ts'

/** Payments of this time share one write. Readers of other processes see an exchange that much later. */
const PAUSE_MS = 250
const BATCH = 200
/** Seconds of a busy process whose database does not answer. What comes beyond it is lost. */
const WAITING_MAX = 2_000

type Options = {
  readonly db: Db
  /** How long exchanges are kept. Zero: none is. */
  readonly retentionDays: number
  readonly onLost: (count: number, error: unknown) => void
}

/**
 * Keeps exchanges beside the payments that they belong to: no payment waits for a transcript, or fails because of one. So
 * those of the last moment are lost if the process is killed, and all that cannot be written.
 */
export class ExchangeLog {
  readonly #options: Options
  #waiting: StoredExchange[] = []
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> = Promise.resolve()
  #written = 0
  #lost = 0

  constructor(options: Options) {
    this.#options = options
  }

  get isKept(): boolean {
    return this.#options.retentionDays > 0
  }

  get retentionDays(): number {
    return this.#options.retentionDays
  }

  /** Since the start of this process. */
  get counts(): { readonly written: number; readonly lost: number } {
    return { written: this.#written, lost: this.#lost }
  }

  add(exchange: StoredExchange): void {
    if (this.#waiting.length >= WAITING_MAX) {
      this.lose(new Error('too many exchanges wait to be written'))
      return
    }
    this.#waiting.push(exchange)
    this.#timer ??= setTimeout(() => void this.flush(), PAUSE_MS).unref()
  }

  lose(error: unknown, count = 1): void {
    this.#lost += count
    this.#options.onLost(count, error)
  }

  /** Writes what waits. Never fails. */
  flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#writing = this.#writing.then(() => this.#writeAll())
    return this.#writing
  }

  async #writeAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, BATCH)
      try {
        await insert(this.#options.db, batch)
        this.#written += batch.length
      } catch (error) {
        this.lose(error, batch.length)
      }
    }
  }
}
