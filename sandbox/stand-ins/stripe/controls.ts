import { decideAction, endPending } from './approve.ts'
import type { Books } from './books.ts'
import { closeDispute, openDispute } from './disputes.ts'
import type { Faults } from './faults.ts'
import { expireIntent } from './follow-ups.ts'
import { findIntent } from './intents.ts'
import { failRefund, findRefund } from './refunds.ts'
import { payOut } from './settle-money.ts'
import { conflict, missing } from './stripe-error.ts'
import type { Deliveries } from './webhooks.ts'

type Stage = { readonly books: Books; readonly faults: Faults; readonly deliveries: Deliveries }

/** What time and other people do to a real account. Not part of Stripe's API. */
export async function control(stage: Stage, path: string, body: Record<string, unknown>): Promise<object> {
  const { books, faults, deliveries } = stage
  const [what = '', id = '', act = ''] = path.split('/').slice(2)
  switch (`${what}/${act}`) {
    case 'books/':
      return { movements: books.movements }
    case 'finish/':
      if (id !== '') decideAction(books, id, body['outcome'] !== 'failed')
      else endPending(books)
      return {}
    case 'refunds/fail':
      return failRefund(books, findRefund(books, id))
    case 'payment_intents/dispute':
      return dispute(books, id, body)
    case 'payment_intents/expire':
      return expireIntent(books, id)
    case 'disputes/close':
      return closeDispute(books, id, body['outcome'] === 'won' ? 'won' : 'lost')
    case 'payouts/':
      return { payouts: payOut(books) }
    case 'faults/':
      faults.add(body)
      return {}
    case 'deliver/':
      return { left: await deliveries.deliver() }
    default:
      throw missing('control', path, 'path')
  }
}

function dispute(books: Books, id: string, { amount, reason }: Record<string, unknown>): object {
  const intent = findIntent(books, id)
  const charge = books.charges.get(intent.latest_charge ?? '')
  if (!charge?.captured) throw conflict('charge_not_refundable', 'Only a captured payment can be disputed.')
  return openDispute(books, charge, {
    reason: typeof reason === 'string' ? reason : 'fraudulent',
    amount: typeof amount === 'number' ? amount : charge.amount_captured,
  })
}
