import { type Operation, operation, scopeOf } from '#platform/http/operation.ts'
import { Strict, Uuid } from '#platform/http/schemas.ts'
import type { Engine } from '#processing/engine.ts'
import { createChargeback } from './create.ts'
import { CreateSandboxChargeback, SandboxChargeback } from './schemas.ts'

/** In production, buyers and their banks decide: the path does not exist. */
export function sandboxChargebackRoutes(engine: Engine): Operation[] {
  return [
    operation({
      id: 'create_sandbox_chargeback',
      route: 'POST /sandbox/payment-services/:payment_service_id/chargebacks',
      tag: 'Sandbox',
      summary: 'Create sandbox chargeback',
      description:
        'Makes the simulated processor charge back a captured payment, or reverse a chargeback. The next settlement file of the ' +
        'payment service says so, and a notification if the service’s field `dispute_notifications` is `true`. Sandbox only.',
      scope: 'sandbox.write',
      concerns: 'merchant-account',
      params: Strict({ payment_service_id: Uuid() }),
      body: CreateSandboxChargeback,
      responses: { 201: SandboxChargeback },
      handler: (call) =>
        createChargeback(scopeOf(call), call.once, engine, {
          ...call.body,
          paymentServiceId: call.params.payment_service_id,
        }),
    }),
  ]
}
