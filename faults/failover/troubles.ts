import { setTimeout as sleep } from 'node:timers/promises'
import type { Fault, TcpProxy } from '../tcp-proxy.ts'
import type { Buyers } from './buyers.ts'
import type { Cluster } from './cluster.ts'

/** What happens to the cluster in a round. */
export type Trouble =
  | 'primary killed'
  | 'primary hangs'
  | 'standby killed'
  | 'standby hangs'
  | 'switchover'
  | 'services cut off'
  | 'standbys cut off, then primary killed'

/** How long the services do not reach the primary. */
const CUT_MS = 8_000
/** How long the primary works on without its standbys before it dies. */
const APART_MS = 700
/** So many payments succeed before and after a trouble. */
const STEADY = 50
const SILENT: Fault = { kind: 'swallow', way: 'back' }

/** One round. The cluster is whole before and after it. Returns the seconds without a success. */
export async function suffer(trouble: Trouble, cluster: Cluster, buyers: Buyers): Promise<number> {
  await cluster.whole()
  await buyers.pay(STEADY)
  const begin = performance.now()
  const repair = await TROUBLES[trouble](cluster)
  await buyers.pay(STEADY)
  const pause = buyers.longestPause(begin)
  await repair()
  return Math.round(pause / 100) / 10
}

type Repair = () => Promise<void> | void

/** Each ends when the service should be able to work again. */
const TROUBLES: Readonly<Record<Trouble, (cluster: Cluster) => Promise<Repair>>> = {
  'primary killed': async (cluster) => {
    const primary = await cluster.primary()
    await primary.kill()
    await cluster.promotedBeside(primary)
    return primary.start
  },
  'primary hangs': async (cluster) => {
    const primary = await cluster.primary()
    primary.hang()
    await cluster.promotedBeside(primary)
    return async () => {
      await primary.kill()
      primary.start()
    }
  },
  'standby killed': async (cluster) => {
    const standby = await cluster.standby()
    await standby.kill()
    return standby.start
  },
  'standby hangs': async (cluster) => {
    const standby = await cluster.standby()
    standby.hang()
    return async () => {
      await standby.kill()
      standby.start()
    }
  },
  switchover: async (cluster) => {
    const primary = await cluster.primary()
    await cluster.switchOver()
    await cluster.promotedBeside(primary)
    return () => {}
  },
  'services cut off': async (cluster) => {
    const { wire } = await cluster.primary()
    silence(wire)
    await sleep(CUT_MS)
    mend(wire)
    return () => {}
  },
  'standbys cut off, then primary killed': async (cluster) => {
    const primary = await cluster.primary()
    silence(primary.link)
    await sleep(APART_MS)
    await primary.kill()
    mend(primary.link)
    await cluster.promotedBeside(primary)
    return primary.start
  },
}

/** What the server says does not arrive. No connection is closed, so neither side is told. */
function silence(way: TcpProxy): void {
  way.setFault(() => SILENT)
  way.afflict(SILENT)
}

function mend(way: TcpProxy): void {
  way.setFault(() => ({ kind: 'none' }))
  way.resetAll()
}
