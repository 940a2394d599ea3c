import type { Authorization, Books, Capture, Json, Order, Payer, Refund, Source } from './books.ts'
import { viewCard } from './cards.ts'
import { feeOf, type Money, writeMoney } from './money.ts'

/** What the API shows of the books, field by field as the contracts have it. */

export function viewOrder(books: Books, url: string, order: Order): Json {
  const { id, source } = order
  return {
    id,
    intent: order.intent,
    status: order.status,
    ...(source && { payment_source: viewSource(source) }),
    ...(source?.kind === 'paypal' && source.payer && { payer: viewPayer(source.payer) }),
    purchase_units: [viewUnit(books, url, order)],
    create_time: order.createdAt.toISOString(),
    links: linksOf(url, order),
  }
}

function viewUnit(books: Books, url: string, order: Order): Json {
  const { unit } = order
  const authorizations = order.authorizations.flatMap((id) => books.authorizations.get(id) ?? [])
  const captures = order.captures.flatMap((id) => books.captures.get(id) ?? [])
  const refunds = captures.flatMap((capture) => capture.refunds.flatMap((id) => books.refunds.get(id) ?? []))
  const client = books.clients.find((one) => one.id === order.clientId)
  const payments = {
    ...(authorizations.length > 0 && {
      authorizations: authorizations.map((one) => ({
        ...inOrder(viewAuthorization(books, url, one)),
        ...(one.response && { processor_response: one.response }),
      })),
    }),
    ...(captures.length > 0 && { captures: captures.map((one) => inOrder(viewCapture(books, url, one))) }),
    ...(refunds.length > 0 && { refunds: refunds.map((one) => viewRefund(books, url, one)) }),
  }
  return {
    ...unit,
    reference_id: unit['reference_id'] ?? 'default',
    payee: { merchant_id: client?.merchantId },
    ...(Object.keys(payments).length > 0 && { payments }),
  }
}

/** Orders do not repeat their own id in their payments. */
function inOrder({ supplementary_data: _ids, ...payment }: Json): Json {
  return payment
}

/** Without the processor's answer: orders alone have that of an authorization. */
export function viewAuthorization(books: Books, url: string, authorization: Authorization): Json {
  const { id, amount, orderId, createdAt } = authorization
  const order = books.orders.get(orderId)
  const expiresAt = new Date(createdAt.getTime() + AUTHORIZATION_LIFE)
  return {
    id,
    status: authorization.status,
    ...(authorization.status === 'PENDING' && { status_details: { reason: 'PENDING_REVIEW' } }),
    amount: writeMoney(amount),
    ...idsOf(order),
    ...networkReferenceOf(order?.source ?? null),
    seller_protection: {
      status: 'ELIGIBLE',
      dispute_categories: ['ITEM_NOT_RECEIVED', 'UNAUTHORIZED_TRANSACTION'],
    },
    expiration_time: expiresAt.toISOString(),
    create_time: createdAt.toISOString(),
    update_time: authorization.updatedAt.toISOString(),
    supplementary_data: { related_ids: { order_id: orderId } },
    links: [
      self(url, `/v2/payments/authorizations/${id}`),
      link(url, `/v2/payments/authorizations/${id}/capture`, 'capture', 'POST'),
      link(url, `/v2/payments/authorizations/${id}/void`, 'void', 'POST'),
      link(url, `/v2/checkout/orders/${orderId}`, 'up', 'GET'),
    ],
  }
}

/** https://developer.paypal.com/payment-methods/auth-honor: 29 days, of which PayPal honours the first three. */
export const AUTHORIZATION_LIFE = 29 * 24 * 3_600_000
export const HONOR_PERIOD = 3 * 24 * 3_600_000

export function viewCapture(books: Books, url: string, capture: Capture): Json {
  const { id, amount, orderId, authorizationId } = capture
  const order = books.orders.get(orderId)
  return {
    id,
    status: capture.status,
    ...(capture.reason && { status_details: { reason: capture.reason } }),
    amount: writeMoney(amount),
    final_capture: capture.isFinal,
    ...idsOf(order),
    ...(capture.invoiceId && { invoice_id: capture.invoiceId }),
    ...networkReferenceOf(order?.source ?? null),
    seller_protection: {
      status: 'ELIGIBLE',
      dispute_categories: ['ITEM_NOT_RECEIVED', 'UNAUTHORIZED_TRANSACTION'],
    },
    ...(capture.status !== 'DECLINED' && { seller_receivable_breakdown: breakdownOf(amount) }),
    ...(capture.response && { processor_response: capture.response }),
    create_time: capture.createdAt.toISOString(),
    update_time: capture.updatedAt.toISOString(),
    supplementary_data: {
      related_ids: { order_id: orderId, ...(authorizationId && { authorization_id: authorizationId }) },
    },
    links: [
      self(url, `/v2/payments/captures/${id}`),
      link(url, `/v2/payments/captures/${id}/refund`, 'refund', 'POST'),
      authorizationId
        ? link(url, `/v2/payments/authorizations/${authorizationId}`, 'up', 'GET')
        : link(url, `/v2/checkout/orders/${orderId}`, 'up', 'GET'),
    ],
  }
}

