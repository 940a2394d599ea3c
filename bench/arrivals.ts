// Sends requests at moments that do not depend on the answers, as shoppers do. How long each took counts from the moment at which it
// was due, so that a service that holds up its callers cannot hide it.
import { randomUUID } from 'node:crypto'
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { dice } from '../lab/dice.ts'

export type ArrivalsOrder = {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** On average: the gaps are those of a Poisson process. */
  readonly perSecond: number
  readonly seconds: number
  /** Which of all possible sequences of gaps. */
  readonly seed: number
}
/** In milliseconds, in no order. */
export type ArrivalsResult = { readonly times: readonly number[]; readonly failures: number }

const agent = new Agent({ keepAlive: true })

process.on('message', async (order: ArrivalsOrder) => {
  const { perSecond, seconds, seed } = order
  const roll = dice(seed)
  const begun = performance.now()
  const exchanges: Promise<number>[] = []
  for (let due = begun; due < begun + seconds * 1_000; due += (-Math.log(1 - roll()) / perSecond) * 1_000) {
    // A timer may be a millisecond early.
    while (performance.now() < due) await sleep(due - performance.now())
    exchanges.push(exchange(order, due))
  }
  const times = await Promise.all(exchanges)
  const answered = times.filter((ms) => ms < Number.POSITIVE_INFINITY)
  process.send?.({ times: answered, failures: times.length - answered.length } satisfies ArrivalsResult)
})

/** Infinite if the request is not answered with success. */
function exchange({ url, headers, body }: ArrivalsOrder, due: number): Promise<number> {
  return new Promise((resolve) => {
    const fail = () => resolve(Number.POSITIVE_INFINITY)
    const own = { ...headers, 'idempotency-key': randomUUID(), 'content-length': Buffer.byteLength(body) }
    request(url, { agent, method: 'POST', headers: own }, (response) => {
      const { statusCode = 0 } = response
      response.resume().once('end', () => (statusCode < 300 ? resolve(performance.now() - due) : fail()))
    })
      .once('error', fail)
      .end(body)
  })
}
