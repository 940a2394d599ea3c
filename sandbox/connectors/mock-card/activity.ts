import type { ActivityAnswer, ActivityOrder, Link, ListedOperation } from '#connectors/contract/connector.ts'
import { type Entry, exchange, fromEntry, isEntry } from './wire.ts'

/** An entry as the processor lists it. */
type Listed = Entry & {
  readonly attempt_id: string
  readonly transaction_id: string | null
  readonly authorization: string
  readonly requested_amount: number
  readonly currency: string
  readonly final: boolean
  readonly last4: string | null
  readonly at: string
}

export async function activity({ from, until, after }: ActivityOrder, link: Link): Promise<ActivityAnswer> {
  const window = { from: from.toISOString(), until: until.toISOString(), ...(after !== null && { after }) }
  const response = await exchange(link, { path: `activity?${new URLSearchParams(window)}` })
  const { operations, next } = response?.body ?? {}
  const isRead = response?.status === 200 && Array.isArray(operations) && operations.every(isEntry)
  if (!isRead) return { outcome: 'unreachable', message: 'the processor gave no readable answer' }
  return {
    outcome: 'listed',
    operations: (operations as unknown as readonly Listed[]).map(toOperation),
    next: typeof next === 'string' ? next : null,
  }
}

function toOperation(entry: Listed): ListedOperation {
  return {
    operation: entry.operation as ListedOperation['operation'],
    attemptId: entry.attempt_id,
    transactionId: entry.transaction_id,
    authorization: entry.authorization,
    amount: entry.requested_amount,
    currency: entry.currency,
    isFinal: entry.final,
    at: new Date(entry.at),
    answer: fromEntry(entry),
    card: entry.last4 === null ? null : { scheme: null, last4: entry.last4 },
  }
}
