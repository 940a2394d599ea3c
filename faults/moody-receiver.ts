import { createServer, type ServerResponse } from 'node:http'
import { listen } from '../lab/listen.ts'

/** One event that came to one path. */
type Arrival = { readonly path: string; readonly id: string; readonly at: number }
type Mood = (response: ServerResponse) => void

export type MoodyReceiver = {
  readonly url: (path: string) => string
  readonly arrivals: readonly Arrival[]
  /** Sets how a path answers from now on. At first, each takes everything. */
  readonly answer: (path: string, mood: Mood) => void
  /** How many requests were open at once, at most. */
  readonly openMax: (path: string) => number
}

/** Servers of many merchants at one address, each at a path of its own. */
export async function openMoody(): Promise<MoodyReceiver> {
  const arrivals: Arrival[] = []
  const moods = new Map<string, Mood>()
  const open = new Map<string, number>()
  const most = new Map<string, number>()
  const count = (path: string, change: number) => {
    const now = (open.get(path) ?? 0) + change
    open.set(path, now)
    most.set(path, Math.max(now, most.get(path) ?? 0))
  }
  const server = createServer((request, response) => {
    const path = request.url ?? ''
    arrivals.push({ path, id: String(request.headers['webhook-id']), at: Date.now() })
    count(path, 1)
    response.once('close', () => count(path, -1))
    request.resume()
    const mood = moods.get(path) ?? TAKE
    mood(response)
  })
  const port = await listen(server)
  return {
    url: (path) => `http://127.0.0.1:${port}${path}`,
    arrivals,
    answer: (path, mood) => void moods.set(path, mood),
    openMax: (path) => most.get(path) ?? 0,
  }
}

export const TAKE: Mood = (response) => void response.end('ok')
export const STALL: Mood = () => {}
export const REFUSE: Mood = (response) => void response.writeHead(500).end('out of order')
export const GONE: Mood = (response) => void response.writeHead(410).end()
export function later(retryAfter: () => string): Mood {
  return (response) => void response.writeHead(503, { 'retry-after': retryAfter() }).end()
}
