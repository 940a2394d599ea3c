import { type Operation, operation, scopeOf } from '#platform/http/operation.ts'
import { Strict, Uuid } from '#platform/http/schemas.ts'
import type { Engine } from '#processing/engine.ts'
import { createNotification } from './create.ts'
import { CreateSandboxNotification, SandboxNotification } from './schemas.ts'

/** In production, providers send their notifications themselves: the path does not exist. */
export function sandboxNotificationRoutes(engine: Engine): Operation[] {
  return [
    operation({
      id: 'create_sandbox_notification',
      route: 'POST /sandbox/payment-services/:payment_service_id/notifications',
      tag: 'Sandbox',
      summary: 'Create sandbox notification',
      description:
        'Makes the simulated processor send a notification about a payment: that something pending has ended, or again what it said last. It is ' +
        'taken as if it had come over the network, so it shows what late and repeated notifications do. Sandbox only.',
      scope: 'sandbox.write',
      concerns: 'merchant-account',
      params: Strict({ payment_service_id: Uuid() }),
      body: CreateSandboxNotification,
      responses: { 201: SandboxNotification },
      handler: (call) =>
        createNotification(scopeOf(call), call.once, engine, {
          ...call.body,
          paymentServiceId: call.params.payment_service_id,
        }),
    }),
  ]
}
