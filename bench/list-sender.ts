// Asks several services in turn, a few requests at a time, so that a busy second of the machine hits all of them.
// Reports how long each answer took.
import { Agent, get } from 'node:http'

type Request = { readonly url: string; readonly headers: Readonly<Record<string, string>> }

export type ListOrder = {
  /** For each service, the requests to take turns with. */
  readonly parties: readonly (readonly Request[])[]
  readonly amount: number
  /** Ends early after this time, so that a list that takes seconds does not take hours. */
  readonly longestMs: number
  readonly block: number
  readonly concurrency: number
}

const agent = new Agent({ keepAlive: true })

process.on('message', async ({ parties, amount, longestMs, block, ...how }: ListOrder) => {
  const end = performance.now() + longestMs
  const times = parties.map((): number[] => [])
  try {
    for (let first = 0; first < amount && performance.now() < end; first += block) {
      for (const [party, requests] of parties.entries()) {
        times[party]?.push(...(await sendBlock(requests, { first, block, ...how })))
      }
    }
    process.send?.(times)
  } catch (error) {
    process.send?.({ complaint: String(error) })
  }
})

async function sendBlock(
  requests: readonly Request[],
  { first, block, concurrency }: Pick<ListOrder, 'block' | 'concurrency'> & { first: number },
): Promise<number[]> {
  const times: number[] = []
  let next = first
  const work = async () => {
    while (next < first + block) {
      const request = requests[next % requests.length]
      next += 1
      if (request) times.push(await exchange(request))
    }
  }
  await Promise.all(Array.from({ length: concurrency }, work))
  return times
}

function exchange({ url, headers }: Request): Promise<number> {
  const begun = performance.now()
  return new Promise((resolve, reject) => {
    get(url, { agent, headers }, (response) => {
      response.resume().once('end', () => {
        if (response.statusCode === 200) resolve(performance.now() - begun)
        else reject(new Error(`${url} answers ${response.statusCode}`))
      })
    }).once('error', reject)
  })
}
