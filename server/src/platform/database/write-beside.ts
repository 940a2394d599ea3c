import { outsideTraces } from '../observability/trace.ts'
import { isDatabaseAway, isTooSlow } from './database-errors.ts'

type Options<Row> = {
  readonly insert: (rows: readonly Row[]) => Promise<void>
  /** Rows of this time share one write. Readers of other processes see a row that much later. */
  readonly pauseMs: number
  /** How many rows one statement writes. */
  readonly batch: number
  /** Some seconds of a busy process whose database does not answer. What comes beyond it is lost. */
  readonly waitingMax: number
  /** How long rows are kept, if a job removes them. Zero: none is kept. */
  readonly retentionDays?: number
  readonly onLost: (count: number, error: unknown) => void
}

type Written = { readonly lost: number; readonly error?: unknown }

/**
 * Writes rows beside the requests that they tell of: no request waits for its row, or fails because of it. So
 * rows of the last moment are lost if the process is killed, and so are rows that cannot be written.
 */
export class WriteBeside<Row> {
  readonly #options: Options<Row>
  #waiting: Row[] = []
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> = Promise.resolve()
  #written = 0
  #lost = 0

  constructor(options: Options<Row>) {
    this.#options = options
  }

  get isKept(): boolean {
    return this.retentionDays > 0
  }

  get retentionDays(): number {
    return this.#options.retentionDays ?? 0
  }

  /** Since the start of this process. */
  get counts(): { readonly written: number; readonly lost: number } {
    return { written: this.#written, lost: this.#lost }
  }

  add(row: Row): void {
    if (this.#waiting.length >= this.#options.waitingMax) {
      this.lose(new Error('too many rows wait to be written'))
      return
    }
    this.#waiting.push(row)
    this.#timer ??= outsideTraces(() => setTimeout(() => void this.flush(), this.#options.pauseMs).unref())
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
      const batch = this.#waiting.splice(0, this.#options.batch)
      const { lost, error } = await this.#write(batch)
      this.#written += batch.length - lost
      if (lost > 0) this.lose(error, lost)
    }
  }

  /** The database refuses all rows for one bad row. Written in halves, and halves of these, only that one is lost. */
  async #write(rows: readonly Row[]): Promise<Written> {
    try {
      await this.#options.insert(rows)
      return { lost: 0 }
    } catch (error) {
      if (rows.length === 1 || isDatabaseAway(error) || isTooSlow(error)) return { lost: rows.length, error }
    }
    const middle = Math.ceil(rows.length / 2)
    const first = await this.#write(rows.slice(0, middle))
    const second = await this.#write(rows.slice(middle))
    return { lost: first.lost + second.lost, error: first.error ?? second.error }
  }
}
