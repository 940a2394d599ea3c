import { type Act, type Payment, toAmount } from './books.ts'
import { capturedOf, refundedOf, remainingOf } from './pay.ts'

const API = 'https://api.mollie.com/v2'

function link(href: string, type = 'application/hal+json') {
  return { href, type }
}

const DOCUMENTATION = link('https://docs.mollie.com', 'text/html')

/** A payment as Mollie shows it. */
export function showPayment(payment: Payment, origin: string): object {
  const { id, asked, sum, status, times, failureReason, captures, refunds, chargebacks } = payment
  const part = (minor: number) => toAmount({ ...sum, minor })
  const isOpen = status === 'open'
  const hasMoney = status === 'paid' || status === 'authorized'
  const self = `${API}/payments/${id}`
  return {
    resource: 'payment',
    id,
    mode: 'test',
    createdAt: payment.createdAt.toISOString(),
    amount: toAmount(sum),
    description: asked['description'],
    method: asked['method'],
    metadata: asked['metadata'] ?? null,
    status,
    ...(isOpen && { isCancelable: true, expiresAt: payment.expiresAt.toISOString() }),
    ...Object.fromEntries(Object.entries(times).map(([name, at]) => [name, at.toISOString()])),
    ...(hasMoney && {
      amountRefunded: part(refundedOf(payment)),
      amountRemaining: part(remainingOf(payment)),
    }),
    ...(captures.length > 0 && { amountCaptured: part(capturedOf(payment)) }),
    ...(chargebacks.length > 0 && { amountChargedBack: toAmount(sum) }),
    ...(asked['captureMode'] !== undefined && { captureMode: asked['captureMode'] }),
    ...(asked['locale'] !== undefined && { locale: asked['locale'] }),
    ...(failureReason && { details: { failureReason } }),
    profileId: 'pfl_standin',
    sequenceType: 'oneoff',
    redirectUrl: asked['redirectUrl'],
    ...(asked['webhookUrl'] !== undefined && { webhookUrl: asked['webhookUrl'] }),
    _links: {
      self: link(self),
      ...(isOpen && { checkout: link(`${origin}/checkout/${id}`, 'text/html') }),
      dashboard: link('https://my.mollie.com/dashboard', 'text/html'),
      ...(refunds.length > 0 && { refunds: link(`${self}/refunds`) }),
      ...(captures.length > 0 && { captures: link(`${self}/captures`) }),
      ...(chargebacks.length > 0 && { chargebacks: link(`${self}/chargebacks`) }),
      documentation: DOCUMENTATION,
    },
  }
}

export function showAct(resource: 'capture' | 'refund', act: Act, { id: paymentId }: Payment): object {
  const { id, asked, status, createdAt, sum } = act
  const self = `${API}/payments/${paymentId}/${resource}s/${id}`
  return {
    resource,
    id,
    mode: 'test',
    amount: toAmount(sum),
    status,
    description: asked['description'] ?? '',
    metadata: asked['metadata'] ?? null,
    createdAt: createdAt.toISOString(),
    paymentId,
    _links: {
      self: link(self),
      payment: link(`${API}/payments/${paymentId}`),
      documentation: DOCUMENTATION,
    },
  }
}

export function showChargebacks({ id: paymentId, chargebacks, sum }: Payment): readonly object[] {
  return chargebacks.map(({ id, createdAt, reversedAt }) => ({
    resource: 'chargeback',
    id,
    amount: toAmount(sum),
    reason: { code: 'AC01', description: 'Account identifier incorrect' },
    paymentId,
    createdAt: createdAt.toISOString(),
    reversedAt: reversedAt?.toISOString() ?? null,
    _links: {
      self: link(`${API}/payments/${paymentId}/chargebacks/${id}`),
      payment: link(`${API}/payments/${paymentId}`),
      documentation: DOCUMENTATION,
    },
  }))
}

/** `next` is the path of the next page. */
export function showList(name: string, items: readonly object[], next: string | null = null): object {
  return {
    count: items.length,
    _embedded: { [name]: items },
    _links: {
      self: link(API),
      previous: null,
      next: next === null ? null : link(`${API}/${next}`),
      documentation: DOCUMENTATION,
    },
  }
}

export function showError(status: number, detail: string, field: string | null): object {
  const title = TITLES[status] ?? 'Error'
  return { status, title, detail, ...(field !== null && { field }), _links: { documentation: DOCUMENTATION } }
}

const TITLES: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized Request',
  404: 'Not Found',
  405: 'Method Not Allowed',
  409: 'Conflict',
  422: 'Unprocessable Entity',
}
