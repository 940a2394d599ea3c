import type { Lever } from '#connectors/contract/simulation.ts'
import { newId } from '#domain/ids.ts'
import { inTransaction, type Scope } from '#platform/database/db.ts'
import { type ErrorDetail, errors, inBody } from '#platform/http/errors.ts'
import { type Operation, operation, scopeOf } from '#platform/http/operation.ts'
import { Strict, Uuid } from '#platform/http/schemas.ts'
import type { Sound } from '#platform/http/validation.ts'
import { type Finished, inFinalTransaction, type Once } from '#platform/idempotency/once.ts'
import type { Engine } from '#processing/engine.ts'
import { askProvider } from '#processing/provider.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import { findSimulation } from '../find.ts'
import { CreateSandboxNextOutcome, SandboxNextOutcome, SandboxNextOutcomes } from './schemas.ts'

const Path = Strict({ payment_service_id: Uuid() })
const PATH = '/sandbox/payment-services/:payment_service_id/next-outcomes'
const COMMON = { tag: 'Sandbox', concerns: 'merchant-account', params: Path } as const

/** In production, providers decide: the path does not exist. */
export function sandboxNextOutcomeRoutes(engine: Engine): Operation[] {
  return [
    operation({
      ...COMMON,
      id: 'create_sandbox_next_outcome',
      route: `POST ${PATH}`,
      summary: 'Create sandbox next outcome',
      description:
        'Decides what the simulated processor does with the next call of an operation: refuse it for a reason, lose its answer, or answer too ' +
        'late. Each outcome hits one call; several hit one call each, in their order. Services with the same `merchant_id` share them. ' +
        'The first outcome that a sandbox is told takes a second, so that all its processes know. Sandbox only.',
      scope: 'sandbox.write',
      body: CreateSandboxNextOutcome,
      check: ({ body }) => outcomeComplaints(body),
      responses: { 201: SandboxNextOutcome },
      handler: (call) =>
        createNextOutcome(scopeOf(call), call.once, engine, {
          ...call.body,
          paymentServiceId: call.params.payment_service_id,
        }),
    }),

    operation({
      ...COMMON,
      id: 'list_sandbox_next_outcomes',
      route: `GET ${PATH}`,
      summary: 'List sandbox next outcomes',
      description: 'The outcomes that wait for a call. Those that have hit one are gone. Sandbox only.',
      scope: 'sandbox.read',
      responses: { 200: SandboxNextOutcomes },
      handler: async (call) => ({
        items: await listArmed(scopeOf(call), engine, call.params.payment_service_id),
      }),
    }),

    operation({
      ...COMMON,
      id: 'delete_sandbox_next_outcomes',
      route: `DELETE ${PATH}`,
      summary: 'Delete sandbox next outcomes',
      description: 'Disarms all outcomes that have not hit a call. Sandbox only.',
      scope: 'sandbox.write',
      responses: { 204: null },
      handler: (call) => disarm(scopeOf(call), engine, call.params.payment_service_id),
    }),
  ]
}

async function listArmed(scope: Scope, engine: Engine, id: string): Promise<SandboxNextOutcome[]> {
  const { service, simulation, openLink } = await findSimulation(scope, engine, id, 'outcomes')
  const list = async (_order: null, link: Parameters<typeof simulation.listArmed>[0]) => ({
    outcome: 'listed' as const,
    levers: await simulation.listArmed(link),
  })
  const answer = await askProvider(engine.providers, list, null, await openLink())
  if (answer.outcome === 'unknown') throw errors.unavailable()
  return answer.levers.map((lever) => showLever(service.id, lever))
}

async function disarm(scope: Scope, engine: Engine, id: string): Promise<void> {
  const { service, simulation, openLink } = await findSimulation(scope, engine, id, 'outcomes')
  const act = async (_order: null, link: Parameters<typeof simulation.disarm>[0]) => {
    await simulation.disarm(link)
    return { outcome: 'disarmed' as const }
  }
  const answer = await askProvider(engine.providers, act, null, await openLink())
  if (answer.outcome === 'unknown') throw errors.unavailable()
  await inTransaction(scope, (tx) =>
    auditLogs.record(tx, 'deleted', {
      type: 'sandbox-next-outcomes',
      id: service.id,
      name: service.display_name,
    }),
  )
}

/** Only a refusal has a reason, and it needs one. */
function outcomeComplaints({ effect, code }: Sound<CreateSandboxNextOutcome>): ErrorDetail[] {
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
async function createNextOutcome(
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

function showLever(paymentServiceId: string, lever: Lever): SandboxNextOutcome {
  const { id, operation, effect, code, armedAt } = lever
  return {
    type: 'sandbox-next-outcome',
    id,
    payment_service_id: paymentServiceId,
    operation,
    effect,
    code,
    armed_at: armedAt.toISOString(),
  }
}
