// Signs or forges its tokens before anything is measured, then sends them at a fixed rate, whether or not answers come back.
import { randomBytes, randomUUID } from 'node:crypto'
import { Agent, get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Latency, latencyOf } from '../lab/latency.ts'
import { type SigningKey, signToken } from '../lab/product.ts'

export type SenderOrder =
  | { readonly sign: number; readonly key: SigningKey }
  | { readonly forge: number; readonly key: SigningKey }
  | {
      readonly send: number
      readonly perSecond: number
      readonly url: string
      readonly isNew: boolean
      /** The expected statuses. */
      readonly statuses: readonly number[]
    }
export type SenderResult = Latency & { readonly failures: number }

const TICK_MS = 2
/** The length of each of the two numbers of a P-521 signature. */
const NUMBER_BYTES = 66
const tokens: string[] = []
const agent = new Agent({ keepAlive: true, maxSockets: 100 })

process.on('message', async (order: SenderOrder) => {
  if ('sign' in order) {
    for (let made = 0; made < order.sign; made += 1) tokens.push(await signToken(order.key))
    process.send?.({})
    return
  }
  if ('forge' in order) {
    const signed = await signToken(order.key)
    for (let made = 0; made < order.forge; made += 1) tokens.push(forge(signed))
    process.send?.({})
    return
  }
  const { send: amount, perSecond, url, isNew, statuses } = order
  // The last token stays: after its first use, the service knows it.
  const batch = isNew ? tokens.splice(0, amount) : Array.from({ length: amount }, () => tokens.at(-1) ?? '')
  const begun = performance.now()
  const exchanges: Promise<number>[] = []
  while (exchanges.length < batch.length) {
    const due = Math.floor(((performance.now() - begun) / 1000) * perSecond) + 1
    for (const token of batch.slice(exchanges.length, due)) exchanges.push(exchange(url, token, statuses))
    await sleep(TICK_MS)
  }
  const times = await Promise.all(exchanges)
  const result: SenderResult = {
    ...latencyOf(times),
    failures: times.filter((ms) => ms === Number.POSITIVE_INFINITY).length,
  }
  process.send?.(result)
})

/** How long the answer took, in milliseconds; infinite if its status is not expected. */
function exchange(url: string, token: string, statuses: readonly number[]): Promise<number> {
  const begun = performance.now()
  return new Promise((resolve) => {
    get(url, { agent, headers: { authorization: `Bearer ${token}` } }, (response) => {
      response.resume().once('end', () => {
        resolve(
          statuses.includes(response.statusCode ?? 0) ? performance.now() - begun : Number.POSITIVE_INFINITY,
        )
      })
    }).once('error', () => resolve(Number.POSITIVE_INFINITY))
  })
}

/** The same claims under another id, and two numbers below the order of the curve: only verification detects the forgery. */
function forge(signed: string): string {
  const [header, payload = ''] = signed.split('.')
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString())
  const body = Buffer.from(JSON.stringify({ ...claims, jti: randomUUID() })).toString('base64url')
  const signature = randomBytes(2 * NUMBER_BYTES)
  signature[0] = 0
  signature[NUMBER_BYTES] = 0
  return `${header}.${body}.${signature.toString('base64url')}`
}
