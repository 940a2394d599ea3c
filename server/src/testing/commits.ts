import { vi } from 'vitest'
import type { TestService } from './harness.ts'

type Service = Pick<TestService, 'database'>

/** From now on nothing is committed, as if the process had been killed. `vi.restoreAllMocks` ends it. */
export function stopCommitting({ database: { db } }: Service): void {
  for (const name of ['transaction', 'startTransaction', 'executeQuery'] as const) {
    vi.spyOn(db, name).mockImplementation(() => {
      throw new Error('the process is dead')
    })
  }
}

/** Holds the next brief transaction until the test sends it. */
export function holdNextCommit({ database: { db } }: Service) {
  const isSent = Promise.withResolvers<void>()
  const gate = Promise.withResolvers<void>()
  const send = db.executeQuery.bind(db)
  vi.spyOn(db, 'executeQuery').mockImplementationOnce(async (query) => {
    isSent.resolve()
    await gate.promise
    return send(query) as never
  })
  return { isSent: isSent.promise, letGo: gate.resolve }
}
