import { setTimeout as sleep } from 'node:timers/promises'
import { Gauge, Registry } from 'prom-client'

/** How old the values of a scrape may be. However many scrapers there are, the database is asked no more often. */
const FRESH_MS = 15_000
/** How long a scrape waits for new values. After that it shows those of the last time. */
const WAIT_MS = 2_000

/** Values that are read from the database for a scrape. They are the same in all processes. */
export type Reading<Needs> = {
  readonly name: string
  readonly gauges: readonly GaugeOf[]
  /** Must be cheap: it runs at every scrape, at most every 15 seconds. */
  readonly read: (needs: Needs) => Promise<readonly Sample[]>
}

type GaugeOf = { readonly name: string; readonly help: string; readonly labels?: readonly string[] }

type Sample = {
  readonly gauge: string
  readonly labels?: Readonly<Record<string, string>>
  readonly value: number
}

/** Shows readings in `/metrics`. A database that is slow or away neither delays nor fails a scrape. */
export class Readings<Needs> {
  readonly #registry = new Registry()
  readonly #readings: readonly Reading<Needs>[]
  readonly #needs: Needs
  readonly #freshMs: number
  readonly #gauges = new Map<string, Gauge<string>>()
  readonly #readAt = new Map<string, number>()
  #tookPlaceAt = Number.NEGATIVE_INFINITY
  #underWay: Promise<void> | undefined

  constructor(readings: readonly Reading<Needs>[], needs: Needs, freshMs = FRESH_MS) {
    this.#readings = readings
    this.#needs = needs
    this.#freshMs = freshMs
    for (const { name, help, labels = [] } of readings.flatMap(({ gauges }) => gauges)) {
      const gauge = new Gauge({ name, help, labelNames: labels, registers: [this.#registry] })
      this.#gauges.set(name, gauge)
      clear(gauge, labels)
    }
    const readAt = this.#readAt
    new Gauge({
      name: 'switchyard_reading_age_seconds',
      help: 'How old the values are that a scrape shows of the database',
      labelNames: ['reading'] as const,
      registers: [this.#registry],
      collect() {
        for (const [reading, at] of readAt) this.set({ reading }, (performance.now() - at) / 1000)
      },
    })
    // Before the first success, it is as if the values had been read when the process began.
    for (const { name } of readings) readAt.set(name, performance.now())
  }

  getMetricsAsArray() {
    return this.#registry.getMetricsAsArray()
  }

  async metrics(): Promise<string> {
    await Promise.race([this.#refresh(), sleep(WAIT_MS, undefined, { ref: false })])
    return this.#registry.metrics()
  }

  async #refresh(): Promise<void> {
    if (this.#underWay !== undefined) return this.#underWay
    if (performance.now() - this.#tookPlaceAt < this.#freshMs) return
    this.#underWay = this.#readAll().finally(() => {
      this.#tookPlaceAt = performance.now()
      this.#underWay = undefined
    })
    await this.#underWay
  }

  /** One after the other, so that a scrape takes one connection. */
  async #readAll(): Promise<void> {
    for (const reading of this.#readings) {
      // The age shows that it failed, and the database's state says why.
      const samples = await reading.read(this.#needs).catch(() => undefined)
      if (samples) this.#show(reading, samples)
    }
  }

  #show(reading: Reading<Needs>, samples: readonly Sample[]): void {
    for (const { name, labels } of reading.gauges) clear(this.#gauges.get(name), labels)
    for (const { gauge, labels = {}, value } of samples) this.#gauges.get(gauge)?.set(labels, value)
    this.#readAt.set(reading.name, performance.now())
  }
}

/** Nothing is shown until it is read. A zero, with which a gauge without labels begins, would be a claim. */
function clear(gauge: Gauge<string> | undefined, labels: readonly string[] = []): void {
  gauge?.reset()
  if (labels.length === 0) gauge?.remove()
}
