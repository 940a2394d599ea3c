// The floor for several processes: a bare server in one process or more, which spends a given processor time on each request.
import cluster from 'node:cluster'
import { hash } from 'node:crypto'
import { createServer } from 'node:http'

export type WorkersFloor = {
  readonly processes: number
  readonly processorMs: number
  readonly body: string
}

const TRIAL = 20_000
const TEXT = 'x'.repeat(256)

function spend(times: number): void {
  for (let index = 0; index < times; index += 1) hash('sha256', TEXT, 'hex')
}

/** How often to do a small task so that it takes so long. */
function timesFor(processorMs: number): number {
  spend(TRIAL)
  const before = process.cpuUsage()
  spend(TRIAL)
  const { user, system } = process.cpuUsage(before)
  return Math.round((processorMs * 1000 * TRIAL) / (user + system))
}

function serve(times: number, body: string): void {
  const bytes = Buffer.from(body)
  const server = createServer((_request, response) => {
    spend(times)
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': bytes.length })
    response.end(bytes)
  })
  server.listen(0, '127.0.0.1', () => process.send?.(server.address() ?? {}))
}

type Order = { readonly times: number; readonly body: string }

if (cluster.isPrimary) {
  process.once('message', ({ processes, processorMs, body }: WorkersFloor) => {
    const times = timesFor(processorMs)
    if (processes === 1) return serve(times, body)
    const order: Order = { times, body }
    let ready = 0
    cluster.on('message', (_worker, address) => {
      ready += 1
      if (ready === processes) process.send?.(address)
    })
    for (let index = 0; index < processes; index += 1) cluster.fork().send(order)
  })
} else {
  process.once('message', ({ times, body }: Order) => serve(times, body))
}
