import type { ListedExchange } from '#processing/exchanges/store.ts'
import type { TransactionExchange } from './schemas.ts'

export function showExchange(exchange: ListedExchange): TransactionExchange {
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
