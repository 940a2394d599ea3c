import type { Scope } from '#platform/db.ts'
import type { Action, Flow } from '#resources/flows/vocabulary.ts'
import * as transactionEvents from '../events/store.ts'

type KeptStep = {
  readonly flow: Flow
  readonly action: Action
  readonly rule_id: string | null
  readonly passed: readonly number[]
  readonly outcome: Record<string, unknown> | null
}

/** The event that the payment was written with. */
export type FoundDecision = {
  readonly at: string
  readonly version: number
  readonly steps: readonly KeptStep[]
  readonly route: readonly { readonly payment_service_id: string; readonly instrument: string }[] | null
}

export async function findDecision(scope: Scope, transactionId: string): Promise<FoundDecision | undefined> {
  const [event] = await transactionEvents.listNamed(scope, transactionId, 'flow-decision')
  if (!event) return undefined
  return { ...(event.context as Omit<FoundDecision, 'at'>), at: event.created_at.toISOString() }
}
