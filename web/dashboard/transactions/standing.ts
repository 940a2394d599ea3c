import type { Schemas } from '../../api/schema.d.ts'
import { readNow } from '../api/client.ts'
import { moneyText } from '../parts/values.tsx'
import { buyerName, markOf } from './words.ts'

export type Transaction = Schemas['Transaction']

/** What every dialog about a payment gets. */
export type DialogProps = { readonly of: Transaction; readonly onClose: () => void }

/** How a payment stands, in a few words. Two that differ mean that a person should look again. */
function standingOf(it: Transaction): string {
  const amounts = [
    [it.authorized_amount, 'authorized'],
    [it.captured_amount, 'captured'],
    [it.refunded_amount, 'refunded'],
  ] as const
  const told = amounts
    .filter(([amount]) => amount > 0)
    .map(([amount, word]) => `${moneyText(amount, it.currency)} ${word}`)
  return [markOf(it).label, ...told].join(', ')
}

/** For `Ask`: notices that the payment has changed since its dialog was opened. */
export function standing(it: Transaction) {
  return {
    now: standingOf(it),
    read: async () => {
      const path = { transaction_id: it.id }
      return standingOf(await readNow('GET /transactions/{transaction_id}', { path }))
    },
  }
}

export function isRefused({ status }: Transaction): boolean {
  return status === 'authorization_declined' || status === 'authorization_failed'
}

/** What the payment service answered, in its own code and words. */
export function answerOf({ raw_response_code, raw_response_description }: Answer): string {
  return [raw_response_code, raw_response_description].filter(Boolean).join(' · ')
}

/** The person whose money it is, for the sentences of dialogs. */
export function personOf(it: Transaction): string {
  return buyerName(it) ?? 'the buyer'
}

type Report = {
  readonly status: 'succeeded' | 'pending' | 'declined' | 'failed' | 'processing' | 'voided'
  readonly reason: string | null
}

/** What an act on a payment came to. Pending is waiting: the service tells later. */
export function outcomeOf({ status, reason }: Report, done: string) {
  if (status === 'succeeded') return { kind: 'done', title: done } as const
  if (status === 'pending' || status === 'processing')
    return {
      kind: 'waiting',
      title: 'Waiting for the payment service',
      text: 'The outcome is not known yet. We keep asking, and the timeline shows the answer. Do not repeat it.',
    } as const
  return {
    kind: 'refused',
    title: status === 'declined' ? 'The payment service declined it' : 'It failed',
    text: reason ?? 'The payment service gave no reason.',
  } as const
}

type Answer = {
  readonly raw_response_description: string | null
  readonly raw_response_code: string | null
}

/** Why the payment service did not do something: our sentence, and what it answered. */
export function reasonIn(answer: Answer, sentence: string | undefined): string | null {
  const raw = answerOf(answer)
  return [sentence, raw && `The payment service answered “${raw}”.`].filter(Boolean).join(' ') || null
}
