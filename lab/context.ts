import { secretsFrom } from '#platform/access/secrets.ts'
import type { Context, Db } from '#platform/database/db.ts'
import { systemClock } from '#platform/process/clock.ts'

/** For functions of the product that a program calls itself. Its codes in the audit log mean nothing. */
export function benchContext(db: Db): Context {
  const { mac } = secretsFrom(Buffer.alloc(32))
  return { db, clock: systemClock, actor: { id: null, name: 'bench' }, requestId: null, mac }
}
