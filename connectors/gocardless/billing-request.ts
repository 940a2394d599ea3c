import type { AuthorizeAnswer, Link } from '#connectors/contract/connector.ts'
import { cut } from '#connectors/contract/latin-letters.ts'
import type { AuthorizeOrder, CompleteOrder } from '#connectors/contract/orders.ts'
import { refused } from '#connectors/contract/refuse.ts'
import { lost, withoutNulls } from '#connectors/contract/requests.ts'
import type { MethodRow } from './methods.ts'
import { findPayment, lookUpPayment, readPayment } from './payment.ts'
import { isId, type Json, linkIn, make, markOf, momentIn, type Reply, show, toRefusal } from './wire.ts'

/** By memory: a longer one is refused. */
const DESCRIPTION_MAX = 100

export async function authorize(order: AuthorizeOrder, link: Link, row: MethodRow): Promise<AuthorizeAnswer> {
  const { redirectUrl, attemptId, amount, currency } = order
  if (redirectUrl === null) {
    return refused('invalid_request_parameters', { rawDescription: 'the buyer has no address to return to' })
  }
  if (row.currencies !== 'all' && !row.currencies.includes(currency)) return refused('unsupported_currency')
  // A debit is made after the mandate: an amount that GoCardless refuses must not cost the buyer a mandate.
  if (amount === 0) return refused('invalid_amount')
  const reply = await make(link, 'billing_requests', toBillingRequest(order, row, link), attemptId)
  if (reply.kind !== 'answer') return toRefusal(reply)
  const { id, status } = reply.body
  if (!isId('BRQ', id) || markOf(reply.body, 'attempt') !== attemptId)
    return lost('GoCardless answered about another billing request')
  // Of an earlier request with the same key.
  if (status !== 'pending') return readRequest(reply, link, attemptId)
  return openFlow(order, id, link)
}

/** The payment of a debit is made later, of what stands here: so it needs no order any more. */
function toBillingRequest(order: AuthorizeOrder, { scheme, shape, purpose, method }: MethodRow, link: Link) {
  const {
    attemptId: attempt,
    transactionId: transaction,
    amount,
    currency,
    details,
    reconciliationId,
  } = order
  const description = cut(details.description?.trim() || reconciliationId, DESCRIPTION_MAX)
  const creditor = link.fields['creditor']
  const metadata = { attempt, transaction, method }
  return withoutNulls({
    purpose_code: purpose,
    links: creditor ? { creditor } : null,
    metadata: { attempt, amount: String(amount), method },
    ...(shape === 'debit'
      ? { mandate_request: withoutNulls({ currency, scheme, description, metadata }) }
      : { payment_request: withoutNulls({ amount, currency, scheme, description, metadata }) }),
  })
}

/** A flow is a page for the buyer, and moves nothing. So a lost one is followed by another. */
async function openFlow(order: AuthorizeOrder, request: string, link: Link): Promise<AuthorizeAnswer> {
  const { redirectUrl, buyer } = order
  const reply = await make(
    link,
    'billing_request_flows',
    withoutNulls({
      redirect_uri: redirectUrl,
      exit_uri: redirectUrl,
      language: buyer.locale?.slice(0, 2),
      lock_currency: true,
      prefilled_customer: toCustomer(order),
      links: { billing_request: request },
    }),
  )
  if (reply.kind !== 'answer') {
    // The billing request is there, and no buyer has seen it.
    return reply.kind === 'lost' ? lost(reply.reason) : lost('GoCardless made no page for the buyer')
  }
  const { authorisation_url: url, expires_at: expiresAt } = reply.body
  const end = momentIn(expiresAt)
  if (typeof url !== 'string' || !/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
    return lost('GoCardless named no page for the buyer')
  return {
    outcome: 'approval_required',
    reference: request,
    approval: { kind: 'redirect', url },
    ...(end && { expiresAt: end }),
    facts: {},
  }
}

/** The buyer reads it on the page, and can change it. */
function toCustomer({ billing }: AuthorizeOrder): Json | null {
  if (!billing) return null
  const { first_name, last_name, email_address, address } = billing
  const { line1, line2, house_number_or_name, city, state, postal_code, country, organization } =
    address ?? {}
  const given = first_name?.trim()
  const family = last_name?.trim()
  const customer = withoutNulls({
    given_name: given,
    family_name: family,
    company_name: given || family ? null : organization?.trim(),
    email: email_address,
    address_line1: [house_number_or_name, line1].filter(Boolean).join(' ').trim(),
    address_line2: line2?.trim(),
    city: city?.trim(),
    region: state?.trim(),
    postal_code: postal_code?.trim(),
    country_code: country,
  })
  return Object.keys(customer).length > 0 ? customer : null
}

/** The buyer is back, or has permitted the debit and may never come back. */
export function complete(order: CompleteOrder, link: Link): Promise<AuthorizeAnswer> {
  return lookUp(order.reference, link, order.attemptId)
}

/** By the id of the billing request, or of its payment. */
export async function lookUp(reference: string, link: Link, attemptId: string): Promise<AuthorizeAnswer> {
  if (isId('PM', reference)) return lookUpPayment(reference, link, attemptId)
  return readRequest(await show(link, 'billing_requests', reference), link, attemptId)
}

/** What became of a billing request. Once the buyer has permitted a debit, it is made: once, because the mandate is for this payment. */
async function readRequest(reply: Reply, link: Link, attemptId: string): Promise<AuthorizeAnswer> {
  // A refused question says nothing about the payment.
  if (reply.kind !== 'answer') return lost('GoCardless did not show the billing request')
  const { id, status, mandate_request: mandated, payment_request: paid } = reply.body
  if (!isId('BRQ', id) || markOf(reply.body, 'attempt') !== attemptId)
    return lost('GoCardless showed another billing request')
  switch (status) {
    case 'pending':
    case 'ready_to_fulfil':
    case 'fulfilling':
      return { outcome: 'pending', reference: id, facts: { rawCode: status } }
    case 'cancelled':
      return refused('cancelled_buyer_approval', { rawCode: status }, id)
    case 'fulfilled':
      return mandated && !paid ? debit(reply.body, link, attemptId) : showPaid(reply.body, link, attemptId)
    default:
      return lost('GoCardless answered with a status that we do not know')
  }
}

async function showPaid(request: Json, link: Link, attemptId: string): Promise<AuthorizeAnswer> {
  const payment = linkIn(request, 'payment_request_payment')
  if (!isId('PM', payment)) return lost('GoCardless does not name the payment of the billing request')
  return lookUpPayment(payment, link, attemptId)
}

async function debit(request: Json, link: Link, attemptId: string): Promise<AuthorizeAnswer> {
  const mandate = linkIn(request, 'mandate_request_mandate')
  const { mandate_request: asked } = request as { readonly mandate_request: Json }
  const { currency, description } = asked
  const amount = Number(markOf(request, 'amount'))
  if (!isId('MD', mandate) || !Number.isSafeInteger(amount) || amount < 1)
    return lost('GoCardless does not name the mandate of the billing request')
  const made = await findPayment(link, { mandate, attemptId })
  if (made) return made
  const body = withoutNulls({
    amount,
    currency,
    description,
    metadata: withoutNulls({ attempt: attemptId, method: markOf(request, 'method') }),
    links: { mandate },
  })
  return readPayment(await make(link, 'payments', body, `${attemptId}-debit`), link, { attemptId, amount })
}
