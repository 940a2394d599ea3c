import { newId } from '#domain/ids.ts'
import type { Scope } from '#platform/database/db.ts'
import type { Step } from '#resources/flows/compile-rules.ts'
import type { Decided } from './decide.ts'
import type { KeptDecision, KeptEvent } from './kept-decision.ts'
import { writeRuns } from './runs.ts'

/** The decision, as the document of the payment keeps it. */
export function keptOf({ version, steps, route, threeDSecure }: Decided): KeptDecision {
  const ruleOf = (wanted: Step['action']) => steps.find(({ action }) => action === wanted)?.rule ?? null
  const [declining, routing, authenticating] = [
    ruleOf('decline-early'),
    ruleOf('route-transaction'),
    ruleOf('skip-3ds'),
  ]
  const isDrawn = routing?.outcome.type === 'card-routing' && routing.outcome.strategy === 'weighted'
  const [first] = route ?? []
  return {
    version,
    ...(route && { route }),
    ...(threeDSecure && { three_d_secure: threeDSecure }),
    rule_ids: {
      ...(declining && { decline: declining.id }),
      ...(routing && { route: routing.id }),
      ...(authenticating && { three_d_secure: authenticating.id }),
    },
    ...(isDrawn && first && { variant_id: first.payment_service_id }),
  }
}

/** What the history of the payment tells of it, in its place among the events that are made before and after. */
export function keptEventOf({ clock }: Pick<Scope, 'clock'>, { steps, standings }: Decided): KeptEvent {
  const at = clock().getTime()
  const passed = steps.map((step) => [step.action, writeRuns(step.passed)])
  return { id: newId(at), at, passed: Object.fromEntries(passed), ...(standings && { standings }) }
}
