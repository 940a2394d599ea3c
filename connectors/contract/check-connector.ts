import { UPDATER_SCHEMES } from './account-updater.ts'
import { ANSWERABLE_STAGES } from './answer-dispute.ts'
import { BUYER_FIELD_NAMES } from './buyer-fields.ts'
import { ANSWER_SHAPES } from './check-answer.ts'
import { checkManifestText } from './check-manifest.ts'
import {
  ACCOUNT_UPDATER_ANSWER_SHAPES,
  ANTI_FRAUD_ANSWER_SHAPES,
  GIFT_CARD_ANSWER_SHAPES,
  NETWORK_TOKEN_ANSWER_SHAPES,
  THREE_D_SECURE_ANSWER_SHAPES,
} from './check-other-answers.ts'
import type { Connector } from './connector.ts'
import { CAPTURE_WAYS, PATIENCE_MAX_MS, PATIENCE_MIN_MS, PAYING_SHAPES } from './manifest.ts'
import { TOKEN_SCHEMES } from './network-token.ts'
import { FEE_PARTS } from './reports.ts'
import {
  aFunction,
  anObject,
  exactly,
  flag,
  listOf,
  mapOf,
  matching,
  oneOf,
  oneShapeBy,
  optional,
  pattern,
  type Shape,
  text,
  wholeNumber,
} from './shapes.ts'

/** Everything that one package may offer, by kind of provider. */
export const KINDS = [
  'connectors',
  'giftCards',
  'antiFraud',
  'threeDSecure',
  'accountUpdaters',
  'networkTokens',
] as const
export type ConnectorKind = (typeof KINDS)[number]

/** What a connector may be asked to do. */
export const OPERATIONS = [
  'authorize',
  'capture',
  'void',
  'cancel',
  'refund',
  'increment',
  'payout',
  'tokenize',
  'forgetToken',
] as const

/** What one request of a merchant can carry. */
const EVIDENCE_BYTES_MAX = 6 * 1024 * 1024

/** Of a payment that waits for its buyer: 90 days. */
const SECONDS_MAX = 90 * 86_400

const FIELD = exactly({
  key: matching(/^[a-z][a-z0-9_]{0,49}$/, 'small letters, digits and underscores'),
  displayName: text(),
  isRequired: flag,
  format: oneOf(['text', 'multiline', 'file', 'number', 'timezone', 'boolean']),
  pattern: optional(pattern),
  help: optional(text()),
  isSandboxOnly: optional(oneOf([true])),
  isSecret: flag,
  isVerifiable: flag,
  isAddress: optional(oneOf([true])),
})

const ACCOUNT_MANIFEST = {
  id: matching(/^(?=.{1,50}$)[a-z0-9]+(-[a-z0-9_]+)+$/, 'the provider and its purpose, such as acme-card'),
  displayName: text(),
  fields: listOf(FIELD),
  options: optional(anObject),
  isSimulator: flag,
  shownInTranscripts: optional(listOf(text())),
}

const codes = (shape: RegExp, example: string): Shape => {
  const list = listOf(matching(shape, `a code such as ${example}`))
  return (value, place) => (value === 'all' ? [] : list(value, place))
}

const optionalOf = (names: readonly string[], shape: Shape): Shape =>
  exactly(Object.fromEntries(names.map((name) => [name, optional(shape)])))

