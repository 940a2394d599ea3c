import { setTimeout as sleep } from 'node:timers/promises'
import type { Secrets } from '../access/secrets.ts'
import { isDatabaseAway } from '../database/database-errors.ts'
import type { Db } from '../database/db.ts'
import type { Clock } from '../process/clock.ts'
import { type KeyedRequest, LEASE_MS, release } from './idempotency.ts'

const PAUSE_MS = 250

type Services = { readonly db: Db; readonly clock: Clock; readonly secrets: Secrets }
type Left = { readonly request: KeyedRequest; readonly fence: number; readonly until: number }

/** The keys to release in each database. */
const left = new WeakMap<Db, Left[]>()

/**
 * The database went away during a request. Its caller is told to retry in a second, and should not have to
 * wait for the end of a lease then. If the work was committed after all, the row says so, and this changes
 * nothing.
 */
export function releaseWhenBack(services: Services, request: KeyedRequest, fence: number): void {
  const one = { request, fence, until: performance.now() + LEASE_MS }
  const waiting = left.get(services.db)
  if (waiting) {
    waiting.push(one)
    return
  }
  const all = [one]
  left.set(services.db, all)
  void releaseAll(services, all).finally(() => left.delete(services.db))
}

/** One after the other, to spare a database that has just come back. */
async function releaseAll(services: Services, waiting: Left[]): Promise<void> {
  for (let next = waiting[0]; next; next = waiting[0]) {
    const { request, fence, until } = next
    try {
      if (performance.now() < until) await release(services, request, fence)
    } catch (error) {
      if (isDatabaseAway(error)) {
        await sleep(PAUSE_MS, undefined, { ref: false })
        continue
      }
      // Its lease will end.
    }
    waiting.shift()
  }
}
