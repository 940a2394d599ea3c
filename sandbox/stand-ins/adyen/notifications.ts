import { createHmac } from 'node:crypto'
import type { Money, NotificationItem, Payment } from './state.ts'

/** What the stand-in's account has in common with one of Adyen's. */
export type Account = {
  readonly apiKey: string
  /** A key that may not make payments. */
  readonly restrictedApiKey: string
  readonly merchantAccount: string
  /** Hexadecimal, as the Customer Area shows it. */
  readonly hmacKey: string
  readonly reportUser: string
  readonly reportPassword: string
}

export type Event = {
  readonly eventCode: string
  readonly pspReference: string
  readonly reference: string
  readonly amount: Money
  readonly payment: Payment | null
  readonly isSuccess: boolean
  readonly reason?: string
  readonly additionalData?: Readonly<Record<string, string>>
}

/** One item of a webhook, signed. An authorisation names no original payment: it is the original. */
export function toItem(
  event: Event,
  { account, now }: { readonly account: Account; readonly now: Date },
): NotificationItem {
  const { eventCode, pspReference, reference, amount, payment, isSuccess, reason = '' } = event
  const isOriginal = payment === null || payment.pspReference === pspReference
  const item = {
    amount,
    eventCode,
    eventDate: now.toISOString().replace(/\.\d+Z$/, '+00:00'),
    merchantAccountCode: account.merchantAccount,
    merchantReference: reference,
    ...(!isOriginal && { originalReference: payment.pspReference }),
    ...(payment && { paymentMethod: payment.method }),
    ...(eventCode === 'AUTHORISATION' && isSuccess && { operations: ['CANCEL', 'CAPTURE', 'REFUND'] }),
    pspReference,
    reason,
    success: isSuccess ? ('true' as const) : ('false' as const),
  }
  const hmacSignature = sign(item, account.hmacKey)
  return { additionalData: { ...event.additionalData, hmacSignature }, ...item }
}

/**
 * Base64 of the HMAC-SHA-256 over eight fields. The key is hexadecimal.
 * https://docs.adyen.com/development-resources/webhooks/secure-webhooks/verify-hmac-signatures
 */
function sign(item: Omit<NotificationItem, 'additionalData'>, hmacKey: string): string {
  const signed = [
    item.pspReference,
    item.originalReference ?? '',
    item.merchantAccountCode,
    item.merchantReference,
    String(item.amount.value),
    item.amount.currency,
    item.eventCode,
    item.success,
  ].join(':')
  return createHmac('sha256', Buffer.from(hmacKey, 'hex')).update(signed).digest('base64')
}

/** The same message with other values, signed as Adyen would. */
export function signAnew(body: string, hmacKey: string): string {
  const message = JSON.parse(body) as { notificationItems: { NotificationRequestItem: NotificationItem }[] }
  for (const { NotificationRequestItem: item } of message.notificationItems) {
    const hmacSignature = sign(item, hmacKey)
    Object.assign(item, { additionalData: { ...item.additionalData, hmacSignature } })
  }
  return JSON.stringify(message)
}

/** The body of a webhook. Several items may come in one. */
export function toMessage(items: readonly NotificationItem[]): string {
  return JSON.stringify({
    live: 'false',
    notificationItems: items.map((item) => ({ NotificationRequestItem: item })),
  })
}
