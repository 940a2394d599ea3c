import { methodOf, type Operation, pathOf, successOf } from '../http/operation.ts'
import type { TSchema } from '../http/type.ts'
import {
  ERROR_REFERENCES,
  errorResponses,
  HEADERS,
  type Header,
  type MediaType,
  type Reference,
  type Response,
  referToHeaders,
} from './openapi-errors.ts'
import { exampleOf, type Schema, SchemaCatalogue } from './openapi-schemas.ts'

export type Parameter = {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  description: string
  schema: Schema
  example?: unknown
}

export type OperationObject = {
  operationId: string
  tags: string[]
  summary: string
  description: string
  security: Record<string, string[]>[]
  /** The scopes of one of these lists are enough. */
  'x-scopes': string[][]
  parameters: (Parameter | Reference)[]
  requestBody?: { required: boolean; content: { 'application/json': MediaType; '*/*'?: MediaType } }
  responses: Record<string, Response | Reference>
}

type HttpVerb = 'get' | 'post' | 'put' | 'delete'

export type OpenApiDocument = {
  openapi: '3.1.0'
  info: {
    title: string
    summary: string
    description: string
    version: string
    contact: { name: string; url: string }
    license: { name: string; identifier: string }
  }
  servers: { url: string }[]
  tags: { name: string; description?: string }[]
  /** Viewers that know this extension show the tags in groups. */
  'x-tagGroups': { name: string; tags: string[] }[]
  paths: Record<string, Partial<Record<HttpVerb, OperationObject>>>
  /** The requests that we send. */
  webhooks?: Record<string, { post: object }>
  components: {
    schemas: Record<string, Schema>
    parameters: Record<string, Parameter>
    headers: Record<string, Header>
    responses: Record<string, Response>
    securitySchemes: Record<string, object>
  }
}

export type ApiFacts = {
  readonly publicUrl: string
  readonly version: string
  /** The schema of events for subscribers. */
  readonly event?: TSchema
  /** The tags in the order of the document. */
  readonly tagGroups?: readonly TagGroup[]
}

/** The OpenAPI document, made from the table of operations. */
export function describeApi(operations: readonly Operation[], facts: ApiFacts): OpenApiDocument {
  const schemas = new SchemaCatalogue()
  const ids = exampleIds(operations)
  const paths: OpenApiDocument['paths'] = {}
  for (const operation of operations) {
    const path = pathOf(operation).replaceAll(/:(\w+)/g, '{$1}')
    const verb = methodOf(operation).toLowerCase() as HttpVerb
    paths[path] = { ...paths[path], [verb]: describeOperation(operation, schemas, ids) }
  }
  const responses = errorResponses(schemas)
  const groups = groupTags(facts.tagGroups ?? [], new Set(operations.map(({ tag }) => tag)))
  const webhooks = facts.event && { event: { post: describeWebhook(facts.event, schemas) } }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Switchyard API',
      summary: 'Payments that you run yourself.',
      description: introduction(facts.publicUrl),
      version: facts.version,
      contact: { name: 'Switchyard', url: `${facts.publicUrl}/docs` },
      license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: facts.publicUrl }],
    tags: groups.flatMap(({ tags }) =>
      tags.map(({ name, description }) => ({ name, ...(description && { description }) })),
    ),
    'x-tagGroups': groups.map(({ name, tags }) => ({ name, tags: tags.map((tag) => tag.name) })),
    paths,
    ...(webhooks && { webhooks }),
    components: {
      schemas: schemas.all(),
      parameters: PARAMETERS,
      headers: HEADERS,
      responses,
      securitySchemes: { bearerAuth: BEARER, sessionCookie: SESSION },
    },
  }
}

