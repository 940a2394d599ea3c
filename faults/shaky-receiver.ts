import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { Webhook } from 'standardwebhooks'
import { dice, pick, weighed } from '../lab/dice.ts'
import { openReceiver } from '../lab/listen.ts'

type Mood = 'take' | 'refuse' | 'reset' | 'cut' | 'garble' | 'stall'

/** It fails to take three requests out of ten. */
const MOODS = weighed<Mood>({ take: 70, refuse: 12, reset: 10, cut: 3, garble: 3, stall: 2 })

export type ShakyReceiver = {
  readonly port: number
  /** How often it accepted each event. */
  readonly taken: ReadonlyMap<string, number>
  /** When each event came for the first time. */
  readonly firstSeen: ReadonlyMap<string, readonly number[]>
  /** What was wrong with requests that did not verify. */
  readonly refused: readonly string[]
  readonly verified: () => number
  readonly failures: () => number
  readonly expectSecret: (secret: string) => void
  /** From now on it takes everything. */
  readonly recover: () => void
}

/** A merchant's server that often fails. It refuses events whose signatures do not verify. */
export async function openShaky(seed: number): Promise<ShakyReceiver> {
  const taken = new Map<string, number>()
  const firstSeen = new Map<string, number[]>()
  const refused: string[] = []
  const chance = dice(seed)
  let secret = ''
  let isHealthy = false
  let failures = 0
  let verified = 0
  const url = await openReceiver(({ request, response, body, isWhole }) => {
    // The sender was killed while it sent.
    if (!isWhole) return
    const id = idIn(body)
    if (!firstSeen.has(id)) firstSeen.set(id, [Date.now()])
    const complaint = complaintAbout(secret, request.headers, body)
    if (complaint) refused.push(`${id}: ${complaint}`)
    else verified += 1
    const mood = isHealthy ? 'take' : pick(MOODS, chance())
    if (mood === 'take') taken.set(id, (taken.get(id) ?? 0) + 1)
    else failures += 1
    behave(mood, response)
  })
  return {
    port: Number(new URL(url).port),
    taken,
    firstSeen,
    refused,
    verified: () => verified,
    failures: () => failures,
    expectSecret: (value) => {
      secret = value
    },
    recover: () => {
      isHealthy = true
    },
  }
}

/** An event without an id matches no event in the log, and is reported. */
function idIn(body: string): string {
  try {
    return String(JSON.parse(body).id)
  } catch {
    return `no event: ${body.slice(0, 100)}`
  }
}

function behave(mood: Mood, response: ServerResponse): void {
  if (mood === 'take') response.end('ok')
  if (mood === 'refuse') response.writeHead(500).end('out of order')
  if (mood === 'reset') response.socket?.resetAndDestroy()
  if (mood === 'cut') response.socket?.end('HTTP/1.1 200 OK\r\ncontent-le')
  if (mood === 'garble') response.socket?.end('\u0000\u0015 200 KO\r\n\r\n')
}

/** Verified as the guide for receivers says, once by each scheme. */
function complaintAbout(secret: string, headers: IncomingHttpHeaders, body: string): string | undefined {
  try {
    new Webhook(secret, { format: 'raw' }).verify(body, headers as Record<string, string>)
  } catch (error) {
    return `standardwebhooks: ${String(error)}`
  }
  const timestamp = String(headers['x-service-webhook-timestamp'])
  const expected = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')
  const given = String(headers['x-service-webhook-signatures']).split(',')
  const isOurs = given.some(
    (signature) =>
      signature.length === expected.length && timingSafeEqual(Buffer.from(signature), Buffer.from(expected)),
  )
  if (!isOurs) return 'node:crypto: no signature fits'
  return headers['x-service-webhook-id'] === headers['webhook-id'] ? undefined : 'two ids'
}
