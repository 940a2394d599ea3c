import type { Context } from '#platform/database/db.ts'
import type { Held } from './store.ts'
import * as executions from './store.ts'

const RENEW_MS = 15_000

/** Another worker has taken over, because this one did not say for a while that it is still at it. */
export class LeaseLost extends Error {
  constructor() {
    super('another worker has taken over')
    this.name = 'LeaseLost'
  }
}

export type Lease = {
  /** Throws once the lease is lost. */
  readonly check: () => void
  readonly end: () => void
}

/** Renews the lease while a file is written, also while a storage takes its time to receive it. */
export async function keepLease(context: Context, held: Held): Promise<Lease> {
  let isLost = !(await executions.renew(context, held))
  const renew = () =>
    executions.renew(context, held).then(
      (isOurs) => {
        isLost ||= !isOurs
      },
      // The database is away. If it stays away, the lease ends, and the fence keeps two workers apart.
      () => {},
    )
  const timer = setInterval(renew, RENEW_MS)
  timer.unref()
  const check = () => {
    if (isLost) throw new LeaseLost()
  }
  check()
  return { check, end: () => clearInterval(timer) }
}
