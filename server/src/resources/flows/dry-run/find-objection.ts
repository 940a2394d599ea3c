import {
  findRetryAdvice,
  type Objection,
  objectionTo,
  type Planned,
  schemeSays,
} from '#payments/routing/retry-advice.ts'
import type { Scope } from '#platform/database/db.ts'
import type { Engine } from '#processing/engine.ts'
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
  const advice = await findRetryAdvice(scope, engine, payment)
  const instrumentType = payment.document.instrument_type
  const found = advice && objectionTo(advice, { payment, instrumentType, now: scope.clock() })
  if (!advice || !found) return null
  const stops = advice.isObeyed ? 'payment' : 'nothing'
  const text = `${capitalized(schemeSays({ reason: found.reason, ...found.context }))}.`
  return {
    shown: { error_code: found.code, stops, text },
    reason: advice.isObeyed ? found.reason : null,
  }
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
