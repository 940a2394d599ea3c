import { type Json, objectOf, textOf } from './check-request.ts'
import type { Deliveries } from './deliveries.ts'
import { about, type Desk } from './desk.ts'
import type { Reply } from './errors.ts'
import { toMessage } from './notifications.ts'
import { writeReport } from './settlement-report.ts'
import type { Payment } from './state.ts'

type Control = (
  desk: Desk,
  asked: { readonly id: string; readonly body: Json; readonly deliveries: Deliveries },
) => unknown

/** What only a stand-in has: things that at Adyen just happen, at the wish of a test. The README lists them. */
const CONTROLS: Readonly<Record<string, Control>> = {
  'GET books': (desk, { body }) => booksOf(desk, textOf(body['reference'])),
  'POST finish': (desk, { body }) => finish(desk, textOf(body['pspReference']), body['success'] !== false),
  'POST captures/fail': (desk, { id }) => late(desk, id, 'CAPTURE', 'fail'),
  'POST refunds/fail': (desk, { id }) => late(desk, id, 'REFUND', 'fail'),
  'POST refunds/reverse': (desk, { id }) => late(desk, id, 'REFUND', 'reverse'),
  'POST payments/expire': (desk, { id }) => expire(desk, desk.state.payments.get(id)),
  'POST payments/close': (desk, { id }) => closeOffer(desk, desk.state.payments.get(id)),
  'POST balances': (desk, { body }) => setBalance(desk, body),
  'POST disputes': (desk, { body }) => openDispute(desk, body),
  'POST disputes/tell': (desk, { id, body }) => tellDispute(desk, id, body),
  'POST disputes/charge-back': (desk, { id }) => desk.moveDispute(id, 'charge-back') && {},
  'POST disputes/reverse': (desk, { id }) => desk.moveDispute(id, 'reverse') && {},
  'POST disputes/second': (desk, { id }) => desk.moveDispute(id, 'second') && {},
  'POST reports': (desk) => publish(desk),
  'POST webhook': (_desk, { body, deliveries }) => deliveries.aim(textOf(body['url'])),
  'POST deliver': (_desk, { deliveries }) => deliveries.deliver(),
  'POST notifications/take': (desk) => ({ message: toMessage(desk.state.outbox.splice(0)) }),
}

export async function control(
  desk: Desk,
  deliveries: Deliveries,
  asked: { readonly method: string; readonly path: string; readonly body: Json },
): Promise<Reply> {
  const [what = '', id = '', verb = ''] = asked.path.split('/')
  const isShort = verb === '' && `${asked.method} ${what}/${id}` in CONTROLS
  const name = isShort ? `${what}/${id}` : verb === '' ? what : `${what}/${verb}`
  const run = CONTROLS[`${asked.method} ${name}`]
  const result = run ? await run(desk, { id, body: asked.body, deliveries }) : null
  return result
    ? { status: 200, body: objectOf(result) }
    : { status: 404, body: { message: 'there is no such thing' } }
}

/** How often each reference or key moved money, and the sums of all payments. */
function booksOf({ state }: Desk, reference: string): object {
  const movements = state.movements.filter((one) => ['', one.reference, one.key].includes(reference))
  const payments = [...state.payments.values()].filter(
    (one) => reference === '' || one.reference === reference,
  )
  return {
    movements,
    payments: payments.map(({ pspReference, reference: own, status, amount, captured, refunded }) => ({
      pspReference,
      reference: own,
      status,
      amount,
      captured,
      refunded,
    })),
  }
}

/** Ends one thing that waits, or all of them. A payment that is named may have been refused before. */
function finish(desk: Desk, pspReference: string, isSuccess: boolean): object {
  const isMeant = (one: { readonly pspReference: string }) =>
    pspReference === '' || one.pspReference === pspReference
  let count = 0
  for (const payment of desk.state.payments.values()) {
    const isOpen = payment.status === 'received' || (payment.status === 'refused' && pspReference !== '')
    if (isOpen && isMeant(payment)) {
      desk.endReceived(payment, isSuccess)
      count++
    }
    for (const modification of payment.modifications) {
      if (modification.status !== 'received' || !isMeant(modification)) continue
      desk.finish(payment, modification)
      count++
    }
  }
  return { count }
}

function late(desk: Desk, id: string, kind: 'CAPTURE' | 'REFUND', how: 'fail' | 'reverse'): object | null {
  const found = desk.state.modification(id)
  if (found?.modification.kind !== kind || found.modification.status !== 'succeeded') return null
  if (how === 'fail') desk.failLate(found.payment, found.modification)
  else desk.reverseRefund(found.payment, found.modification)
  return {}
}

/** The authorisation ends unused. */
function expire(desk: Desk, payment: Payment | undefined): object | null {
  if (payment?.status !== 'authorised' || payment.captured > 0) return null
  payment.status = 'expired'
  desk.tell({ ...about(payment), eventCode: 'EXPIRE', isSuccess: true })
  return {}
}

/** The shopper did not come back in time. Adyen was seen to tell it of payments that are paid, too. */
function closeOffer(desk: Desk, payment: Payment | undefined): object | null {
  if (!payment) return null
  if (payment.status === 'redirected') payment.status = 'expired'
  desk.tell({ ...about(payment), eventCode: 'OFFER_CLOSED', isSuccess: true })
  return {}
}

function setBalance(desk: Desk, body: Json): object {
  desk.state.balances.set(textOf(body['number']), Number(body['value']))
  return {}
}

function openDispute(desk: Desk, body: Json): object | null {
  const payment = desk.state.payments.get(textOf(body['pspReference']))
  if (!payment || payment.captured === 0) return null
  const amount = Number(body['amount'] ?? payment.captured)
  const reasonCode = textOf(body['reasonCode']) || '10.4'
  return { pspReference: desk.dispute(payment, amount, reasonCode, textOf(body['eventCode'])) }
}

/** An event of a dispute that moves no money. */
function tellDispute(desk: Desk, id: string, body: Json): object | null {
  if (!desk.state.disputes.has(id)) return null
  desk.tellDispute(id, textOf(body['eventCode']), textOf(body['disputeStatus']) || 'Pending')
  return {}
}

/** Closes the batch of each currency, and tells where its file is. */
function publish(desk: Desk): object {
  const { state, account } = desk
  const lines = state.settled.splice(0)
  const byCurrency = Map.groupBy(lines, ({ amount }) => amount.currency)
  const names = [...byCurrency].map(([currency, some]) => {
    const number = state.reports.length + 1
    const at = desk.now()
    const name = `settlement_detail_report_batch_${number}.csv`
    const text = writeReport(some, currency, { merchantAccount: account.merchantAccount, number, at })
    state.reports.push({ name, text, publishedAt: at })
    desk.tell({
      eventCode: 'REPORT_AVAILABLE',
      pspReference: name,
      reference: '',
      amount: { value: 0, currency },
      payment: null,
      isSuccess: true,
      reason: `https://ca-test.adyen.com/reports/download/MerchantAccount/${account.merchantAccount}/${name}`,
    })
    return name
  })
  return { names }
}
