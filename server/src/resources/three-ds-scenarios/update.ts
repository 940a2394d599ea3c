import { inTransaction, type Scope } from '#platform/database/db.ts'
import { errors, inBody } from '#platform/http/errors.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import type { Vault } from '#vault'
import { readConditions, readOutcome } from './read-settings.ts'
import type { ThreeDSScenario, UpdateThreeDSScenario } from './schemas.ts'
import { nameOf, showScenario } from './show.ts'
import * as scenarios from './store.ts'

/** Conditions and outcome are each replaced whole, or stay if they are left out or null. */
export async function updateScenario(
  scope: Scope,
  vault: Vault,
  id: string,
  { conditions, outcome }: UpdateThreeDSScenario,
): Promise<ThreeDSScenario> {
  const given = conditions && (await readConditions(scope, vault, conditions))
  return inTransaction(scope, async (tx) => {
    const before = await scenarios.lock(tx, id)
    if (!before) throw errors.notFound()
    const after = await scenarios.update(tx, before, {
      ...given,
      ...numberKept(before, conditions?.card_number),
      ...(outcome && readOutcome(outcome)),
    })
    await auditLogs.record(tx, 'updated', { type: 'three-d-secure-scenario', id, name: nameOf(after) })
    return showScenario(after)
  })
}

/** A masked number stands for the one that the scenario has. */
function numberKept(before: scenarios.StoredScenario, given: string | null | undefined) {
  if (!given?.includes('*')) return {}
  const { card_fingerprint, card_masked } = before
  if (given === card_masked) return { card_fingerprint, card_masked }
  const message = 'send the whole number: the scenario has none that is shown like this'
  throw errors.invalid(inBody('/conditions/card_number', 'value_error.conflict', message))
}
