/** Every event that payments and gift cards cause. */
const EVENT_NAMES = [
  'transaction.authentication-pending',
  'transaction.authenticated',
  'transaction.authorized',
  'transaction.declined',
  'transaction.failed',
  'transaction.capture-pending',
  'transaction.captured',
  'transaction.capture-failed',
  'transaction.void-pending',
  'transaction.voided',
  'transaction.void-declined',
  'transaction.void-failed',
  'transaction.modified',
  'transaction.review-accepted',
  'capture.pending',
  'capture.succeeded',
  'capture.declined',
  'capture.failed',
  'refund.pending',
  'refund.succeeded',
  'refund.declined',
  'refund.failed',
  'gift-card.created',
  'gift-card.deleted',
] as const

export type EventName = (typeof EVENT_NAMES)[number]
