import { ERROR_CODES } from './codes.ts'
import {
  AVS_RESPONSE_CODES,
  type Connector,
  CVV_RESPONSE_CODES,
  DISPUTE_STAGES,
  type Facts,
} from './connector.ts'
import {
  aFunction,
  anObject,
  buyersAddress,
  exactly,
  flag,
  isObject,
  listOf,
  mapOf,
  matching,
  moment,
  oneOf,
  oneShapeBy,
  optional,
  orNull,
  record,
  type Shape,
  text,
  wholeNumber,
} from './shapes.ts'

/** As for every payment of the API. */
const AMOUNT = wholeNumber(0, 99_999_999)
const CURRENCY = matching(/^[A-Z]{3}$/, 'a currency such as EUR')
const REFERENCE = text()
const SENTENCE = text({ max: 2_000 })
const WORDS = optional(orNull(text({ max: 5_000, mayBeEmpty: true })))
const CODE = oneOf(Object.keys(ERROR_CODES))

/** Facts are checked apart: a wrong one does not spoil the decision. */
const FACTS: Readonly<Record<keyof Facts, Shape>> = {
  rawCode: WORDS,
  rawDescription: WORDS,
  authResponseCode: WORDS,
  isoResponseCode: WORDS,
  avsResponseCode: optional(oneOf([...AVS_RESPONSE_CODES, null])),
  cvvResponseCode: optional(oneOf([...CVV_RESPONSE_CODES, null])),
  merchantAdviceCode: WORDS,
  schemeTransactionId: WORDS,
  transactionLinkId: WORDS,
  paymentAccountReference: WORDS,
  additionalIdentifiers: optional(mapOf(WORDS)),
  threeDSecure: optional(
    orNull(
      record({
        status: oneOf(['complete', 'declined', 'cancelled', 'error']),
        method: oneOf(['challenge', 'frictionless', null]),
        version: WORDS,
        eci: WORDS,
        directoryTransactionId: WORDS,
        directoryResponse: WORDS,
        authenticationResponse: WORDS,
      }),
    ),
  ),
  mandate: optional(
    orNull(
      record({
        reference: text(),
        signedOn: optional(orNull(matching(/^\d{4}-\d{2}-\d{2}$/, 'a day such as 2026-11-16'))),
      }),
    ),
  ),
}

/** What is wrong with the facts of an answer, by the name of the fact. */
export function wrongFacts(facts: Readonly<Record<string, unknown>>): ReadonlyMap<string, readonly string[]> {
  const found = Object.entries(FACTS).map(
    ([name, shape]) => [name, shape(facts[name], `facts.${name}`)] as const,
  )
  return new Map(found.filter(([, problems]) => problems.length > 0))
}

/** The pages for these check it, and show what can be shown. A redirect has no page of ours. */
const ADDRESS = text({ max: 5_000 })
const APPROVAL = oneShapeBy('kind', {
  redirect: record({ url: buyersAddress, isForFrames: optional(oneOf([true])) }),
  form: record({ url: ADDRESS, fields: mapOf(text({ max: 20_000, mayBeEmpty: true })) }),
  qr: record({ text: text({ max: 5_000 }), url: orNull(ADDRESS) }),
  voucher: record({ number: text(), url: orNull(ADDRESS) }),
  wait: record({ url: orNull(ADDRESS) }),
})

const REFUSED = record({ code: CODE, isRetriable: flag, reference: orNull(REFERENCE), facts: anObject })
const ANSWERS = {
  approved: record({
    reference: REFERENCE,
    amount: optional(AMOUNT),
    token: optional(record({ value: record({ use: aFunction }), label: orNull(text()) })),
    facts: anObject,
  }),
  declined: REFUSED,
  failed: REFUSED,
  pending: record({ reference: REFERENCE, isPermitted: optional(oneOf([true])), facts: anObject }),
}
const UNKNOWN = { unknown: record({ reason: SENTENCE }) }
const AUTHORIZATION_ANSWERS = {
  ...ANSWERS,
  ...UNKNOWN,
  approval_required: record({
    reference: REFERENCE,
    approval: APPROVAL,
    expiresAt: optional(moment),
    hasSession: optional(oneOf([true])),
    facts: anObject,
  }),
}
const ANSWER = oneShapeBy('outcome', { ...ANSWERS, ...UNKNOWN })
const AUTHORIZE_ANSWER = oneShapeBy('outcome', AUTHORIZATION_ANSWERS)
const MESSAGE = { rejected: record({ message: SENTENCE }), unreachable: record({ message: SENTENCE }) }

