import { createSimulator } from '#sandbox/simulator/simulator.ts'
import { waitingOnly } from './giving-up.ts'
import type { TestService } from './harness.ts'

type Fetch = TestService['providers']['fetch']

export type ProcessorLine = {
  /** Lets late requests arrive at the processor, and waits until they have. */
  readonly letArrive: () => Promise<void>
  /** Intercepts requests to the processor: the function gets each request and the way to send it. */
  readonly intercept: (through: (go: () => Promise<Response>, url: string) => Promise<Response>) => void
  readonly repair: () => void
  /** Uses this timeout for providers only while the work lasts. */
  readonly waitingOnly: <Result>(ms: number, work: () => Promise<Result>) => Promise<Result>
}

/**
 * Gives a test control of the line to the simulated processor, so that nothing depends on the speed of the
 * machine.
 */
export function holdProcessorLine({ providers, database, context, secrets }: TestService): ProcessorLine {
  let late = Promise.withResolvers<void>()
  const simulator = createSimulator({
    pool: database.pool,
    clock: context.clock,
    mac: (input) => secrets.mac('gift-card-simulator', input),
    // Late answers wait for the test. Stalled ones never come.
    sleep: (ms) => (ms < 60_000 ? late.promise : new Promise(() => {})),
  })
  const set = (change: { readonly fetch: Fetch }) => Object.assign(providers, change)
  const repair = () => set({ fetch: simulator.fetch })
  repair()
  return {
    letArrive: async () => {
      late.resolve()
      await simulator.idle()
      late = Promise.withResolvers<void>()
    },
    intercept: (through) => set({ fetch: (url, init) => through(() => simulator.fetch(url, init), url) }),
    repair,
    waitingOnly: (ms, work) => waitingOnly({ providers }, ms, work),
  }
}
