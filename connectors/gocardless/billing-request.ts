import type { AuthorizeAnswer, Link } from '#connectors/contract/connector.ts'
import { cut } from '#connectors/contract/latin-letters.ts'
import type { AuthorizeOrder, CompleteOrder, Secret, TokenizeOrder } from '#connectors/contract/orders.ts'
import { refused } from '#connectors/contract/refuse.ts'
import { lost, withoutNulls } from '#connectors/contract/requests.ts'
import { secret } from '#connectors/contract/secret.ts'
import type { MethodRow } from './methods.ts'
import { findPayment, lookUpPayment, readPayment } from './payment.ts'
import { isId, type Json, linkIn, make, markOf, momentIn, type Reply, show, toRefusal } from './wire.ts'

/** By memory: a longer one is refused. */
const DESCRIPTION_MAX = 100

export async function authorize(order: AuthorizeOrder, link: Link, row: MethodRow): Promise<AuthorizeAnswer> {
  const { redirectUrl, attemptId, amount, currency, instrument, buyer } = order
  if (row.currencies !== 'all' && !row.currencies.includes(currency)) return refused('unsupported_currency')
  // A debit is made after the mandate: an amount that GoCardless refuses must not cost the buyer a mandate.
  if (amount === 0) return refused('invalid_amount')
  if (instrument.kind === 'provider-token') return debitStored(order, instrument.token, link, row)
  if (redirectUrl === null) {
    return refused('invalid_request_parameters', { rawDescription: 'the buyer has no address to return to' })
  }
  const request = await openRequest(toBillingRequest(order, row, link), attemptId, link)
  if (request.kind !== 'answer') return toRefusal(request)
  // Of an earlier request with the same key.
  if (request.body['status'] !== 'pending') return readRequest(request, link, attemptId)
  return openFlow(String(request.body['id']), { redirectUrl, buyer, customer: toCustomer(order) }, link)
}

/** Without the buyer, who has permitted debits before. The bank pays days later, as always. */
async function debitStored(order: AuthorizeOrder, token: Secret, link: Link, { method }: MethodRow) {
  const { attemptId, transactionId, amount, currency } = order
  const mandate = token.use(String)
  if (!isId('MD', mandate)) return refused('unknown_payment_method')
  const body = {
    amount,
    currency,
    description: descriptionOf(order),
    metadata: { attempt: attemptId, transaction: transactionId, method },
    links: { mandate },
  }
  return readPayment(await make(link, 'payments', body, attemptId), link, { attemptId, amount })
}

/** The buyer permits debits by the merchant, which come later. The mandate is the token. */
export async function tokenize(
  order: TokenizeOrder,
  link: Link,
  { scheme, method }: MethodRow,
): Promise<AuthorizeAnswer> {
  const { attemptId: attempt, tokenId: token, instrument, redirectUrl } = order
  if (instrument.kind !== 'redirect') return refused('unsupported_payment_method')
  const metadata = { attempt, token, method }
  const creditor = link.fields['creditor']
  const body = withoutNulls({
    links: creditor ? { creditor } : null,
    metadata,
    mandate_request: withoutNulls({ currency: instrument.currency, scheme, metadata }),
  })
  const request = await openRequest(body, attempt, link)
  if (request.kind !== 'answer') return toRefusal(request)
  if (request.body['status'] !== 'pending') return readMandate(request, attempt)
  return openFlow(String(request.body['id']), { redirectUrl }, link)
}

/** What became of a request for a mandate that is kept. */
export function readMandate(reply: Reply, attemptId: string): AuthorizeAnswer {
  if (reply.kind !== 'answer') return lost('GoCardless did not show the billing request')
  const { id, status } = reply.body
  if (!isId('BRQ', id) || markOf(reply.body, 'attempt') !== attemptId)
    return lost('GoCardless showed another billing request')
  const facts = { rawCode: String(status) }
  if (status === 'cancelled') return refused('cancelled_buyer_approval', facts, id)
  if (status !== 'fulfilled') return { outcome: 'pending', reference: id, facts }
  const mandate = linkIn(reply.body, 'mandate_request_mandate')
  if (!isId('MD', mandate)) return lost('GoCardless does not name the mandate of the billing request')
  return { outcome: 'approved', reference: id, token: { value: secret(mandate), label: null }, facts }
}

/** One for each attempt: GoCardless names an earlier one with the same key, and it is shown. */
async function openRequest(body: object, attemptId: string, link: Link): Promise<Reply> {
  const reply = await make(link, 'billing_requests', body, attemptId)
  if (reply.kind !== 'answer') return reply
  const isOurs = isId('BRQ', reply.body['id']) && markOf(reply.body, 'attempt') === attemptId
  return isOurs ? reply : { kind: 'lost', reason: 'GoCardless answered about another billing request' }
}

function descriptionOf({ details, reconciliationId }: AuthorizeOrder): string {
  return cut(details.description?.trim() || reconciliationId, DESCRIPTION_MAX)
}

/** The payment of a debit is made later, of what stands here: so it needs no order any more. */
function toBillingRequest(order: AuthorizeOrder, { scheme, shape, purpose, method }: MethodRow, link: Link) {
  const { attemptId: attempt, transactionId: transaction, amount, currency } = order
  const description = descriptionOf(order)
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

type Approver = {
  readonly redirectUrl: string
  readonly buyer?: AuthorizeOrder['buyer']
  readonly customer?: Json | null
}

/** A flow is a page for the buyer, and moves nothing. So a lost one is followed by another. */
async function openFlow(request: string, who: Approver, link: Link): Promise<AuthorizeAnswer> {
  const { redirectUrl, buyer, customer } = who
  const reply = await make(
    link,
    'billing_request_flows',
    withoutNulls({
      redirect_uri: redirectUrl,
      exit_uri: redirectUrl,
      language: buyer?.locale?.slice(0, 2),
      lock_currency: true,
      prefilled_customer: customer,
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
