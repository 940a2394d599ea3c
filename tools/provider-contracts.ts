// Cuts what providers publish of their APIs down to what our connectors use, and writes it beside each connector as
// connectors/<provider>/testing/contract.json: node tools/provider-contracts.ts FOLDER [PROVIDER]
// FOLDER has the OpenAPI files that `files` names. The tests read what is written, never FOLDER: docs/decisions/connectors.md.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

type Json = Readonly<Record<string, unknown>>
type Source = {
  /** Where the files are from. They state their title and version, but no date and no licence. */
  readonly origin: { readonly from: string; readonly published: string; readonly licence: string }
  readonly files: readonly string[]
  /** What the connector asks, as in `POST /payments`. */
  readonly operations: readonly string[]
  /** What the connector reads of what comes by itself. */
  readonly webhooks?: readonly string[]
  /** Schemas of which nothing is read: anything fits. */
  readonly unread?: RegExp
  /** Patterns that cannot be what the provider means, and what it must mean. */
  readonly patterns?: Readonly<Record<string, string>>
  /** What schemas of requests require, by name, where the provider lists what its answers have. */
  readonly required?: Readonly<Record<string, readonly string[]>>
  /** Its `oneOf` have branches that fit together. */
  readonly hasOverlaps?: true
}

const SOURCES: Readonly<Record<string, Source>> = {
  adyen: {
    origin: { from: 'github.com/Adyen/adyen-openapi', published: '2026-07', licence: 'MIT' },
    files: [
      'adyen-checkout-v71.json',
      'adyen-webhooks-v1.json',
      'adyen-disputes-v30.json',
      'adyen-management-v3.json',
    ],
    operations: [
      'POST /paymentMethods',
      'POST /payments',
      'POST /payments/details',
      'POST /payments/{paymentPspReference}/amountUpdates',
      'POST /payments/{paymentPspReference}/cancels',
      'POST /payments/{paymentPspReference}/captures',
      'POST /payments/{paymentPspReference}/refunds',
      'POST /payments/{paymentPspReference}/reversals',
      'POST /storedPaymentMethods',
      'DELETE /storedPaymentMethods/{storedPaymentMethodId}',
      'POST /acceptDispute',
      'POST /defendDispute',
      'POST /deleteDisputeDefenseDocument',
      'POST /retrieveApplicableDefenseReasons',
      'POST /supplyDefenseDocument',
      'GET /merchants/{merchantId}/webhooks',
      'POST /merchants/{merchantId}/webhooks',
      'PATCH /merchants/{merchantId}/webhooks/{webhookId}',
      'POST /merchants/{merchantId}/webhooks/{webhookId}/generateHmac',
    ],
    webhooks: [
      'AUTHORISATION',
      'AUTHORISATION_ADJUSTMENT',
      'CANCELLATION',
      'CANCEL_OR_REFUND',
      'CAPTURE',
      'CAPTURE_FAILED',
      'CHARGEBACK',
      'CHARGEBACK_REVERSED',
      'EXPIRE',
      'INFORMATION_SUPPLIED',
      'NOTIFICATION_OF_CHARGEBACK',
      'NOTIFICATION_OF_FRAUD',
      'OFFER_CLOSED',
      'PREARBITRATION_LOST',
      'PREARBITRATION_WON',
      'REFUND',
      'REFUNDED_REVERSED',
      'REFUND_FAILED',
      'REPORT_AVAILABLE',
      'REQUEST_FOR_INFORMATION',
      'SECOND_CHARGEBACK',
    ],
  },
  cybersource: {
    origin: {
      from: 'github.com/CyberSource/cybersource-rest-client-node: names, types and values of version 0.0.83, limits of 2020-02, the last that were stored',
      published: '2026-07',
      licence: 'CyberSource SDK licence',
    },
    files: ['cybersource.json'],
    operations: [
      'POST /pts/v2/payments',
      'POST /pts/v2/payments/{id}/captures',
      'POST /pts/v2/payments/{id}/reversals',
      'POST /pts/v2/payments/{id}/refunds',
      'POST /pts/v2/captures/{id}/refunds',
      'POST /tss/v2/searches',
      'GET /tss/v2/transactions/{id}',
    ],
  },
  paypal: {
    origin: {
      from: 'github.com/paypal/paypal-rest-api-specifications',
      published: '2024-02',
      licence: 'Apache-2.0',
    },
    files: [
      'paypal-orders-v2.json',
      'paypal-payments-v2.json',
      'paypal-webhooks-v1.json',
      'paypal-disputes-v1.json',
      'paypal-reporting-v1.json',
      'paypal-vault-v3.json',
    ],
    operations: [
      'POST /v2/checkout/orders',
      'GET /v2/checkout/orders/{id}',
      'POST /v2/checkout/orders/{id}/authorize',
      'POST /v2/checkout/orders/{id}/capture',
      'GET /v2/payments/authorizations/{authorization_id}',
      'POST /v2/payments/authorizations/{authorization_id}/capture',
      'POST /v2/payments/authorizations/{authorization_id}/reauthorize',
      'POST /v2/payments/authorizations/{authorization_id}/void',
      'GET /v2/payments/captures/{capture_id}',
      'POST /v2/payments/captures/{capture_id}/refund',
      'GET /v2/payments/refunds/{refund_id}',
      'GET /v1/notifications/webhooks',
      'POST /v1/notifications/webhooks',
      'GET /v1/notifications/webhooks/{webhook_id}',
      'PATCH /v1/notifications/webhooks/{webhook_id}',
      'GET /v1/notifications/webhooks-event-types',
      'GET /v1/customer/disputes',
      'GET /v1/customer/disputes/{id}',
      'POST /v1/customer/disputes/{id}/accept-claim',
      'POST /v1/customer/disputes/{id}/provide-evidence',
      'GET /v1/reporting/balances',
      'GET /v1/reporting/transactions',
      'POST /v3/vault/payment-tokens',
      'DELETE /v3/vault/payment-tokens/{id}',
      'POST /v3/vault/setup-tokens',
      'GET /v3/vault/setup-tokens/{id}',
    ],
    unread:
      /^4\/error_default$|^3\/(adjudication|.*supporting|offer|message|communication|refund_details|extensions)/,
  },
  stripe: {
    origin: { from: 'github.com/stripe/openapi', published: '2023-09-12', licence: 'MIT' },
    files: ['stripe.json'],
    operations: [
      'GET /v1/balance_transactions',
      'GET /v1/charges',
      'GET /v1/disputes',
      'GET /v1/disputes/{dispute}',
      'POST /v1/disputes/{dispute}',
      'POST /v1/disputes/{dispute}/close',
      'GET /v1/events',
      'GET /v1/payment_intents',
      'POST /v1/payment_intents',
      'GET /v1/payment_intents/search',
      'GET /v1/payment_intents/{intent}',
      'POST /v1/payment_intents/{intent}/cancel',
      'POST /v1/payment_intents/{intent}/capture',
      'POST /v1/payment_intents/{intent}/increment_authorization',
      'POST /v1/payment_methods',
      'GET /v1/payouts',
      'GET /v1/refunds',
      'POST /v1/refunds',
      'GET /v1/setup_intents',
      'POST /v1/setup_intents',
      'GET /v1/setup_intents/{intent}',
      'POST /v1/setup_intents/{intent}/cancel',
      'GET /v1/webhook_endpoints',
      'POST /v1/webhook_endpoints',
      'DELETE /v1/webhook_endpoints/{webhook_endpoint}',
    ],
    unread:
      /^0\/(?!(error|api_errors|charge(_\w+)?|payment_intent(_next_action(_redirect_to_url|_verify_with_microdeposits)?)?|setup_intent(_next_action(_redirect_to_url)?)?|payment_method(_details)?(_(card|ideal|bancontact|klarna|sepa_debit|us_bank_account)(_checks)?)?|refund|dispute(_evidence_details)?|balance_transaction|fee|payout|event|notification_event_\w+|webhook_endpoint|deleted_webhook_endpoint|shipping|address|billing_details|three_d_secure_\w+)$)/,
  },
  mollie: {
    origin: { from: 'github.com/mollie/openapi', published: '2026-08-21', licence: 'none stated' },
    files: ['mollie.json'],
    operations: [
      'GET /v2/payments',
      'POST /v2/payments',
      'GET /v2/payments/{paymentId}',
      'DELETE /v2/payments/{paymentId}',
      'POST /v2/payments/{paymentId}/release-authorization',
      'GET /v2/payments/{paymentId}/captures',
      'POST /v2/payments/{paymentId}/captures',
      'GET /v2/payments/{paymentId}/refunds',
      'POST /v2/payments/{paymentId}/refunds',
      'GET /v2/payments/{paymentId}/chargebacks',
      'GET /v2/settlements',
      'GET /v2/settlements/{settlementId}',
      'GET /v2/settlements/{settlementId}/captures',
      'GET /v2/settlements/{settlementId}/chargebacks',
      'GET /v2/settlements/{settlementId}/payments',
      'GET /v2/settlements/{settlementId}/refunds',
    ],
    unread:
      /^0\/(status-reason(-\w+)*|payment-details-(?!failure-reason).*|.*routing.*|entity-payment-route.*|recurring-line-item)$/,
    required: { '0/entity-refund': ['amount'] },
  },
  gocardless: {
    origin: {
      from: 'github.com/gocardless/gocardless-nodejs: names, types and values of version 10.1.2, limits of its comments',
      published: '2026-08-13',
      licence: 'MIT',
    },
    files: ['gocardless.json'],
    operations: [
      'GET /billing_requests',
      'POST /billing_requests',
      'GET /billing_requests/{identity}',
      'POST /billing_requests/{identity}/actions/cancel',
      'POST /billing_request_flows',
      'GET /events',
      'GET /mandates/{identity}',
      'POST /mandates/{identity}/actions/cancel',
      'GET /payments',
      'POST /payments',
      'GET /payments/{identity}',
      'POST /payments/{identity}/actions/cancel',
      'GET /refunds',
      'POST /refunds',
      'GET /refunds/{identity}',
      'GET /payouts',
      'GET /payouts/{identity}',
      'GET /payout_items',
    ],
    webhooks: ['events'],
    unread:
      /^0\/(.*(Subscription|Instalment)\w*|BillingRequest(Action|Resources)\w*|EventCustomerNotification|EventSource|PayoutItemTaxis|BillingRequestFlowPrefilledBankAccount)$/,
  },
  worldpay: {
    origin: {
      from: 'docs.worldpay.com/access/products: 3ds, card-payments, payment-queries, events, card-payouts, tokens',
      published: '2026-07',
      licence: 'none stated',
    },
    files: [
      'worldpay-3ds-v3.json',
      'worldpay-card-payments-v7.json',
      'worldpay-payment-queries-v1.json',
      'worldpay-events-v1.json',
      'worldpay-card-payouts-v4.json',
      'worldpay-tokens-v3.json',
    ],
    operations: [
      'POST /verifications/customers/3ds/deviceDataInitialization',
      'POST /verifications/customers/3ds/authentication',
      'POST /verifications/customers/3ds/verification',
      'POST /cardPayments/customerInitiatedTransactions',
      'POST /cardPayments/merchantInitiatedTransactions',
      'POST /payments/settlements/partials/{linkData}',
      'POST /payments/settlements/refunds/partials/{linkData}',
      'POST /payments/authorizations/cancellations/{linkData}',
      'GET /paymentQueries/payments',
      'GET /paymentQueries/payments/{paymentId}',
      'POST /payouts/fastAccess',
      'GET /payouts/query',
      'POST /tokens/network',
      'GET /tokens/network/{id}',
      'DELETE /tokens/network/{id}',
      'POST /tokens/network/cryptograms',
    ],
    webhooks: ['sentForSettlement', 'sentForRefund', 'refundFailed', 'approvedPayout', 'refusedPayout'],
    unread:
      /^[12]\/(exemption|fundsTransfer|order|industryData|recipient|paymentFacilitator|updatedPaymentInstrument)/,
    patterns: {
      '^[A-Z]$': '^[A-Z]{3}$',
      '^[a-zA-Z0-9 _!@#$%()*=.:;?[]{}~/+-,`^&]*$': '^[a-zA-Z0-9 _!@#$%()*=.:;?[\\]{}~/+\\-,`^&]*$',
    },
    hasOverlaps: true,
  },
}

