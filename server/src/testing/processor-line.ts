import { createSimulator } from '#simulator/simulator.ts'
import type { TestService } from './harness.ts'

type Fetch = TestService['providers']['fetch']

export type ProcessorLine = {
  /** Lets what is late arrive at the processor, and waits until it has. */
  readonly letArrive: () => Promise<void>
  /** Puts something between us and the processor: it is handed each request with the way on. */
  readonly intercept: (through: (go: () => Promise<Response>, url: string) => Promise<Response>) => void
  readonly repair: () => void
  /** Waits for providers that long only while the work lasts. */
  readonly waitingOnly: <Result>(ms: number, work: () => Promise<Result>) => Promise<Result>
}

/** The line to the simulated processor in the hands of a test: nothing on it depends on how fast the machine is. */
export function holdProcessorLine({ providers, database, context }: TestService): ProcessorLine {
  let late = Promise.withResolvers<void>()
  const simulator = createSimulator({
    pool: database.pool,
    clock: context.clock,
    // What is late waits for the test; what stalls, for whoever gives up.
    sleep: (ms) => (ms < 60_000 ? late.promise : new Promise(() => {})),
  })
  const set = (change: { readonly fetch?: Fetch; readonly timeoutMs?: number }) =>
    Object.assign(providers, change)
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
    waitingOnly: async (ms, work) => {
      const { timeoutMs } = providers
      set({ timeoutMs: ms })
      try {
        return await work()
      } finally {
        set({ timeoutMs })
      }
    },
  }
}
