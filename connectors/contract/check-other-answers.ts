import type { AntiFraudConnector } from './anti-fraud.ts'
import { GIFT_CARD_ERROR_CODES, type GiftCardConnector } from './gift-card.ts'
import {
  anObject,
  matching,
  oneOf,
  oneShapeBy,
  optional,
  orNull,
  record,
  type Shape,
  text,
  webAddress,
  wholeNumber,
} from './shapes.ts'

const WORDS = orNull(text({ max: 5_000, mayBeEmpty: true }))
const REASON = record({ reason: text({ max: 2_000 }) })
const EXPIRY = orNull(matching(/^\d{4}-\d{2}-\d{2}/, 'a time such as 2026-11-16T10:00:00Z'))
const OTHERS = {
  refused: record({ code: oneOf(GIFT_CARD_ERROR_CODES), rawCode: WORDS, rawMessage: WORDS }),
  unknown: REASON,
}
const DONE = oneShapeBy('outcome', { approved: record({ reference: text() }), ...OTHERS })

/** What each function of a connector for gift cards answers. */
export const GIFT_CARD_ANSWER_SHAPES = {
  balance: oneShapeBy('outcome', {
    known: record({
      balance: wholeNumber(0, Number.MAX_SAFE_INTEGER),
      currency: matching(/^[A-Z]{3}$/, 'a currency such as EUR'),
      expiresAt: EXPIRY,
    }),
    ...OTHERS,
  }),
  redeem: DONE,
  refund: DONE,
  reverse: DONE,
  activate: oneShapeBy('outcome', { approved: record({ reference: text(), expiresAt: EXPIRY }), ...OTHERS }),
  issue: oneShapeBy('outcome', { approved: record({ reference: text(), url: webAddress }), ...OTHERS }),
  sync: oneShapeBy('outcome', {
    approved: record({ reference: text(), expiresAt: optional(EXPIRY), url: optional(webAddress) }),
    not_found: anObject,
    ...OTHERS,
  }),
} as const satisfies Record<Exclude<keyof GiftCardConnector, 'manifest'>, Shape>

/** What each function of a connector that detects fraud answers. */
export const ANTI_FRAUD_ANSWER_SHAPES = {
  decide: oneShapeBy('outcome', {
    decided: record({ decision: oneOf(['accept', 'reject', 'review']), reference: orNull(text()) }),
    skipped: REASON,
    unavailable: REASON,
    error: REASON,
    unknown: REASON,
  }),
  readNotification: oneShapeBy('outcome', {
    read: record({ transactionId: text(), decision: oneOf(['accept', 'reject']) }),
    ignored: anObject,
    rejected: record({ message: text({ max: 2_000 }) }),
  }),
} as const satisfies Record<Exclude<keyof AntiFraudConnector, 'manifest'>, Shape>
