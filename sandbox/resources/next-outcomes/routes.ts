import { inTransaction, type Scope } from '#platform/database/db.ts'
import { errors } from '#platform/http/errors.ts'
import { type Operation, operation, scopeOf } from '#platform/http/operation.ts'
import { Strict, Uuid } from '#platform/http/schemas.ts'
import type { Engine } from '#processing/engine.ts'
import { askProvider } from '#processing/provider.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import { findSimulation } from '../find-simulation.ts'
import { createNextOutcome, outcomeComplaints } from './create.ts'
import { CreateSandboxNextOutcome, SandboxNextOutcome, SandboxNextOutcomes } from './schemas.ts'
import { showLever } from './show.ts'

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
