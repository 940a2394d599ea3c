import type { AccountUpdaterConnector } from './account-updater.ts'
import type { AntiFraudConnector } from './anti-fraud.ts'
import { ANSWER_SHAPES } from './check-answer.ts'
import { ERROR_CODES } from './codes.ts'
import { GIFT_CARD_ERROR_CODES, type GiftCardConnector } from './gift-card.ts'
import type { NetworkTokenConnector } from './network-token.ts'
import {
  aFunction,
  anObject,
  flag,
  mapOf,
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
import type { ThreeDSecureConnector } from './three-d-secure.ts'

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
  tell: oneShapeBy('outcome', { told: anObject, refused: REASON, unavailable: REASON, unknown: REASON }),
  readNotification: oneShapeBy('outcome', {
    read: record({ transactionId: text(), decision: oneOf(['accept', 'reject']) }),
    ignored: anObject,
    rejected: record({ message: text({ max: 2_000 }) }),
  }),
} as const satisfies Record<Exclude<keyof AntiFraudConnector, 'manifest' | 'deviceScript'>, Shape>

const THREE_D_SECURE_VERSION = matching(/^\d+([.]\d+){1,2}$/, 'a version such as 2.2.0')
const DIRECTORY_ID = orNull(text({ max: 64 }))
const FORM = record({ url: webAddress, fields: mapOf(text({ max: 20_000, mayBeEmpty: true })) })
const STATE = text({ max: 10_000, mayBeEmpty: true })
const ERROR = {
  code: matching(/^\d{3}$/, 'three digits'),
  description: text({ max: 2_000 }),
  component: oneOf(['S', 'D', 'A']),
}
const ENDED = {
  done: record({
    transactionStatus: oneOf(['Y', 'A', 'U']),
    version: THREE_D_SECURE_VERSION,
    eci: orNull(matching(/^\d{1,2}$/, 'one or two digits')),
    cavv: orNull(text({ max: 64 })),
    directoryTransactionId: DIRECTORY_ID,
  }),
  refused: record({ transactionStatus: oneOf(['N', 'R']), version: orNull(THREE_D_SECURE_VERSION) }),
  error: record({ ...ERROR, version: orNull(THREE_D_SECURE_VERSION) }),
  unknown: REASON,
}

/** What each function of a connector for 3-D Secure servers answers. `takesPart` answers at once. */
export const THREE_D_SECURE_ANSWER_SHAPES = {
  prepare: oneShapeBy('outcome', {
    collect: record({ form: FORM, state: STATE }),
    ready: record({ state: STATE }),
    setup_error: record(ERROR),
    error: ENDED.error,
    unknown: REASON,
  }),
  authenticate: oneShapeBy('outcome', {
    ...ENDED,
    challenge: record({
      version: THREE_D_SECURE_VERSION,
      directoryTransactionId: DIRECTORY_ID,
      form: orNull(FORM),
      state: STATE,
    }),
    setup_error: record(ERROR),
  }),
  conclude: oneShapeBy('outcome', ENDED),
  verify: ANSWER_SHAPES.verify,
} as const satisfies Record<Exclude<keyof ThreeDSecureConnector, 'manifest' | 'takesPart'>, Shape>

const CARD_DATE = matching(/^(0[1-9]|1[0-2])\/\d{2}$/, 'a date such as 12/30')
const SECRET = record({ use: aFunction })

/** What an account updater answers. */
export const ACCOUNT_UPDATER_ANSWER_SHAPES = {
  findUpdate: oneShapeBy('outcome', {
    new_number: record({ number: SECRET, expirationDate: CARD_DATE }),
    new_date: record({ expirationDate: CARD_DATE }),
    unchanged: anObject,
    closed: anObject,
    refused: REASON,
    unknown: REASON,
  }),
} as const satisfies Record<Exclude<keyof AccountUpdaterConnector, 'manifest' | 'schemes'>, Shape>

const TOKEN_REFUSED = record({
  code: oneOf(Object.keys(ERROR_CODES)),
  isRetriable: flag,
  reference: orNull(text()),
  facts: anObject,
})
const TOKEN_ANSWER = oneShapeBy('outcome', {
  approved: record({
    reference: text(),
    facts: anObject,
    networkToken: orNull(
      record({
        number: SECRET,
        expirationDate: CARD_DATE,
        paymentAccountReference: orNull(text()),
        status: oneOf(['active', 'inactive']),
      }),
    ),
  }),
  declined: TOKEN_REFUSED,
  failed: TOKEN_REFUSED,
  pending: record({ reference: text(), facts: anObject }),
  not_found: anObject,
  unknown: REASON,
})

/** What a token service answers. */
export const NETWORK_TOKEN_ANSWER_SHAPES = {
  provision: TOKEN_ANSWER,
  change: TOKEN_ANSWER,
  inquire: TOKEN_ANSWER,
  makeCryptogram: oneShapeBy('outcome', {
    made: record({ cryptogram: SECRET, eci: orNull(matching(/^\d{1,2}$/, 'one or two digits')) }),
    refused: record({ code: text() }),
    unknown: REASON,
  }),
  readNotification: oneShapeBy('outcome', {
    read: record({
      notice: record({
        clientReference: text(),
        status: orNull(oneOf(['active', 'suspended', 'deleted'])),
        expirationDate: orNull(CARD_DATE),
        card: orNull(
          record({
            last4: orNull(matching(/^\d{4}$/, 'four digits')),
            expirationDate: orNull(CARD_DATE),
          }),
        ),
      }),
    }),
    rejected: record({ message: text({ max: 2_000 }) }),
    unknown: REASON,
  }),
} as const satisfies Record<
  Exclude<keyof NetworkTokenConnector, 'manifest' | 'schemes' | 'needsRequestor' | 'canSuspend'>,
  Shape
>
