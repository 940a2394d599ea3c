import { finish } from './act.ts'
import { type Books, type Json, newId, type Payment, Refusal } from './books.ts'
import { authenticate, decide } from './pay.ts'
import { giveBack } from './payout.ts'
import type { Reports } from './reports.ts'
import type { VaultServices } from './vault-services.ts'
import type { Workflows } from './workflows.ts'

type Desk = {
  readonly workflows: Workflows
  readonly vault: VaultServices
  readonly reports: Reports
}

/** What time, banks and other people do at Checkout.com. Not part of its API. */
export async function control(
  books: Books,
  { workflows, vault, reports }: Desk,
  path: string,
  body: Json,
): Promise<object> {
  const [what = '', id = '', verb = ''] = path.split('/').slice(2)
  switch (`${what}/${verb}`) {
    case 'books/':
      return { movements: books.movements }
    case 'finish/':
      finish(books)
      return {}
    case 'settle/':
      return reports.settle()
    case 'next/':
      books.next.push(String(body['response_code']))
      return {}
    case 'payments/approve':
    case 'payments/refuse':
      authenticate(books, books.find(id), verb === 'approve')
      return {}
    case 'payments/expire':
      return expire(books, books.find(id))
    case 'payments/return':
      giveBack(books, books.find(id))
      return {}
    case 'payments/dispute':
      return dispute(books, books.find(id), body)
    case 'disputes/win':
      return endDispute(books, id, 'dispute_won', 'RPDW')
    case 'disputes/cancel':
      return endDispute(books, id, 'dispute_canceled', 'CBRV')
    case 'disputes/lose':
      return endDispute(books, id, 'dispute_lost')
    case 'public-key/':
      vault.publicKey = String(body['public_key'])
      return {}
    case 'deliver/':
      return { waiting: await workflows.deliver() }
    default:
      throw new Refusal(404)
  }
}

/** The buyer has not come back from the page in time. */
function expire(books: Books, payment: Payment): object {
  if (payment.authentication === 'waiting') {
    payment.authentication = null
    decide(books, payment, '20152')
  }
  return {}
}

const DAY_MS = 86_400_000

function dispute(books: Books, payment: Payment, body: Json): object {
  const id = newId('dsp')
  const amount = typeof body['amount'] === 'number' ? body['amount'] : payment.amount
  books.disputes.set(id, { payment, amount })
  books.disputeMoves.push({ id: newId('act'), payment: payment.id, amount: -amount, code: 'ADJM' })
  books.tell('dispute_evidence_required', dataOf(books, id, true), 'dispute')
  return { id }
}

/** `code`: how the money comes back, if it does. */
function endDispute(books: Books, id: string, type: string, code?: string): object {
  const found = books.disputes.get(id)
  if (found && code) {
    const { payment, amount } = found
    books.disputeMoves.push({ id: newId('act'), payment: payment.id, amount, code })
  }
  books.tell(type, dataOf(books, id, false), 'dispute')
  return {}
}

function dataOf(books: Books, id: string, isOpen: boolean): Json {
  const found = books.disputes.get(id)
  if (!found) throw new Refusal(404)
  const { payment, amount } = found
  const dueBy = new Date(books.now().getTime() + 14 * DAY_MS)
  return {
    id,
    date: books.now().toISOString(),
    category: 'fraudulent',
    amount,
    currency: payment.currency,
    reason_code: '10.4',
    payment_id: payment.id,
    payment_method: 'VISA',
    ...(isOpen && { evidence_required_by: dueBy.toISOString() }),
  }
}