export function viewRefund(books: Books, url: string, refund: Refund): Json {
  const { id, amount, captureId } = refund
  const capture = books.captures.get(captureId)
  const refunds = (capture?.refunds ?? []).flatMap((other) => books.refunds.get(other) ?? [])
  const total = refunds
    .filter(({ status }) => status === 'COMPLETED' || status === 'PENDING')
    .reduce((sum, other) => sum + other.amount.hundredths, 0)
  return {
    id,
    status: refund.status,
    ...(refund.status === 'PENDING' && { status_details: { reason: 'ECHECK' } }),
    amount: writeMoney(amount),
    ...(refund.customId && { custom_id: refund.customId }),
    ...(refund.invoiceId && { invoice_id: refund.invoiceId }),
    ...(refund.note && { note_to_payer: refund.note }),
    seller_payable_breakdown: {
      gross_amount: writeMoney(amount),
      paypal_fee: writeMoney({ ...amount, hundredths: 0 }),
      net_amount: writeMoney(amount),
      total_refunded_amount: writeMoney({ ...amount, hundredths: total }),
    },
    create_time: refund.createdAt.toISOString(),
    update_time: refund.updatedAt.toISOString(),
    links: [
      self(url, `/v2/payments/refunds/${id}`),
      link(url, `/v2/payments/captures/${captureId}`, 'up', 'GET'),
    ],
  }
}

function viewSource(source: Source): Json {
  if (source.kind === 'card' && source.wallet) return { [source.wallet]: { card: viewCard(source) } }
  if (source.kind === 'card') return { card: viewCard(source) }
  const { payer, vaultId, storesOnSuccess } = source
  const vault = vaultId ?? (storesOnSuccess ? null : undefined)
  return {
    paypal: {
      ...(payer && {
        email_address: payer.email,
        account_id: payer.id,
        account_status: 'VERIFIED',
        name: { given_name: payer.givenName, surname: 'Buyer' },
      }),
      ...(vault && { attributes: { vault: { id: vault, status: 'VAULTED' } } }),
    },
  }
}

function viewPayer({ id, email, givenName }: Payer): Json {
  return { payer_id: id, email_address: email, name: { given_name: givenName, surname: 'Buyer' } }
}

function idsOf(order: Order | undefined): Json {
  const { custom_id, invoice_id } = order?.unit ?? {}
  return { ...(custom_id && { custom_id }), ...(invoice_id && { invoice_id }) }
}

function networkReferenceOf(source: Source | null): Json {
  if (source?.kind !== 'card') return {}
  return { network_transaction_reference: { id: source.networkReference, network: source.brand } }
}

function breakdownOf(amount: Money): Json {
  const fee = feeOf(amount)
  return {
    gross_amount: writeMoney(amount),
    paypal_fee: writeMoney(fee),
    net_amount: writeMoney({ ...amount, hundredths: amount.hundredths - fee.hundredths }),
  }
}

function linksOf(url: string, { id, status, intent, source }: Order): Json[] {
  const links = [self(url, `/v2/checkout/orders/${id}`)]
  if (status === 'CREATED') links.push(link(url, `/checkoutnow?token=${id}`, 'approve', 'GET'))
  if (status === 'PAYER_ACTION_REQUIRED') {
    const page = source?.kind === 'card' ? 'webapps/helios' : 'checkoutnow'
    links.push(link(url, `/${page}?token=${id}`, 'payer-action', 'GET'))
  }
  if (status === 'CREATED' || status === 'APPROVED') {
    const verb = intent === 'CAPTURE' ? 'capture' : 'authorize'
    links.push(link(url, `/v2/checkout/orders/${id}/${verb}`, verb, 'POST'))
  }
  return links
}

export function self(url: string, path: string): Json {
  return link(url, path, 'self', 'GET')
}

export function link(url: string, path: string, rel: string, method: string): Json {
  return { href: `${url}${path}`, rel, method }
}
