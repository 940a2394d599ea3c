import { inTransaction, type Scope, type Tx } from '#platform/database/db.ts'
import type { Once } from '#platform/idempotency/once.ts'
import type { Attempt } from './store.ts'

/**
 * The first commit records the attempt. Then the provider is asked, with no transaction open. The caller
 * concludes the answer in the second commit.
 */
export async function askBetweenCommits<Begun extends { readonly attempt: Attempt }, Answer>(
  scope: Scope,
  once: Once,
  begin: (tx: Scope<Tx>) => Promise<Begun>,
  ask: (begun: Begun) => Promise<Answer>,
): Promise<Begun & { readonly answer: Answer }> {
  const begun = await inTransaction(scope, async (tx) => {
    const started = await begin(tx)
    await once.begin(tx, started.attempt.id)
    return started
  })
  return { ...begun, answer: await ask(begun) }
}
