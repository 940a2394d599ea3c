import type { OutcomeOrder, ToldOutcome } from '#connectors/contract/anti-fraud.ts'
import type { DisputeStage } from '#connectors/contract/connector.ts'
import type { EventName } from '#domain/event-names.ts'
import type { StoredEvent } from '#resources/events/store.ts'

const PAYMENTS: Readonly<Partial<Record<EventName, Extract<ToldOutcome, { about: 'payment' }>['status']>>> = {
  'transaction.authorized': 'authorized',
  'transaction.captured': 'captured',
  'transaction.declined': 'declined',
  'transaction.failed': 'failed',
  'transaction.voided': 'voided',
}

/** The events that tell what became of a payment. */
export const TOLD_EVENTS: readonly EventName[] = [
  ...(Object.keys(PAYMENTS) as EventName[]),
  'transaction.review-accepted',
  'refund.succeeded',
  'dispute.opened',
  'dispute.updated',
  'dispute.closed',
]

type Judged = { readonly isSale: boolean; readonly decision: string | null }

/** What an event says of a payment. Null: nothing that an anti-fraud service learns from. */
export function outcomeOf(
  { name, target }: Pick<StoredEvent, 'name' | 'target'>,
  { isSale, decision }: Judged,
): OutcomeOrder['outcome'] | null {
  const amount = typeof target['amount'] === 'number' ? target['amount'] : 0
  const status = PAYMENTS[name]
  if (status !== undefined) {
    const code = textIn(target, 'error_code')
    return { about: 'payment', status, isSale, amount, code, isRejected: decision === 'reject' }
  }
  if (name === 'transaction.review-accepted') return { about: 'review', decision: 'accept' }
  if (name === 'refund.succeeded') {
    return { about: 'refund', refundId: String(target['id']), amount, reason: textIn(target, 'reason') }
  }
  const stage = target['stage'] as DisputeStage
  const reason = [textIn(target, 'reason_code'), textIn(target, 'reason_description')]
    .filter(Boolean)
    .join(' ')
  return { about: 'dispute', stage, amount, reason: reason === '' ? null : reason }
}

function textIn(target: StoredEvent['target'], name: string): string | null {
  const value = target[name]
  return typeof value === 'string' ? value : null
}