const MANIFEST = exactly({
  ...ACCOUNT_MANIFEST,
  method: text(),
  mode: oneOf(['card', 'redirect', 'bank']),
  instruments: listOf(
    oneOf(['card', 'network-token', 'wallet', 'redirect', 'bank', 'plaid', 'provider-token']),
  ),
  reportingFields: listOf(FIELD),
  currencies: codes(/^[A-Z]{3}$/, 'EUR'),
  countries: codes(/^[A-Z]{2}$/, 'NL'),
  capabilities: exactly({
    directCapture: flag,
    multipleCaptures: flag,
    overCapture: flag,
    remainderVoids: flag,
    partialRefunds: flag,
    partialAuthorization: flag,
    zeroAuthorization: flag,
    threeDSecurePassThrough: flag,
    threeDSecureByProvider: flag,
    operationNeeds: optional(optionalOf([...OPERATIONS, 'sync', ...CAPTURE_WAYS], aFunction)),
  }),
  terms: optional(
    exactly({
      shape: oneOf(PAYING_SHAPES),
      needs: listOf(text()),
      seconds: optional(wholeNumber(1, SECONDS_MAX)),
      payoutDays: optional(wholeNumber(0, 365)),
    }),
  ),
  buyerFields: optional(listOf(oneOf(BUYER_FIELD_NAMES))),
  payoutOptions: optional(anObject),
  recovery: oneShapeBy('by', {
    lookup: anObject,
    replay: exactly({
      by: anything,
      keysLiveMs: wholeNumber(1, Number.MAX_SAFE_INTEGER),
      alsoLooksUp: optional(oneOf([true])),
    }),
    notification: anObject,
  }),
  disputeAnswers: optional(
    exactly({
      accepts: listOf(oneOf(ANSWERABLE_STAGES)),
      defends: listOf(oneOf(ANSWERABLE_STAGES)),
      texts: mapOf(wholeNumber(1, 1_000_000)),
      textsMax: wholeNumber(0, 1_000_000),
      files: listOf(text()),
      contentTypes: listOf(matching(/^[a-z]+\/[\w.+-]+$/, 'a media type such as application/pdf')),
      fileBytesMax: wholeNumber(0, EVIDENCE_BYTES_MAX),
      filesBytesMax: wholeNumber(0, EVIDENCE_BYTES_MAX),
    }),
  ),
  patience: optional(
    optionalOf(
      [...OPERATIONS, 'answerDispute', 'complete', 'sync', 'activity'],
      wholeNumber(PATIENCE_MIN_MS, PATIENCE_MAX_MS),
    ),
  ),
})

const SHAPES: Readonly<Record<ConnectorKind, Shape>> = {
  connectors: exactly({
    manifest: MANIFEST,
    ...optionalFunctions(ANSWER_SHAPES),
    reports: optional(
      exactly({
        list: optional(aFunction),
        read: aFunction,
        parse: aFunction,
        accountOf: optional(aFunction),
        fees: optional(listOf(oneOf(FEE_PARTS))),
      }),
    ),
    trial: optional(anObject),
    simulation: optional(anObject),
    obstacleTo: optional(aFunction),
  }),
  giftCards: exactly({
    manifest: exactly(ACCOUNT_MANIFEST),
    ...optionalFunctions(GIFT_CARD_ANSWER_SHAPES),
    balance: aFunction,
    redeem: aFunction,
    refund: aFunction,
    reverse: aFunction,
    sync: aFunction,
  }),
  antiFraud: exactly({
    manifest: exactly(ACCOUNT_MANIFEST),
    ...optionalFunctions(ANTI_FRAUD_ANSWER_SHAPES),
    decide: aFunction,
    deviceScript: optional(aFunction),
  }),
  threeDSecure: exactly({
    manifest: exactly(ACCOUNT_MANIFEST),
    ...optionalFunctions(THREE_D_SECURE_ANSWER_SHAPES),
    takesPart: optional(aFunction),
    authenticate: aFunction,
    conclude: aFunction,
  }),
  accountUpdaters: exactly({
    manifest: exactly(ACCOUNT_MANIFEST),
    ...optionalFunctions(ACCOUNT_UPDATER_ANSWER_SHAPES),
    schemes: listOf(oneOf(UPDATER_SCHEMES)),
    findUpdate: aFunction,
  }),
  networkTokens: exactly({
    manifest: exactly(ACCOUNT_MANIFEST),
    ...optionalFunctions(NETWORK_TOKEN_ANSWER_SHAPES),
    schemes: listOf(oneOf(TOKEN_SCHEMES)),
    needsRequestor: flag,
    canSuspend: flag,
    provision: aFunction,
    change: aFunction,
    makeCryptogram: aFunction,
  }),
}

function anything(): readonly string[] {
  return []
}

function optionalFunctions(known: object): Record<string, Shape> {
  return Object.fromEntries(Object.keys(known).map((name) => [name, optional(aFunction)]))
}

/**
 * Everything that is wrong with what claims to be a connector, before any of its functions is called. The service refuses
 * to start with it, and its own suite fails.
 */
export function connectorProblems(kind: ConnectorKind, value: unknown): readonly string[] {
  const problems = SHAPES[kind](value, 'connector')
  // What follows reads the connector as if it had the right shape.
  return problems.length > 0 ? problems : checkManifestText(kind, value as Connector)
}
