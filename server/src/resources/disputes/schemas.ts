import { DISPUTE_STAGES } from '#connectors/contract/connector.ts'
import { createdAt } from '#domain/ids.ts'
import { WRITTEN } from '#domain/written-forms.ts'
import { DateTime, Kind, Nullable, OneOf, Strict, Uuid } from '#platform/http/schemas.ts'
import { type Static, Type } from '#platform/http/type.ts'
import { CollectionOf, pageParameters } from '#platform/listing/pagination.ts'
import type { DisputeAnswer as StoredAnswer, StoredDispute } from './store.ts'

/** It goes into the header of a part. */
export const FILE_NAME = '^[^\\u0000-\\u001f\\u007f"\\\\/]+$'

const STAGE =
  '`inquiry`: the buyer’s bank asks what was bought. `early_fraud_warning`: it takes the payment for fraud, and asks for nothing. ' +
  '`notification`: a chargeback is coming, and can be answered. `chargeback`: the bank has taken the money. `second_chargeback`: it has ' +
  'taken it again after the merchant’s answer. `arbitration`: the answer is disputed, up to the decision of the scheme. `won`, `lost`: it ' +
  'is decided. `expired`: the time to answer is over.'

const TOLD = {
  amount: Nullable(
    Type.Integer({ description: 'What is disputed, never below zero. Null if it was not told.' }),
  ),
  currency: Nullable(Type.String({ ...WRITTEN.currency })),
  reason_code: Nullable(
    Type.String({ description: 'Why the buyer’s bank disputes it, as a code of the provider.' }),
  ),
  reason_description: Nullable(Type.String({ description: 'The same in the provider’s words.' })),
}

const DisputeStep = Strict(
  {
    stage: Nullable(OneOf(DISPUTE_STAGES, { description: 'Null: the dispute stayed where it was.' })),
    provider_stage: Nullable(Type.String({ description: 'The provider’s own word for the step.' })),
    ...TOLD,
    respond_by: Nullable(DateTime()),
    posted_at: DateTime({ description: 'When it happened at the payment service.' }),
    created_at: DateTime({ description: 'When we heard of it.' }),
  },
  { title: 'DisputeStep' },
)

const DisputeAnswer = Strict(
  {
    act: OneOf(['accept', 'defend'], {
      description: '`accept`: the money is given up. `defend`: evidence was sent.',
    }),
    stage: OneOf(DISPUTE_STAGES, { description: 'The stage that it answers.' }),
    status: OneOf(['processing', 'succeeded', 'declined', 'failed', 'unknown'], {
      description:
        '`processing`: the payment service has not said yet whether it took the answer; we ask until it does, for a month. `succeeded`: it took it. ' +
        'It did not if `declined` or `failed`: then answer again before the deadline. `unknown`: it never said, and we ask no more; look there ' +
        'whether it has your answer.',
    }),
    error_code: Nullable(Type.String({ description: 'Why the payment service did not take it.' })),
    evidence: Type.Array(
      Strict(
        {
          name: Type.String(),
          content_type: Nullable(Type.String({ description: 'Null: a text.' })),
          bytes: Type.Integer({ description: 'How long it was, also if it is a text.' }),
        },
        { title: 'DisputeEvidenceSent' },
      ),
      { description: 'What was sent. The texts and files themselves are not kept.' },
    ),
    created_at: DateTime(),
    updated_at: DateTime(),
  },
  { title: 'DisputeAnswer' },
)

export const Dispute = Strict(
  {
    type: Kind('dispute'),
    id: Uuid(),
    merchant_account_id: Type.String(),
    payment_service_id: Uuid(),
    transaction_id: Uuid(),
    external_identifier: Nullable(
      Type.String({ description: 'The payment service’s own id of the dispute. Null if it has told none.' }),
    ),
    stage: OneOf(DISPUTE_STAGES, { description: STAGE }),
    ...TOLD,
    respond_by: Nullable(
      DateTime({
        description:
          'Until when the payment service takes an answer at this stage. Null if it has not told, and once the dispute is decided.',
      }),
    ),
    steps: Type.Array(DisputeStep, {
      maxItems: 100,
      description: 'All that the payment service has told, in the order in which we heard of it.',
    }),
    answer: Nullable(
      Type.Unsafe<Static<typeof DisputeAnswer>>({
        ...DisputeAnswer,
        description: 'Your last answer through this API. Null: none.',
      }),
    ),
    opened_at: DateTime({ description: 'When it began at the payment service, as far as it has told.' }),
    created_at: DateTime(),
    updated_at: DateTime(),
  },
  {
    title: 'Dispute',
    examples: [
      {
        type: 'dispute',
        id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0071',
        merchant_account_id: 'default',
        payment_service_id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0006',
        transaction_id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0010',
        external_identifier: 'QFQTPCQ8HXSKGK82',
        stage: 'notification',
        amount: 1299,
        currency: 'USD',
        reason_code: '13.1',
        reason_description: 'Merchandise not received',
        respond_by: '2026-11-30T23:59:59.000Z',
        steps: [
          {
            stage: 'notification',
            provider_stage: 'NOTIFICATION_OF_CHARGEBACK',
            amount: 1299,
            currency: 'USD',
            reason_code: '13.1',
            reason_description: 'Merchandise not received',
            respond_by: '2026-11-30T23:59:59.000Z',
            posted_at: '2026-11-16T09:29:58.000Z',
            created_at: '2026-11-16T09:30:00.000Z',
          },
        ],
        answer: null,
        opened_at: '2026-11-16T09:29:58.000Z',
        created_at: '2026-11-16T09:30:00.000Z',
        updated_at: '2026-11-16T09:30:00.000Z',
      },
    ],
  },
)
export type Dispute = Static<typeof Dispute>

