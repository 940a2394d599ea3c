import { writeApproval } from '../page.ts'
import { type Authentication, inventId, type Order, type SetupToken, type Source } from './books.ts'
import type { Desk } from './desk.ts'
import { writeMoney } from './money.ts'
import { findOrder, isGone } from './orders.ts'
import { Problem } from './problem.ts'
import { findSetupToken } from './vault.ts'
import { viewOrder } from './views.ts'

/** The pages where a buyer approves. They work without script. */

/** A decision, and what the stand-in makes of it. */
const DECISIONS = {
  wallet: [
    ['approve', 'Pay now'],
    ['echeck', 'Pay from a bank account, which takes days'],
    ['declined', 'Pay with a card that will be declined'],
    ['cancel', 'Cancel and return to the shop'],
  ],
  card: [
    ['approve', 'Confirm: it is me'],
    ['attempted', 'The bank cannot ask now'],
    ['failed', 'Enter a wrong code'],
    ['cancel', 'Cancel and return to the shop'],
  ],
  agreement: [
    ['approve', 'Agree and continue'],
    ['declined', 'Agree, with an account that will be declined'],
    ['cancel', 'Cancel and return to the shop'],
  ],
} as const

export type Page = { readonly status: number; readonly html: string } | { readonly location: string }

export function showPage(desk: Desk, kind: keyof typeof DECISIONS, id: string): Page {
  const amount = kind === 'agreement' ? null : amountOf(waitingOrder(desk, id))
  if (kind === 'agreement') waitingToken(desk, id)
  const buttons = DECISIONS[kind].map(
    ([value, text]) => `<button name="decision" value="${value}">${text}</button>`,
  )
  const html = writeApproval({
    provider: 'PayPal',
    question: QUESTIONS[kind],
    amount,
    form: `<form method="post"><input type="hidden" name="id" value="${id}">${buttons.join('\n')}</form>`,
  })
  return { status: 200, html }
}

const QUESTIONS = {
  wallet: 'Pay with PayPal?',
  card: 'Is it you who pays?',
  agreement: 'Save PayPal for later payments?',
} as const

/** Takes the buyer's decision and sends the browser back, with the parameters that PayPal adds. */
export function decide(desk: Desk, kind: keyof typeof DECISIONS, id: string, decision: string): Page {
  if (!DECISIONS[kind].some(([value]) => value === decision))
    throw new Problem(400, 'INVALID_PARAMETER_VALUE')
  if (kind === 'agreement') return decideAgreement(desk, id, decision)
  const order = waitingOrder(desk, id)
  const { source } = order
  if (!source) throw new Problem(404, 'INVALID_RESOURCE_ID')
  if (decision === 'cancel')
    return { location: withQuery(source.cancelUrl ?? source.returnUrl, { token: id }) }
  approve(desk, order, decision)
  const payer = source.kind === 'paypal' ? { PayerID: source.payer?.id ?? '' } : {}
  return { location: withQuery(source.returnUrl, { token: id, ...payer }) }
}

function approve({ books, events, url }: Desk, order: Order, decision: string): void {
  const source = order.source as Source
  if (source.kind === 'card') source.authentication = AUTHENTICATIONS[decision] ?? null
  else {
    const name = decision === 'declined' ? 'declined' : 'buyer'
    source.payer = {
      id: inventId(13),
      email: `${name}-${order.id.toLowerCase()}@example.com`,
      givenName: 'Test',
    }
    source.isECheck = decision === 'echeck'
  }
  order.status = 'APPROVED'
  order.approvedAt = books.now()
  events.tell(order.clientId, 'CHECKOUT.ORDER.APPROVED', {
    type: 'checkout-order',
    body: viewOrder(books, url(), order),
  })
}

/** https://developer.paypal.com/docs/checkout/advanced/customize/3d-secure/response-parameters/ */
const AUTHENTICATIONS: Readonly<Record<string, Authentication>> = {
  approve: { liabilityShift: 'POSSIBLE', enrollment: 'Y', status: 'Y' },
  attempted: { liabilityShift: 'POSSIBLE', enrollment: 'Y', status: 'A' },
  failed: { liabilityShift: 'NO', enrollment: 'Y', status: 'N' },
}

function decideAgreement(desk: Desk, id: string, decision: string): Page {
  const { source, ...token } = waitingToken(desk, id)
  if (source.kind !== 'paypal') throw new Problem(404, 'INVALID_RESOURCE_ID')
  if (decision === 'cancel') return { location: withQuery(source.cancelUrl, { approval_token_id: id }) }
  const name = decision === 'declined' ? 'declined' : 'buyer'
  source.payer = { id: inventId(13), email: `${name}-${id.toLowerCase()}@example.com`, givenName: 'Test' }
  desk.books.setupTokens.set(id, { ...token, source, status: 'APPROVED' })
  return { location: withQuery(source.returnUrl, { approval_token_id: id }) }
}

function waitingOrder(desk: Desk, id: string): Order {
  const clientId = desk.books.orders.get(id)?.clientId ?? ''
  const order = findOrder(desk, clientId, id)
  if (order.status !== 'PAYER_ACTION_REQUIRED' || isGone(order, desk.books.now())) {
    throw new Problem(404, 'INVALID_RESOURCE_ID')
  }
  return order
}

function waitingToken(desk: Desk, id: string): SetupToken {
  const token = findSetupToken(desk, null, id)
  if (token.status !== 'PAYER_ACTION_REQUIRED') throw new Problem(404, 'INVALID_RESOURCE_ID')
  return token
}

function amountOf({ amount }: Order): string {
  const { value, currency_code } = writeMoney(amount)
  return `${value} ${currency_code}`
}

function withQuery(url: string | null, added: Readonly<Record<string, string>>): string {
  if (url === null) throw new Problem(404, 'INVALID_RESOURCE_ID')
  const address = new URL(url)
  for (const [name, value] of Object.entries(added)) address.searchParams.set(name, value)
  return address.href
}
