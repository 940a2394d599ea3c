import type { DisputeAnswer, DisputeOrder } from '#connectors/contract/simulation.ts'
import { newId } from '#domain/ids.ts'
import { inTransaction, type Scope } from '#platform/database/db.ts'
import { type ApiError, errors, inBody } from '#platform/http/errors.ts'
import { type Operation, operation, scopeOf } from '#platform/http/operation.ts'
import { Strict, Uuid } from '#platform/http/schemas.ts'
import { type Finished, inFinalTransaction, type Once } from '#platform/idempotency/once.ts'
import type { Engine } from '#processing/engine.ts'
import { askProvider } from '#processing/provider.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import { findPayment, findSimulation } from '../find.ts'
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

type Request = CreateSandboxChargeback & { readonly paymentServiceId: string }

/** Makes the simulator dispute a payment. A repeated request with the same key disputes it once, also after a crash. */
async function createChargeback(
  scope: Scope,
  once: Once,
  engine: Engine,
  request: Request,
): Promise<Finished<SandboxChargeback>> {
  const { service, simulation, openLink } = await findSimulation(
    scope,
    engine,
    request.paymentServiceId,
    'disputes',
  )
  const reference = await findReference(scope, request)
  const attemptId = once.begun ?? newId(scope.clock().getTime())
  if (!once.begun) await inTransaction(scope, (tx) => once.begin(tx, attemptId))
  const { stage = 'chargeback', amount = null, reason = null } = request
  const order: DisputeOrder = { attemptId, reference, stage, amount, reason }
  const answer = await askProvider(engine.providers, simulation.dispute, order, await openLink())
  if (answer.outcome === 'unknown') throw errors.unavailable()
  if (answer.outcome === 'refused') throw refusalOf(answer)
  return inFinalTransaction(scope, once, async (tx) => {
    await auditLogs.record(tx, 'created', {
      type: 'sandbox-chargeback',
      id: answer.id,
      name: `${stage} of ${request.transaction_id}`,
    })
    return {
      type: 'sandbox-chargeback',
      id: answer.id,
      merchant_account_id: scope.merchantAccountId,
      payment_service_id: service.id,
      transaction_id: request.transaction_id,
      stage,
      amount: answer.amount,
      currency: answer.currency,
      code: answer.code,
      reason: answer.reason,
      created_at: answer.postedAt.toISOString(),
    }
  })
}

/** The simulator's id of the payment. */
async function findReference(scope: Scope, request: Request): Promise<string> {
  const { payment_service_transaction_id: reference } = await findPayment(scope, request)
  if (reference !== null) return reference
  throw errors.invalid(inBody('/transaction_id', 'value_error.conflict', NOT_CAPTURED))
}

const NOT_CAPTURED = 'capture the payment first: nothing was captured that a buyer could dispute'

function refusalOf(answer: DisputeAnswer & { outcome: 'refused' }): ApiError {
  switch (answer.why) {
    case 'unknown_payment':
      return errors.invalid(
        inBody(
          '/transaction_id',
          'value_error.conflict',
          'the simulator has no such payment of this merchant_id',
        ),
      )
    case 'not_captured':
      return errors.invalid(inBody('/transaction_id', 'value_error.conflict', NOT_CAPTURED))
    case 'no_chargeback':
      return errors.invalid(
        inBody('/stage', 'value_error.conflict', 'make a chargeback first: there is none to reverse'),
      )
    case 'over_captured': {
      const message =
        answer.left === 0
          ? 'all that was captured was charged back before'
          : `at most ${answer.left} can be charged back: what was captured, less earlier chargebacks`
      return errors.invalid(inBody('/amount', 'value_error.conflict', message))
    }
    case 'over_chargeback':
      return errors.invalid(
        inBody(
          '/amount',
          'value_error.conflict',
          `at most ${answer.left} can be reversed: the chargeback’s amount`,
        ),
      )
  }
}
