import type { Scope } from '#platform/database/db.ts'
import { errors } from '#platform/http/errors.ts'
import { type Finished, inFinalTransaction, type Once } from '#platform/idempotency/once.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import type { Vault } from '#vault'
import { readConditions, readOutcome } from './read-settings.ts'
import type { CreateThreeDSScenario, ThreeDSScenario } from './schemas.ts'
import { nameOf, showScenario } from './show.ts'
import * as scenarios from './store.ts'

/** Each payment is compared with all of them. */
export const SCENARIOS_MAX = 1_000

export async function createScenario(
  scope: Scope,
  once: Once,
  vault: Vault,
  { conditions, outcome }: CreateThreeDSScenario,
): Promise<Finished<ThreeDSScenario>> {
  const settings = { ...(await readConditions(scope, vault, conditions)), ...readOutcome(outcome) }
  return inFinalTransaction(scope, once, async (tx) => {
    if ((await scenarios.count(tx)) >= SCENARIOS_MAX) {
      throw errors.refused(
        `this merchant account already has ${SCENARIOS_MAX} 3-D Secure scenarios, the most allowed; delete one first`,
      )
    }
    const stored = await scenarios.insert(tx, settings)
    await auditLogs.record(tx, 'created', {
      type: 'three-d-secure-scenario',
      id: stored.id,
      name: nameOf(stored),
    })
    return showScenario(stored)
  })
}
