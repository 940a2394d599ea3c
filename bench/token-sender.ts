// Signs its tokens before anything is measured, then sends them at a fixed rate, whether or not answers come back.
import { Agent, get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Latency, latencyOf } from './figures.ts'
import { type SigningKey, signToken } from './product.ts'

export type SenderOrder =
  | { readonly sign: number; readonly key: SigningKey }
  | { readonly send: number; readonly perSecond: number; readonly url: string; readonly isNew: boolean }
export type SenderResult = Latency & { readonly failures: number }

const TICK_MS = 2
const tokens: string[] = []
const agent = new Agent({ keepAlive: true, maxSockets: 100 })

process.on('message', async (order: SenderOrder) => {
  if ('sign' in order) {
    for (let made = 0; made < order.sign; made += 1) tokens.push(await signToken(order.key))
    process.send?.({})
    return
  }
  const { send: amount, perSecond, url, isNew } = order
  // The last token stays, so that there is always one that the service knows after its first use.
  const batch = isNew ? tokens.splice(0, amount) : Array.from({ length: amount }, () => tokens.at(-1) ?? '')
  const begun = performance.now()
  const exchanges: Promise<number>[] = []
  while (exchanges.length < batch.length) {
    const due = Math.floor(((performance.now() - begun) / 1000) * perSecond) + 1
    for (const token of batch.slice(exchanges.length, due)) exchanges.push(exchange(url, token))
    await sleep(TICK_MS)
  }
  const times = await Promise.all(exchanges)
  const result: SenderResult = {
    ...latencyOf(times),
    failures: times.filter((ms) => ms === Number.POSITIVE_INFINITY).length,
  }
  process.send?.(result)
})

/** How long the answer took, in milliseconds; for ever when it is not a 200. */
function exchange(url: string, token: string): Promise<number> {
  const begun = performance.now()
  return new Promise((resolve) => {
    get(url, { agent, headers: { authorization: `Bearer ${token}` } }, (response) => {
      response.resume().once('end', () => {
        resolve(response.statusCode === 200 ? performance.now() - begun : Number.POSITIVE_INFINITY)
      })
    }).once('error', () => resolve(Number.POSITIVE_INFINITY))
  })
}
