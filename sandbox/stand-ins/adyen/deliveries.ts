import { toMessage } from './notifications.ts'
import type { NotificationItem } from './state.ts'

/** Tries after 9, 18 and 27 seconds, then every two minutes. https://docs.adyen.com/development-resources/webhooks */
const PAUSES_MS = [9_000, 18_000, 27_000]
const QUEUE_PAUSE_MS = 120_000
const WAIT_MS = 10_000

/** Sends webhooks to one address, in order. What is not accepted keeps all that follow waiting. */
export class Deliveries {
  readonly #outbox: NotificationItem[]
  #url: string | null = null
  #failures = 0
  #timer: NodeJS.Timeout | null = null
  #running: Promise<void> | null = null

  constructor(outbox: NotificationItem[]) {
    this.#outbox = outbox
  }

  aim(url: string): object | null {
    if (url !== '' && !URL.canParse(url)) return null
    this.#url = url || null
    this.wake()
    return {}
  }

  /** Something new is there. The answer to the request that caused it goes out first. */
  wake(): void {
    if (this.#url === null || this.#timer !== null) return
    this.#later(0)
  }

  /** Sends what waits, now. */
  async deliver(): Promise<object> {
    await this.#run()
    return { waiting: this.#outbox.length }
  }

  stop(): void {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
    this.#url = null
  }

  #later(ms: number): void {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      this.#timer = null
      void this.#run()
    }, ms)
    this.#timer.unref()
  }

  #run(): Promise<void> {
    this.#running ??= this.#sendAll().finally(() => {
      this.#running = null
    })
    return this.#running
  }

  async #sendAll(): Promise<void> {
    while (this.#url !== null && this.#outbox[0]) {
      const item = this.#outbox[0]
      if (!(await isAccepted(this.#url, item))) {
        this.#later(PAUSES_MS[this.#failures++] ?? QUEUE_PAUSE_MS)
        return
      }
      this.#failures = 0
      if (this.#outbox[0] === item) this.#outbox.shift()
    }
  }
}

/** Any status of the 200s accepts. https://docs.adyen.com/development-resources/webhooks/handle-webhook-events */
async function isAccepted(url: string, item: NotificationItem): Promise<boolean> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: toMessage([item]),
      signal: AbortSignal.timeout(WAIT_MS),
    })
    await response.arrayBuffer()
    return response.ok
  } catch {
    return false
  }
}