/** The words of JSON Schema that say what fits. All others are prose, or for those who read. */
const KEPT = [
  ...['$ref', 'type', 'enum', 'required', 'pattern', 'minLength', 'maxLength', 'minimum', 'maximum'],
  ...[
    'minItems',
    'maxItems',
    'properties',
    'items',
    'additionalProperties',
    'allOf',
    'anyOf',
    'oneOf',
    'format',
  ],
]

if (import.meta.main) {
  const [, , folder, only] = process.argv
  if (folder === undefined) throw new Error('usage: node tools/provider-contracts.ts FOLDER [PROVIDER]')
  for (const [provider, source] of Object.entries(SOURCES)) {
    if (only !== undefined && only !== provider) continue
    const documents = source.files.map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as Json)
    const text = written(cut(documents, source))
    writeFileSync(`connectors/${provider}/testing/contract.json`, text)
    process.stdout.write(`${provider}: ${text.length} bytes\n`)
  }
}

/** One contract of several documents. Names of schemas begin with the place of their document: `0/Amount`. */
export function cut(documents: readonly Json[], source: Source) {
  const { origin, operations, webhooks, unread, patterns = {}, required = {}, hasOverlaps = false } = source
  const read: Record<string, Json> = {}
  const schemas: Record<string, unknown> = {}
  const told: Record<string, unknown> = {}
  const waiting: string[] = []
  const reading = {
    isUnread: (name: string) => unread?.test(name) ?? false,
    found: (name: string) => waiting.push(name),
    patterns,
    hasOverlaps,
  }

  for (const [place, document] of documents.entries()) {
    const inPlace = (value: unknown) => shape(value, { ...reading, place })
    for (const [path, verbs] of Object.entries((document['paths'] ?? {}) as Record<string, Json>)) {
      for (const [verb, operation] of Object.entries(verbs)) {
        const name = `${verb.toUpperCase()} ${path}`
        if (operations.includes(name)) read[name] = operationOf(document, operation as Json, inPlace)
      }
    }
    for (const [path, { post }] of Object.entries(
      (document['webhooks'] ?? {}) as Record<string, { post?: Json }>,
    )) {
      const name = path.replace(/^\//, '')
      if (webhooks?.includes(name)) told[name] = inPlace(contentOf(document, post?.['requestBody']))
    }
  }
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (name in schemas) continue
    const [place = '', own = ''] = name.split(/\/(.*)/)
    const { components, definitions = {} } = (documents[Number(place)] ?? {}) as Record<string, Json>
    const all = (components?.['schemas'] ?? definitions) as Json
    const cutDown = shape(all[own], { ...reading, place: Number(place) })
    schemas[name] = required[name] ? { ...(cutDown as Json), required: required[name] } : cutDown
  }
  const missing = [...operations, ...(webhooks ?? [])].filter((name) => !(name in read) && !(name in told))
  if (missing.length > 0) throw new Error(`the documents have no ${missing.join(', ')}`)
  const from = documents.map(({ info }) => `${(info as Json)['title']} ${(info as Json)['version']}`)
  return {
    origin: { ...origin, documents: from },
    operations: read,
    webhooks: told,
    schemas: Object.fromEntries(Object.entries(schemas).toSorted(([a], [b]) => (a < b ? -1 : 1))),
  }
}

