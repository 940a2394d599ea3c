import { newId } from '#domain/ids.ts'
import { inTransaction, type Scope } from '#platform/database/db.ts'
import { type ErrorDetail, errors, inBody } from '#platform/http/errors.ts'
import type { Sound } from '#platform/http/meaning.ts'
import { type Finished, inFinalTransaction, type Once } from '#platform/idempotency/once.ts'
import type { Engine } from '#processing/engine.ts'
import { askProvider } from '#processing/provider.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import { findSimulation } from '../find-simulation.ts'
import type { CreateSandboxNextOutcome, SandboxNextOutcome } from './schemas.ts'
import { showLever } from './show.ts'

/** Only a refusal has a reason, and it needs one. */
export function outcomeComplaints({ effect, code }: Sound<CreateSandboxNextOutcome>): ErrorDetail[] {
  if (effect === undefined) return []
  if (effect === 'refuse' && !code) {
    return [inBody('/code', 'value_error.missing', 'name the reason, such as insufficient_funds')]
  }
  if (effect !== 'refuse' && code) {
    return [inBody('/code', 'value_error.extra', 'leave it out: only a refusal has a reason')]
  }
  return []
}

type Request = CreateSandboxNextOutcome & { readonly paymentServiceId: string }

/** Arms the simulator. A repeated request with the same key arms it once, also after a crash. */
export async function createNextOutcome(
  scope: Scope,
  once: Once,
  engine: Engine,
  { paymentServiceId, operation = 'authorize', effect, code = null }: Request,
): Promise<Finished<SandboxNextOutcome>> {
  const { service, simulation, openLink } = await findSimulation(scope, engine, paymentServiceId, 'outcomes')
  const id = once.begun ?? newId(scope.clock().getTime())
  if (!once.begun) await inTransaction(scope, (tx) => once.begin(tx, id))
  const order = { id, operation, effect, code }
  const answer = await askProvider(engine.providers, simulation.arm, order, await openLink())
  if (answer.outcome === 'unknown') throw errors.unavailable()
  if (answer.outcome === 'refused') throw refusalOf(answer.why, operation)
  return inFinalTransaction(scope, once, async (tx) => {
    const name = `next ${operation}: ${code ?? effect}`
    await auditLogs.record(tx, 'created', { type: 'sandbox-next-outcome', id, name })
    return showLever(service.id, answer.lever)
  })
}

function refusalOf(why: 'unknown_code' | 'too_many', operation: string) {
  if (why === 'too_many')
    return errors.refused('disarm some first: a hundred outcomes wait for their payments')
  const message = `use a code that the simulator has for ${operation}, such as those in guide/simulator`
  return errors.invalid(inBody('/code', 'value_error.not_found', message))
}