function describeWebhook(event: TSchema, schemas: SchemaCatalogue): object {
  return {
    operationId: 'receive_event',
    summary: 'Receive an event',
    description:
      'Signed in two ways: by `X-Service-Webhook-Signatures` (hex HMAC-SHA-256 of `{timestamp}.{body}`, keyed with the ' +
      'secret as text) and by the headers of Standard Webhooks. The id stays the same when the event is sent again.',
    security: [],
    parameters: WEBHOOK_HEADERS.map((name) => ({
      name,
      in: 'header',
      required: true,
      schema: { type: 'string' },
    })),
    requestBody: {
      required: true,
      content: { 'application/json': { schema: schemas.add(event, 'response') } },
    },
    responses: {
      '2XX': {
        description:
          'Accepted. After any other status, or no answer within 5 seconds, the event is sent again.',
      },
    },
  }
}

const WEBHOOK_HEADERS = [
  'X-Service-Webhook-ID',
  'X-Service-Webhook-Timestamp',
  'X-Service-Webhook-Signatures',
  'webhook-id',
  'webhook-timestamp',
  'webhook-signature',
]

const SESSION = {
  type: 'apiKey',
  in: 'cookie',
  name: '__Host-switchyard-…',
  description:
    'The session of a user who is signed in. The name ends in eight characters of the installation. It counts only in ' +
    'requests of our own pages, and never beside a token.',
}

const BEARER = {
  type: 'http',
  scheme: 'bearer',
  bearerFormat: 'JWT',
  description:
    'A JSON Web Token signed with the private key of an API key pair. On the machine that runs the service, `bin/switchyard token` prints one. Each operation names the scopes that it requires, in words, in `security`, and in `x-scopes`, where the scopes of one list are enough.',
}

const PARAMETERS: Record<string, Parameter> = {
  MerchantAccount: {
    name: 'X-Service-Merchant-Account-ID',
    in: 'header',
    required: false,
    description: 'The merchant account to act on. Without it, the first one of the key, or `default`.',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[^*]' },
    example: 'default',
  },
  MerchantAccounts: {
    name: 'X-Service-Merchant-Account-ID',
    in: 'header',
    required: false,
    description:
      'The merchant account to act on, or `*` for all that the key can reach. Without it, the first one of the key, or `default`.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
    example: 'default',
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'Makes a retry safe: a second request with the same key gets the answer of the first, and nothing is done twice.',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x20-\\x7e]+$' },
    example: '3f0c8a5e-0f7e-4a52-9d0b-6f4f1f6f2b11',
  },
}

function describeOperation(
  operation: Operation,
  schemas: SchemaCatalogue,
  ids: ReadonlyMap<string, string>,
): OperationObject {
  const { id, tag, summary, description, body, isBodyOptional } = operation
  const isPost = methodOf(operation) === 'POST' && !operation.isSignIn
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: [description, requirementOf(operation)].filter((text) => text).join('\n\n'),
    security: securityOf(operation),
    'x-scopes': scopesOf(operation),
    parameters: [
      ...pathParameters(operation, schemas, ids),
      ...queryParameters(operation, schemas),
      ...merchantAccountParameters(operation),
      ...preferParameters(operation),
      ...relayParameters(operation),
      ...(isPost ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
    ],
    ...(body && {
      requestBody: {
        required: !isBodyOptional,
        content: { ...jsonOf(schemas.add(body, 'request'), body), ...(operation.relay && ANY_BODY) },
      },
    }),
    responses: { ...successResponses(operation, schemas), ...ERROR_REFERENCES },
  }
}

/** The names in `security` are what OpenAPI calls roles: for a scheme that is not OAuth, they only inform. */
function securityOf(operation: Operation): OperationObject['security'] {
  if (operation.isForUsers && operation.scope !== null) return [{ sessionCookie: [] }]
  return scopesOf(operation).map((scopes) => ({ bearerAuth: scopes }))
}

function requirementOf(operation: Operation): string {
  const { scope, orScope, andScope, embed } = operation
  if (operation.isSignIn) return 'Takes no token. Only our own pages and programs may call it.'
  if (operation.isForUsers)
    return `Takes the session of a user, who always has the scope \`${scope}\`. A token is refused.`
  if (scope === null) return 'Takes no token: anyone who knows the id may call it.'
  const both = andScope ? `\`${scope}\` and \`${andScope}\`` : `\`${scope}\``
  const either = orScope ? `${both} or \`${orScope}\`` : both
  return `Requires the scope ${either}${embed ? ', or a browser token with `embed`' : ''}.`
}