function operationOf(document: Json, operation: Json, inPlace: (schema: unknown) => unknown): Json {
  const parameters = ((operation['parameters'] ?? []) as Json[]).map((one) => resolved(document, one))
  const query = parameters.filter((one) => one['in'] === 'query')
  // Of Swagger 2, which has the schema of a parameter or an answer beside its name.
  const ofSwagger = parameters.find((one) => one['in'] === 'body')
  const body = contentOf(document, operation['requestBody'] ?? ofSwagger)
  const answers = Object.entries((operation['responses'] ?? {}) as Json).map(
    ([status, answer]) => [status, inPlace(contentOf(document, answer))] as const,
  )
  return {
    query: inPlace({
      type: 'object',
      properties: Object.fromEntries(query.map((one) => [one['name'], one['schema'] ?? one])),
      required: query.filter((one) => one['required'] === true).map((one) => one['name']),
    }),
    ...(body !== undefined && { request: inPlace(body) }),
    // Without a body: nothing to read.
    answers: Object.fromEntries(answers.map(([status, schema]) => [status, schema ?? true])),
  }
}

/** The only schema of a request or an answer. */
function contentOf(document: Json, given: unknown): unknown {
  const { content, schema } = resolved(document, (given ?? {}) as Json) as Record<string, Json>
  return content ? (Object.values(content)[0] as Json | undefined)?.['schema'] : schema
}

