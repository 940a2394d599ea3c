import type { ActivityAnswer, ActivityOrder, Link, ListedOperation } from '#connectors/contract/connector.ts'
import { call, toAnswer } from './wire.ts'

export async function activity({ from, until, after }: ActivityOrder, link: Link): Promise<ActivityAnswer> {
  const window = { from: from.toISOString(), until: until.toISOString(), ...(after !== null && { after }) }
  const reply = await call(link, `activity?${new URLSearchParams(window)}`)
  const { operations, next } = reply?.body ?? {}
  if (reply?.status !== 200 || !Array.isArray(operations)) {
    return { outcome: 'unreachable', message: 'the processor gave no readable answer' }
  }
  return {
    outcome: 'listed',
    operations: operations.flatMap(toOperation),
    next: typeof next === 'string' ? next : null,
  }
}

type Listed = Readonly<Record<string, never>>

/** A payment whose buyer has not approved yet is pending. */
function toOperation(entry: Listed): readonly ListedOperation[] {
  const told = toAnswer({ status: 200, body: entry })
  if (told.outcome === 'unknown') return []
  const { reference } = told
  const answer =
    told.outcome === 'approval_required'
      ? { outcome: 'pending' as const, reference: told.reference, facts: {} }
      : told
  return [
    {
      operation: entry['operation'] ?? 'authorize',
      attemptId: entry['attempt_id'] ?? null,
      transactionId: entry['transaction_id'] ?? null,
      authorization: entry['authorization'] ?? reference ?? '',
      amount: entry['requested_amount'] ?? null,
      currency: entry['currency'] ?? '',
      isFinal: entry['final'] === true,
      at: new Date(entry['at'] ?? Number.NaN),
      answer,
      card: null,
    },
  ]
}
