import { inTransaction, type Scope } from '#platform/database/db.ts'
import { errors, orNotFound } from '#platform/http/errors.ts'
import { type Operation, operationsOf, scopeOf } from '#platform/http/operation.ts'
import type { Engine } from '#processing/engine.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import * as paymentMethods from '../store.ts'
import { createToken, showToken } from './create.ts'
import { retire } from './forget.ts'
import {
  CreatePaymentServiceToken,
  PaymentServiceToken,
  PaymentServiceTokenFilters,
  PaymentServiceTokens,
} from './schemas.ts'
import * as tokens from './store.ts'

const operation = operationsOf({
  tag: 'Payment methods: payment service tokens',
  concerns: 'merchant-account',
  scopes: 'payment-methods',
})

export function paymentServiceTokenRoutes({ engine }: { readonly engine: Engine }): Operation[] {
  return [
    operation({
      id: 'list_payment_method_payment_service_tokens',
      route: 'GET /payment-methods/:payment_method_id/payment-service-tokens',
      summary: 'List payment service tokens',
      description: 'The tokens that payment services have for a payment method, newest first.',
      query: PaymentServiceTokenFilters,
      responses: { 200: PaymentServiceTokens },
      handler: async (call) => {
        const scope = scopeOf(call)
        const method = orNotFound(await paymentMethods.find(scope, call.params.payment_method_id))
        const stored = await tokens.listOf(scope, method.id, call.query.payment_service_id)
        return { items: await Promise.all(stored.map((token) => showToken(scope, engine.vault, token))) }
      },
    }),

    operation({
      id: 'create_payment_method_payment_service_token',
      route: 'POST /payment-methods/:payment_method_id/payment-service-tokens',
      summary: 'Create payment service token',
      description:
        'Asks a payment service to store the payment method. Later payments at this service use its token. The buyer may have to approve first. A method has one token at each service.',
      body: CreatePaymentServiceToken,
      shownOnce: { token: null },
      errors: ['duplicate_record'],
      responses: { 201: PaymentServiceToken },
      handler: (call) =>
        createToken(scopeOf(call), engine, call.once, {
          paymentMethodId: call.params.payment_method_id,
          request: call.body,
        }),
    }),

    operation({
      id: 'delete_payment_method_payment_service_token',
      route: 'DELETE /payment-methods/:payment_method_id/payment-service-tokens/:payment_service_token_id',
      summary: 'Delete payment service token',
      description: 'Payments no longer use it. The provider is asked to delete it, too, after the answer.',
      responses: { 204: null },
      handler: async (call) => {
        const { payment_method_id, payment_service_token_id } = call.params
        await deleteToken(scopeOf(call), payment_method_id, payment_service_token_id)
      },
    }),
  ]
}

/** The token is not used any more. The job asks the provider to delete it, too. */
function deleteToken(scope: Scope, paymentMethodId: string, id: string): Promise<void> {
  return inTransaction(scope, async (tx) => {
    const method = await paymentMethods.lock(tx, paymentMethodId)
    const token = method && (await tokens.lock(tx, id))
    if (!token || token.payment_method_id !== paymentMethodId || token.deleted_at !== null)
      throw errors.notFound()
    if (token.is_first) {
      throw errors.refused('Delete the payment method instead: it cannot be charged without this token.')
    }
    await retire(tx, token)
    await auditLogs.record(tx, 'deleted', { type: 'payment-service-token', id, name: token.status })
  })
}
