import type { Schemas } from '../../api/schema.d.ts'
import { readNow } from '../api/read.ts'
import { moneyText } from '../parts/money.tsx'
import { buyerName } from './who.ts'
import { markOf } from './words.ts'

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
export function answerOf({ raw_response_code, raw_response_description }: Transaction): string {
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
      text: 'It has not said yet whether this was done. We keep asking; the timeline shows what it says. Do not repeat it.',
    } as const
  return {
    kind: 'refused',
    title: status === 'declined' ? 'The payment service declined it' : 'It was not done',
    text: reason ? `Its reason: ${reason}.` : 'It gave no reason.',
  } as const
}

export function reasonIn(
  answer: { readonly raw_response_description: string | null; readonly raw_response_code: string | null },
  code: string | null,
): string | null {
  return answer.raw_response_description ?? code?.replaceAll('_', ' ') ?? answer.raw_response_code
}
