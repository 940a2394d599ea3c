import { type Static, Type } from 'typebox'
import { WRITTEN } from '#domain/written-forms.ts'
import { DateTime, Kind, Nullable, OneOf, Strict, Uuid } from '#platform/http/schemas.ts'
import { CollectionOf, pageParameters } from '#platform/listing/pagination.ts'
import { DISPUTE_STATUSES } from '#resources/payment-service-reports/lines/disputes.ts'

const STATUS =
  '`open`: the bank has taken the money, and an answer may still be in time. `answered`: a person has noted that they answered. ' +
  '`expired`: the time to answer has passed, which is 45 days if the payment service tells no deadline. `returned`: the bank has given the money back.'

const Note = Type.String({
  minLength: 1,
  maxLength: 1_000,
  pattern: '\\S',
  expected: 'a text that is not empty',
})

export const ChargebackAnswer = Strict(
  { note: Note },
  {
    title: 'ChargebackAnswer',
    examples: [{ note: 'Sent the delivery receipt and the mails of 3 November. Case 4711 at the provider.' }],
  },
)
export type ChargebackAnswer = Static<typeof ChargebackAnswer>

export const ChargebackCase = Strict(
  {
    type: Kind('chargeback-case'),
    id: Uuid({ description: 'The id of the chargeback, as in the list of its transaction.' }),
    merchant_account_id: Type.String(),
    transaction_id: Uuid(),
    transaction_external_identifier: Nullable(
      Type.String({ description: 'Your own reference of the payment.' }),
    ),
    status: OneOf([...DISPUTE_STATUSES], { description: STATUS }),
    currency: Type.String({ ...WRITTEN.currency }),
    amount: Type.Integer({ description: 'Below zero: it was taken from the merchant.' }),
    reason_code: Nullable(
      Type.String({ description: 'Why the buyer’s bank took it, as a code of the provider.' }),
    ),
    reason_description: Nullable(Type.String({ description: 'The same in the provider’s words.' })),
    respond_by: Nullable(
      DateTime({ description: 'Until when the payment service takes an answer. Null if it has not told.' }),
    ),
    answer: Nullable(
      Strict(
        {
          note: Nullable(Type.String({ description: 'Null once the buyer is erased.' })),
          author: Strict({ id: Nullable(Uuid()), name: Type.String() }, { description: 'Who noted it.' }),
          created_at: DateTime(),
        },
        {
          title: 'NotedAnswer',
          description: 'That a person has answered at the payment service. Null: none has noted it.',
        },
      ),
    ),
    returned_at: Nullable(DateTime({ description: 'When the bank gave the money back.' })),
    posted_at: DateTime({ description: 'When the payment service posted the chargeback.' }),
    created_at: DateTime(),
    updated_at: DateTime(),
  },
  {
    title: 'ChargebackCase',
    examples: [
      {
        type: 'chargeback-case',
        id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0014',
        merchant_account_id: 'default',
        transaction_id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0010',
        transaction_external_identifier: 'order-4711',
        status: 'answered',
        currency: 'USD',
        amount: -1299,
        reason_code: '13.1',
        reason_description: 'Merchandise not received',
        respond_by: '2026-11-30T23:59:59.000Z',
        answer: {
          note: 'Sent the delivery receipt. Case 4711 at the provider.',
          author: { id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0042', name: 'Mara Lind' },
          created_at: '2026-11-17T08:20:00.000Z',
        },
        returned_at: null,
        posted_at: '2026-11-16T00:00:00.000Z',
        created_at: '2026-11-16T09:30:00.000Z',
        updated_at: '2026-11-17T08:20:00.000Z',
      },
    ],
  },
)
export type ChargebackCase = Static<typeof ChargebackCase>

export const ChargebackCases = CollectionOf(ChargebackCase, 'ChargebackCases')

export const ChargebackFilters = Strict({
  ...pageParameters(),
  status: Type.Optional(OneOf([...DISPUTE_STATUSES], { description: 'Only those that stand like this.' })),
  transaction_id: Type.Optional(Uuid({ description: 'Only those of this transaction.' })),
  posted_at_gte: Type.Optional(DateTime({ description: 'Only those posted at this time or later.' })),
  posted_at_lte: Type.Optional(DateTime({ description: 'Only those posted at this time or earlier.' })),
})
export type ChargebackFilters = Static<typeof ChargebackFilters>