function resolved(document: Json, part: Json): Json {
  if (typeof part['$ref'] !== 'string') return part
  const names = part['$ref'].slice(2).split('/')
  return names.reduce<unknown>((value, name) => (value as Json)[name], document) as Json
}

type Reading = {
  readonly place: number
  readonly isUnread: (name: string) => boolean
  readonly found: (name: string) => void
} & Required<Pick<Source, 'patterns'>> & { readonly hasOverlaps: boolean }

/** A schema without its prose. `nullable` of OpenAPI 3.0 becomes a type. */
function shape(given: unknown, reading: Reading): unknown {
  if (typeof given !== 'object' || given === null) return given
  const schema = given as Json
  const inner = (value: unknown) => shape(value, reading)
  const entries = KEPT.flatMap((word): [string, unknown][] => {
    const value = schema[word]
    if (value === undefined) return []
    if (word === '$ref') {
      const name = `${reading.place}/${String(value).split('/').at(-1)}`
      if (reading.isUnread(name)) return []
      reading.found(name)
      return [[word, name]]
    }
    if (word === 'properties') {
      return [
        [word, Object.fromEntries(Object.entries(value as Json).map(([name, one]) => [name, inner(one)]))],
      ]
    }
    if (word === 'items' || word === 'additionalProperties') return [[word, inner(value)]]
    if (word === 'anyOf') {
      const parts = (value as unknown[]).map(inner) as Json[]
      return parts.some((part) => Object.keys(part).length === 0) ? [] : [[word, parts]]
    }
    if (word === 'oneOf' && reading.hasOverlaps) return [['anyOf', (value as unknown[]).map(inner)]]
    if (word === 'allOf' || word === 'oneOf') return [[word, (value as unknown[]).map(inner)]]
    if (word === 'pattern') return [[word, reading.patterns[String(value)] ?? value]]
    if (word === 'format' && value !== 'date' && value !== 'date-time') return []
    // A list of sentences: prose.
    if (word === 'enum' && (value as unknown[]).some((one) => / .* .* /.test(String(one)))) return []
    return Array.isArray(value) && value.length === 0 ? [] : [[word, value]]
  })
  const kept = joined(Object.fromEntries(entries))
  return schema['nullable'] === true ? orNull(kept) : kept
}

/** PayPal lists its issues as objects that differ in one word. They are one object with a list. */
function joined(schema: Json): Json {
  const parts = (schema['anyOf'] ?? []) as { properties?: { issue?: { enum?: unknown[] } } }[]
  const issues = parts.flatMap(({ properties }) => properties?.issue?.enum ?? [])
  if (parts.length < 2 || issues.length < parts.length) return schema
  const { anyOf: _parts, ...rest } = schema
  const properties = { ...parts[0]?.properties, issue: { type: 'string', enum: issues } }
  return { ...rest, properties }
}

function orNull(schema: Json): Json {
  const isPlain = typeof schema['type'] === 'string' && schema['enum'] === undefined
  return isPlain ? { ...schema, type: [schema['type'], 'null'] } : { anyOf: [schema, { type: 'null' }] }
}

/** A line for each operation, webhook and schema, so that a change of the contract is a change of its lines. */
function written(contract: Json): string {
  const lines = (part: Json) =>
    Object.entries(part)
      .map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`)
      .join(',\n')
  const parts = Object.entries(contract).map(
    ([name, part]) => `${JSON.stringify(name)}:{\n${lines(part as Json)}\n}`,
  )
  return `{${parts.join(',\n')}}\n`
}
