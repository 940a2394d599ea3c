import { newId } from '#domain/ids.ts'
import type { Scope } from '#platform/database/db.ts'
import { errors, inBody } from '#platform/http/errors.ts'
import { type Operation, operation, scopeOf } from '#platform/http/operation.ts'
import { Strict, Uuid } from '#platform/http/schemas.ts'
import { type Finished, inFinalTransaction, type Once } from '#platform/idempotency/once.ts'
import type { Engine } from '#processing/engine.ts'
import { askProvider } from '#processing/provider.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import { receiveMessage } from '#resources/payment-services/notifications/take.ts'
import { TAKERS } from '#resources/payment-services/notifications/takers.ts'
import { findPayment, findSimulation } from '../find.ts'
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

type Request = CreateSandboxNotification & { readonly paymentServiceId: string }

/**
 * Makes the simulated processor send a notification about a payment. It is read and taken as if it had come over the network.
 * After a crash it may be sent twice, as real ones are.
 */
async function createNotification(
  scope: Scope,
  once: Once,
  engine: Engine,
  request: Request,
): Promise<Finished<SandboxNotification>> {
  const { service, simulation, openLink } = await findSimulation(
    scope,
    engine,
    request.paymentServiceId,
    'notifications',
  )
  const { id: transactionId } = await findPayment(scope, request)
  const order = { transactionId, event: request.event ?? null }
  const composed = await askProvider(engine.providers, simulation.compose, order, await openLink())
  if (composed.outcome === 'unknown') throw errors.unavailable()
  if (composed.outcome === 'refused') throw nothingToTell(order.event)
  const { event, message } = composed
  const provider = { ...scope, actor: { id: null, name: 'Payment service' } }
  const received = await receiveMessage(provider, { engine, takers: TAKERS }, { service, message })
  return inFinalTransaction(scope, once, async (tx) => {
    const id = newId(tx.clock().getTime())
    const name = `${event} of ${transactionId}`
    await auditLogs.record(tx, 'created', { type: 'sandbox-notification', id, name })
    return {
      type: 'sandbox-notification',
      id,
      merchant_account_id: scope.merchantAccountId,
      payment_service_id: service.id,
      transaction_id: transactionId,
      event,
      body: message.body.toString(),
      outcome: received.outcome,
      message: received.outcome === 'rejected' ? received.message : null,
      created_at: tx.clock().toISOString(),
    }
  })
}

function nothingToTell(event: Request['event']) {
  if (!event) {
    return errors.invalid(
      inBody(
        '/transaction_id',
        'value_error.conflict',
        'name an event, such as capture.succeeded: the processor has said nothing about this payment yet',
      ),
    )
  }
  const [about] = event.split('.')
  return errors.invalid(
    inBody('/event', 'value_error.conflict', `the processor knows no ${about} of this payment`),
  )
}
