import { existsSync } from 'node:fs'
import { Validator } from '@seriousme/openapi-schema-validator'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sandbox } from '#sandbox/open.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { listOperations } from '../../app.ts'
import { TAG_GROUPS } from '../../tags.ts'
import { ERROR_CODES } from '../http/errors.ts'
import { methodOf, type Operation, operation, pathOf } from '../http/operation.ts'
import { Nullable, Strict, Uuid } from '../http/schemas.ts'
import { type TSchema, Type } from '../http/type.ts'
import { complaintsAbout } from '../http/validation.ts'
import { CollectionOf } from '../listing/pagination.ts'
import { describeApi, type OpenApiDocument, type OperationObject, type Parameter } from './openapi.ts'

const FACTS = { publicUrl: 'https://pay.example.com', version: '1.2.3' }
const ERROR_STATUSES = [...new Set([...Object.values(ERROR_CODES).map(({ status }) => status), 422])]

let service: TestService
let operations: Operation[]
let document: OpenApiDocument
beforeAll(async () => {
  service = await startTestService()
  document = (await service.app.inject('/openapi.json')).json()
  // Only handlers use these, and no test calls one.
  const { secrets, providers } = service
  const needs = { secrets, providers, publicUrl: FACTS.publicUrl, environment: 'sandbox' }
  operations = listOperations(needs as never, sandbox)
})
afterAll(() => service.close())

test('is served to anyone, on any site, for five minutes', async () => {
  const response = await service.app.inject('/openapi.json')

  expect(response.statusCode).toBe(200)
  expect(response.headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'public, max-age=300',
    'access-control-allow-origin': '*',
  })
  expect(document.servers).toEqual([{ url: 'http://127.0.0.1:3000' }])
})

test('is a valid OpenAPI 3.1 document', async () => {
  const result = await new Validator().validate(structuredClone(document))

  expect(result.errors).toBeUndefined()
  expect(result.valid).toBe(true)
})

test('has every operation of the table and no other', () => {
  const wanted = operations.map((one) => `${methodOf(one)} ${pathOf(one)} ${one.id}`)

  const found = documented().map(({ route, operationId }) => `${route} ${operationId}`)

  expect(new Set(found)).toEqual(new Set(wanted))
  expect(found.length).toBe(operations.length)
  expect(new Set(operations.map(({ id }) => id)).size).toBe(operations.length)
})

test('describes the requests to webhook subscriptions', () => {
  expect(document.webhooks).toMatchObject({
    event: {
      post: {
        operationId: 'receive_event',
        requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Event' } } } },
        responses: { '2XX': {} },
      },
    },
  })
})

test('has every error on every operation, each with its body', () => {
  for (const { operationId, responses } of documented()) {
    for (const status of ERROR_STATUSES) {
      const response = follow(
        document,
        responses[status],
      ) as OpenApiDocument['components']['responses'][string]
      expect(response?.content?.['application/json'].schema, `${operationId} ${status}`).toBeDefined()
      expect(response?.headers, `${operationId} ${status}`).toHaveProperty('X-Request-ID')
    }
  }
  const { responses, schemas } = document.components
  expect(responses['Unauthorized']?.headers).toHaveProperty('WWW-Authenticate')
  expect(responses['TooManyRequests']?.headers).toHaveProperty('Retry-After')
  expect(schemas['Error409']?.properties).toHaveProperty('resource_id')
  expect(schemas['HTTPValidationError']?.properties).toHaveProperty('detail')
})

test('names the scope, the headers and a description for every operation and parameter', () => {
  for (const described of documented()) {
    const { route, operationId, security, description, parameters, responses, summary } = described
    const stated = described['x-scopes']
    const operation = operations.find(({ id }) => id === operationId) as Operation
    const { scope, orScope, andScope } = operation
    const isKeyed = route.startsWith('POST') && !operation.isSignIn
    const scopes = [scope ?? [], andScope ?? []].flat()
    expect(summary, operationId).not.toBe('')
    const schemes =
      operation.isForUsers && scope !== null
        ? [{ sessionCookie: [] }]
        : stated.map((names) => ({ bearerAuth: names }))
    expect(security, operationId).toEqual(schemes)
    expect(stated[0], operationId).toEqual(scope === null ? undefined : scopes)
    if (orScope) expect(stated[1], operationId).toEqual([orScope])
    for (const named of [scopes, orScope ?? []].flat()) {
      expect(description, operationId).toContain(`\`${named}\``)
    }
    if (scope === null) expect(description, operationId).toContain('Takes no token')

    const known = parameters.map((parameter) => follow(document, parameter) as Parameter)
    const names = known.map(({ name }) => name)
    expect(names.includes('X-Service-Merchant-Account-ID'), operationId).toBe(scope !== null)
    expect(names.includes('Idempotency-Key'), operationId).toBe(isKeyed)
    for (const parameter of known) {
      expect(parameter.description, `${operationId} ${parameter.name}`).not.toBe('')
    }

    const headers = Object.values(responses).flatMap((response) =>
      'headers' in response ? [Object.keys(response.headers ?? {})] : [],
    )
    expect(headers[0], operationId).toEqual(
      isKeyed ? ['X-Request-ID', 'Idempotent-Replayed'] : ['X-Request-ID'],
    )
  }
})

