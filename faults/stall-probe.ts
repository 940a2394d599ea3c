// Loaded into the service's process before its own code. It measures the longest time for which the main thread worked without
// letting the event loop go on: the processor time between two ticks of a timer, so that a busy machine does not count.
const TICK_MS = 2

export type StallOrder = { readonly stall: 'reset' | 'read' }

let longest = 0
let last = process.threadCpuUsage()

setInterval(note, TICK_MS).unref()

process.on('message', ({ stall }: StallOrder) => {
  note()
  if (stall === 'reset') longest = 0
  process.send?.(longest)
})

function note(): void {
  const { user, system } = process.threadCpuUsage(last)
  last = process.threadCpuUsage()
  longest = Math.max(longest, (user + system) / 1000)
}