/** The scopes of one of these lists are enough. */
function scopesOf({ scope, orScope, andScope, embed }: Operation): string[][] {
  if (scope === null) return []
  const scopes = andScope ? [scope, andScope] : [scope]
  return [scopes, ...(orScope ? [[orScope]] : []), ...(embed ? [['embed']] : [])]
}

function merchantAccountParameters({ scope, isList, isForAll }: Operation): Reference[] {
  if (scope === null) return []
  return [{ $ref: `#/components/parameters/MerchantAccount${isList || isForAll ? 's' : ''}` }]
}

function preferParameters({ prefers }: Operation): Parameter[] {
  if (!prefers) return []
  return [
    {
      name: 'Prefer',
      in: 'header',
      required: false,
      description: `Chooses the answer: ${prefers.map((value) => `\`resource=${value}\``).join(' or ')}.`,
      schema: { type: 'string' },
    },
  ]
}

const ANY_BODY = { '*/*': { schema: { type: 'string' } } } as const

function relayParameters({ relay }: Operation): Parameter[] {
  const headers = relay?.headers ?? []
  return headers.map(({ name, description, isRequired = false, example }) => ({
    name,
    in: 'header',
    required: isRequired,
    description,
    schema: { type: 'string' },
    example,
  }))
}

function pathParameters(
  operation: Operation,
  schemas: SchemaCatalogue,
  ids: ReadonlyMap<string, string>,
): Parameter[] {
  const { properties = {} } = (operation.params ?? {}) as { properties?: Record<string, TSchema> }
  return [...pathOf(operation).matchAll(/:(\w+)/g)].map(([, name = '']) => {
    const found = properties[name]
    if (!found) throw new Error(`${operation.id} has no schema for :${name}`)
    const { description = describeId(name), ...schema } = schemas.add(found, 'request')
    const example = schema.examples?.[0] ?? ids.get(name) ?? (schema.format === 'uuid' ? SOME_ID : undefined)
    return {
      name,
      in: 'path',
      required: true,
      description,
      schema,
      ...(example !== undefined && { example }),
    }
  })
}

function queryParameters({ query }: Operation, schemas: SchemaCatalogue): Parameter[] {
  if (!query) return []
  const { properties = {}, required = [] } = schemas.add(query, 'request')
  return Object.entries(properties).map(([name, { description = '', ...schema }]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    description,
    schema,
  }))
}

function successResponses(operation: Operation, schemas: SchemaCatalogue): Record<string, Response> {
  const isKeyed = methodOf(operation) === 'POST' && !operation.isSignIn
  const headers = isKeyed ? ['X-Request-ID', 'Idempotent-Replayed'] : ['X-Request-ID']
  const responses = Object.entries(operation.responses).map(([status, schema]) => [
    status,
    {
      description: SUCCESSES[status] ?? 'Done.',
      headers: referToHeaders(...headers),
      ...(schema && { content: jsonOf(schemas.add(schema, 'response'), schema) }),
    },
  ])
  return Object.fromEntries(responses)
}

const SUCCESSES: Readonly<Record<string, string>> = {
  200: 'Done.',
  201: 'Created.',
  202: 'Accepted; the work continues.',
  204: 'Done. There is no body.',
}

function jsonOf(schema: Schema, source: TSchema): { 'application/json': MediaType } {
  const example = exampleOf(source)
  return { 'application/json': { schema, ...(example !== undefined && { example }) } }
}

const SOME_ID = '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0001'

/** An id in a path gets its example from the answer of the operation at the end of that path. */
function exampleIds(operations: readonly Operation[]): Map<string, string> {
  const ids = new Map<string, string>()
  for (const operation of operations) {
    const name = /\/:(\w+)$/.exec(pathOf(operation))?.[1]
    const schema = operation.responses[successOf(operation)]
    if (name === undefined || !schema) continue
    const { id } = (exampleOf(schema) ?? {}) as { id?: unknown }
    if (typeof id === 'string') ids.set(name, id)
  }
  return ids
}

/** `api_key_pair_id` → The `id` of the API key pair. */
function describeId(name: string): string {
  const words = name.replace(/_id$/, '').replaceAll('_', ' ')
  const thing = words.replace(/\bapi\b/, 'API').replace('three ds', '3DS')
  return name.endsWith('_id') ? `The \`id\` of the ${thing}.` : `The ${thing}.`
}

