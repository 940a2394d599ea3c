import { findTransaction } from '#payments/find.ts'
import type { Secrets } from '#platform/access/secrets.ts'
import { type Operation, operation, scopeOf } from '#platform/http/operation.ts'
import { Strict, Uuid } from '#platform/http/schemas.ts'
import type { Engine } from '#processing/engine.ts'
import type { ListedExchange } from '#processing/exchanges/store.ts'
import * as exchanges from '#processing/exchanges/store.ts'
import { ExchangeFilters, type TransactionExchange, TransactionExchanges } from './schemas.ts'

type Needs = { readonly secrets: Secrets; readonly engine: Engine }

export function exchangeRoutes({ secrets, engine }: Needs): Operation[] {
  return [
    operation({
      id: 'list_transaction_exchanges',
      route: 'GET /transactions/:transaction_id/exchanges',
      tag: 'Transactions',
      summary: 'List transaction exchanges',
      description:
        'What was asked of payment services, gift card services and 3-D Secure services for the transaction, and what they answered, newest first. Card data, ' +
        'secrets and details of the buyer are masked. Exchanges are kept for 30 days, or as `EXCHANGE_RETENTION_DAYS` says. One can be ' +
        'missing if its process was killed.',
      scope: 'exchanges.read',
      concerns: 'merchant-account',
      params: Strict({ transaction_id: Uuid() }),
      query: ExchangeFilters,
      responses: { 200: TransactionExchanges },
      handler: async (call) => {
        const scope = scopeOf(call)
        const { id: transactionId } = await findTransaction(scope, call.params.transaction_id)
        // Those of this process, so that a caller who has just paid sees them.
        await engine.exchanges.flush()
        return exchanges.list(scope, secrets, { transactionId, page: call.query }, showExchange)
      },
    }),
  ]
}

function showExchange(exchange: ListedExchange): TransactionExchange {
  const { created_at, ...shown } = exchange
  return {
    type: 'transaction-exchange',
    ...shown,
    idempotency_key: keyOf(exchange),
    created_at: created_at.toISOString(),
  }
}

/** Providers name the header differently. Its value is the attempt's id, or begins with it. */
function keyOf({ attempt_id, request }: ListedExchange): string | null {
  return Object.values(request.headers).find((value) => value.startsWith(attempt_id)) ?? null
}
