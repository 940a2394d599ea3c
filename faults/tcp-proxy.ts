import { once } from 'node:events'
import { createConnection, createServer, type Socket } from 'node:net'
import { listen } from '../lab/listen.ts'
import { undoable } from '../lab/processes.ts'

/** What is wrong with a connection. `there` is the way to the server, `back` that of its answer. */
export type Fault =
  | { readonly kind: 'none' }
  /** All data takes longer, both ways. */
  | { readonly kind: 'latency'; readonly ms: number }
  /** The connection breaks before any data arrives. */
  | { readonly kind: 'refuse' }
  /** The request arrives, and the connection breaks before the answer. */
  | { readonly kind: 'reset' }
  /** The answer ends in the middle, without an error. */
  | { readonly kind: 'cut'; readonly afterBytes: number }
  /** The answer arrives with changed bytes. */
  | { readonly kind: 'garble' }
  /** Half-open: data of one side does not arrive. The connection stays open, or breaks after that time. */
  | { readonly kind: 'swallow'; readonly way: 'there' | 'back'; readonly ms?: number }
  /** The request arrives that much later, even after its sender has given up. There is no answer. */
  | { readonly kind: 'late'; readonly ms: number }

export type TcpProxy = {
  readonly port: number
  /** How many connections had each kind of fault. */
  readonly counts: () => Readonly<Record<string, number>>
  /** Sets the faults of connections that are opened from now on. */
  readonly setFault: (next: () => Fault) => void
  /** Sets the fault of all open connections. */
  readonly afflict: (fault: Fault) => void
  /** Breaks all connections that are open. */
  readonly resetAll: () => void
  /** Resolves when no late data is under way any more. */
  readonly idle: () => Promise<void>
  readonly stop: () => Promise<void>
}

type Target = { readonly host?: string; readonly port: number } | { readonly path: string }

type Line = {
  fault: Fault
  /** How many bytes of the answer have passed. */
  passed: number
  readonly client: Socket
  readonly server: Socket
}

const NONE: Fault = { kind: 'none' }

/** A connection between a client and a server that can be broken in all these ways. */
export async function startTcpProxy(target: Target): Promise<TcpProxy> {
  const lines = new Set<Line>()
  const late = new Set<Promise<void>>()
  const counts: Record<string, number> = {}
  let next: () => Fault = () => NONE
  const listener = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    const fault = next()
    counts[fault.kind] = (counts[fault.kind] ?? 0) + 1
    client.on('error', () => {})
    if (fault.kind === 'refuse') {
      client.resetAndDestroy()
      return
    }
    if (fault.kind === 'late') {
      const delivery = deliverLate(target, client, fault.ms).finally(() => late.delete(delivery))
      late.add(delivery)
      return
    }
    const server = createConnection({ ...target, noDelay: true })
    const line: Line = { fault, passed: 0, client, server }
    lines.add(line)
    client.once('close', () => lines.delete(line))
    join(line)
    if (fault.kind === 'swallow' && fault.ms !== undefined) {
      const timer = setTimeout(() => breakOff(client), fault.ms)
      client.once('close', () => clearTimeout(timer))
    }
  })
  const port = await listen(listener)
  const resetAll = () => {
    for (const { client, server } of lines) {
      breakOff(client)
      breakOff(server)
    }
  }
  return {
    port,
    counts: () => counts,
    setFault: (given) => {
      next = given
    },
    afflict: (fault) => {
      for (const line of lines) line.fault = fault
    },
    resetAll,
    idle: async () => {
      while (late.size > 0) await Promise.all(late)
    },
    stop: undoable(async () => {
      listener.close()
      resetAll()
    }),
  }
}

function join(line: Line): void {
  const { client, server } = line
  client.on('data', (chunk) => {
    if (line.fault.kind === 'swallow' && line.fault.way === 'there') return
    pass(line, server, chunk)
  })
  server.on('data', (chunk) => passBack(line, chunk))
  for (const [from, to] of [
    [client, server],
    [server, client],
  ] as const) {
    from.on('end', () => {
      if (line.fault.kind !== 'swallow') afterLatency(line, () => to.end())
    })
    from.on('close', () => to.destroy())
    // A connection that breaks, breaks for both.
    from.on('error', () => breakOff(to))
  }
}

/** A Unix socket has no reset; its other end sees it close. */
function breakOff(socket: Socket): void {
  if (socket.remotePort === undefined) socket.destroy()
  else socket.resetAndDestroy()
}

function passBack(line: Line, chunk: Buffer): void {
  const { fault, client, server } = line
  switch (fault.kind) {
    case 'swallow':
      if (fault.way === 'there') pass(line, client, chunk)
      break
    case 'reset':
      client.resetAndDestroy()
      server.destroy()
      break
    case 'garble':
      pass(line, client, Buffer.from(chunk.map((byte) => byte ^ 0x55)))
      break
    case 'cut': {
      const left = Math.max(0, fault.afterBytes - line.passed)
      line.passed += chunk.length
      pass(line, client, chunk.subarray(0, left))
      if (chunk.length < left) break
      client.end()
      server.destroy()
      break
    }
    default:
      pass(line, client, chunk)
  }
}

function pass(line: Line, to: Socket, chunk: Buffer): void {
  afterLatency(line, () => {
    if (to.writable) to.write(chunk)
  })
}

/** Timers of one length fire in the order in which they were set, so data stays in order. */
function afterLatency({ fault }: Line, act: () => void): void {
  if (fault.kind === 'latency') setTimeout(act, fault.ms)
  else act()
}

async function deliverLate(target: Target, client: Socket, ms: number): Promise<void> {
  const chunks: Buffer[] = []
  client.on('data', (chunk) => chunks.push(chunk))
  client.on('end', () => client.end())
  await new Promise((resolve) => setTimeout(resolve, ms))
  const server = createConnection({ ...target, noDelay: true })
  server.on('error', () => {})
  server.write(Buffer.concat(chunks))
  // Whatever it says, it has heard us.
  server.once('data', () => server.destroy())
  await once(server, 'close').catch(() => {})
  client.destroy()
}