/** What applies to every operation, in the Markdown of the document and, from there, on the page. */
function introduction(publicUrl: string): string {
  return `The HTTP API of Switchyard, a payments service that you run yourself. Requests and answers are JSON in UTF-8; fields that an operation does not name are refused. Amounts are whole numbers of the currency’s smallest unit, and times are in UTC.

## Authentication

Every request carries a JSON Web Token, except the few that a buyer’s browser sends within a checkout session. You sign it with the private key of an API key pair, so the key itself never travels. On the machine that runs the service, one command makes a token:

\`\`\`
curl -H "Authorization: Bearer $(bin/switchyard token)" \\
  ${publicUrl}/api-key-pairs
\`\`\`

In your own code, use any JWT library. The header has the algorithm of the key in \`alg\` and its thumbprint in \`kid\`. The claims are \`exp\`, the time it expires, and \`scopes\`, a list such as \`["api-key-pairs.read", "roles.read"]\`. The scopes \`*.read\` and \`*.write\` stand for every resource; write does not include read. A call is allowed if both the scopes of the token and the roles of the key allow it.

## Merchant accounts

One installation can serve several shops, each a merchant account with its own data. The header \`X-Service-Merchant-Account-ID\` selects the one that a request acts on. Without it, the request acts on the first account of the key, or on \`default\` if the key reaches all. Lists also take \`*\`, for all accounts that the key can reach, and so does \`POST /webhook-subscriptions\`, with a key for all accounts.

## Pagination

Lists are newest first and come in pages. \`limit\` says how many items a page holds. To go on, pass the \`next_cursor\` of an answer as \`cursor\`, and \`previous_cursor\` to go back. Each is null if there is no such page. A cursor is opaque and fits only the list that it came from. Pages stay stable while records are added and removed.

## Idempotency

Give every POST an \`Idempotency-Key\` of your own, such as a UUID, and you can send it again whenever you are not sure that it arrived. The second request gets the answer of the first, marked \`Idempotent-Replayed: true\`, and nothing is done twice. Keys are kept for 72 hours. A request that was refused leaves its key free. While the first is still running, the second gets a 409; the same key with another request gets a 422.

## Request ids

Every answer has an \`X-Request-ID\`, which names the request in the log. If you send the header, we use your id, so that you can compare your log with ours.

## Errors

An error has a \`code\` for programs, a \`message\` for people, and \`details\`: one entry for each thing that is wrong, with the part of the request and a JSON pointer to the field. All that is wrong with a request is reported at once, up to 100 entries. After a 429, a 500 or above, or no answer, retry with the same idempotency key.`
}

/** A resource of the API, or a part of one: `Buyers: gift cards` belongs to `Buyers`. */
export type Tag = {
  readonly name: string
  readonly description?: string
  /** Pages of the guide, as paths below `docs/` without their ending. */
  readonly guides?: readonly string[]
}

export type TagGroup = { readonly name: string; readonly tags: readonly Tag[] }

/** The groups without the tags that no operation has, and with those that no group names. */
function groupTags(groups: readonly TagGroup[], used: ReadonlySet<string>): TagGroup[] {
  const known = new Set(groups.flatMap(({ tags }) => tags.map(({ name }) => name)))
  const others = [...used].filter((name) => !known.has(name)).map((name) => ({ name }))
  return [...groups, { name: 'Others', tags: others }]
    .map(({ name, tags }) => ({ name, tags: tags.filter((tag) => used.has(tag.name)) }))
    .filter(({ tags }) => tags.length > 0)
}
