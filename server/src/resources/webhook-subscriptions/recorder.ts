import { setTimeout as sleep } from 'node:timers/promises'
import { isDatabaseAway, isTooSlow } from '#platform/database/database-errors.ts'
import { outsideTraces } from '#platform/observability/trace.ts'
import type { Result } from './deliveries/store.ts'

const TRIES = 4
const PAUSE_MS = 500

type Waiting = {
  readonly result: Result
  readonly done: () => void
  readonly failed: (error: unknown) => void
}

/** Writes results as soon as the previous write is done. All that came meanwhile are written together. */
export class Recorder {
  readonly #write: (results: readonly Result[]) => Promise<void>
  #waiting: Waiting[] = []
  #isWriting = false

  constructor(write: (results: readonly Result[]) => Promise<void>) {
    this.#write = write
  }

  add(result: Result): Promise<void> {
    return new Promise((done, failed) => {
      this.#waiting.push({ result, done, failed })
      if (!this.#isWriting) void outsideTraces(() => this.#writeAll())
    })
  }

  async #writeAll(): Promise<void> {
    this.#isWriting = true
    while (this.#waiting.length > 0) await this.#writeBatch(this.#waiting.splice(0))
    this.#isWriting = false
  }

  /** The database refuses a whole batch for one bad result. Written one by one, only that one fails. */
  async #writeBatch(batch: readonly Waiting[]): Promise<void> {
    try {
      await this.#insist(batch.map(({ result }) => result))
      for (const { done } of batch) done()
    } catch (error) {
      if (batch.length > 1 && !isPassing(error)) {
        for (const one of batch) await this.#writeBatch([one])
      } else for (const { failed } of batch) failed(error)
    }
  }

  /** If a result is lost, the event is sent again. So we wait for a database that is away for a moment. */
  async #insist(results: readonly Result[]): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#write(results)
      } catch (error) {
        if (attempt === TRIES || !isPassing(error)) throw error
        await sleep(PAUSE_MS)
      }
    }
  }
}

function isPassing(error: unknown): boolean {
  return isDatabaseAway(error) || isTooSlow(error)
}