/** What is too long to be kept is refused when it is to be kept: the provider hears why. */
const NAME = text({ max: 100_000 })
const SUBJECT = {
  reference: orNull(NAME),
  attemptId: optional(orNull(NAME)),
  reconciliationId: optional(orNull(NAME)),
}
/** The server takes tokens only from the answer to `tokenize`. */
const TOLD = { ...ANSWERS, approved: record({ reference: NAME, amount: optional(AMOUNT), facts: anObject }) }
const OUTCOME = record({ ...SUBJECT, answer: oneShapeBy('outcome', TOLD) })
const DISPUTE_STEP = {
  ...SUBJECT,
  stage: optional(orNull(oneOf(DISPUTE_STAGES))),
  providerStage: optional(orNull(text())),
  code: orNull(text()),
  reason: orNull(text({ max: 5_000 })),
  postedAt: moment,
  respondBy: optional(orNull(moment)),
}
const MOVEMENT = record({
  ...DISPUTE_STEP,
  id: orNull(text()),
  amount: AMOUNT,
  currency: CURRENCY,
  dispute: optional(orNull(text())),
})
const FILE = record({ id: text(), name: text(), publishedAt: moment })
const NOTIFICATION = oneShapeBy('about', {
  authorization: OUTCOME,
  capture: OUTCOME,
  void: OUTCOME,
  cancel: OUTCOME,
  refund: OUTCOME,
  increment: OUTCOME,
  payout: OUTCOME,
  chargeback: MOVEMENT,
  chargeback_reversal: MOVEMENT,
  dispute: record({ ...DISPUTE_STEP, dispute: text(), amount: orNull(AMOUNT), currency: orNull(CURRENCY) }),
  late_failure: record({
    ...SUBJECT,
    of: oneOf(['authorization', 'capture', 'refund']),
    code: CODE,
    failedAt: moment,
    facts: anObject,
  }),
  approvable: record(SUBJECT),
  report: record({ file: FILE }),
})

const LISTED = record({
  operation: oneOf(['authorize', 'capture', 'void', 'cancel', 'refund', 'increment']),
  attemptId: orNull(NAME),
  transactionId: orNull(NAME),
  authorization: REFERENCE,
  amount: orNull(AMOUNT),
  total: optional(AMOUNT),
  currency: CURRENCY,
  isFinal: flag,
  at: moment,
  answer: oneShapeBy('outcome', ANSWERS),
  card: orNull(record({ scheme: orNull(text()), last4: orNull(matching(/^\d{4}$/, 'four digits')) })),
})

const DEFENSE = record({
  name: text(),
  required: listOf(text()),
  oneOf: listOf(text()),
  optional: listOf(text()),
})

/** What each function of a connector for payments answers. Those of simulators are not checked. */
export const ANSWER_SHAPES = {
  authorize: AUTHORIZE_ANSWER,
  complete: AUTHORIZE_ANSWER,
  tokenize: AUTHORIZE_ANSWER,
  capture: ANSWER,
  void: ANSWER,
  cancel: ANSWER,
  refund: ANSWER,
  increment: ANSWER,
  payout: ANSWER,
  forgetToken: ANSWER,
  answerDispute: ANSWER,
  disputeFields: oneShapeBy('outcome', {
    told: record({ defenses: listOf(DEFENSE) }),
    unknown: record({ reason: text({ max: 500 }) }),
  }),
  sync: oneShapeBy('outcome', { ...AUTHORIZATION_ANSWERS, not_found: anObject }),
  activity: oneShapeBy('outcome', {
    listed: record({ operations: listOf(LISTED), next: orNull(text({ max: 1_000 })) }),
    unreachable: MESSAGE.unreachable,
  }),
  session: oneShapeBy('outcome', {
    succeeded: record({ statusCode: wholeNumber(100, 599), body: anObject }),
    failed: record({ code: text(), statusCode: orNull(wholeNumber(100, 599)) }),
  }),
  verify: oneShapeBy('outcome', { accepted: anObject, ...MESSAGE }),
  registerNotifications: oneShapeBy('outcome', {
    registered: record({ fields: mapOf(text({ max: 10_000, mayBeEmpty: true })) }),
    ...MESSAGE,
  }),
  readNotification: oneShapeBy('outcome', {
    read: record({
      notifications: listOf(NOTIFICATION),
      acknowledgement: optional(text({ max: 5_000, mayBeEmpty: true })),
      unread: optional(listOf(text({ max: 200 }))),
    }),
    rejected: MESSAGE.rejected,
  }),
} as const satisfies Partial<Record<keyof Connector, Shape>>

export const LIST_SHAPE = oneShapeBy('outcome', {
  listed: record({ files: listOf(FILE), hasMore: flag }),
  unreachable: MESSAGE.unreachable,
})

/** Every mistake in an answer, its facts included. */
export function answerProblems(act: keyof typeof ANSWER_SHAPES, answer: unknown): readonly string[] {
  const problems = ANSWER_SHAPES[act](answer, 'answer')
  const facts = isObject(answer) && isObject(answer['facts']) ? answer['facts'] : {}
  return [...problems, ...exactly(FACTS)(facts, 'answer.facts')]
}
