import { isRecord, textOf, type Wire } from './wire.ts'

/**
 * Worldpay names a payment twice: by its id, for questions, and by the last part of its action links, for captures, refunds and
 * cancellations. Our reference of a payment has both, as in `payIgqg….eyJrIj…`.
 */
export function referenceIn(body: Wire): string | null {
  const id = textOf(body, 'paymentId')
  const links = isRecord(body['_links']) ? body['_links'] : {}
  const found = LINKS.map((name) => linkDataIn(links[name])).find((one) => one !== null) ?? null
  return isPaymentId(id) && found !== null ? `${id}.${found}` : null
}

/** In the order of what a payment goes through. All of them end alike. */
const LINKS = ['events', 'partialSettle', 'partialRefund', 'cancel'].map((one) => `cardPayments:${one}`)

/** Also of Worldpay's addresses in the form of their documents, without a host. */
function linkDataIn(link: unknown): string | null {
  const href = isRecord(link) ? textOf(link, 'href') : null
  const last = href?.split('/').at(-1) ?? ''
  return /^[\w%=.~+-]{1,2000}$/.test(last) ? last : null
}

export function partsOf(reference: string): { readonly paymentId: string; readonly linkData: string } | null {
  const [paymentId = '', linkData = ''] = reference.split(/\.(.*)/)
  return isPaymentId(paymentId) && linkData !== '' ? { paymentId, linkData } : null
}

export function isPaymentId(value: string | null): value is string {
  return value !== null && /^[A-Za-z0-9_-]{21,36}$/.test(value)
}
