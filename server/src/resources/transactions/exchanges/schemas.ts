import { DateTime, Kind, Nullable, OneOf, Strict, Uuid } from '#platform/http/schemas.ts'
import { type Static, Type } from '#platform/http/type.ts'
import { CollectionOf, pageParameters } from '#platform/listing/pagination.ts'
import { UNREACHABLE_REASONS } from '#platform/outgoing/outgoing.ts'
import { OUTCOMES, PURPOSES } from '#processing/exchanges/store.ts'

const OPERATIONS = [
  'authorize',
  'capture',
  'void',
  'cancel',
  'refund',
  'increment',
  'redeem',
  'reverse',
  'authenticate',
] as const

const Headers = Type.Unsafe<Readonly<Record<string, string>>>({
  type: 'object',
  additionalProperties: { type: 'string' },
  description: 'By name, in lower case. `***` is a value that is not shown.',
})

const Body = Nullable(
  Strict(
    {
      kind: OneOf(['json', 'form', 'other'] as const, {
        description: 'What the body could be read as. Other bodies are not shown.',
      }),
      size: Type.Integer({ minimum: 0, description: 'Bytes, as sent.' }),
      content: Type.Unsafe<unknown>({
        description:
          'The body with its values masked, except those that the connector allows to be shown: `*** (16 characters)` stands for a ' +
          'text, `*** (number)` for a number. The parameters of a form are an object. Null if the body cannot be read, or is too ' +
          'long to be shown.',
      }),
    },
    { title: 'ExchangeBody' },
  ),
)

export const TransactionExchange = Strict(
  {
    type: Kind('transaction-exchange'),
    id: Uuid(),
    transaction_id: Uuid(),
    attempt_id: Uuid({
      description:
        'The attempt: all exchanges about the same authorization, capture or refund. An authentication is no attempt: it has the id of the transaction.',
    }),
    operation: OneOf(OPERATIONS, { description: 'What the attempt is for.' }),
    purpose: OneOf(PURPOSES, {
      description:
        '`request` asks for the operation. `completion` completes it after the buyer’s approval. `inquiry` asks for its outcome.',
    }),
    service_type: OneOf(['payment-service', 'gift-card-service', 'three-ds-service'] as const),
    service_id: Uuid(),
    service_definition_id: Type.String({ description: 'The connector, as in `stripe-card`.' }),
    idempotency_key: Nullable(
      Type.String({ description: 'The key under which the provider does it once. Null if none was sent.' }),
    ),
    request_id: Nullable(
      Type.String({ description: 'The `X-Request-ID` of the request that caused it. Null if a job did.' }),
    ),
    outcome: OneOf(OUTCOMES, {
      description:
        '`answered`: a whole answer came, whatever it says. `timed_out`: it did not come in time. `no_connection`: nothing was sent. ' +
        '`no_answer`: the connection ended before an answer; the request may have arrived. `answer_cut`: the connection ended ' +
        'within the answer. `answer_refused`: the answer was a redirect, or too long, and was not read.',
    }),
    reason: Nullable(OneOf(UNREACHABLE_REASONS, { description: 'Why there was no connection.' })),
    request: Strict(
      {
        method: Type.String(),
        url: Type.String({ description: 'Parts that are not shown are masked.' }),
        headers: Headers,
        body: Body,
      },
      { title: 'ExchangeRequest' },
    ),
    response: Nullable(
      Strict(
        { status_code: Type.Integer(), headers: Headers, body: Body },
        { title: 'ExchangeResponse', description: 'Headers that are not shown are left out.' },
      ),
    ),
    duration_ms: Type.Integer({ minimum: 0 }),
    created_at: DateTime({ description: 'When the request began.' }),
  },
  {
    title: 'TransactionExchange',
    examples: [
      {
        type: 'transaction-exchange',
        id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0031',
        transaction_id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0010',
        attempt_id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0030',
        operation: 'authorize',
        purpose: 'request',
        service_type: 'payment-service',
        service_id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0005',
        service_definition_id: 'adyen-card',
        idempotency_key: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0030',
        request_id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0032',
        outcome: 'answered',
        reason: null,
        request: {
          method: 'POST',
          url: 'https://checkout-test.adyen.com/v71/payments',
          headers: {
            'content-type': 'application/json',
            'idempotency-key': '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0030',
            'x-api-key': '***',
          },
          body: {
            kind: 'json',
            size: 412,
            content: {
              amount: { value: 1299, currency: 'EUR' },
              merchantAccount: 'ExampleShopECOM',
              paymentMethod: {
                type: '*** (6 characters)',
                number: '*** (16 characters)',
                cvc: '*** (3 characters)',
              },
            },
          },
        },
        response: {
          status_code: 200,
          headers: { 'content-type': 'application/json' },
          body: {
            kind: 'json',
            size: 187,
            content: {
              pspReference: 'NC6HT9CRT65ZGN82',
              resultCode: 'Refused',
              refusalReason: 'Not enough balance',
              refusalReasonCode: '12',
            },
          },
        },
        duration_ms: 284,
        created_at: '2026-11-15T09:30:00.000Z',
      },
    ],
  },
)
export type TransactionExchange = Static<typeof TransactionExchange>

export const TransactionExchanges = CollectionOf(TransactionExchange, 'TransactionExchanges')
export const ExchangeFilters = Strict(pageParameters(100, 20))
