import { createServer } from 'node:net'

const DEADLINE_MS = 2_000

export type Place = { readonly host: string; readonly port: number }
type Listener = 'none' | 'this installation' | 'another Switchyard' | 'another program'

/**
 * What listens at a port of this machine. `instance` is the name of the asking installation, if it has one
 * yet.
 */
export async function whoListens(place: Place, instance: string | null): Promise<Listener> {
  if (await isFree(place)) return 'none'
  try {
    const response = await fetch(`${localUrl(place)}/health/live`, {
      signal: AbortSignal.timeout(DEADLINE_MS),
    })
    const body = (await response.json()) as { status?: unknown; instance?: unknown } | null
    if (!response.ok || body?.status !== 'ok' || typeof body.instance !== 'string') return 'another program'
    return body.instance === instance ? 'this installation' : 'another Switchyard'
  } catch {
    return 'another program'
  }
}

/** The port at which an installation listens. Ports that are free now may have been taken when it started. */
export async function findInstance(
  host: string,
  ports: readonly number[],
  instance: string,
): Promise<number | undefined> {
  for (const port of ports) {
    if ((await whoListens({ host, port }, instance)) === 'this installation') return port
  }
  return undefined
}

export function isFree({ host, port }: Place): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolve(true)))
  })
}

/**
 * The URL at which this machine reaches a service. An address that means "all of this machine" cannot be
 * called everywhere.
 */
export function localUrl({ host, port }: Place): string {
  const name = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`
}
