import {
  ApiError,
  DETAIL_TYPES,
  ERROR_CODES,
  type ErrorCode,
  errors,
  inBody,
  ReusedKeyError,
} from '../http/errors.ts'
import { Kind, Nullable, OneOf, Strict } from '../http/schemas.ts'
import { Type } from '../http/type.ts'
import type { Schema, SchemaCatalogue } from './openapi-schemas.ts'

type CatalogueStatus = (typeof ERROR_CODES)[ErrorCode]['status']
type ErrorStatus = CatalogueStatus | 422

export type Header = { description: string; schema: Schema; example?: unknown }
export type Reference = { $ref: string }
export type MediaType = {
  schema: Schema
  example?: unknown
  examples?: Record<string, { value: unknown }>
}
export type Response = {
  description: string
  headers?: Record<string, Reference>
  content?: { 'application/json': MediaType }
}

/** The name of each error response, what it means, and the headers it has beside the request id. */
const ERRORS: Record<ErrorStatus, { name: string; description: string; headers?: readonly string[] }> = {
  400: {
    name: 'BadRequest',
    description: 'The request is not valid. `details` names every field that is wrong, and why.',
  },
  401: {
    name: 'Unauthorized',
    description:
      'The token is missing, has expired, or is not signed by an active API key. `WWW-Authenticate` says why.',
    headers: ['WWW-Authenticate'],
  },
  403: {
    name: 'Forbidden',
    description:
      'The token or the roles of its key lack the scope, or the key may not act on that merchant account.',
  },
  404: { name: 'NotFound', description: 'There is no such resource, or this key may not see it.' },
  405: {
    name: 'MethodNotAllowed',
    description: 'The path exists, but not with this method. `Allow` lists its methods.',
    headers: ['Allow'],
  },
  409: {
    name: 'Conflict',
    description:
      'The record already exists (see `resource_id`), or a request with the same idempotency key is still being processed.',
    headers: ['Retry-After'],
  },
  422: {
    name: 'ReusedIdempotencyKey',
    description:
      'The idempotency key was used with another request. The body has its own shape. Only for POST.',
  },
  425: {
    name: 'TooEarly',
    description: 'An earlier operation has not ended yet. Retry after `Retry-After` seconds.',
  },
  429: {
    name: 'TooManyRequests',
    description: 'Too many requests. Wait for `Retry-After` seconds.',
    headers: ['Retry-After'],
  },
  500: {
    name: 'ServerError',
    description: 'Something failed on our side. The log has the cause under the `X-Request-ID`.',
  },
  502: { name: 'BadGateway', description: 'A provider gave an unusable answer.' },
  503: {
    name: 'ServiceUnavailable',
    description: 'The service cannot answer right now, for example while its database restarts.',
    headers: ['Retry-After'],
  },
  504: { name: 'GatewayTimeout', description: 'A provider did not answer in time.' },
}

const ErrorDetailSchema = Strict(
  {
    location: OneOf(['body', 'query', 'path', 'header'], { description: 'The part of the request.' }),
    pointer: Type.String({ description: 'A JSON pointer to the field in that part.' }),
    message: Type.String({ description: 'For people. May change.' }),
    type: OneOf(DETAIL_TYPES, { description: 'For programs. Does not change.' }),
  },
  { title: 'ErrorDetail' },
)

const ReusedKeySchema = Strict(
  {
    detail: Type.Array(
      Strict(
        {
          loc: Type.Array(Type.Union([Type.String(), Type.Integer()]), {
            description: 'The part of the request, then the path in it.',
          }),
          msg: Type.String(),
          type: Type.String(),
          input: Type.Optional(Type.Unknown({ description: 'Not sent today.' })),
          ctx: Type.Optional(Type.Object({}, { description: 'Not sent today.' })),
        },
        { title: 'ValidationError' },
      ),
    ),
  },
  { title: 'HTTPValidationError' },
)

/** Examples that show more than the bare error. */
const TELLING: Partial<Record<ErrorCode, ApiError>> = {
  bad_request: errors.invalid(inBody('/display_name', 'value_error.missing', 'field required')),
  forbidden: errors.forbidden({
    location: 'header',
    pointer: '/authorization',
    type: 'value_error.missing',
    message: 'the token lacks the scope merchant-accounts.write',
  }),
  duplicate_record: errors.duplicate(
    'fashion-store',
    inBody('/id', 'value_error.duplicate', 'is taken by another merchant account'),
  ),
}

const STATUSES = Object.keys(ERRORS).map(Number) as ErrorStatus[]

/** Every operation can answer with each of these. */
export const ERROR_REFERENCES: Record<string, Reference> = Object.fromEntries(
  STATUSES.map((status) => [status, { $ref: `#/components/responses/${ERRORS[status].name}` }]),
)

export function errorResponses(schemas: SchemaCatalogue): Record<string, Response> {
  return Object.fromEntries(
    STATUSES.map((status) => [
      ERRORS[status].name,
      status === 422 ? reusedKey(schemas) : answer(schemas, status),
    ]),
  )
}

function answer(schemas: SchemaCatalogue, status: CatalogueStatus): Response {
  const codes = (Object.keys(ERROR_CODES) as ErrorCode[]).filter(
    (code) => ERROR_CODES[code].status === status,
  )
  const schema = Strict(
    {
      type: Kind('error'),
      code: OneOf(codes, { description: 'For programs. Does not change.' }),
      status: Type.Unsafe<number>({ type: 'integer', const: status }),
      message: Type.String({ description: 'For people. May change.' }),
      details: Type.Array(ErrorDetailSchema),
      ...(status === 409 && {
        resource_id: Nullable(Type.String({ description: 'The record that already exists, if any.' })),
      }),
    },
    { title: `Error${status}` },
  )
  const examples = codes.map((code) => [code, { value: (TELLING[code] ?? new ApiError(code)).body() }])
  return {
    description: ERRORS[status].description,
    headers: headersOf(status),
    content: {
      'application/json': {
        schema: schemas.add(schema, 'response'),
        examples: Object.fromEntries(examples),
      },
    },
  }
}

function reusedKey(schemas: SchemaCatalogue): Response {
  return {
    description: ERRORS[422].description,
    headers: headersOf(422),
    content: {
      'application/json': {
        schema: schemas.add(ReusedKeySchema, 'response'),
        examples: { reused_key: { value: new ReusedKeyError().body() } },
      },
    },
  }
}

function headersOf(status: ErrorStatus): Record<string, Reference> {
  return referToHeaders('X-Request-ID', ...(ERRORS[status].headers ?? []))
}

export function referToHeaders(...names: readonly string[]): Record<string, Reference> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

/** Every header that an answer can have. */
export const HEADERS: Record<string, Header> = {
  'X-Request-ID': {
    description: 'Names this request in the log: your own id, or one of ours.',
    schema: { type: 'string' },
    example: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0009',
  },
  'Idempotent-Replayed': {
    description: 'Present on the stored answer of an earlier request with the same idempotency key.',
    schema: { type: 'string', const: 'true' },
    example: 'true',
  },
  'WWW-Authenticate': {
    description: 'Why the token was refused (RFC 6750).',
    schema: { type: 'string' },
    example: 'Bearer error="invalid_token", error_description="The token has expired"',
  },
  Allow: {
    description: 'The methods that this path has.',
    schema: { type: 'string' },
    example: 'GET, POST, HEAD',
  },
  'Retry-After': {
    description: 'The number of seconds to wait before a retry. On a 409 only while the first request runs.',
    schema: { type: 'integer', minimum: 0 },
    example: 1,
  },
}
