// Loaded into the service's process before its own code, to measure its event loop from within.
import { monitorEventLoopDelay } from 'node:perf_hooks'

export type LagOrder = { readonly lag: 'reset' | 'read' }
export type Lag = { readonly p50: number; readonly p99: number; readonly max: number }

const RESOLUTION_MS = 1
const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
histogram.enable()

process.on('message', ({ lag }: LagOrder) => {
  const answer: Lag = {
    p50: delayMs(histogram.percentile(50)),
    p99: delayMs(histogram.percentile(99)),
    max: delayMs(histogram.max),
  }
  if (lag === 'reset') histogram.reset()
  process.send?.(answer)
})

/** The histogram has the times between ticks of its timer, so an idle loop shows the timer's period. */
function delayMs(nanoseconds: number): number {
  return Math.max(0, nanoseconds / 1e6 - RESOLUTION_MS)
}
