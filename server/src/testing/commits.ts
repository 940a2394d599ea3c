import type pg from 'pg'
import { vi } from 'vitest'
import { knowPool } from '#platform/database/statements.ts'
import type { TestService } from './harness.ts'

type Service = Pick<TestService, 'database'>

/** From now on nothing is committed, as if the process had been killed. `vi.restoreAllMocks` ends it. */
export function stopCommitting(service: Service): void {
  const { db } = service.database
  const die = () => {
    throw new Error('the process is dead')
  }
  for (const name of ['transaction', 'startTransaction', 'executeQuery'] as const) {
    vi.spyOn(db, name).mockImplementation(die)
  }
  vi.spyOn(ownPool(service), 'connect').mockImplementation(die)
}

/** Holds the next brief transaction until the test sends it. */
export function holdNextCommit(service: Service) {
  const isSent = Promise.withResolvers<void>()
  const gate = Promise.withResolvers<void>()
  const pool = ownPool(service)
  const { connect } = pool
  let isHeld = false
  vi.spyOn(pool, 'connect').mockImplementation(async () => {
    const client = await connect()
    const query = async (text: string, values: unknown[]) => {
      if (!isHeld && text.startsWith('with w0')) {
        isHeld = true
        isSent.resolve()
        await gate.promise
      }
      return client.query(text, values)
    }
    return { query, release: () => client.release() } as pg.PoolClient
  })
  return { isSent: isSent.promise, letGo: gate.resolve }
}

/** Serves the statements of fixed text alone: the simulators share the service's own pool. */
function ownPool({ database: { db, pool } }: Service): { connect: () => Promise<pg.PoolClient> } {
  const own = { connect: () => pool.connect() }
  knowPool(db, own as pg.Pool)
  return own
}
