import type { Scope } from '#platform/database/db.ts'
import type { Engine } from '#processing/engine.ts'
import { findStanding } from '#resources/transactions/scheme-advices/find-standing.ts'
import {
  type Objection,
  objectionTo,
  type Planned,
} from '#resources/transactions/scheme-advices/objection.ts'
import { schemeSays } from '#resources/transactions/scheme-advices/scheme-says.ts'
import type { FlowDryRun } from './schemas.ts'

export type PlannedPayment = Planned['payment'] & {
  readonly payment_method_fingerprint: string | null
  readonly document: { readonly instrument_type: string | null }
}

export type FoundObjection = {
  readonly shown: NonNullable<FlowDryRun['objection']>
  /** Why no service would be asked. Null: the merchant only wants to be warned. */
  readonly reason: Objection['reason'] | null
}

/** What the card's scheme would say against the payment now, after the declines of the card so far. */
export async function findObjection(
  scope: Scope,
  engine: Engine,
  payment: PlannedPayment,
): Promise<FoundObjection | null> {
  const standing = await findStanding(scope, engine, payment)
  const instrumentType = payment.document.instrument_type
  const found = standing && objectionTo(standing, { payment, instrumentType, now: scope.clock() })
  if (!standing || !found) return null
  const stops = standing.isObeyed ? 'payment' : 'nothing'
  const text = `${capitalized(schemeSays({ reason: found.reason, ...found.context }))}.`
  return {
    shown: { error_code: found.code, stops, text },
    reason: standing.isObeyed ? found.reason : null,
  }
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
