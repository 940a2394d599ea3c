import { DETAIL_TYPES, ERROR_CODES, type ErrorCode } from '#platform/http/errors.ts'
import { DateTime, Kind, Nullable, OneOf, Strict, Uuid } from '#platform/http/schemas.ts'
import { type Static, Type } from '#platform/http/type.ts'
import { CollectionOf, pageParameters } from '#platform/listing/pagination.ts'

const METHODS = ['GET', 'POST', 'PUT', 'DELETE'] as const
const STATUS_CLASSES = ['2xx', '4xx', '5xx'] as const
const CODES = Object.keys(ERROR_CODES) as ErrorCode[]

const Detail = Strict({
  location: OneOf(['body', 'query', 'path', 'header']),
  pointer: Type.String({ description: 'A JSON pointer to the field.' }),
  type: OneOf(DETAIL_TYPES),
  message: Type.String(),
})

const ApiLogError = Strict(
  {
    code: Nullable(
      OneOf(CODES, { description: 'Null for 422: the idempotency key was used with another request.' }),
    ),
    message: Type.String(),
    details: Type.Array(Detail, {
      description: 'At most 20. They name fields, and never have their values.',
    }),
  },
  { title: 'APILogError' },
)
export type ApiLogError = Static<typeof ApiLogError>

const Caller = Strict(
  { type: OneOf(['api-key-pair', 'user']), id: Uuid(), name: Type.String() },
  { title: 'APILogCaller' },
)

export const ApiLog = Strict(
  {
    type: Kind('api-log'),
    id: Uuid(),
    merchant_account_id: Nullable(
      Type.String({
        description:
          'The account that the request acted on; if it acted on several, the first of its caller. Null for requests about the whole ' +
          'installation, and without a known caller.',
      }),
    ),
    request_id: Type.String({ description: 'The `x-request-id` of the answer.' }),
    method: OneOf(METHODS),
    path: Type.String({
      description:
        'Without the query. Of operations that take no token it is the pattern, because their ids are secret.',
    }),
    operation_id: Type.String({ description: 'As in this document.' }),
    status: Type.Integer({ description: 'The HTTP status of the answer.' }),
    duration_ms: Type.Integer({ description: 'From the arrival of the request to the end of its answer.' }),
    caller: Nullable({ ...Caller, description: 'Null if there was no valid token, or none is needed.' }),
    has_idempotency_key: Type.Boolean(),
    error: Nullable(ApiLogError),
    created_at: DateTime({ description: 'When the request arrived.' }),
  },
  {
    title: 'APILog',
    examples: [
      {
        type: 'api-log',
        id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0001',
        merchant_account_id: 'default',
        request_id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0002',
        method: 'POST',
        path: '/transactions',
        operation_id: 'create_transaction',
        status: 400,
        duration_ms: 4,
        caller: { type: 'api-key-pair', id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0003', name: 'Shop backend' },
        has_idempotency_key: true,
        error: {
          code: 'bad_request',
          message: 'Request failed validation',
          details: [
            {
              location: 'body',
              pointer: '/currency',
              type: 'value_error.missing',
              message: 'is required',
            },
          ],
        },
        created_at: '2026-11-15T09:30:00.000Z',
      },
    ],
  },
)
export type ApiLog = Static<typeof ApiLog>

export const ApiLogs = CollectionOf(ApiLog, 'APILogs')

export const ApiLogFilters = Strict({
  ...pageParameters(),
  created_at_lte: Type.Optional(DateTime({ description: 'Only requests that arrived by this time.' })),
  created_at_gte: Type.Optional(
    DateTime({ description: 'Only requests that arrived at this time or later.' }),
  ),
  status_class: Type.Optional(
    Type.Array(OneOf(STATUS_CLASSES), { description: 'Only requests whose answer had such a status.' }),
  ),
  method: Type.Optional(OneOf(METHODS, { description: 'Only requests with this method.' })),
  path_prefix: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 500,
      description: 'Only requests whose path begins so, such as `/transactions/`.',
    }),
  ),
  caller_id: Type.Optional(Uuid({ description: 'Only requests of this API key pair or user.' })),
  request_id: Type.Optional(
    Type.String({ minLength: 1, maxLength: 128, description: 'Only requests with this `x-request-id`.' }),
  ),
})
export type ApiLogFilters = Static<typeof ApiLogFilters>
