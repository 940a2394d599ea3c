import type { Scope } from '#platform/database/db.ts'
import * as flows from '#resources/flows/store.ts'
import { ACTIONS, type Action, type Flow } from '#resources/flows/vocabulary.ts'
import type { Document } from '../document.ts'
import { type KeptDecision, type RankedService, readRuns } from '../kept-decision.ts'
import type { StoredEvent } from '../store/events.ts'
import type { StoredTransaction } from '../store/payments.ts'
import { flowsOf } from './facts.ts'

type FoundStep = {
  readonly flow: Flow
  readonly action: Action
  readonly rule_id: string | null
  readonly passed: readonly number[]
  readonly outcome: Record<string, unknown> | null
}

/** The context of the event that tells of the decision. */
type DecisionContext = {
  readonly version: number
  readonly steps: readonly FoundStep[]
  readonly route: readonly { readonly payment_service_id: string; readonly instrument: string }[] | null
  readonly standings?: readonly RankedService[]
}

export type FoundDecision = DecisionContext & { readonly at: string }

type Payment = Pick<StoredTransaction, 'document'>

export async function findDecision(scope: Scope, payment: Payment): Promise<FoundDecision | undefined> {
  const event = await findDecisionEvent(scope, payment)
  return event && { ...(event.context as DecisionContext), at: event.created_at.toISOString() }
}

/** The event of the decision, put together. Undefined: there were no rules. */
export async function findDecisionEvent(
  scope: Scope,
  { document }: Payment,
): Promise<StoredEvent | undefined> {
  const { flow } = document
  if (!flow?.event) return undefined
  const { id, at, passed, standings } = flow.event
  const rules = (await flows.find(scope, flow.version))?.rules ?? []
  const steps = ACTIONS.flatMap((action): FoundStep[] => {
    const runs = passed[action]
    if (runs === undefined) return []
    const rule_id = ruleOf(flow, action)
    const outcome = rules.find((rule) => rule.id === rule_id)?.outcome ?? null
    return [{ flow: placeOf(document, action), action, rule_id, passed: readRuns(runs), outcome }]
  })
  const route = flow.route?.map(({ payment_service_id, instrument }) => ({ payment_service_id, instrument }))
  const context: DecisionContext = {
    version: flow.version,
    steps,
    route: route ?? null,
    ...(standings && { standings }),
  }
  return { id, name: 'flow-decision', context, created_at: new Date(at) }
}

function ruleOf({ rule_ids }: KeptDecision, action: Action): string | null {
  switch (action) {
    case 'decline-early':
      return rule_ids.decline ?? null
    case 'skip-3ds':
      return rule_ids.three_d_secure ?? null
    case 'route-transaction':
      return rule_ids.route ?? null
    case 'select-payment-options':
      return null
  }
}

function placeOf({ instrument_type }: Document, action: Action): Flow {
  const { declining, routing } = flowsOf(instrument_type)
  return action === 'decline-early' ? declining : (routing ?? declining)
}