test('has no pattern that readers understand differently: some read them without Unicode classes', () => {
  const patterns = [...JSON.stringify(document).matchAll(/"pattern":("(?:[^"\\\\]|\\\\.)*")/g)].map(
    ([, text = '']) => JSON.parse(text),
  )

  expect(patterns.length).toBeGreaterThan(20)
  expect(patterns.filter((pattern) => /\\[pP]\{|\\u\{/.test(pattern))).toEqual([])
})

test('describes every tag, in groups, transactions first', () => {
  const used = new Set(operations.map(({ tag }) => tag))
  const listed = TAG_GROUPS.flatMap(({ tags }) => tags)

  expect(document.tags).toEqual(listed.map(({ name, description }) => ({ name, description })))
  expect(document.tags[0]?.name).toBe('Transactions')
  expect(new Set(document.tags.map(({ name }) => name))).toEqual(used)
  expect(document.tags.length).toBe(used.size)
  expect(document['x-tagGroups'].flatMap(({ tags }) => tags)).toEqual(listed.map(({ name }) => name))
  for (const { name, description } of document.tags) expect(description, name).toMatch(/^[A-Z].{20,}[.]$/)
  for (const guide of listed.flatMap(({ guides = [] }) => guides)) {
    expect(existsSync(`docs/${guide}.md`), guide).toBe(true)
  }
})

test('names every operation by a verb and what it is about, without an article, and none twice', () => {
  const summaries = operations.map(({ summary }) => summary)

  expect(summaries.filter((summary) => !/^[A-Z][a-z]+ [A-Za-z0-9]/.test(summary))).toEqual([])
  expect(summaries.filter((summary) => / (an?|the) |[.,:’]/.test(summary))).toEqual([])
  expect(summaries.filter((summary, index) => summaries.indexOf(summary) < index)).toEqual([])
  expect(operations.find(({ route }) => route === 'POST /transactions')?.summary).toBe('Create transaction')
})

// Redocly's and Spectral's recommended rules, as far as the validator above does not check them. The tools themselves
// install 77 MB and take half a minute.
test('keeps the rules that linters of OpenAPI documents recommend', () => {
  const schemas = nodesOf({ ...document, info: {} })
  const arrays = schemas.filter(({ type }) => [type].flat().includes('array'))
  const described = documented()

  expect(arrays.filter(({ items }) => items === undefined)).toEqual([])
  expect(arrays.length).toBeGreaterThan(100)
  expect(document.info.contact).toEqual({ name: 'Switchyard', url: 'http://127.0.0.1:3000/docs' })
  expect(described.filter(({ operationId }) => !/^[a-z0-9_]+$/.test(operationId))).toEqual([])
  expect(
    described.filter(({ responses }) => !Object.keys(responses).some((status) => /^2/.test(status))),
  ).toEqual([])
  const enums = schemas.filter(({ enum: values }) => Array.isArray(values)) as { enum: unknown[] }[]
  expect(enums.filter(({ enum: values }) => new Set(values).size !== values.length)).toEqual([])
  const paths = Object.keys(document.paths)
  const shapes = paths.map((path) => path.replaceAll(/\{\w+\}/g, '{}'))
  expect(shapes.filter((shape, index) => shapes.indexOf(shape) < index)).toEqual([])
  expect(paths.filter((path) => /[/]$|[?]/.test(path))).toEqual([])
  for (const { route, operationId, parameters } of described) {
    const known = parameters.map((parameter) => follow(document, parameter) as Parameter)
    const named = known.filter((parameter) => parameter.in === 'path').map(({ name }) => name)
    expect(named, operationId).toEqual([...route.matchAll(/:(\w+)/g)].map(([, name]) => name))
    const keys = known.map((parameter) => `${parameter.in} ${parameter.name}`)
    expect(keys.length, operationId).toBe(new Set(keys).size)
  }
})

test('has only addresses as examples of addresses', () => {
  const wrong = nodesOf(document)
    .flatMap((node) => Object.entries(node))
    .filter(([name, value]) => /_url$/.test(name) && typeof value === 'string')
    .filter(([, value]) => !/^[\x21-\x7e]+$/.test(String(value)))

  expect(wrong).toEqual([])
})

test('refers to nothing that is not there', () => {
  const references = nodesOf(document).flatMap((node) => ('$ref' in node ? [String(node['$ref'])] : []))

  const dangling = references.filter((reference) => at(document, reference) === undefined)

  expect(dangling).toEqual([])
  expect(references.length).toBeGreaterThan(operations.length)
})

test('has an example for every body', () => {
  const bodies = documented().flatMap(({ operationId, requestBody, responses }) => {
    const contents = [requestBody, ...Object.values(responses)].flatMap((part) =>
      part && 'content' in part && part.content ? [part.content['application/json']] : [],
    )
    return contents.map((media) => ({ operationId, media }))
  })

  const without = bodies.filter(({ media }) => media.example === undefined)

  expect(without.map(({ operationId }) => operationId)).toEqual([])
  expect(bodies.length).toBeGreaterThan(10)
})

test('has only examples that their schemas accept', () => {
  const examples = examplesOf(document)

  // A schema is found where it is defined and where it is referred to. Each takes a while to compile.
  const known = new Map<string, TSchema>()
  const writtenOut = (schema: unknown): TSchema => {
    const found = whole(document, schema) as TSchema
    const text = JSON.stringify(found)
    known.set(text, known.get(text) ?? found)
    return known.get(text) ?? found
  }

  const wrong = examples.flatMap(({ schema, value }) => {
    const complaints = complaintsAbout('body', writtenOut(schema), structuredClone(value))
    return complaints.length > 0 ? [{ value, complaints }] : []
  })

  expect(wrong).toEqual([])
  expect(examples.length).toBeGreaterThan(50)
})

describe('a small table of operations', () => {
  const Thing = Strict(
    { id: Uuid(), colour: Type.String({ default: 'red' }) },
    { title: 'Thing', examples: [{ id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0005', colour: 'red' }] },
  )
  const Path = Strict({ thing_id: Uuid() })

  test('makes the example of a list from the example of its items', () => {
    const described = describeApi(
      [row('GET /things', { responses: { 200: CollectionOf(Thing, 'Things', 10) } })],
      FACTS,
    )

    const { responses } = onlyOne(described)
    expect(responses[200]).toMatchObject({
      content: {
        'application/json': {
          schema: { $ref: '#/components/schemas/Things' },
          example: { items: [{ colour: 'red' }], limit: 10, next_cursor: null, previous_cursor: null },
        },
      },
    })
    expect(described.components.schemas['Things']).toMatchObject({
      properties: { items: { items: { $ref: '#/components/schemas/Thing' } } },
    })
  })

  test('uses the resource’s example id in its path', () => {
    const described = describeApi(
      [
        row('DELETE /things/:thing_id', { params: Path, responses: { 204: null } }),
        row('GET /things/:thing_id', { params: Path, responses: { 200: Thing } }),
      ],
      FACTS,
    )

    expect(described.paths['/things/{thing_id}']?.delete?.parameters[0]).toEqual({
      name: 'thing_id',
      in: 'path',
      required: true,
      description: 'The `id` of the thing.',
      schema: { type: 'string', format: 'uuid' },
      example: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0005',
    })
  })

  test('refers to a titled schema where it may be null', () => {
    const Holder = Strict({ thing: Nullable(Thing), other: Thing }, { title: 'Holder' })

    const described = describeApi([row('GET /holder', { responses: { 200: Holder } })], FACTS)

    expect(described.components.schemas['Holder']?.properties).toEqual({
      thing: { anyOf: [{ $ref: '#/components/schemas/Thing' }, { type: 'null' }] },
      other: { $ref: '#/components/schemas/Thing' },
    })
  })

  test('does not require fields with a default', () => {
    const query = Strict({ limit: Type.Integer({ default: 20 }), at: Type.String() })

    const described = describeApi(
      [row('POST /things', { query, body: Strict({ colour: Type.String({ default: 'red' }) }) })],
      FACTS,
    )

    const { parameters, requestBody } = onlyOne(described)
    expect(parameters).toMatchObject([
      { name: 'limit', required: false },
      { name: 'at', required: true },
      { $ref: '#/components/parameters/MerchantAccount' },
      { $ref: '#/components/parameters/IdempotencyKey' },
    ])
    expect(requestBody?.content['application/json'].schema).not.toHaveProperty('required')
  })

  test('says that a browser may call an operation', () => {
    const described = describeApi([row('GET /things', { embed: true })], FACTS)

    const { 'x-scopes': scopes, description } = onlyOne(described)
    expect(scopes).toEqual([['things.read'], ['embed']])
    expect(description).toContain('`embed`')
  })

  test('refuses two schemas with one title', () => {
    const Impostor = Strict({ id: Type.String() }, { title: 'Thing' })
    const rows = [
      row('GET /things', { responses: { 200: Thing } }),
      row('GET /impostors', { responses: { 200: Impostor } }),
    ]

    expect(() => describeApi(rows, FACTS)).toThrow('Two different schemas have the title Thing')
  })

  test('refuses a path parameter without a schema', () => {
    const params = Type.Object({ id: Type.String() })

    expect(() => describeApi([row('GET /things/:thing_id', { params })], FACTS)).toThrow(
      'no schema for :thing_id',
    )
  })
})

function row(route: Operation['route'], parts: Partial<Operation> = {}): Operation {
  return operation({
    id: route.toLowerCase().replaceAll(/\W+/g, '_'),
    route,
    tag: 'Things',
    summary: 'A thing',
    scope: 'things.read',
    concerns: 'instance',
    responses: { 204: null },
    handler: async () => {},
    ...parts,
  } as Parameters<typeof operation>[0])
}

function onlyOne({ paths }: OpenApiDocument): OperationObject {
  const [found, ...others] = Object.values(paths).flatMap((item) => Object.values(item))
  if (!found || others.length > 0) throw new Error('expected one operation')
  return found
}

function documented() {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([verb, described]) => ({
      route: `${verb.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
      ...described,
    })),
  )
}

type Node = Record<string, unknown>

/** Every object in a document, at any depth. */
function nodesOf(value: unknown): Node[] {
  if (value === null || typeof value !== 'object') return []
  const inner = Object.values(value).flatMap(nodesOf)
  return Array.isArray(value) ? inner : [value as Node, ...inner]
}

/** Every example beside a schema: of bodies, parameters and headers, and of the schemas themselves. */
function examplesOf(root: unknown): { schema: unknown; value: unknown }[] {
  return nodesOf(root).flatMap((node) => {
    const { schema, example, examples } = node
    if (Array.isArray(examples)) return examples.map((value) => ({ schema: node, value }))
    if (schema === undefined) return []
    const named = Object.values((examples ?? {}) as Record<string, { value: unknown }>)
    return [...('example' in node ? [example] : []), ...named.map(({ value }) => value)].map((value) => ({
      schema,
      value,
    }))
  })
}

function at(root: unknown, reference: string): unknown {
  return reference
    .split('/')
    .slice(1)
    .reduce<unknown>((node, name) => (node as Node | undefined)?.[name], root)
}

function follow(root: unknown, value: unknown): unknown {
  const reference = (value as { $ref?: string } | undefined)?.$ref
  return reference === undefined ? value : at(root, reference)
}

/** The schema with everything it refers to written out. */
function whole(root: unknown, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((inner) => whole(root, inner))
  if (value === null || typeof value !== 'object') return value
  const found = follow(root, value) as Node
  return Object.fromEntries(Object.entries(found).map(([name, inner]) => [name, whole(root, inner)]))
}

test('says as much as the contract about methods, URLs, pages and 422', () => {
  const { schemas = {}, parameters = {} } = document.components as never as {
    schemas: Record<string, { properties: Record<string, Record<string, unknown>> }>
    parameters?: Record<string, unknown>
  }
  const property = (schema: string, name: string) => schemas[schema]?.properties[name] ?? {}

  expect(parameters).toBeDefined()
  for (const name of ['PaymentMethod', 'TransactionSummary', 'TransactionPaymentMethod']) {
    expect(property(name, 'method')['enum'], name).toEqual(expect.arrayContaining(['card', 'paypal', 'pix']))
  }
  expect(property('CreateWebhookSubscription', 'url')['format']).toBe('uri')
  expect(property('TransactionPaymentMethod', 'approval_url')['format']).toBe('uri')
  expect(Object.keys(schemas['ValidationError']?.properties ?? {})).toEqual(
    expect.arrayContaining(['input', 'ctx']),
  )
  expect(property('Transactions', 'limit')['default']).toBe(20)
  const listed = JSON.stringify(document.paths['/transactions']?.['get'])
  expect(listed).toContain('"format":"int32"')
})