export const Disputes = CollectionOf(Dispute, 'Disputes')

export const DisputeFilters = Strict({
  ...pageParameters(),
  stage: Type.Optional(OneOf(DISPUTE_STAGES, { description: 'Only those at this stage.' })),
  transaction_id: Type.Optional(Uuid({ description: 'Only those of this transaction.' })),
})

const Name = Type.String({ minLength: 1, maxLength: 200 })

/** Base64 of all that a request can carry: the payment service’s own limits are lower. */
const CONTENT_MAX = 8 * 1024 * 1024

export const DisputeEvidence = Strict(
  {
    texts: Type.Optional(
      Type.Array(Strict({ name: Name, text: Type.String({ minLength: 1, maxLength: 200_000 }) }), {
        maxItems: 100,
        description: 'Each under a name that the payment service knows, once.',
      }),
    ),
    files: Type.Optional(
      Type.Array(
        Strict({
          name: Name,
          file_name: Type.String({
            minLength: 1,
            maxLength: 200,
            pattern: FILE_NAME,
            expected: 'a name without slashes, quotes and line breaks',
            description: 'What the payment service calls the file. It is not kept.',
          }),
          content_type: Type.String({ minLength: 1, maxLength: 100 }),
          content: Type.String({ minLength: 1, maxLength: CONTENT_MAX, description: 'The bytes in base64.' }),
        }),
        { maxItems: 50, description: 'Each under a name that the payment service knows, once.' },
      ),
    ),
  },
  {
    title: 'DisputeEvidence',
    examples: [
      {
        texts: [{ name: 'shipping_tracking_number', text: '1Z999AA10123456784' }],
        files: [
          {
            name: 'shipping_documentation',
            file_name: 'delivery.pdf',
            content_type: 'application/pdf',
            content: 'JVBERi0xLjQK',
          },
        ],
      },
    ],
  },
)
export type DisputeEvidence = Static<typeof DisputeEvidence>

export const DisputeEvidenceFields = Strict(
  {
    type: Kind('dispute-evidence-fields'),
    dispute_id: Uuid(),
    can_accept: Type.Boolean({ description: 'Whether the dispute can be accepted now.' }),
    can_defend: Type.Boolean({ description: 'Whether evidence can be sent now.' }),
    reason: Nullable(Type.String({ description: 'Why it takes no evidence now. Null if it does.' })),
    texts: Type.Array(
      Strict({
        name: Type.String(),
        max_length: Type.Integer({ description: 'How many characters it takes.' }),
      }),
      { description: 'What texts can be.' },
    ),
    texts_max_length: Type.Integer({ description: 'How many characters all texts may have together.' }),
    files: Type.Array(Type.String(), { description: 'What files can be.' }),
    defenses: Type.Array(
      Strict(
        {
          name: Type.String(),
          required: Type.Array(Type.String(), { description: 'All of these files are needed.' }),
          one_of: Type.Array(Type.String(), { description: 'At least one of these is, if there are any.' }),
          optional: Type.Array(Type.String()),
        },
        { title: 'DisputeDefense' },
      ),
      {
        description:
          'The ways to defend this dispute: the files must be those of one of them. The text `defense` chooses one by its name; without it, the first that fits is taken. Empty: any files will do.',
      },
    ),
    content_types: Type.Array(Type.String(), { description: 'Which files it takes.' }),
    file_max_bytes: Type.Integer({ description: 'How long a file may be.' }),
    files_max_bytes: Type.Integer({ description: 'How long all files may be together.' }),
  },
  {
    title: 'DisputeEvidenceFields',
    examples: [
      {
        type: 'dispute-evidence-fields',
        dispute_id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0071',
        can_accept: true,
        can_defend: true,
        reason: null,
        texts: [{ name: 'shipping_tracking_number', max_length: 5_000 }],
        texts_max_length: 150_000,
        files: ['shipping_documentation'],
        defenses: [],
        content_types: ['application/pdf'],
        file_max_bytes: 4_500_000,
        files_max_bytes: 4_500_000,
      },
    ],
  },
)
export type DisputeEvidenceFields = Static<typeof DisputeEvidenceFields>

function toAnswer({ attempt_id: _attempt, evidence, ...answer }: StoredAnswer) {
  return { ...answer, evidence: [...evidence] }
}

/** A dispute as the API and its events show it. */
export function toDispute(row: StoredDispute): Dispute {
  return {
    type: 'dispute',
    id: row.id,
    merchant_account_id: row.merchant_account_id,
    payment_service_id: row.payment_service_id,
    transaction_id: row.transaction_id,
    external_identifier: row.external_identifier,
    stage: row.stage,
    amount: row.amount === null ? null : Number(row.amount),
    currency: row.currency,
    reason_code: row.reason_code,
    reason_description: row.reason_description,
    respond_by: row.respond_by?.toISOString() ?? null,
    steps: [...row.steps],
    answer: row.answer && toAnswer(row.answer),
    opened_at: row.opened_at.toISOString(),
    created_at: createdAt(row.id).toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}
