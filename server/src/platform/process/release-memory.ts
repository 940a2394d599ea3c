import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Even a first start has ended by then, and the process is not yet as fast as it will be. */
const AFTER_MS = 8_000

type Collect = (how: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void

/**
 * Called when a start begins. Some seconds later, gives the memory back that only the start needed. V8 does so when it collects garbage under pressure, and an idle process has none:
 * it would keep 40 MB for as long as it is idle. The one pause is a tenth of a second.
 */
export function releaseMemoryOfStart(): void {
  setTimeout(releaseMemory, AFTER_MS).unref()
}

/** Node has no name for it but the flag, with which it is made for a new context. */
export function releaseMemory(): void {
  setFlagsFromString('--expose-gc')
  const collect: Collect = runInNewContext('gc')
  setFlagsFromString('--no-expose-gc')
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}
