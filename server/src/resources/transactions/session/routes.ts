import { type Operation, operation } from '#platform/http/operation.ts'
import { Strict, Uuid } from '#platform/http/schemas.ts'
import { Type } from '#platform/http/type.ts'
import type { Engine } from '#processing/engine.ts'
import { findWaiting, openTransactionSession } from './open.ts'
import { TransactionSession, UpdateTransactionSession } from './schemas.ts'

/** A parameter that comes twice is a list. */
const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined)

export function transactionSessionRoutes({ engine }: { readonly engine: Engine }): Operation[] {
  return [
    operation({
      id: 'update_transaction_session',
      route: 'POST /transactions/:transaction_id/session',
      tag: 'Transactions: session',
      summary: 'Open transaction session',
      description:
        'For the buyer’s browser: data for the provider’s own script, with which the buyer approves the payment. It takes no ' +
        'authorization header, but the `session_token` of the transaction, which is there while the payment waits for the buyer, and ' +
        'only if the payment service has sessions. With any other token, and once the payment is decided or the time to approve has ' +
        'passed, it answers 404.',
      scope: null,
      limit: 'browser',
      isThere: async (context, { transaction_id }, { token }) =>
        (await findWaiting(context, engine, { id: transaction_id, token: textOf(token) })) !== undefined,
      concerns: 'merchant-account',
      params: Strict({ transaction_id: Uuid() }),
      query: Strict({
        token: Type.Optional(
          Type.String({ maxLength: 200, description: 'The `session_token` of the transaction.' }),
        ),
      }),
      body: UpdateTransactionSession,
      isBodyOptional: true,
      errors: ['gateway_timeout', 'bad_gateway'],
      responses: { 200: TransactionSession },
      handler: ({ context, once, params, query, body }) =>
        openTransactionSession(context, once, engine, {
          id: params.transaction_id,
          token: query.token,
          payload: body?.payload ?? {},
        }),
    }),
  ]
}
