import { setTimeout as sleep } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import type { TestService } from './harness.ts'

/**
 * Runs a request until it is about to open something in the vault, changes rows as another process would, and
 * lets the request continue.
 */
export function changeBeforeOpening<Answer>(
  { context }: Pick<TestService, 'context'>,
  request: () => Promise<Answer>,
  changes: readonly RawBuilder<unknown>[],
): Promise<Answer> {
  let answer: Promise<Answer> | undefined
  return context.db
    .transaction()
    .execute(async (tx) => {
      await sql`lock table vault.items in access exclusive mode`.execute(tx)
      let isAnswered = false
      answer = request().finally(() => {
        isAnswered = true
      })
      for (;;) {
        const waiting = await sql`
          select from pg_locks where relation = 'vault.items'::regclass and not granted
        `.execute(tx)
        if (waiting.rows.length > 0) break
        if (isAnswered) throw new Error('the request did not open anything in the vault')
        await sleep(5)
      }
      for (const change of changes) await change.execute(tx)
    })
    .then(() => answer as Promise<Answer>)
}
